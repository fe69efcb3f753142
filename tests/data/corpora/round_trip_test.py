"""Writing a corpus and reading it back is the identity, for every kind of column file."""

import gzip
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.corpora.conll import Conll
from ner_zoo.data.corpora.conll04 import Conll04
from ner_zoo.data.corpora.conll2012 import OntoNotes
from ner_zoo.data.corpora.germeval14 import Germeval14
from ner_zoo.data.corpora.levels import Genia
from ner_zoo.data.corpora.news import News
from ner_zoo.data.corpora.wnut import Wnut
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.tag_schemes import SCHEMES, tags_from_entities

quick = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))

# In a TAB file any text except TAB and line feed may be a token; a lone carriage return would be part of a line end.
CHARACTERS = st.characters(blacklist_categories=["Cs"], blacklist_characters="\t\n")
ANY_TOKEN = st.text(CHARACTERS, min_size=1, max_size=6)
WORD = st.text(st.characters(blacklist_categories=["Cs", "Z", "Cc"]), min_size=1, max_size=6).filter(
    lambda word: "DOCSTART" not in word.upper() and not word.isspace()
)
TYPE = st.sampled_from(["PER", "geo-loc", "creative-work"])


@st.composite
def flat_sentences(draw, token=WORD):
    """A sentence with contiguous entities that do not overlap."""
    tokens = draw(st.lists(token, min_size=1, max_size=8))
    cuts = sorted(draw(st.sets(st.integers(0, len(tokens)), max_size=6)))
    spans = [span for span in itertools.pairwise(cuts) if draw(st.booleans())]
    return Sentence(tuple(tokens), tuple(Entity.of(draw(TYPE), start, end) for start, end in spans))


def essence(sentence):
    return sentence.tokens, set(sentence.entities), set(sentence.relations), sentence.unknown


def assert_reads_back(corpus, text, sentences, path, repaired=()):
    for content in (text, text.replace("\n", "\r\n"), "\ufeff" + text):
        for data in (content.encode(), gzip.compress(content.encode())):
            path.write_bytes(data)
            repairs = Repairs()
            assert list(map(essence, corpus.sentences(str(path), repairs))) == list(map(essence, sentences))
            assert set(repairs.counts) <= set(repaired)


def columns(sentences, scheme="BIO", delimiter="\t", between=(), end="\n"):
    text = ""
    for sentence in sentences:
        tags = tags_from_entities(sentence.entities, len(sentence.tokens), scheme)
        rows = zip(sentence.tokens, tags)
        text += "".join(delimiter.join([token, *between, tag]) + "\n" for token, tag in rows) + end
    return text


@quick
@given(sentences=st.lists(flat_sentences(ANY_TOKEN), min_size=1, max_size=4), end=st.sampled_from(["\n", "\t\n"]))
def test_any_token_survives_a_tab_file(tmp_path, sentences, end):
    if sentences[0].tokens[0].startswith("\ufeff"):
        return  # at the very start of a file it is a byte order mark
    assert_reads_back(Wnut(), columns(sentences, end=end), sentences, tmp_path / "file")


@pytest.mark.parametrize("scheme", [scheme for scheme in SCHEMES if scheme != "IO"])
@quick
@given(sentences=st.lists(flat_sentences(), min_size=1, max_size=4))
def test_every_scheme_survives_spaces_and_extra_columns(tmp_path, scheme, sentences):
    text = "-DOCSTART- -X- O O\n\n" + columns(sentences, scheme, " ", between=("NN", "I-NP"))
    assert_reads_back(Conll(scheme=scheme), text, sentences, tmp_path / "file")
    # Few sentences may be detected as another scheme: that may count repairs, but changes no entity.
    kinds = [f"tag that does not follow the {other} scheme" for other in SCHEMES]
    assert_reads_back(Conll(), text, sentences, tmp_path / "file", kinds)


