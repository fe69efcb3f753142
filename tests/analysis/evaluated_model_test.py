"""Answers of models of every kind for the sentences of a file."""

import json

import numpy as np
import pytest
import torch

from ner_zoo.analysis.analyse import analyse
from ner_zoo.analysis.evaluated_model import EvaluatedModel
from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.corpora.corpus import Corpus
from tests.analysis.models import evaluated, scale
from tests.labels.decoding import entities_of
from tests.trained_models import tagger_archive

__all__ = ["tagger_archive"]

DEV = "fixtures/demo/dev.jsonl"
KINDS = ("tagger", "softmax tagger", "span", "joint")


@pytest.fixture(scope="module", params=KINDS)
def model(request) -> EvaluatedModel:
    one = evaluated(request.param)
    scale(one.model, 3.0)
    return one


def with_gold(answer):
    """The same sentence, annotated as the model would."""
    return Sentence(answer.sentence.tokens, tuple(answer.entities))


def test_all_sentences_of_a_file_are_read_with_their_sources(model):
    sentences = model.sentences(DEV)
    assert len(sentences) == 100 and sentences[4].source.endswith("dev.jsonl:5")
    assert any(sentence.entities for sentence in sentences)


def test_answers_are_the_predictions_and_do_not_depend_on_the_batch(model):
    sentences = model.sentences(DEV)[:20]
    together = model.answers(sentences)
    expected = model.predictor.predict_all([{"tokens": list(sentence.tokens)} for sentence in sentences])
    for answer, output in zip(together.each, expected):
        assert len(answer.entities) == len(output["entities"]) and len(answer.relations) == len(output["relations"])
    alone = model.answers(sentences[3:4]).each[0]
    assert list(alone.entities) == list(together.each[3].entities)
    assert list(alone.entities.values()) == pytest.approx(list(together.each[3].entities.values()), abs=1e-5)


def test_the_probability_of_what_was_found_is_its_score(model):
    answers = model.answers(model.sentences(DEV)[:20])
    again = model.answers([with_gold(answer) for answer in answers.each])
    found = [(answer, entity) for answer in again.each for entity in answer.sentence.entities]
    assert found
    for answer, entity in found:
        row = answer.type_probabilities[entity.fragments]
        assert row[again.types.index(entity.type)] == pytest.approx(answer.entities[entity], abs=1e-5)


