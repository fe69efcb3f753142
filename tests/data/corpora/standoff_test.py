import gzip
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.standoff import Nerel, Standoff, TokenisedStandoff
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import NoSplitter
from ner_zoo.data.tokenizers import Characters
from tests.real_corpora import DATA

FIXTURES = Path(__file__).parents[3] / "fixtures"


def read(corpus, path):
    repairs = Repairs()
    return [s for file in corpus.files(str(path)) for s in corpus.sentences(file, repairs)], repairs


def write(directory, text, *lines, name="doc"):
    (directory / f"{name}.txt").write_bytes(text.encode())
    (directory / f"{name}.ann").write_text("".join(line + "\n" for line in lines))
    return directory / f"{name}.ann"


def texts(sentence, *entities):
    return [" ".join(" ".join(sentence.tokens[s:e]) for s, e in entity.fragments) for entity in entities]


def test_nerel_keeps_nested_crossing_and_discontinuous_entities_and_every_relation():
    found, repairs = read(Nerel(), FIXTURES / "nerel" / "train")
    assert [len(sentence.entities) for sentence in found] == [12, 3, 0]
    first = found[0]
    [split] = [entity for entity in first.entities if entity.is_discontinuous]
    assert texts(first, split) == ["Глава администрации Липовска"]
    assert ("EVENT", "гражданин администрации") in [(e.type, texts(first, e)[0]) for e in first.entities]
    assert [(r.type, *texts(first, r.head, r.tail)) for r in first.relations] == [
        ("WORKS_AS", "Анна Ветрова", "Мэр Липовска"),
        ("WORKPLACE", "А. С. Ветрова", "ЛИПОВСК"),
        ("PLACE_OF_BIRTH", "Анна Ветрова", "Озёрске"),
        ("WORKS_AS", "А. С. Ветрова", "Мэр"),
    ]
    assert repairs.counts == {
        "line that is not an annotation skipped": 1,
        "repeated relation left out": 1,
        "relation to a missing entity left out": 1,
    }
    assert repairs.where["line that is not an annotation skipped"][0].endswith("001.ann:10")


def test_fragments_that_touch_are_one_and_entities_that_repeat_are_counted():
    [sentence], repairs = read(Nerel(), FIXTURES / "nerel" / "dev")
    assert [entity for entity in sentence.entities if entity.type == "DATE"] == [Entity.of("DATE", 5, 9)]
    assert repairs.counts == {"repeated entity left out": 1}


def test_tokenised_text_keeps_its_lines_and_tokens():
    found, repairs = read(TokenisedStandoff(), FIXTURES / "litbank" / "brat")
    assert [len(sentence.tokens) for sentence in found] == [18, 15] and not repairs.counts
    assert [len(sentence.entities) for sentence in found] == [4, 2]


def test_either_file_of_a_pair_or_both_name_one_document(tmp_path):
    write(tmp_path, "Ada left.", "T1\tPER 0 3\tAda")
    for path in ("doc.ann", "doc.txt", "*", ""):
        found, _ = read(Standoff(), tmp_path / path)
        assert [sentence.entities for sentence in found] == [(Entity.of("PER", 0, 1),)]


def test_gzipped_pairs_are_read(tmp_path):
    (tmp_path / "doc.txt.gz").write_bytes(gzip.compress(b"Ada left."))
    (tmp_path / "doc.ann.gz").write_bytes(gzip.compress(b"T1\tPER 0 3\tAda\n"))
    found, _ = read(Standoff(), tmp_path)
    assert found[0].entities == (Entity.of("PER", 0, 1),)


@pytest.mark.parametrize("half, other", [("doc.ann", "doc.txt"), ("doc.txt", "doc.ann")])
def test_half_a_pair_is_refused(tmp_path, half, other):
    (tmp_path / half).write_text("")
    with pytest.raises(ConfigurationError, match=other):
        read(Standoff(), tmp_path / half)


def test_entities_inside_a_word_cut_it(tmp_path):
    file = write(tmp_path, "Lima-born visitors", "T1\tGPE 0 4\tLima", "T2\tX 1 7\tima-bo")
    [sentence], repairs = read(Standoff(), file)
    assert sentence.tokens == ("L", "ima", "-bo", "rn", "visitors")
    assert sentence.entities == (Entity.of("GPE", 0, 2), Entity.of("X", 1, 3))
    assert repairs.counts == {"token split at an entity boundary": 3}


def test_line_ends_count_as_they_stand_in_the_file(tmp_path):
    file = write(tmp_path, "Well\r\n\r\nAda left.", "T1\tPER 8 11\tAda")
    found, repairs = read(Standoff(), file)
    assert found[1].entities == (Entity.of("PER", 0, 1),) and not repairs.counts


def test_line_ends_that_count_as_one_character_are_noticed(tmp_path):
    file = write(tmp_path, "Well\r\n\r\nAda left.", "T1\tPER 6 9\tAda")
    found, repairs = read(Standoff(), file)
    assert found[1].entities == (Entity.of("PER", 0, 1),)
    assert repairs.counts == {"CR LF counts as one character": 1}


