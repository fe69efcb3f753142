"""
Imports `ner_zoo` whenever `allennlp` is imported in this environment.

AllenNLP 2.10.1 cannot be imported with current versions of torch without `ner_zoo.platform`, and this applies to every
process: the `allennlp` command, `python -m allennlp`, a notebook, worker processes for training or data loading.
Therefore `ner_zoo_hook.pth` imports this file when Python starts. It registers a finder that checks only for the name
`allennlp`, imports `ner_zoo` before any part of AllenNLP is loaded, and then does nothing. For a program that never
imports AllenNLP the cost is this one small file, which imports nothing itself.
"""

import sys
from importlib.util import find_spec

INSTALL = "pip install --no-deps allennlp==2.10.1 allennlp-models==2.10.1"
# Commands that run exported models without AllenNLP.
LIGHT_COMMANDS = ("predict", "annotate", "serve")


class NerZooFirst:
    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        if name != "allennlp":
            return None
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        if find_spec(name) is None:
            return None
        import ner_zoo  # noqa: F401

        return find_spec(name)


if not any(type(finder).__name__ == NerZooFirst.__name__ for finder in sys.meta_path):
    sys.meta_path.insert(0, NerZooFirst())  # type: ignore[arg-type]


def check_installation() -> None:
    """Raises an ImportError with the install command if AllenNLP is not installed."""
    missing = [name for name in ("allennlp", "allennlp_models") if find_spec(name) is None]
    if missing:
        raise ImportError(f"ner_zoo needs {' and '.join(missing)}, which pip cannot install for it. Run: {INSTALL}")


def main() -> None:
    """Entry point of the `allennlp` command."""
    words = sys.argv[1:]
    is_installed = find_spec("allennlp") is not None
    is_light = words[:1] and words[0] in LIGHT_COMMANDS and (not is_installed or "--light" in words)
    if is_light or (not is_installed and words[:1] in ([], ["-h"], ["--help"])):
        from ner_zoo.commands.without_allennlp import main as run_export

        run_export()
        return
    try:
        check_installation()
    except ImportError as error:
        sys.exit(f"{error}\nExported models run without it: allennlp {'|'.join(LIGHT_COMMANDS)} model.ner ...")
    from allennlp.__main__ import run

    run()
