"""Random and trained models give the same predictions before and after export."""

import random
from pathlib import Path
from typing import Any

import pytest
import torch

from ner_zoo.exporting.export import exported
from ner_zoo.light.predictor import LightPredictor
from ner_zoo.platform.registry import load_everything
from ner_zoo.predictors.loading import open_predictor
from ner_zoo.predictors.ner_zoo import NerZooPredictor
from tests.light.random_models import EMBEDDERS, INDEXERS, LAYER, PIECES, ROOT, is_close, predictor_of
from tests.trained_models import demo_texts, joint_archive, tagger_archive

__all__ = ["joint_archive", "tagger_archive"]
# Has an entity of two fragments, whose parts are linked.
WITH_FRAGMENTS = ROOT / "fixtures" / "span_json" / "train.jsonl"
OPENINGS = ["", "Ada", "met", "Lima and Oslo", "visits Lima , Oslo today .", "naïve 東京 #a1 \u200b 3-4"]


def random_model(kind: str, seed: int) -> NerZooPredictor:
    draw = random.Random(f"{kind} {seed}")
    inputs = draw.sample(list(EMBEDDERS), draw.randint(1, len(EMBEDDERS)))
    embedders, indexers = {name: EMBEDDERS[name] for name in inputs}, {name: INDEXERS[name] for name in inputs}
    if draw.random() < 0.5:
        embedder = {"type": "frozen_encoder", "layers": draw.choice(["mix", "last", [1]])}
        embedders["pieces"] = {**draw.choice([embedder, {"type": "pretrained_transformer_mismatched"}]), **PIECES}
        indexers["pieces"] = {"type": "word_pieces", **PIECES}
    lstm = {"type": "padded_lstm", "hidden_size": draw.randint(2, 9), "num_layers": draw.randint(1, 3)}
    model: dict[str, Any] = {
        "embedder": {"token_embedders": embedders},
        "encoder": draw.choice([lstm, "pass_through"] if kind != "joint_relation" else [lstm]),
        "loss": "nll",
        "type": kind,
        "temperature": draw.choice([1.0, draw.uniform(0.5, 2.0)]),
    }
    if kind != "span":
        view: Any = "joint" if kind == "joint_relation" else "tags"
        model["head"] = draw.choice(["crf", "softmax"])
    else:
        gaps = {"type": "gaps", "max_width": 3, "max_fragment_width": 2, "max_gap": 2}
        view = {"type": "spans", "candidates": draw.choice([{"type": "contiguous", "max_width": 4}, gaps])}
        simple = ["endpoints", "projected_endpoints", {"type": "span_attention", "hidden_size": 4}]
        model["representation"], model["head"] = draw.choice(
            [*((one, "softmax") for one in simple), ("separate_endpoints", "biaffine")]
        )
        model["decoder"] = draw.choice(["argmax", "greedy", "exact", "nested"])
        model["max_spans"] = draw.choice([7, 16384])
    if kind != "joint_relation" and draw.random() < 0.5 and model["head"] != "biaffine":
        model["feedforward"] = LAYER
    return predictor_of(view, model, indexers, WITH_FRAGMENTS, seed)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["tagger", "span", "joint_relation"])
def test_a_random_model_gives_the_same_predictions_after_export(kind: str, seed: int) -> None:
    load_everything()
    predictor = random_model(kind, seed)
    light = LightPredictor(exported(predictor))
    draw = random.Random(seed)
    words = "Jane Roe visits Lima and Oslo today . of Acme Labs She left Port Sel 's guards".split()
    texts = [*OPENINGS, *(" ".join(draw.choices(words, k=draw.randint(1, 40))) for _ in range(12))]
    same_as(predictor, light, texts)


def test_links_between_the_parts_of_discontinuous_entities_are_exported() -> None:
    load_everything()
    model = {
        "embedder": {"token_embedders": {"tokens": EMBEDDERS["tokens"]}},
        "encoder": {"type": "padded_lstm", "hidden_size": 6},
        "loss": "nll",
        "type": "span",
        "representation": "endpoints",
        "head": "softmax",
        "links": {"max_gap": 3, "max_parts": 9},
    }
    view = {"type": "spans", "candidates": {"type": "contiguous", "max_width": 3}}
    predictor = predictor_of(view, model, {"tokens": INDEXERS["tokens"]}, WITH_FRAGMENTS, seed=38)
    with torch.no_grad():
        for parameter in predictor._model.parameters():
            parameter.mul_(3.0)
    export = exported(predictor)
    assert "links" in export.graphs
    texts = [f"Jane visits {one} and Oslo today , Roe left {two} ." for one in ("Lima", "Ada") for two in ("Sel", "it")]
    outputs = same_as(predictor, LightPredictor(export), texts)
    assert any(len(entity["fragments"]) > 1 for output in outputs for entity in output["entities"])


@pytest.mark.parametrize("name", ["tagger", "joint", "wnut17"])
def test_a_trained_model_gives_the_same_predictions_after_export(
    name: str, tagger_archive: Path, joint_archive: Path
) -> None:
    packaged = ROOT / "ner_zoo" / "pretrained" / "wnut17.tar.gz"
    predictor = open_predictor(str({"tagger": tagger_archive, "joint": joint_archive}.get(name, packaged)))
    outputs = same_as(predictor, LightPredictor(exported(predictor)), [*OPENINGS, *demo_texts()[:40]])
    assert sum(len(output["entities"]) for output in outputs) > 10


def same_as(predictor: NerZooPredictor, light: LightPredictor, texts: list[str]) -> list[Any]:
    """The predictions of both for the texts."""
    inputs = [{"text": text} for text in texts]
    expected = predictor.predict_all(inputs)
    found = light.predict_all(inputs)
    assert [text for text, *pair in zip(texts, expected, found) if not is_close(*pair)] == []
    return expected