def test_a_byte_order_mark_that_counts_is_noticed(tmp_path):
    file = write(tmp_path, "\ufeffAda left.", "T1\tPER 1 4\tAda")
    [sentence], repairs = read(Standoff(), file)
    assert texts(sentence, *sentence.entities) == ["Ada"]
    assert repairs.counts == {"byte order mark counts": 1}


def test_an_entity_whose_text_differs_is_kept_and_counted(tmp_path):
    file = write(tmp_path, "Ada left. Bo came.", "T1\tPER 0 3\tEva", "T2\tPER 10 12\tBo")
    found, repairs = read(Standoff(), file)
    assert sum(len(sentence.entities) for sentence in found) == 2
    assert repairs.counts == {"entity whose text does not match the document": 1}


def test_an_entity_outside_the_text_is_counted_and_a_foreign_text_refused(tmp_path):
    file = write(tmp_path, "Ada left.", "T1\tPER 0 3\tAda", "T2\tPER 90 93\tBo", "R1\tKNOWS Arg1:T1 Arg2:T2")
    [sentence], repairs = read(Standoff(), file)
    assert len(sentence.entities) == 1
    assert repairs.counts == {
        "entity outside the text left out": 1,
        "relation to a missing entity left out": 1,
    }
    file = write(tmp_path, "Ada.", "T1\tPER 0 3\tAda", "T2\tPER 90 93\tBo", "T3\tPER 95 97\tBo")
    with pytest.raises(ConfigurationError, match=r"doc\.ann:2"):
        read(Standoff(), file)


@st.composite
def documents(draw):
    """A text, mentions of any shape on its non-space characters, and relations between them."""
    text = draw(st.text(st.sampled_from("ab中é\u0301😀. \n"), min_size=1, max_size=25).filter(lambda t: t.strip()))
    places = [i for i, character in enumerate(text) if not character.isspace()]
    mentions = []
    for _ in range(draw(st.integers(0, 5))):
        chosen = sorted(draw(st.sets(st.sampled_from(places), min_size=1, max_size=4)))
        mentions.append((draw(st.sampled_from(["PER", "geo-loc"])), tuple((i, i + 1) for i in chosen)))
    number = st.integers(0, len(mentions) - 1)
    links = draw(st.lists(st.tuples(st.sampled_from("rs"), number, number), max_size=4)) if mentions else []
    return text, mentions, links


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(document=documents(), is_whole=st.booleans())
def test_what_is_written_is_read_back(tmp_path, document, is_whole):
    text, mentions, links = document
    lines = [
        f"T{i}\t{type} {';'.join(f'{s} {e}' for s, e in f)}\t{' '.join(text[s:e] for s, e in f)}"
        for i, (type, f) in enumerate(mentions)
    ]
    lines += [f"R{i}\t{type} Arg1:T{head} Arg2:T{tail}\t" for i, (type, head, tail) in enumerate(links)]
    corpus = Standoff(Characters(), NoSplitter()) if is_whole else Standoff()
    found, _ = read(corpus, write(tmp_path, text, *lines))

    def on_characters(sentence, entity):
        spans = [sentence.offsets[token] for start, end in entity.fragments for token in range(start, end)]
        places = {i + sentence.text_start for start, end in spans for i in range(start, end)}
        return entity.type, tuple(sorted(i for i in places if not text[i].isspace()))

    written = [(type, tuple(start for start, _ in fragments)) for type, fragments in mentions]
    assert {on_characters(s, e) for s in found for e in s.entities} == set(written)
    back = {(r.type, on_characters(s, r.head), on_characters(s, r.tail)) for s in found for r in s.relations}
    assert back == {(type, written[head], written[tail]) for type, head, tail in links}


@pytest.mark.skipif(not (DATA / "nerel").is_dir(), reason="NEREL is not among the corpora at hand")
@pytest.mark.parametrize("split, entities, relations", [("dev", 5590, 4012), ("train", 12008, 8271)])
@pytest.mark.parametrize("join", [True, False])
def test_every_line_of_nerel_is_read_or_counted(split, entities, relations, join):
    found, repairs = read(Nerel(join_related=join), DATA / "nerel" / split)
    assert sum(len(sentence.entities) for sentence in found) == entities
    left_out = repairs.counts["repeated relation left out"] + repairs.counts["relation between two sentences left out"]
    assert sum(len(sentence.relations) for sentence in found) + left_out == relations
    assert join == (repairs.counts["relation between two sentences left out"] == 0)
    assert repairs.counts["line that is not an annotation skipped"] == (split == "train")


@pytest.mark.skipif(not (DATA / "litbank" / "brat").is_dir(), reason="LitBank is not among the corpora at hand")
def test_every_line_of_litbank_is_read():
    found, repairs = read(TokenisedStandoff(), DATA / "litbank" / "brat")
    assert sum(len(sentence.entities) for sentence in found) == 11153
    assert set(repairs.counts) == {"token split at an entity boundary"}
