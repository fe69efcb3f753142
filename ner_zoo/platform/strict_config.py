"""
Reports unknown keys anywhere in a config before any file is read.

AllenNLP builds objects from a config by the annotations of their constructors, and does so late: a misspelt key of the
trainer is reported after the corpus has been loaded, or never, because a constructor with `**kwargs` swallows unknown
keys. Here the same annotations are followed ahead of time through the whole config, without building anything:

    trainer.patince is not known. Did you mean patience?

Free-form dicts (an annotation such as `Dict[str, Any]`, the names of indexers, regexes) and constructors that really
accept any `**kwargs` are not checked. A class with its own `from_params` declares its options, as names with
annotations, in a class method `config_parameters`; otherwise its keys are checked when it is built.
"""

import collections.abc
import difflib
import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Union, get_args, get_origin

from allennlp.commands.train import TrainModel
from allennlp.common import FromParams, Lazy, Params, Registrable, from_params
from allennlp.common.checks import ConfigurationError
from allennlp.data.dataset_readers import Conll2003DatasetReader
from allennlp.evaluation import Evaluator
from allennlp.nn.parallel import DdpAccelerator
from allennlp.training import GradientDescentTrainer
from torch.nn import Module

MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
SEQUENCES = (list, set, collections.abc.Sequence, collections.abc.Iterable)


class Distributed(FromParams):
    """The keys that AllenNLP reads from the section `distributed` of an experiment."""

    def __init__(
        self,
        cuda_devices: list[int],
        num_nodes: int = 1,
        primary_address: str = "127.0.0.1",
        primary_port: int | None = None,
        ddp_accelerator: DdpAccelerator | None = None,
    ) -> None:
        """Never instantiated."""


# Keys read from the config before the object they belong to is built, or from its `**kwargs`.
ALSO_KNOWN: dict[type, dict[str, Any]] = {
    TrainModel: {
        "distributed": Distributed,
        "evaluation": Evaluator,
        "include_in_archive": list[str],
        "numpy_seed": int,
        "pytorch_seed": int,
        "random_seed": int,
    },
    GradientDescentTrainer: {"run_sanity_checks": bool},
    Conll2003DatasetReader: {"coding_scheme": str},
}


# For a class without its own constructor: it accepts no keys.
EMPTY_CONSTRUCTORS = (object.__init__, Module.__init__)


def takes_any_key(cls: type, constructor: Callable[..., Any]) -> bool:
    """Whether a constructor really accepts any `**kwargs`: no superclass that receives them lists its options."""
    if constructor in EMPTY_CONSTRUCTORS or not from_params.takes_kwargs(constructor):
        return False
    parents: list[Any] = [parent for parent in cls.mro()[1:] if issubclass(parent, FromParams)]
    if not parents or parents[0].__init__ in EMPTY_CONSTRUCTORS:
        return True
    return takes_any_key(parents[0], parents[0].__init__)


def has_custom_from_params(cls: type) -> bool:
    """Whether a class does more with its section of a config than pass it to a constructor."""
    return cls.from_params.__func__ is not FromParams.from_params.__func__  # type: ignore[attr-defined]


def parameters_of(cls: type, constructor: Callable[..., Any]) -> dict[str, Any] | None:
    """The keys that a constructor accepts, with their annotations; `None` if it accepts any key."""
    if takes_any_key(cls, constructor):
        return None
    also_known = [names for base, names in ALSO_KNOWN.items() if issubclass(cls, base)]
    known = {name: annotation for names in also_known for name, annotation in names.items()}
    if constructor not in EMPTY_CONSTRUCTORS:
        for parameter in from_params.infer_params(cls, constructor).values():
            if parameter.kind != inspect.Parameter.VAR_KEYWORD and parameter.name != "self":
                known[parameter.name] = parameter.annotation
    return known


