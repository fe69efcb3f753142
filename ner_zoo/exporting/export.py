"""
Exports the archive of a trained model: see `ner_zoo.light.export_file` for the contents.
"""

from collections.abc import Callable, Collection
from typing import Any

import torch
from allennlp.common import Registrable
from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import Tokenizer

import ner_zoo
from ner_zoo.data.sentence_rules import SENTENCE_RULES
from ner_zoo.data.sentence_splitter import SentenceSplitter
from ner_zoo.data.token_rules import TOKEN_RULES
from ner_zoo.exporting.inputs import vocabulary_of, word_graph, word_input
from ner_zoo.exporting.joint_relation import joint_parts
from ner_zoo.exporting.pieces import encoder_name, with_encoder, without_encoder
from ner_zoo.exporting.span import span_parts
from ner_zoo.exporting.tagger import tagger_parts
from ner_zoo.exporting.traceable import traceable
from ner_zoo.light.export_file import Export
from ner_zoo.predictors.ner_zoo import NerZooPredictor
from ner_zoo.predictors.word_tensors import widest_convolution

# Maps a traceable model and its reader's view to the settings of its labels, its arrays and its graphs.
KINDS: dict[str, Callable[[Any, Any], tuple[dict, dict, dict]]] = {
    "tagger": lambda model, view: tagger_parts(model),
    "span": span_parts,
    "joint_relation": lambda model, view: joint_parts(model),
}


def exported(predictor: NerZooPredictor, card: str = "") -> Export:
    """Exports the model of a predictor, in single precision."""
    model: Any = predictor._model
    # A subclass may compute something else, so it does not inherit the kind of its base.
    kind = vars(type(model)).get("export_kind")
    if kind not in KINDS:
        names = ", ".join(KINDS)
        raise ConfigurationError(f"A model of the class {type(model).__name__} cannot be exported. Supported: {names}.")
    reader: Any = predictor._dataset_reader
    encoder = encoder_name(reader.token_indexers)
    margin = widest_convolution(model)
    inputs = [word_input(name, one, margin) for name, one in reader.token_indexers.items() if name != encoder]
    model.eval()
    with traceable(model), torch.random.fork_rng():
        labels, arrays, graphs = KINDS[kind](model, reader.view)
        if inputs:
            embedder = without_encoder(model.embedder, encoder) if encoder else model.embedder
            graphs["words"] = word_graph(embedder, inputs, model.vocab)
    splitter: Any = predictor.sentence_splitter
    split = _name_of(splitter, SentenceSplitter, SENTENCE_RULES, "sentence splitter")
    settings = {
        "ner_zoo": ner_zoo.__version__,
        "kind": kind,
        "precision": "float32",
        "tokenizer": _name_of(predictor.tokenizer, Tokenizer, TOKEN_RULES, "tokenizer"),
        "sentence_splitter": {"type": split, **({"newline": splitter.newline} if split == "rules" else {})},
        "inputs": inputs,
        "labels": labels,
        "temperature": model.temperature,
    }
    export = Export(settings, vocabulary_of(model.vocab, inputs), arrays, graphs, card)
    return with_encoder(export, model, encoder, reader.token_indexers[encoder]) if encoder else export


def _name_of(part: Any, base: type[Registrable], rules: Collection[str], what: str) -> str:
    """The registered name of a tokenizer or sentence splitter that an export can use."""
    for name in rules:
        if type(part) is base.by_name(name):
            return name
    raise ConfigurationError(
        f"The model's {what} is a {type(part).__name__}, which cannot be exported. Train with one of "
        f"{', '.join(rules)}: dataset_reader.{what.replace(' ', '_')}."
    )
