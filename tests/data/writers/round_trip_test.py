"""Writing and reading back is the identity except for what the format cannot represent, which is counted exactly."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.corpora.auto import the_only_format
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.doccano import Doccano
from ner_zoo.data.corpora.label_studio import LabelStudio
from ner_zoo.data.corpora.standoff import TokenisedStandoff
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import NoSplitter
from ner_zoo.data.tokenizers import Spaces
from ner_zoo.data.writers.doccano import DoccanoWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence
from ner_zoo.data.writers.writer import Writer

quick = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
# Texts in formats without tokens are split at white space, as they were created.
RAW = {"tokenizer": Spaces(), "sentence_splitter": NoSplitter()}
READERS = {
    "argilla": lambda: Corpus.by_name("argilla")(**RAW),
    "doccano": lambda: Doccano(**RAW),
    "label_studio": lambda: LabelStudio(**RAW),
    "standoff": TokenisedStandoff,
}
ENDINGS = {"standoff": ".ann", "docbin": ".spacy", "csv": ".csv", "conllu": ".conllu"}
TARGETS = [(name, ENDINGS.get(name, ".json")) for name in sorted(Writer.list_available())]
TARGETS += [("hf_dataset", ".parquet"), ("hf_dataset", ""), ("conll", ".gz"), ("standoff", "")]

WORD = st.text(st.characters(blacklist_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=5).filter(
    lambda word: "DOCSTART" not in word.upper() and not word.isspace() and not word.startswith("\ufeff")
)
TYPE = st.sampled_from(["PER", "geo-loc", "été_1", "X[1]->*;\\"])


@st.composite
def entities_of(draw, length):
    """One to three fragments anywhere: entities nest, cross, and have gaps."""
    cuts = sorted(draw(st.sets(st.integers(0, length), min_size=2, max_size=6)))
    spans = list(zip(cuts[::2], cuts[1::2]))
    count = draw(st.sampled_from([1, 1, 1, 2, 3]))
    return Entity(draw(TYPE), tuple(spans[:count]))


@st.composite
def sentences(draw):
    tokens = draw(st.lists(WORD, min_size=1, max_size=7))
    entities = draw(st.lists(entities_of(len(tokens)), max_size=4, unique=True))
    pairs = [(head, tail) for head in entities for tail in entities]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=3, unique=True)) if pairs else []
    relations = [Relation(draw(st.sampled_from(["lives_in", "r|s"])), head, tail) for head, tail in chosen]
    outside = [place for place in range(len(tokens)) if not any(e.start <= place < e.end for e in entities)]
    unknown = tuple(sorted(draw(st.sets(st.sampled_from(outside))))) if outside else ()
    return Sentence(tuple(tokens), tuple(entities), tuple(relations), unknown, source="made:1")


def overlap(one, other):
    return one.start < other.end and other.start < one.end


def check(original, found, left_out, holds_relations=True):
    assert [sentence.tokens for sentence in found] == [sentence.tokens for sentence in original]
    lost = {"entity": 0, "relation": 0, "token": 0}
    for before, after in zip(original, found):
        assert set(after.entities) <= set(before.entities) and set(after.relations) <= set(before.relations)
        assert set(after.unknown) <= set(before.unknown)
        for entity in set(before.entities) - set(after.entities):
            assert entity.is_discontinuous or any(overlap(entity, kept) for kept in after.entities)
        lost["entity"] += len(before.entities) - len(after.entities)
        lost["relation"] += len(before.relations) - len(after.relations)
        lost["token"] += len(before.unknown) - len(after.unknown)
    kinds = {kind.split()[0]: 0 for kind in left_out.counts}
    for kind, count in left_out.counts.items():
        kinds[kind.split()[0]] += count
    entities = kinds.get("entity", 0) + kinds.get("discontinuous", 0)
    assert lost == {"entity": entities, "relation": kinds.get("relation", 0), "token": kinds.get("token", 0)}


@pytest.mark.parametrize("name, ending", TARGETS)
@quick
@given(original=st.lists(sentences(), min_size=1, max_size=4))
def test_what_is_read_back_is_what_was_written_but_for_what_is_counted(name, ending, original):
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / f"made{ending}")
        left_out = Repairs()
        Writer.by_name(name)().write(map(ScoredSentence, original), path, left_out)
        corpus = READERS.get(name, Corpus.by_name(name))()
        found = [s for file in corpus.files(path) for s in corpus.sentences(file, Repairs())]
        replaced = left_out.counts.pop("character that the format cannot represent replaced by a space", 0)
        assert replaced == 0 or name == "conllu"
        if not replaced:
            check(original, found, left_out)


@quick
@given(original=st.lists(sentences(), min_size=1, max_size=4))
def test_doccano_holds_relations_unless_they_are_excluded(original):
    with tempfile.TemporaryDirectory() as folder:
        path, left_out = str(Path(folder) / "made.jsonl"), Repairs()
        DoccanoWriter(relations=True).write(map(ScoredSentence, original), path, left_out)
        found = list(READERS["doccano"]().sentences(path, Repairs()))
        check(original, found, left_out)
        assert "relation left out" not in left_out.counts
        DoccanoWriter().write(map(ScoredSentence, original), path, left_out := Repairs())
        assert "relation left out" not in left_out.counts
        DoccanoWriter(relations=False).write(map(ScoredSentence, original), path, left_out := Repairs())
        assert left_out.counts["relation left out"] == sum(len(sentence.relations) for sentence in original)


@pytest.mark.parametrize("name, ending", TARGETS)
def test_what_is_written_is_recognised_as_its_format(tmp_path, name, ending):
    sentence = Sentence(("Ada", "left"), (Entity.of("PER", 0, 1),), source="made:1")
    path = str(tmp_path / f"made{ending}")
    Writer.by_name(name)().write([ScoredSentence(sentence)], path, Repairs())
    assert the_only_format(path)[0] == name


@pytest.mark.parametrize("name, ending", TARGETS)
def test_a_text_with_spaces_and_line_ends_of_its_own_keeps_its_entities(tmp_path, name, ending):
    text = "😊  Ada\tQuill left.\nSo did  Bo."
    offsets = ((0, 1), (3, 6), (7, 12), (13, 17), (17, 18), (19, 21), (22, 25), (27, 29), (29, 30))
    tokens = tuple(text[start:end] for start, end in offsets)
    entities = (Entity.of("PER", 1, 3), Entity.of("PER", 7, 8))
    sentence = Sentence(tokens, entities, text=text, offsets=offsets, source="made:1")
    path = str(tmp_path / f"made{ending}")
    Writer.by_name(name)().write([ScoredSentence(sentence)], path, Repairs())
    corpus = Corpus.by_name(name)()
    found = [s for file in corpus.files(path) for s in corpus.sentences(file, Repairs())]
    words = [" ".join(s.tokens[e.start : e.end]) for s in found for e in s.entities]
    assert words == ["Ada Quill", "Bo"]