def not_known(key: str, place: str, known: Iterable[str]) -> str:
    """One line about an unknown key or name, with the closest known one."""
    nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    advice = f"Did you mean {nearest[0]}?" if nearest else f"Known: {', '.join(sorted(known)) or 'none'}."
    return f"{place}{key} is not known. {advice}"


def problems_of_keys(parameters: dict[str, Any] | None, config: Mapping[str, Any], place: str) -> Iterator[str]:
    """The problems with the keys of one object, and with everything below them."""
    for key, value in config.items() if parameters is not None else ():
        if key in parameters:  # type: ignore[operator]
            yield from problems(parameters[key], value, f"{place}{key}.")  # type: ignore[index]
        else:
            yield not_known(key, place, parameters)  # type: ignore[arg-type]


def problems_of_part(cls: Any, config: dict[str, Any], place: str) -> Iterator[str]:
    """The problems with the section of a config that describes an object of a class or one of its subclasses."""
    constructor = cls.__init__
    if Registrable._registry.get(cls) is not None:
        names = cls.list_available()
        name = config.pop("type", names[0] if cls.default_implementation is not None else "")
        if name not in names:
            if name and "." not in name:
                yield not_known(name, f"{place}type: ", names)
            return
        cls, constructor_name = cls.resolve_class_name(name)
        constructor = getattr(cls, constructor_name) if constructor_name else cls.__init__
    if hasattr(cls, "config_parameters"):
        yield from problems_of_keys(cls.config_parameters(), config, place)
    elif hasattr(cls, "from_params") and not has_custom_from_params(cls) and "_pretrained" not in config:
        yield from problems_of_keys(parameters_of(cls, constructor), config, place)


def problems(annotation: Any, config: Any, place: str) -> Iterator[str]:
    """The problems with a value, according to the annotation of its parameter; `place` is its path and a dot."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, types.UnionType):
        possible = [argument for argument in arguments if could_be(argument, config)]
        alternatives = [list(problems(argument, config, place)) for argument in possible]
        if alternatives and all(alternatives):
            yield from alternatives[0]
    elif origin is Lazy:
        yield from problems(arguments[0], config, place)
    elif hasattr(annotation, "from_params") and isinstance(config, (str, Mapping)):
        part = {"type": config} if isinstance(config, str) else dict(config)
        yield from problems_of_part(origin or annotation, part, place)
    elif origin in MAPPINGS and len(arguments) == 2 and isinstance(config, Mapping):
        for key, value in config.items():
            yield from problems(arguments[1], value, f"{place}{key}.")
    elif origin is tuple and isinstance(config, (list, tuple)):
        for index, (argument, value) in enumerate(zip(arguments, config)):
            yield from problems(argument, value, f"{place}{index}.")
    elif origin in SEQUENCES and len(arguments) == 1 and isinstance(config, (list, tuple)):
        for index, value in enumerate(config):
            yield from problems(arguments[0], value, f"{place}{index}.")


def could_be(annotation: Any, config: Any) -> bool:
    """Whether a value could be meant for this member of a `Union`."""
    origin = get_origin(annotation)
    if annotation is Any or origin is Lazy:
        return True
    if isinstance(config, Mapping):
        return origin in MAPPINGS or hasattr(annotation, "from_params")
    if isinstance(config, (list, tuple)):
        return origin in SEQUENCES or origin is tuple
    return isinstance(config, str) and (annotation is str or hasattr(annotation, "from_params"))


def refuse(found: Iterable[str]) -> None:
    lines = list(found)
    if lines:
        raise ConfigurationError("In the config, " + "\nand ".join(lines))


def check_part(cls: type, constructor: Callable[..., Any], params: Params) -> None:
    """Refuses an unknown key or name in the section of one object."""
    refuse(problems_of_keys(parameters_of(cls, constructor), params.as_dict(quiet=True), params.history))


def check_experiment(params: Params) -> None:
    """Refuses an experiment with an unknown key or name anywhere."""
    refuse(problems_of_part(TrainModel, dict(params.as_dict(quiet=True)), ""))
