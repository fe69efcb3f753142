"""
Restricts which classes an archive may name: only classes registered under the requested base class, from packages that
are known to be harmless or that the user allowed.

AllenNLP treats any `type` with a dot as a class, imports its module and calls it with the arguments of the config. In
an archive such a name is refused before anything is imported, unless it belongs to a package given with
`--include-package`. The user's own configs work as in AllenNLP.
"""

from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.archive_guard import current_guard

# Classes from torch count as parts only if AllenNLP registered them, such as layers and activations.
PACKAGES = ("ner_zoo", "allennlp", "allennlp_models", "torch")
# Parts of these kinds are not needed to use a model, and some of them write files or start programs.
NOT_IN_ARCHIVES = (
    "Checkpointer",
    "DdpAccelerator",
    "GridEmbedder",
    "ImageLoader",
    "LearningRateScheduler",
    "MomentumScheduler",
    "Optimizer",
    "RegionDetector",
    "TrainModel",
    "Trainer",
    "TrainerCallback",
)
# Can be set on the command line only, never in a config.
NAMED_BY_USER = ("Predictor", "Subcommand")
_packages_of_user: set[str] = set()


def allow_package(name: str, is_explicit: bool = True) -> None:
    """
    Allows archives to name the parts of a package, as `--include-package` does. If `is_explicit`, classes of the known
    packages may also be named by their full path.
    """
    if is_explicit or not is_within(name, PACKAGES):
        _packages_of_user.add(name)


def is_within(module: str, packages: Any) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def is_named_by_user(name: str) -> bool:
    """Whether a module, or a class given by its full path, belongs to a package that the user allowed."""
    return is_within(name, _packages_of_user)


def trust_advice(module: str) -> str:
    package = module.partition(".")[0]
    return (
        f"If you trust its author and the package, pass --include-package {package}, or in Python "
        f'allennlp.common.util.import_module_and_submodules("{package}").'
    )


def check_name(base: Any, name: str, registered: Any) -> None:
    """
    Refuses a class that the open archive may not name. Imports nothing.

    registered : the class registered under that name, or `None`.
    """
    guard = current_guard()
    if guard is None or base.__name__ in NAMED_BY_USER or (registered is None and "." not in name):
        return  # AllenNLP reports unknown names and lists the known ones
    module = registered.__module__ if registered is not None else name.rpartition(".")[0]
    # The user's own archive may name anything that the user's own program registered.
    if is_named_by_user(module) or (guard.is_own and registered is not None):
        return
    place = f"The archive {guard.archive} is refused: it names {name!r} as a {base.__name__}"
    advice = trust_advice(module)
    if registered is None:
        raise ConfigurationError(f"{place}, which is not a registered part but code to import. {advice}")
    if not is_within(module, PACKAGES):
        raise ConfigurationError(
            f"{place}, which belongs to {module}, a package that archives are not allowed to use. {advice}"
        )
    if base.__name__ in NOT_IN_ARCHIVES and is_within(base.__module__, PACKAGES):
        raise ConfigurationError(f"{place}, which no model needs. Do not use it unless you trust its author.")


def check_kind(base: Any, name: str, resolved: Any) -> None:
    """Checks that a class given by its full path is a subclass of the requested base class."""
    guard = current_guard() if base.__name__ not in NAMED_BY_USER else None
    if guard is not None and not (isinstance(resolved, type) and issubclass(resolved, base)):
        raise ConfigurationError(
            f"The archive {guard.archive} is refused: {name} is used as a {base.__name__} but is not one."
        )
