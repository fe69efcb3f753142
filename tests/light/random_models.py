"""Models with random weights over the bundled corpus, in torch and exported."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Vocabulary
from allennlp.models import Model

from ner_zoo.exporting.export import exported
from ner_zoo.light.export_file import Export
from ner_zoo.light.predictor import LightPredictor
from ner_zoo.platform.registry import load_everything
from ner_zoo.predictors.ner_zoo import NerZooPredictor

ROOT = Path(__file__).parents[2]
TRAIN = ROOT / "fixtures" / "demo" / "train.jsonl"
SENTENCES = 80
INDEXERS: dict[str, Any] = {
    "tokens": {"type": "known_spelling"},
    "letters": {"type": "characters", "min_padding_length": 3},
    "twins": {"type": "orthographic_words"},
    "kinds": {"type": "orthographic_characters", "min_padding_length": 2},
}
LETTERS = {"type": "character_cnn", "embedding_dim": 5, "widths": [2, 3], "num_filters": 4, "num_highway": 1}
STOCK_CNN = {"type": "cnn", "embedding_dim": 3, "num_filters": 3, "ngram_filter_sizes": [2]}
EMBEDDERS: dict[str, Any] = {
    "tokens": {"type": "word_vectors", "embedding_dim": 7},
    "letters": LETTERS,
    "twins": {"type": "embedding", "embedding_dim": 3, "vocab_namespace": "orthographic_words"},
    "kinds": {
        "type": "character_encoding",
        "embedding": {"embedding_dim": 3, "vocab_namespace": "orthographic_characters"},
        "encoder": STOCK_CNN,
    },
}
INPUT_SIZE = 7 + 8 + 3 + 3
SHARED: dict[str, Any] = {
    "embedder": {"token_embedders": EMBEDDERS},
    "encoder": {"type": "padded_lstm", "hidden_size": 6, "num_layers": 2},
    "loss": "nll",
}
STOCK_LSTM = {"type": "lstm", "input_size": INPUT_SIZE, "hidden_size": 6, "bidirectional": True}
LAYER = {"num_layers": 1, "hidden_dims": 8, "activations": "relu"}
CONTIGUOUS = {"type": "spans", "candidates": {"type": "contiguous", "max_width": 4}}
GAPS = {"type": "spans", "candidates": {"type": "gaps", "max_width": 3, "max_fragment_width": 2, "max_gap": 2}}
# Windows of a few pieces, so that longer sentences have several.
PIECES = {"model_name": str(ROOT / "fixtures" / "tiny_encoder"), "max_length": 16}
MODELS: dict[str, tuple[Any, dict[str, Any]]] = {
    "tagger": ("tags", {"type": "tagger", "head": "crf", "temperature": 1.5}),
    "tagger_bio": ({"type": "tags", "scheme": "BIO"}, {"type": "tagger", "head": "crf", "feedforward": LAYER}),
    "tagger_softmax": ("tags", {"type": "tagger", "head": "softmax", "encoder": STOCK_LSTM}),
    "joint": ("joint", {"type": "joint_relation", "head": "crf", "temperature": 0.8}),
    "span_endpoints": (CONTIGUOUS, {"type": "span", "representation": "endpoints", "head": "softmax"}),
    "span_greedy": (
        CONTIGUOUS,
        {"type": "span", "representation": "projected_endpoints", "head": "softmax", "decoder": "greedy"},
    ),
    "span_biaffine": (
        CONTIGUOUS,
        {"type": "span", "representation": "separate_endpoints", "head": "biaffine", "decoder": "exact"},
    ),
    "span_attention": (
        CONTIGUOUS,
        {
            "type": "span",
            "representation": {"type": "span_attention", "hidden_size": 4},
            "head": "softmax",
            "decoder": {"type": "nested", "minimum": 0.25},
            "temperature": 1.3,
        },
    ),
    "span_gaps": (
        GAPS,
        {"type": "span", "representation": "endpoints", "head": "softmax", "feedforward": LAYER, "max_spans": 64},
    ),
    "tagger_encoder": (
        "tags",
        {
            "type": "tagger",
            "head": "crf",
            "encoder": "pass_through",
            "embedder": {"token_embedders": {"pieces": {"type": "pretrained_transformer_mismatched", **PIECES}}},
        },
    ),
    "joint_frozen_encoder": (
        "joint",
        {
            "type": "joint_relation",
            "head": "crf",
            "embedder": {"token_embedders": {**EMBEDDERS, "pieces": {"type": "frozen_encoder", **PIECES}}},
        },
    ),
}
INDEXERS_OF: dict[str, Any] = {
    "tagger_encoder": {"pieces": {"type": "word_pieces", **PIECES}},
    "joint_frozen_encoder": {**INDEXERS, "pieces": {"type": "word_pieces", **PIECES}},
}


@cache
def random_predictor(name: str) -> NerZooPredictor:
    """Scales weights up, so that probabilities are not all alike."""
    load_everything()
    view, model = MODELS[name]
    return predictor_of(view, {**SHARED, **model}, INDEXERS_OF.get(name))


def predictor_of(
    view: Any, model: dict[str, Any], indexers: dict[str, Any] | None = None, train: Path = TRAIN, seed: int = 5
) -> NerZooPredictor:
    torch.manual_seed(seed)
    config = {"type": "span_json", "view": view, "token_indexers": indexers or INDEXERS}
    reader = DatasetReader.from_params(Params(json.loads(json.dumps(config))))
    instances = list(reader.read(str(train)))[:SENTENCES]
    built = Model.from_params(Params(json.loads(json.dumps(model))), vocab=Vocabulary.from_instances(instances))
    with torch.no_grad():
        for parameter in built.parameters():
            parameter.mul_(1.8)
    return NerZooPredictor(built.eval(), reader)


@cache
def random_export(name: str) -> Export:
    return exported(random_predictor(name))


@cache
def light_predictor(name: str) -> LightPredictor:
    return LightPredictor(random_export(name))


def is_close(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same, except for rounding of scores."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_close(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_close, one, other))
    return abs(one - other) < 1e-4 if isinstance(one, float) else one == other
