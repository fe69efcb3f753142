import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.nyt import Nyt
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures" / "nyt"


def read(path, **options):
    repairs = Repairs()
    return list(Nyt(**options).sentences(str(path), repairs)), repairs


def read_record(tmp_path, text, entities, relations=()):
    path = tmp_path / "file.json"
    record = {
        "sentText": text,
        "entityMentions": [{"start": i, "text": name, "label": label} for i, (name, label) in enumerate(entities)],
        "relationMentions": [{"em1Text": head, "em2Text": tail, "label": label} for head, tail, label in relations],
    }
    path.write_text(json.dumps(record) + "\n")
    return read(path)


def named(sentence, entity):
    return " ".join(sentence.tokens[entity.start : entity.end])


def test_every_mention_and_every_positive_relation_is_read_or_counted():
    found, repairs = read(FIXTURES / "cotype" / "train.json")
    records = [json.loads(line) for line in (FIXTURES / "cotype" / "train.json").read_text().splitlines()]
    assert len(found) == len(records) == 5
    mentions = sum(len(record["entityMentions"]) for record in records)
    positive = sum(r["label"] != "None" for record in records for r in record["relationMentions"])
    lost = repairs.counts["repeated entity left out"] + repairs.counts["entity that is not in its sentence left out"]
    assert sum(len(sentence.entities) for sentence in found) + lost == mentions == 15
    lost = repairs.counts["repeated relation left out"]
    lost += repairs.counts["relation to a missing entity left out"]
    assert sum(len(sentence.relations) for sentence in found) + lost == positive == 9


def test_relations_keep_their_direction():
    first = read(FIXTURES / "cotype" / "train.json")[0][0]
    assert [(r.type.rsplit("/")[-1], named(first, r.head), named(first, r.tail)) for r in first.relations] == [
        ("place_of_birth", "Jane Roe", "Lima"),
        ("place_lived", "Jane Roe", "Oslo"),
        ("capital", "Peru", "Lima"),
    ]


def test_quotes_line_ends_and_accents_are_handled():
    second = read(FIXTURES / "cotype" / "train.json")[0][1]
    assert second.tokens[0] == "The" and second.tokens[-1] == "."
    assert [named(second, entity) for entity in second.entities] == ["Santa Clára", "Cuesta", "Cuesta"]
    assert [(named(second, r.head), named(second, r.tail)) for r in second.relations] == [("Cuesta", "Santa Clára")]


def test_a_sentence_that_begins_and_ends_with_a_quotation_keeps_its_quotes(tmp_path):
    [sentence], repairs = read_record(tmp_path, '" Yes , " Ada said , " and no . "', [("Ada", "PERSON")])
    assert sentence.tokens[0] == sentence.tokens[-1] == '"' and not repairs.counts


def test_mentions_of_one_text_take_its_occurrences_in_turn(tmp_path):
    [sentence], repairs = read_record(tmp_path, "Lima , Lima and Lima", [("Lima", "LOC")] * 2 + [("Lima", "ORG")])
    assert sentence.entities == (Entity.of("LOC", 0, 1), Entity.of("LOC", 2, 3), Entity.of("ORG", 4, 5))
    [sentence], repairs = read_record(tmp_path, "Lima", [("Lima", "LOC"), ("Lima", "LOC"), ("Lima", "ORG")])
    assert sentence.entities == (Entity.of("LOC", 0, 1), Entity.of("ORG", 0, 1))
    assert repairs.counts == {"repeated entity left out": 1}


def test_a_longer_name_takes_its_place_before_a_shorter_one_inside_it(tmp_path):
    names = [("Lune", "LOC"), ("Lune Post", "ORG")]
    [sentence], _ = read_record(tmp_path, "The Lune Post of Lune", names, [("Lune Post", "Lune", "in")])
    assert sentence.entities == (Entity.of("LOC", 4, 5), Entity.of("ORG", 1, 3))
    assert sentence.relations == (Relation("in", Entity.of("ORG", 1, 3), Entity.of("LOC", 4, 5)),)


def test_two_arguments_of_one_text_are_two_mentions_if_there_are_two(tmp_path):
    names = [("Lune", "LOC"), ("Lune", "LOC")]
    [sentence], _ = read_record(tmp_path, "Lune is in Lune", names, [("Lune", "Lune", "in")])
    assert sentence.relations == (Relation("in", Entity.of("LOC", 0, 1), Entity.of("LOC", 3, 4)),)


def test_entities_inside_a_word_cut_it(tmp_path):
    [sentence], repairs = read_record(tmp_path, "Lune-born Ada.", [("Lune", "LOC"), ("Ada", "PERSON")])
    assert sentence.tokens == ("Lune", "-born", "Ada", ".")
    assert sentence.text == "Lune-born Ada." and sentence.offsets == ((0, 4), (4, 9), (10, 13), (13, 14))
    assert repairs.counts == {"token split at an entity boundary": 2}


def test_offsets_of_entrel_count_tokens_and_none_is_not_a_relation():
    [sentence], repairs = read(FIXTURES / "entrel" / "train" / "data.json")
    lima, roe, peru = Entity.of("LOCATION", 7, 8), Entity.of("PERSON", 0, 2), Entity.of("LOCATION", 9, 10)
    assert sentence.entities == (roe, lima, peru)
    assert [(r.type.rsplit("/")[-1], r.head, r.tail) for r in sentence.relations] == [
        ("place_of_birth", roe, lima),
        ("place_lived", roe, lima),
        ("capital", peru, lima),
    ]
    assert repairs.counts == {"repeated entity left out": 1}


@pytest.mark.parametrize("text", ["", " \r\n"])
def test_a_sentence_without_words_is_counted(tmp_path, text):
    found, repairs = read_record(tmp_path, text, [])
    assert found == [] and repairs.counts == {"sentence without words left out": 1}


@pytest.mark.parametrize(
    "record",
    [
        {"entityMentions": []},
        {"sentText": 3},
        {"sentText": "a", "entityMentions": {}},
        {"sentText": "a", "entityMentions": [{"text": "a"}]},
        {"sentText": "a", "entityMentions": [{"text": None, "label": "X"}]},
        {"sentText": "a", "entityMentions": [{"text": "a", "label": "X", "offset": [0, 2]}]},
        {"sentText": "a", "entityMentions": [{"text": "a", "label": "X", "offset": "0"}]},
        {"sentText": "a", "relationMentions": [{"label": "r", "em1Text": "a"}]},
        {"sentText": "a", "relationMentions": [{"label": ["r"], "em1Text": "a", "em2Text": "a"}]},
        {"sentText": "a", "relationMentions": [[]]},
    ],
)
def test_invalid_records_are_refused_with_their_line(tmp_path, record):
    path = tmp_path / "file.json"
    path.write_text('{"sentText": "a"}\n' + json.dumps(record) + "\n")
    with pytest.raises(ConfigurationError, match=r"file\.json:2"):
        read(path)
