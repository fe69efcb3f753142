import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.corpora.span_json import SpanJson
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.span_json import SpanJsonWriter

FIXTURES = Path(__file__).parents[3] / "fixtures"


def read(path):
    repairs = Repairs()
    return list(SpanJson().sentences(str(path), repairs)), repairs


def read_records(tmp_path, *records):
    path = tmp_path / "file.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return read(path)


def test_all_forms_may_be_mixed():
    found, repairs = read(FIXTURES / "span_json" / "train.jsonl")
    assert [len(sentence.tokens) for sentence in found] == [7, 8, 3, 6, 6] and not repairs.counts
    assert found[0].entities[2] == Entity("TRIP", ((2, 4), (5, 6)))
    assert found[0].relations[1] == Relation("TAKES", found[0].entities[0], found[0].entities[2])
    guards, port = Entity.of("PER", 3, 4), Entity.of("GPE", 0, 2)
    assert found[3].relations == (Relation("ORG-AFF", guards, port),)
    assert Entity.of("PER", 1, 4) in found[3].entities  # crosses the port
    assert found[4].entities == (Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5))
    assert found[4].characters()[0] == "Ada Quill lives in Lune."


def test_empty_tokens_are_left_out_and_spans_move_along(tmp_path):
    entities = [
        {"type": "A", "start": 0, "end": 3},
        {"type": "B", "start": 1, "end": 2},
        {"type": "C", "start": 2, "end": 4},
    ]
    relations = [{"type": "r", "head": 0, "tail": 2}, {"type": "r", "head": 0, "tail": 1}]
    [sentence], repairs = read_records(
        tmp_path, {"tokens": ["a", "", "b", "c"], "entities": entities, "relations": relations}
    )
    assert sentence.tokens == ("a", "b", "c")
    assert sentence.entities == (Entity.of("A", 0, 2), Entity.of("C", 1, 3))
    assert len(sentence.relations) == 1
    assert repairs.counts == {
        "empty token left out": 1,
        "entity without a token left out": 1,
        "relation to a missing entity left out": 1,
    }


def test_duplicates_are_counted(tmp_path):
    document = {
        "sentences": [["a", "b"], ["c"]],
        "ner": [[[0, 0, "X"], [0, 0, "X"], [1, 2, "X"], [2, 2, "Y"]], []],
        "relations": [[[0, 0, 0, 0, "r"], [0, 0, 0, 0, "r"], [0, 0, 2, 2, "r"], [0, 0, 1, 1, "r"]], []],
    }
    found, repairs = read_records(tmp_path, document)
    assert [sentence.entities for sentence in found] == [(Entity.of("X", 0, 1),), (Entity.of("Y", 0, 1),)]
    assert repairs.counts == {
        "entity that reaches into another sentence left out": 1,
        "entity listed under another sentence moved to its own": 1,
        "relation between two sentences left out": 1,
        "relation to a missing entity left out": 1,
        "repeated entity left out": 1,
        "repeated relation left out": 1,
    }


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"tokens": "a b"},
        {"tokens": ["a", 1]},
        {"tokens": ["a"], "entities": [{"type": "X", "start": 0, "end": 2}]},
        {"tokens": ["a"], "entities": [{"type": "X", "start": 0, "end": 0}]},
        {"tokens": ["a"], "entities": [{"type": "X", "fragments": []}]},
        {"tokens": ["a"], "entities": [{"start": 0, "end": 1}]},
        {"tokens": ["a"], "entities": ["X"]},
        {"tokens": ["a"], "relations": [{"type": "r", "head": "0", "tail": 0}]},
        {"text": "a b", "tokens": [{"start": 0, "end": 9}]},
        {"text": "a b", "tokens": [{"start": 2, "end": 3}, {"start": 0, "end": 1}]},
        {"text": "a b", "tokens": [{"start": 0, "end": 1}, "b"]},
        {"sentences": [["a"]], "ner": [[[0, 1, "X"]]]},
        {"sentences": [["a"]], "ner": [[[-1, 0, "X"]]]},
        {"sentences": [["a"]], "ner": [[[0, 0]]]},
        {"sentences": [["a"]], "ner": [[[0, 0, "X"]], []]},
        {"sentences": [["a"]], "ner": [None]},
        {"sentences": ["a"]},
        {"sentences": [["a"]], "ner": [[[0, 0, "X"]]], "relations": [[[0, 0, "r"]]]},
    ],
)
def test_invalid_records_are_refused_with_their_line(tmp_path, record):
    with pytest.raises(ConfigurationError, match=r"file\.jsonl:2"):
        read_records(tmp_path, {"tokens": ["a"]}, record)


