"""
Predicts texts with an exported model: the JSON of `allennlp predict`, without torch.
"""

from inspect import signature
from typing import Any

from ner_zoo.annotator import Annotator
from ner_zoo.data.sentence_rules import SENTENCE_RULES
from ner_zoo.data.token_rules import TOKEN_RULES
from ner_zoo.light.export_file import AGAIN, Export, read_export
from ner_zoo.light.joint_reader import JointReader
from ner_zoo.light.reader import LightReader, TagReader
from ner_zoo.light.span_reader import SpanReader
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.predictors.text_predictor import TextPredictor

READERS: dict[str, type[LightReader]] = {
    "tagger": TagReader,
    "span": SpanReader,
    "joint_relation": JointReader,
}
# Of `TextPredictor`, with defaults.
OPTIONS = [name for name, one in signature(TextPredictor).parameters.items() if one.default is not one.empty]


class LightPredictor(TextPredictor):
    """
    export : the exported model.
    threads : number of threads of its graphs.
    predictor_args : options of `TextPredictor`.
    """

    def __init__(self, export: Export, threads: int = 1, predictor_args: dict[str, Any] | None = None) -> None:
        settings = export.settings
        self.export = export
        splitter = dict(settings["sentence_splitter"])
        super().__init__(
            READERS[settings["kind"]](export, threads),
            TOKEN_RULES[settings["tokenizer"]](),
            SENTENCE_RULES[splitter.pop("type")](**splitter),
            **(predictor_args or {}),
        )


def load_predictor(path: str, predictor_args: dict[str, Any] | None = None, threads: int = 1) -> LightPredictor:
    """The predictor of an export. predictor_args : options of `TextPredictor`."""
    unknown = [name for name in predictor_args or {} if name not in OPTIONS]
    if unknown:
        names = ", ".join(OPTIONS)
        raise ConfigurationError(f"There is no option {unknown[0]!r} of the predictor. Use one of {names}.")
    export = read_export(path)
    try:
        return LightPredictor(export, threads, predictor_args)
    except (LookupError, AttributeError, TypeError, ValueError) as error:
        raise ConfigurationError(
            f"{path} lacks a part that its kind of model needs ({error!r}). It was not created by `allennlp export` "
            f"of this ner_zoo. {AGAIN}"
        ) from error


def load(path: str, threads: int = 1) -> Annotator:
    """Loads an exported model with the interface of `ner_zoo.load`: `model("text")`, `model.pipe(texts)`."""
    return Annotator(load_predictor(path, {"strict": True}, threads), path)
