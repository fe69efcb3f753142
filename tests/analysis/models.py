"""Small untrained models of every kind with random weights, ready to be evaluated."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import torch
from allennlp.common import Params
from allennlp.data import DatasetReader, Instance, Vocabulary
from allennlp.models import Model

from ner_zoo.analysis.evaluated_model import EvaluatedModel
from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.predictors.ner_zoo import NerZooPredictor

TRAIN = "fixtures/demo/train.jsonl"
PARTS: dict[str, dict[str, Any]] = {
    "tagger": {"type": "tagger", "head": "crf"},
    "softmax tagger": {"type": "tagger", "head": "softmax"},
    "span": {
        "type": "span",
        "head": "softmax",
        "representation": {"type": "endpoints", "width_dim": 5, "max_width": 4},
    },
    "typing": {"type": "span", "head": "softmax", "representation": {"type": "endpoints", "width_dim": 5}},
    "joint": {"type": "joint_relation", "head": "crf", "relation_head": {"hidden_dim": 10, "filters": 4}},
}
VIEWS = {
    "tagger": "tags",
    "softmax tagger": "tags",
    "span": {"type": "spans", "candidates": {"type": "contiguous", "max_width": 4}},
    "typing": {"type": "spans", "candidates": "gold"},
    "joint": "joint",
}


def evaluated(kind: str, seed: int = 1, sentences: Sequence[Sentence] = (), **predictor: Any) -> EvaluatedModel:
    """A model of a kind, for the types of these sentences or of the bundled corpus."""
    config: dict[str, Any] = {
        "dataset_reader": {"type": "span_json", "view": VIEWS[kind], "max_instances": 60},
        "train_data_path": TRAIN,
        "model": {
            "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 12}}},
            "encoder": {"type": "lstm", "input_size": 12, "hidden_size": 10, "bidirectional": True},
            "loss": "nll",
            **PARTS[kind],
        },
    }
    reader = DatasetReader.from_params(Params(deepcopy(config["dataset_reader"])))
    vocab = Vocabulary.from_instances(_labelled(reader, sentences) if sentences else reader.read(TRAIN))
    torch.manual_seed(seed)
    model = Model.from_params(vocab=vocab, params=Params(deepcopy(config["model"])))
    return EvaluatedModel(f"{kind}.tar.gz", config, NerZooPredictor(model, reader, **predictor))


def scale(model: Model, factor: float) -> None:
    """Multiplies every score: above 1, the model becomes more confident."""
    head = model.head
    with torch.no_grad():
        for name in ("transitions", "start", "end"):
            if hasattr(head, name):
                getattr(head, name).mul_(factor)
        head.projection.weight.mul_(factor)
        head.projection.bias.mul_(factor)
        if hasattr(model, "relation_head"):
            model.relation_head.output.weight.mul_(factor)
            model.relation_head.output.bias.mul_(factor)


def instances(one: EvaluatedModel, sentences: Sequence[Sentence]) -> list[Instance]:
    """Sentences with gold labels."""
    return _labelled(one.reader, sentences)


def _labelled(reader: Any, sentences: Sequence[Sentence]) -> list[Instance]:
    made = [reader._instance(sentence, Repairs()) for sentence in sentences]
    for instance in made:
        reader.apply_token_indexers(instance)
    return made
