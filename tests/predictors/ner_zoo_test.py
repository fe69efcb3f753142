"""The predictor with a trained model, on any text."""

from pathlib import Path
from typing import Any

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.common.testing import AllenNlpTestCase  # noqa: F401  sets logging up as AllenNLP's own tests do
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest import approx

from ner_zoo.predictors.line import Line, read_line
from ner_zoo.predictors.loading import load_predictor
from ner_zoo.predictors.ner_zoo import NerZooPredictor
from ner_zoo.predictors.options import Options
from tests.trained_models import demo_texts

TEXT = "Edda Abernathy of Meridian Systems lives in Port Ellery. The committee will meet on Thursday."
ODD = "👩‍🔬 Zoë\u0301 met 李明 in\tPort\u200b Ellery\r\n\r\nנועה — “Nova 3”… \ud83d x́ \x00 naïve"
slow = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def predictor(tagger_archive: Path) -> NerZooPredictor:
    return load_predictor(str(tagger_archive))


@pytest.fixture(scope="module")
def joint(joint_archive: Path) -> NerZooPredictor:
    return load_predictor(str(joint_archive))


def assert_offsets_are_exact(text: str, output: dict[str, Any]) -> None:
    assert output["text"] == text
    end = 0
    for token in output["tokens"]:
        assert text[token["start"] : token["end"]] == token["text"] and token["start"] >= end
        assert not text[end : token["start"]].strip()
        end = token["end"]
    assert not text[end:].strip()
    for entity in output["entities"]:
        assert entity["text"] == " ".join(text[start:end] for start, end in entity["fragments"])
        assert (entity["start"], entity["end"]) == (entity["fragments"][0][0], entity["fragments"][-1][1])
        assert 0 <= entity["score"] <= 1