def test_the_types_on_any_span_have_probabilities_that_sum_to_at_most_1(model):
    answers = model.answers(model.sentences(DEV)[:20])
    rows = np.array([row for answer in answers.each for row in answer.type_probabilities.values()])
    gold = {(number, e.fragments) for number, one in enumerate(answers.each) for e in one.sentence.entities}
    assert rows.shape == (len(gold), len(answers.types))
    assert (rows >= 0).all() and (rows.sum(1) <= 1 + 1e-5).all() and (rows > 0).any()
    assert answers.types == ["LOC", "ORG", "PER", "PROD"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_probability_of_a_span_is_a_sum_over_labellings(kind):
    one = evaluated(kind)
    entity = Entity.of("PER", 0, 2)
    answers = one.answers([Sentence(("Ann", "Lin", "sleeps"), (entity,))])
    structure = one.forward.structure([answers.each[0].sentence])
    torch.manual_seed(0)
    tokens = structure.entities if kind == "joint" else structure
    draws = tokens.sample(4000)[:, 0]  # (draws, positions)
    if kind == "span":
        place = one.reader.view.candidates.places(answers.each[0].sentence)[entity.fragments]
        share = (draws[:, place] == one.labels.names.index("PER")).float().mean().item()
    else:
        tags = one.labels.tags if kind == "joint" else one.labels
        found = entities_of(tags, draws, torch.ones_like(draws, dtype=torch.bool))
        share = np.mean([entity in some for some in found])
    assert answers.probability(answers.each[0], entity) == pytest.approx(share, abs=0.03)


def test_gold_that_a_model_cannot_find_is_out_of_its_reach_and_stays_gold():
    outer, inner, gap = Entity.of("PER", 0, 6), Entity.of("LOC", 1, 3), Entity("ORG", ((0, 1), (4, 5)))
    law = Entity.of("LAW", 7, 8)
    sentence = Sentence(tuple("Ann of Oda Bay and Lin went home".split()), (outer, inner, gap, law))
    tagged, spanned = (evaluated(kind).answers([sentence]) for kind in ("tagger", "span"))
    for answers, lost in ((tagged, {inner, gap, law}), (spanned, {outer, gap, law})):
        answer = answers.each[0]
        assert answer.out_of_reach == lost - set(answer.entities)
        assert set(answer.sentence.entities) == {outer, inner, gap, law}
        assert answers.probability(answer, gap) == answers.probability(answer, law) == 0.0
    assert tagged.probability(tagged.each[0], inner) > 0.0


@pytest.mark.parametrize("kind", ["tagger", "span", "joint"])
def test_a_sentence_longer_than_a_window_is_evaluated_as_a_whole(kind):
    one = evaluated(kind, max_sentence_tokens=6, window_overlap=3)
    entities = tuple(Entity.of("PER", start, start + 2) for start in range(0, 18, 2))
    answer = one.answers([Sentence(tuple(f"word{i}" for i in range(20)), entities)]).each[0]
    assert len(answer.type_probabilities) == len(entities) and not answer.out_of_reach
    assert all(0 <= entity.start < entity.end <= 20 for entity in answer.entities)


def test_an_entity_wider_than_every_window_is_out_of_reach():
    one = evaluated("tagger", max_sentence_tokens=6, window_overlap=3)
    wide = Entity.of("PER", 1, 9)
    answer = one.answers([Sentence(tuple(f"word{i}" for i in range(12)), (wide,))]).each[0]
    assert answer.out_of_reach == {wide} and not answer.type_probabilities


def test_an_empty_sentence_has_an_empty_answer():
    answers = evaluated("tagger").answers([Sentence(()), Sentence(("Ann",))])
    assert len(answers.each) == 2 and answers.each[0].entities == {}


def test_another_corpus_may_be_read(tmp_path):
    (tmp_path / "two.txt").write_text("Ann B-PER\nsleeps O\n\nOda B-LOC\n")
    one = evaluated("tagger")
    columns = EvaluatedModel("tagger.tar.gz", one.config, one.predictor, Corpus.by_name("conll")())
    assert [sentence.tokens for sentence in columns.sentences(str(tmp_path / "two.txt"))] == [
        ("Ann", "sleeps"),
        ("Oda",),
    ]


def test_the_forms_of_the_training_data_are_found_or_their_absence_is_explained(tagger_archive, tmp_path):
    one = EvaluatedModel.load(str(tagger_archive))
    seen, why = one.seen_forms()
    assert seen and not why and all(types <= set(one.labels.types) for types in seen.values())
    (tmp_path / "train.jsonl").write_text(
        json.dumps({"tokens": ["Oda"], "entities": [{"type": "LOC", "start": 0, "end": 1}]})
    )
    assert one.seen_forms(str(tmp_path / "train.jsonl")) == ({"Oda": {"LOC"}}, "")
    one.config["train_data_path"] = str(tmp_path / "gone.jsonl")
    seen, why = one.seen_forms()
    assert seen is None and "gone.jsonl does not exist here" in why and "--train" in why


def test_a_model_that_is_told_where_entities_are_says_so():
    one = evaluated("typing", max_sentence_tokens=6, window_overlap=3)
    entities = (Entity.of("PER", 0, 2), Entity("LOC", ((3, 4), (5, 6))), Entity.of("ORG", 10, 12))
    sentence = Sentence(tuple(f"word{i}" for i in range(12)), entities)
    answers = one.answers([sentence])
    assert answers.spans_are_given and not evaluated("span").answers([]).spans_are_given
    assert {entity.fragments for entity in answers.each[0].entities} == {entity.fragments for entity in entities}
    for row in answers.each[0].type_probabilities.values():
        assert row.sum() == pytest.approx(1.0, abs=1e-5)
    found = analyse(answers, "dev.jsonl")
    assert found.spans_are_given and found.findings[0].startswith("This model was given")


def test_a_discontinuous_entity_is_at_most_as_probable_as_its_parts():
    apart, whole = Entity("BODY", ((0, 1), (3, 4))), Entity.of("BODY", 2, 4)
    sentence = Sentence(("left", "and", "right", "hand"), (apart, whole))
    one = evaluated("span", sentences=[sentence])
    answers = one.answers([sentence])
    answer = answers.each[0]
    assert answers.types == ["BODY"] and not answer.out_of_reach
    structure = one.forward.structure([sentence])
    places, part = one.reader.view.candidates.places(sentence), one.labels.names.index("BODY (part)")
    each = [structure.marginals()[0, places[(fragment,)], part].item() for fragment in apart.fragments]
    assert answer.type_probabilities[apart.fragments].tolist() == pytest.approx([each[0] * each[1]])
