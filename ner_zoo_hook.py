"""
Whoever imports `allennlp` in this environment gets `ner_zoo` with it.

AllenNLP 2.10.1 does not import on today's torch without the help of `ner_zoo.platform`, and the help must be there in
every process: the `allennlp` command, `python -m allennlp`, a notebook, workers spawned for training or loading. So
`ner_zoo_hook.pth` imports this file when Python starts. It registers a finder that looks at nothing but the name
`allennlp`, imports `ner_zoo` before anything of AllenNLP is loaded, and steps aside. A program that never imports
AllenNLP pays for this one small file, which itself imports nothing.
"""

import sys
from importlib.util import find_spec

INSTALL = "pip install --no-deps allennlp==2.10.1 allennlp-models==2.10.1"


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
    """Raises an ImportError with the one command that is missing, if AllenNLP is not installed."""
    missing = [name for name in ("allennlp", "allennlp_models") if find_spec(name) is None]
    if missing:
        raise ImportError(f"ner_zoo needs {' and '.join(missing)}, which pip cannot install for it. Run: {INSTALL}")


def main() -> None:
    """The `allennlp` command."""
    try:
        check_installation()
    except ImportError as error:
        sys.exit(str(error))
    from allennlp.__main__ import run

    run()