@st.composite
def sentences(draw):
    """A sentence with entities of any shape, without duplicates, and relations between them."""
    tokens = tuple(
        draw(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=4), min_size=1, max_size=8))
    )
    entities = set()
    for _ in range(draw(st.integers(0, 4))):
        inside = draw(st.lists(st.booleans(), min_size=len(tokens), max_size=len(tokens)))
        edges = [i for i in range(len(tokens) + 1) if (i > 0 and inside[i - 1]) != (i < len(tokens) and inside[i])]
        if edges:
            entities.add(Entity(draw(st.sampled_from("XY")), tuple(zip(edges[::2], edges[1::2]))))
    entities = tuple(entities)
    pick = st.sampled_from(entities) if entities else st.nothing()
    relations = draw(st.sets(st.builds(Relation, st.sampled_from("rs"), pick, pick), max_size=3)) if entities else ()
    return Sentence(tokens, entities, tuple(relations))


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(written=sentences())
def test_a_sentence_that_is_written_is_read_back(tmp_path, written):
    record = {
        "tokens": written.tokens,
        "entities": [{"type": e.type, "fragments": e.fragments} for e in written.entities],
        "relations": [
            {"type": r.type, "head": written.entities.index(r.head), "tail": written.entities.index(r.tail)}
            for r in written.relations
        ],
    }
    [found], repairs = read_records(tmp_path, record)
    assert (found.tokens, found.entities, found.relations) == (written.tokens, written.entities, written.relations)
    assert not repairs.counts


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(written=st.lists(sentences(), min_size=1, max_size=3))
def test_a_document_that_is_written_is_read_back(tmp_path, written):
    start, ner, relations, expected = 0, [], [], []
    for sentence in written:
        # One type per span: relations in this form refer to spans.
        kept = {(e.start, e.end): e for e in sentence.entities if not e.is_discontinuous}
        own = [r for r in sentence.relations if r.head in kept.values() and r.tail in kept.values()]
        ner.append([[e.start + start, e.end - 1 + start, e.type] for e in kept.values()])
        relations.append(
            [[x for e in (r.head, r.tail) for x in (e.start + start, e.end - 1 + start)] + [r.type] for r in own]
        )
        expected.append((sentence.tokens, tuple(kept.values()), tuple(own)))
        start += len(sentence.tokens)
    found, repairs = read_records(
        tmp_path, {"sentences": [s.tokens for s in written], "ner": ner, "relations": relations}
    )
    assert [(s.tokens, s.entities, s.relations) for s in found] == expected
    assert not repairs.counts


TEXT = "Ada Quill\nlives in Lune. She left Orr."


@pytest.mark.parametrize(
    "marked",
    [
        {"entities": [{"type": "PER", "start": 0, "end": 9}, {"type": "LOC", "start": 34, "end": 37}]},
        {"entities": [[0, 9, "PER"], [34, 37, "LOC"]]},
        {"label": [[0, 9, "PER"], [34, 37, "LOC"]]},
        {"labels": [[34, 37, "LOC"], [0, 9, "PER"]]},
    ],
)
def test_a_text_without_tokens_is_cut_and_keeps_its_entities(tmp_path, marked):
    found, repairs = read_records(tmp_path, {"tokens": ["a"]}, {"text": TEXT, **marked})
    first, second = found[1:]
    assert first.tokens == ("Ada", "Quill", "lives", "in", "Lune", ".") and second.tokens == ("She", "left", "Orr", ".")
    assert first.entities == (Entity.of("PER", 0, 2),) and second.entities == (Entity.of("LOC", 2, 3),)
    assert not repairs.counts and {first.source, second.source} == {f"{tmp_path}/file.jsonl:2"}


@pytest.mark.parametrize("label", [[0, 9], [0, 9, 5], [0, 99, "PER"], [-3, 4, "PER"]])
def test_an_invalid_entity_is_refused_with_its_line(tmp_path, label):
    with pytest.raises(ConfigurationError, match="file.jsonl:1"):
        read_records(tmp_path, {"text": TEXT, "label": [label]})


@pytest.mark.parametrize(("start", "end", "type"), [("start", "end", "label"), ("begin", "stop", "entity_type")])
def test_names_of_fields_in_wide_use_are_read(tmp_path, start, end, type):
    entities = [{start: 0, end: 3, type: "PER"}, {start: 8, end: 11, type: "PER"}]
    [sentence], _ = read_records(
        tmp_path, {"text": "Ada met Dov", "entities": entities, "relations": [{"head": 0, "tail": 1, "label": "MET"}]}
    )
    first, second = Entity.of("PER", 0, 1), Entity.of("PER", 2, 3)
    assert sentence.entities == (first, second) and sentence.relations == (Relation("MET", first, second),)


def test_a_name_of_a_field_that_is_not_known_is_named(tmp_path):
    with pytest.raises(
        ConfigurationError, match=r"file.jsonl:1 has no field \"type\" \(or label, .*\['end', 'kind', 'start'\]"
    ):
        read_records(tmp_path, {"text": "Ada", "entities": [{"start": 0, "end": 3, "kind": "PER"}]})


@pytest.mark.parametrize(
    "record",
    [
        {"tokens": ["Ada", "", "met", "Dov"], "entities": [], "unknown": [[2, 4]]},
        {"text": "Ada met Dov", "entities": [], "unknown": [[4, 11]]},
        {
            "text": "Ada met Dov",
            "tokens": [{"start": s, "end": s + 3} for s in (0, 4, 8)],
            "unknown": [[8, 11], [4, 7]],
        },
    ],
)
def test_tokens_without_annotation_are_unknown_and_written_again(tmp_path, record):
    [sentence], _ = read_records(tmp_path, record)
    assert sentence.tokens == ("Ada", "met", "Dov") and sentence.unknown == (1, 2)
    SpanJsonWriter().write([ScoredSentence(sentence)], str(tmp_path / "again.jsonl"), left_out := Repairs())
    [again], _ = read_records(tmp_path, *map(json.loads, (tmp_path / "again.jsonl").read_text().splitlines()))
    assert again.unknown == (1, 2) and not left_out.counts


@pytest.mark.parametrize("record", [{"tokens": ["Ada"], "unknown": [[0, 2]]}, {"text": "Ada", "unknown": [[2, 9]]}])
def test_unknown_stretches_outside_of_the_sentence_are_refused(tmp_path, record):
    with pytest.raises(ConfigurationError, match="file.jsonl:1.*unknown"):
        read_records(tmp_path, {**record, "entities": []})
