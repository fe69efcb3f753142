"""Parts that cannot be exported are refused by name, and exports are checked."""

import pytest
import torch
from allennlp.common.checks import ConfigurationError

from ner_zoo.exporting.export import exported
from ner_zoo.exporting.graphs import graph_of
from ner_zoo.exporting.quantize import quantized
from ner_zoo.light.predictor import LightPredictor
from tests.light.random_models import PIECES, SHARED, predictor_of, random_export, random_predictor


class HalfFixed(torch.nn.Module):
    """A module whose result depends on a size in a way that tracing cannot see."""

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        return vectors * float(vectors.shape[0])


def test_a_graph_that_says_something_else_than_the_module_is_refused() -> None:
    examples = [{"vectors": torch.ones(2, 3)}, {"vectors": torch.ones(4, 3)}]
    with pytest.raises(ConfigurationError, match="gives different results than torch"):
        graph_of("module", HalfFixed(), examples, ["out"], {"vectors": ["rows"], "out": ["rows"]})


def test_parts_that_an_export_cannot_hold_are_named() -> None:
    words = {"embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}}}
    model = {**SHARED, **words, "type": "tagger", "head": "crf"}
    odd = predictor_of("tags", model, {"tokens": {"type": "single_id", "start_tokens": ["@start@"]}})
    with pytest.raises(ConfigurationError, match="token indexer 'tokens' is a SingleIdTokenIndexer"):
        exported(odd)
    given = {**SHARED, **words, "type": "span", "representation": "endpoints", "head": "softmax"}
    typing = predictor_of({"type": "spans", "candidates": "gold"}, given, {"tokens": {"type": "single_id"}})
    with pytest.raises(ConfigurationError, match="candidates Gold"):
        exported(typing)


def test_a_subclass_is_not_exported_as_its_base(monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = random_predictor("tagger")
    other = type("OtherTagger", (type(predictor._model),), {})
    monkeypatch.setattr(predictor._model, "__class__", other)
    with pytest.raises(ConfigurationError, match="OtherTagger cannot be exported. Supported: tagger, span"):
        exported(predictor)


def test_exporting_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    exported(random_predictor("tagger"))
    # The first use on a machine announces that loops are compiled.
    capfd.readouterr()
    exported(random_predictor("tagger"))
    assert capfd.readouterr() == ("", "")


def test_exporting_leaves_the_model_and_the_random_numbers_as_they_were() -> None:
    predictor = random_predictor("tagger")
    before = predictor.predict_json({"text": "Ada lived in London."})
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    exported(predictor)
    assert torch.equal(torch.rand(3), expected)
    assert predictor.predict_json({"text": "Ada lived in London."}) == before


@pytest.mark.parametrize("name", ["tagger", "span_endpoints", "joint"])
def test_eight_bits_make_the_encoder_smaller_and_answers_nearly_the_same(name: str) -> None:
    export = random_export(name)
    small = quantized(export)
    assert (
        small.settings["precision"] == "int8"
        and b"DynamicQuantizeLSTM" in small.graphs["encoder"]
        and small.graphs["words"] == export.graphs["words"]
    )
    [output] = LightPredictor(small).predict_all([{"text": "Ada Lovelace lived in London."}])
    assert [token["text"] for token in output["tokens"]][-1] == "."


@pytest.mark.parametrize("name", ["tagger_encoder", "joint_frozen_encoder"])
def test_eight_bits_are_for_the_products_of_a_pretrained_encoder_too(name: str) -> None:
    export = random_export(name)
    small = quantized(export)
    assert b"MatMulInteger" in small.graphs["pieces"] and small.tokenizer == export.tokenizer
    inputs = [{"text": "the city is in Gutenberg ."}]
    [found], [before] = (LightPredictor(one).predict_all(inputs) for one in (small, export))
    assert [one["text"] for one in found["tokens"]] == [one["text"] for one in before["tokens"]]


def test_an_encoder_that_an_export_cannot_hold_is_named() -> None:
    indexers = {"pieces": {"type": "word_pieces", **PIECES}}
    first = {"type": "pretrained_transformer_mismatched", "sub_token_mode": "first", **PIECES}
    model = {**SHARED, "type": "tagger", "head": "crf", "embedder": {"token_embedders": {"pieces": first}}}
    with pytest.raises(ConfigurationError, match="sub_token_mode avg"):
        exported(predictor_of("tags", model, indexers))
    plain = {"type": "pretrained_transformer_mismatched", **PIECES}
    both = {**model, "embedder": {"token_embedders": {"one": plain, "two": plain}}}
    with pytest.raises(
        ConfigurationError, match="Only one pretrained encoder can be exported, but the model has one, two"
    ):
        exported(predictor_of("tags", both, {"one": indexers["pieces"], "two": indexers["pieces"]}))
