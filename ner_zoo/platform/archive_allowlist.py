"""
An archive may name parts, and nothing else: classes registered under the base that is asked for, of packages that are
known to be harmless or that the user has named.

AllenNLP takes any `type` with a dot in it for a class, imports its module and calls it with the arguments of the
config. In an archive such a name is refused before anything is imported, unless it belongs to a package of
`--include-package`. In the user's own config everything is as in AllenNLP.
"""

from typing import Any

from allennlp.common.checks import ConfigurationError

from ner_zoo.platform.archive_guard import current_guard

# torch's classes are parts only where AllenNLP has registered them, as it does with layers and activations.
PACKAGES = ("ner_zoo", "allennlp", "allennlp_models", "torch")
# Nothing of these kinds is needed to use a model, and some of them write files or start programs.
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
# On the command line, never in a config.
NAMED_BY_USER = ("Predictor", "Subcommand")
_packages_of_user: set[str] = set()


def allow_package(name: str, is_explicit: bool = True) -> None:
    """
    Lets archives name the parts of a package, as `--include-package` does; of the known packages also classes by their
    full names, if it is explicit.
    """
    if is_explicit or not is_within(name, PACKAGES):
        _packages_of_user.add(name)


def is_within(module: str, packages: Any) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def is_named_by_user(name: str) -> bool:
    """Whether a module, or a class given by its full name, belongs to a package that the user has named."""
    return is_within(name, _packages_of_user)


def trust_advice(module: str) -> str:
    package = module.partition(".")[0]
    return (
        f"If you trust its author and the package, give --include-package {package}, or in Python "
        f'allennlp.common.util.import_module_and_submodules("{package}").'
    )


def check_name(base: Any, name: str, registered: Any) -> None:
    """
    Refuses a class that the archive that is open may not name. Imports nothing.

    registered : the class of that name, or `None`.
    """
    guard = current_guard()
    if guard is None or base.__name__ in NAMED_BY_USER or (registered is None and "." not in name):
        return  # what is neither registered nor a full name AllenNLP refuses, and says which names there are
    module = registered.__module__ if registered is not None else name.rpartition(".")[0]
    # The user's own archive names what the user's own program has registered.
    if is_named_by_user(module) or (guard.is_own and registered is not None):
        return
    place = f"The archive {guard.archive} is refused: it names {name!r} as a {base.__name__}"
    advice = trust_advice(module)
    if registered is None:
        raise ConfigurationError(f"{place}, which is not a registered part but code to import. {advice}")
    if not is_within(module, PACKAGES):
        raise ConfigurationError(f"{place}, which belongs to {module}, a package that archives may not use. {advice}")
    if base.__name__ in NOT_IN_ARCHIVES and is_within(base.__module__, PACKAGES):
        raise ConfigurationError(f"{place}, and no model needs one. Do not use it unless you know who made it.")


def check_kind(base: Any, name: str, resolved: Any) -> None:
    """Of a class given by its full name: it must be what is asked for."""
    guard = current_guard() if base.__name__ not in NAMED_BY_USER else None
    if guard is not None and not (isinstance(resolved, type) and issubclass(resolved, base)):
        raise ConfigurationError(
            f"The archive {guard.archive} is refused: {name} is not a {base.__name__}, though it stands where one goes."
        )
