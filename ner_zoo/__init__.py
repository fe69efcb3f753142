"""Named entity recognition models and losses for AllenNLP. Importing the package registers all of its parts."""

__version__ = "0.2.0"

from ner_zoo_hook import check_installation

check_installation()

from ner_zoo.platform import compat  # noqa: E402

compat.apply()

from allennlp.common.util import import_module_and_submodules  # noqa: E402

from ner_zoo.platform import archives, errors, strict_config  # noqa: E402

archives.install()
strict_config.install()
errors.install()

for _package in ("data", "losses", "modules", "models", "metrics", "training", "predictors", "commands"):
    import_module_and_submodules(f"{__name__}.{_package}")

from ner_zoo.platform import resume  # noqa: E402

resume.install()


def __getattr__(name: str) -> object:
    """`ner_zoo.load`, imported when it is asked for: few who train or read corpora need it."""
    if name == "load":
        from ner_zoo.api import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