def assert_same(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Equal up to the last digits of probabilities, which depend on the order of sums."""
    assert [first[key] for key in ("text", "tokens", "sentences")] == [
        second[key] for key in ("text", "tokens", "sentences")
    ]
    for key in ("entities", "relations"):
        bare = [[{k: v for k, v in one.items() if k != "score"} for one in side[key]] for side in (first, second)]
        assert bare[0] == bare[1]
        assert [one["score"] for one in first[key]] == approx([one["score"] for one in second[key]], abs=1e-4)


@slow
@given(st.text(st.characters(), max_size=80))
def test_offsets_are_exact_on_any_text(predictor: NerZooPredictor, text: str) -> None:
    assert_offsets_are_exact(text, predictor.predict_json({"text": text}))


@pytest.mark.parametrize("text", [TEXT, ODD, "", " \r\n\t", "a" * 5000, "\u0301", "日本語の文。次の文。"])
def test_offsets_are_exact_on_odd_texts(predictor: NerZooPredictor, text: str) -> None:
    assert_offsets_are_exact(text, predictor.predict_json({"text": text}))


@slow
@given(st.lists(st.sampled_from(demo_texts()) | st.text(max_size=40), min_size=1, max_size=8))
def test_a_batch_gives_what_each_text_gives_alone(predictor: NerZooPredictor, texts: list[str]) -> None:
    together = predictor.predict_batch_json([{"text": text} for text in texts])
    for text, output in zip(texts, together):
        assert_same(output, predictor.predict_json({"text": text}))


@pytest.mark.parametrize("budget", [1, 7, 64])
def test_the_budget_of_tokens_changes_nothing_but_memory(tagger_archive: Path, predictor, budget: int) -> None:
    inputs = [{"text": text} for text in demo_texts()[:20]]
    frugal = NerZooPredictor(predictor._model, predictor._dataset_reader, max_tokens_per_batch=budget)
    for first, second in zip(frugal.predict_batch_json(inputs), predictor.predict_batch_json(inputs)):
        assert_same(first, second)


@slow
@given(st.sampled_from(demo_texts()))
def test_windows_change_nothing_on_text_that_fits(predictor: NerZooPredictor, text: str) -> None:
    windowed = NerZooPredictor(
        predictor._model, predictor._dataset_reader, max_sentence_tokens=len(text.split()) + 9, window_overlap=3
    )
    assert_same(windowed.predict_json({"text": text}), predictor.predict_json({"text": text}))


def test_a_sentence_of_any_length_is_read_to_its_end(predictor: NerZooPredictor) -> None:
    text = ", ".join(demo_texts()[:60]).replace(".", "")
    windowed = NerZooPredictor(predictor._model, predictor._dataset_reader, max_sentence_tokens=40, window_overlap=20)
    output = windowed.predict_json({"text": text})
    assert_offsets_are_exact(text, output)
    whole = {(e["start"], e["end"], e["type"]) for e in predictor.predict_json({"text": text})["entities"]}
    found = {(e["start"], e["end"], e["type"]) for e in output["entities"]}
    assert len(whole) > 50 and len(whole & found) / len(whole | found) > 0.9


def test_tokens_are_kept_as_given(predictor: NerZooPredictor) -> None:
    output = predictor.predict_json({"tokens": ["Edda", "Abernathy", "sings"]})
    assert output["text"] == "Edda Abernathy sings"
    assert [token["text"] for token in output["tokens"]] == ["Edda", "Abernathy", "sings"]
    assert predictor.predict_json({"sentence": "Hello."})["text"] == "Hello."


def test_an_output_can_be_an_input_again(predictor: NerZooPredictor) -> None:
    output = predictor.predict_json({"text": TEXT})
    assert_same(predictor.predict_json(output), output)


def test_the_demo_names_are_found(predictor: NerZooPredictor, joint: NerZooPredictor) -> None:
    found = {(entity["text"], entity["type"]) for entity in predictor.predict_json({"text": TEXT})["entities"]}
    assert ("Edda Abernathy", "PER") in found and ("Meridian Systems", "ORG") in found
    output = joint.predict_json({"text": TEXT})
    ends = [
        (output["entities"][r["head"]]["text"], r["type"], output["entities"][r["tail"]]["text"])
        for r in output["relations"]
    ]
    assert ("Edda Abernathy", "works_for", "Meridian Systems") in ends


def test_taggings_are_ranked_and_the_first_is_what_is_found(predictor: NerZooPredictor) -> None:
    (output,) = predictor.predict_all([{"text": TEXT}], [Options(top_k=4)])
    scores = [tagging["score"] for tagging in output["taggings"]]
    assert len(scores) == 4 and scores == sorted(scores, reverse=True) and sum(scores) <= 1 + 1e-5
    assert output["taggings"][0]["entities"] == output["entities"]
    assert "taggings" not in predictor.predict_json({"text": TEXT})


def test_each_input_of_a_batch_has_its_own_options(predictor: NerZooPredictor) -> None:
    outputs = predictor.predict_all([{"text": TEXT}] * 2, [Options(threshold=1.0), Options(top_k=1)])
    assert outputs[0]["entities"] == [] and "taggings" not in outputs[0]
    assert outputs[1]["entities"] and len(outputs[1]["taggings"]) == 1


BAD = [
    5,
    [],
    None,
    {},
    {"text": 5},
    {"text": None},
    {"tokens": "a b"},
    {"tokens": ["a", 5]},
    {"tokens": ["a", ""]},
    {"txt": ""},
]


@pytest.mark.parametrize("given", BAD)
def test_an_input_that_cannot_be_used_is_reported_and_the_others_continue(
    predictor: NerZooPredictor, given: Any
) -> None:
    outputs = predictor.predict_all([{"text": TEXT}, given, {"text": TEXT}])
    assert set(outputs[1]) == {"error"}
    assert outputs[0] == outputs[2] and outputs[0]["entities"]


def test_an_error_names_the_line(predictor: NerZooPredictor) -> None:
    lines = [read_line(b"fine", 1), read_line(b"{oops", 2), Line({"text": 5}, 3)]
    outputs = predictor.predict_batch_json(lines)
    assert [output.get("line") for output in outputs] == [None, 2, 3]
    assert "string" in outputs[2]["error"]


def test_a_strict_predictor_stops(predictor: NerZooPredictor) -> None:
    strict = NerZooPredictor(predictor._model, predictor._dataset_reader, strict=True)
    with pytest.raises(ConfigurationError, match="Line 2"):
        strict.predict_batch_json([read_line(b"fine", 1), read_line(b"{oops", 2)])


def test_a_text_at_which_the_model_fails_does_not_take_others_with_it(predictor: NerZooPredictor, monkeypatch) -> None:
    forward = predictor._forward

    def failing(sentences, top_k):
        if any("poison" in sentence.tokens for sentence in sentences):
            raise RuntimeError("out of memory")
        return forward(sentences, top_k)

    failing.fits, failing.lengths = forward.fits, forward.lengths  # type: ignore[attr-defined]
    monkeypatch.setattr(predictor, "_forward", failing)
    outputs = predictor.predict_all([{"text": text} for text in ("one", "poison", TEXT, "two")])
    assert ["error" in output for output in outputs] == [False, True, False, False]
    assert "out of memory" in outputs[1]["error"]


@pytest.mark.parametrize("arguments", [{"max_tokens_per_batch": 0}, {"window_overlap": 600}, {"threshold": 2.0}])
def test_invalid_arguments_are_refused(predictor: NerZooPredictor, arguments: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        NerZooPredictor(predictor._model, predictor._dataset_reader, **arguments)
