"""Relations between given entities, with trained models."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from allennlp.common.checks import ConfigurationError
from pytest import approx

from ner_zoo.annotation import Sentence
from ner_zoo.predictors.loading import load_predictor
from ner_zoo.predictors.ner_zoo import NerZooPredictor
from ner_zoo.predictors.options import Options
from tests.trained_models import ROOT

TEXT = "It rained. Edda Abernathy of Meridian Systems lives in Port Ellery."
EDDA, MERIDIAN, ELLERY = [11, 25, "PER"], [29, 45, "ORG"], [55, 66, "LOC"]
TOKENS = ["Edda", "Abernathy", "of", "Meridian", "Systems", "lives", "in", "Port", "Ellery", "."]


@pytest.fixture(scope="module")
def joint(joint_archive: Path) -> NerZooPredictor:
    return load_predictor(str(joint_archive))


def spans(output: dict[str, Any]) -> list[list[Any]]:
    return [[one["start"], one["end"], one["type"]] for one in output["entities"]]


def test_the_entities_come_back_with_score_one_in_text_order(joint: NerZooPredictor) -> None:
    output = joint.predict_json({"text": TEXT, "entities": [ELLERY, EDDA]})
    assert spans(output) == [EDDA, ELLERY]
    assert [one["score"] for one in output["entities"]] == [1.0, 1.0]
    assert [one["text"] for one in output["entities"]] == ["Edda Abernathy", "Port Ellery"]
    assert {(one["head"], one["tail"]) for one in output["relations"]} <= {(0, 1), (1, 0)}


def test_entities_that_the_model_would_not_find_are_taken_too(joint: NerZooPredictor) -> None:
    """Otherwise "with exactly these" would merely filter what is found anyway."""
    found = spans(joint.predict_json({"text": TEXT}))
    places, types = ((11, 25), (55, 66)), joint.labels.types
    wrong = [next([*place, type] for type in types if [*place, type] not in found) for place in places]
    assert spans(joint.predict_json({"text": TEXT, "entities": wrong})) == wrong


def test_relations_have_the_probabilities_of_the_tagging(joint: NerZooPredictor) -> None:
    names = ["B-PER", "L-PER", "O", "B-ORG", "L-ORG", "O", "O", "B-LOC", "L-LOC", "O"]
    structure = joint._forward.structure([Sentence(tuple(TOKENS))])
    tags = torch.tensor([joint.labels.names.index(name) for name in names])
    probabilities = structure.given(tags.view(1, 1, -1)).probabilities().detach()  # (pairs, labels)
    pair_names = joint.labels.pair_names  # type: ignore[attr-defined]
    expected = {}
    for (first, second), row in zip([(0, 1), (0, 2), (1, 2)], probabilities):
        name = pair_names[int(row.argmax())]
        if name != "NONE":
            expected[(first, second) if name.endswith("-->") else (second, first), name[:-3]] = float(row.max())
    output = joint.predict_json({"tokens": TOKENS, "entities": [[0, 2, "PER"], [3, 5, "ORG"], [7, 9, "LOC"]]})
    found = {((one["head"], one["tail"]), one["type"]): one["score"] for one in output["relations"]}
    assert expected and found == approx(expected, abs=1e-5)


def test_a_prediction_can_be_the_input(joint: NerZooPredictor) -> None:
    once = joint.predict_json({"text": TEXT})
    twice = joint.predict_json(once)
    assert spans(twice) == spans(once)
    bare = [[{**one, "score": 0} for one in output["relations"]] for output in (once, twice)]
    assert bare[0] and bare[0] == bare[1]
    assert joint.predict_json(twice) == twice


def test_a_line_of_span_json_gets_relations_between_its_entities(joint: NerZooPredictor) -> None:
    lines = (ROOT / "fixtures" / "demo" / "test.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines[:20]]
    for record, output in zip(records, joint.predict_batch_json(records)):
        words = [" ".join(record["tokens"][one["start"] : one["end"]]) for one in record["entities"]]
        assert [one["text"] for one in output["entities"]] == words


def test_no_entities_have_no_relations_and_null_means_that_none_were_given(joint: NerZooPredictor) -> None:
    output = joint.predict_json({"text": TEXT, "entities": []})
    assert output["entities"] == output["relations"] == []
    assert joint.predict_json({"text": TEXT, "entities": None}) == joint.predict_json({"text": TEXT})
    assert joint.predict_json({"text": "", "entities": []})["entities"] == []


def test_inputs_with_and_without_entities_share_a_batch(joint: NerZooPredictor) -> None:
    inputs = [{"text": TEXT}, {"text": TEXT, "entities": [EDDA]}, {"text": "Edda sings."}]
    alone = [joint.predict_json(one) for one in inputs]
    for one, other in zip(joint.predict_batch_json(inputs), alone):
        assert spans(one) == spans(other)
        scores = [[relation["score"] for relation in output["relations"]] for output in (one, other)]
        assert scores[0] == approx(scores[1], abs=1e-4)


def test_windows_lose_no_entity(joint_archive: Path) -> None:
    narrow = load_predictor(str(joint_archive), predictor_args={"max_sentence_tokens": 6, "window_overlap": 4})
    tokens = TOKENS[:-1] * 4
    entities = [[9 * turn + start, 9 * turn + end, type] for turn in range(4) for start, end, type in
                ([0, 2, "PER"], [3, 5, "ORG"], [7, 9, "LOC"])]  # fmt: skip
    output = narrow.predict_json({"tokens": tokens, "entities": entities})
    assert [one["text"] for one in output["entities"]] == [" ".join(tokens[s:e]) for s, e, _ in entities]
    assert output["relations"]
    for relation in output["relations"]:
        first, second = sorted((relation["head"], relation["tail"]))
        assert entities[second][1] - entities[first][0] <= 6


def test_numbers_of_numpy_are_numbers(joint: NerZooPredictor) -> None:
    entity = {"start": np.int64(11), "end": np.int64(25), "type": "PER"}
    assert spans(joint.predict_json({"text": TEXT, "entities": [entity]})) == [EDDA]


@pytest.mark.parametrize(
    ("entities", "reason"),
    [
        ("PER", "must be a list of entities"),
        ([EDDA, [60, 80, "LOC"]], r"Entity 1 of the input, 'Ellery.' \(LOC, 60 to 80\): the input has 67 characters"),
        ([[-1, 4, "PER"]], "Entity 0 .*with start at least 0"),
        ([[11, 11, "PER"]], "Entity 0 .*end after start"),
        ([EDDA, [20, 45, "ORG"]], "Entity 1 .* overlaps entity 0 of the input, 'Edda Abernathy'"),
        ([EDDA, EDDA], "overlaps"),
        (
            [[11, 25, "GENE"]],
            r"'Edda Abernathy' \(GENE, 11 to 25\): the model has no such type. Use one of LOC, ORG, PER",
        ),
        (
            [[11, 20, "PER"]],
            r"does not start and end at token boundaries; the tokens there are \['Edda', 'Abernathy'\]",
        ),
        ([[10, 25, "PER"]], "does not start and end at token boundaries"),
        ([[3, 25, "PER"]], "extends beyond the end of its sentence"),
        ([{"start": 11, "end": 25, "type": "PER", "text": "Port"}], "the text given for it is 'Port'"),
        ([{"start": 11, "end": 66, "type": "PER", "fragments": [[11, 15], [55, 66]]}], "discontinuous"),
        ([{"start": 11, "end": 25}], r"Entity 0 of the input is .* Expected \{"),
        ([{"start": True, "end": 25, "type": "PER"}], "Expected"),
        ([["PER", 11, 25]], "Expected"),
        ([[11.5, 25, "PER"]], "Expected"),
    ],
)
def test_an_entity_that_does_not_fit_is_named(joint: NerZooPredictor, entities: Any, reason: str) -> None:
    output = joint.predict_json({"text": TEXT, "entities": entities})
    assert list(output) == ["error"]
    with pytest.raises(ConfigurationError, match=reason):
        raise ConfigurationError(output["error"])


def test_an_entity_of_spaces_or_wider_than_any_in_training_is_named(joint: NerZooPredictor) -> None:
    assert "Entity 0 of the input, '  '" in joint.predict_json({"text": "Hi.  ", "entities": [[3, 5, "PER"]]})["error"]
    missing = {f"{prefix}-{type}" for prefix in "BILU" for type in joint.labels.types} - set(joint.labels.names)
    for tag in missing:
        end = {"U": 1, "I": 3}.get(tag[0], 2)
        output = joint.predict_json({"tokens": TOKENS, "entities": [[0, end, tag[2:]]]})
        assert "cannot mark" in output["error"]


def test_taggings_of_given_entities_are_refused(joint: NerZooPredictor) -> None:
    (output,) = joint.predict_all([{"text": TEXT, "entities": [EDDA]}], [Options(top_k=2)])
    assert "top_k is 2, but there is only one tagging" in output["error"]


def test_a_model_without_relations_finds_its_own_entities(tagger_archive: Path) -> None:
    tagger = load_predictor(str(tagger_archive))
    nonsense = {"text": TEXT, "entities": [[0, 1, "GENE"]]}
    assert tagger.predict_json(nonsense) == tagger.predict_json({"text": TEXT})