@quick
@given(sentences=st.lists(flat_sentences(st.text(CHARACTERS, min_size=1, max_size=1)), min_size=1, max_size=4))
def test_unknown_positions_survive(tmp_path, sentences):
    text, expected = "", []
    for sentence in sentences:
        tags = tags_from_entities(sentence.entities, len(sentence.tokens), "BIO")
        unknown = tuple(i for i, tag in enumerate(tags) if tag == "O")
        text += (
            "".join(f"{token}\t{'UNK' if tag == 'O' else tag}\n" for token, tag in zip(sentence.tokens, tags)) + "\n"
        )
        expected.append(Sentence(sentence.tokens, sentence.entities, unknown=unknown))
    if not text.startswith("\ufeff"):
        assert_reads_back(News(), text, expected, tmp_path / "file")


@st.composite
def nested_sentences(draw):
    """A sentence with two levels, the second over the same tokens; no entity twice."""
    outer = draw(flat_sentences())
    inner = draw(flat_sentences())
    length = min(len(outer.tokens), len(inner.tokens))
    fits = [[e for e in s.entities if e.end <= length] for s in (outer, inner)]
    return outer.tokens[:length], fits[0], [entity for entity in fits[1] if entity not in fits[0]]


@pytest.mark.parametrize("corpus, is_numbered", [(Genia(), False), (Germeval14(), False), (Germeval14(), True)])
@quick
@given(found=st.lists(nested_sentences(), min_size=1, max_size=4))
def test_two_levels_survive(tmp_path, corpus, is_numbered, found):
    text, expected = "", []
    for tokens, outer, inner in found:
        levels = [tags_from_entities(level, len(tokens), "BIO") for level in (outer, inner)]
        rows = ["\t".join(row) for row in zip(tokens, *levels)]
        text += "#\thttp://a.invalid\t[2001-01-01]\t\n" if is_numbered else ""
        text += "".join(f"{i}\t{row}\n" if is_numbered else f"{row}\n" for i, row in enumerate(rows, 1)) + "\n"
        expected.append(Sentence(tuple(tokens), tuple(outer + inner)))
    assert_reads_back(corpus, text, expected, tmp_path / "file")


@st.composite
def related_sentences(draw):
    sentence = draw(flat_sentences())
    pairs = [(head, tail) for head in sentence.entities for tail in sentence.entities if head != tail]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=4)) if pairs else []
    relations = [Relation(draw(st.sampled_from(["Live_In", "Kill"])), head, tail) for head, tail in chosen]
    return Sentence(sentence.tokens, sentence.entities, tuple(relations))


@quick
@given(sentences=st.lists(related_sentences(), min_size=1, max_size=4))
def test_relations_survive_with_their_direction(tmp_path, sentences):
    text = ""
    for number, sentence in enumerate(sentences):
        tags = tags_from_entities(sentence.entities, len(sentence.tokens), "BIO")
        text += f"#doc {number}\n"
        for i, (token, tag) in enumerate(zip(sentence.tokens, tags)):
            own = [relation for relation in sentence.relations if relation.head.end - 1 == i]
            types, tails = [r.type for r in own] or ["N"], [r.tail.end - 1 for r in own] or [i]
            text += f"{i}\t{token}\t{tag}\t{types}\t{tails}\n"
    assert_reads_back(Conll04(), text, sentences, tmp_path / "file")


@quick
@given(sentences=st.lists(flat_sentences(), min_size=1, max_size=4), predicates=st.integers(0, 3))
def test_brackets_survive(tmp_path, sentences, predicates):
    text = "#begin document (nw/x); part 000\n"
    for sentence in sentences:
        cells = ["*"] * len(sentence.tokens)
        for entity in sentence.entities:
            cells[entity.start] = f"({entity.type}" + cells[entity.start]
            cells[entity.end - 1] += ")"
        for i, (token, cell) in enumerate(zip(sentence.tokens, cells)):
            before = [
                "nw/x",
                "0",
                str(i),
                token,
                "NN",
                "*",
                "-",
                "-",
                "-",
                "-",
                cell.replace("*)", ")" if "(" in cell else "*)"),
            ]
            text += "   ".join(before + ["*"] * predicates + ["-"]) + "\n"
        text += "\n"
    assert_reads_back(OntoNotes(), text, sentences, tmp_path / "file.gold_conll")
