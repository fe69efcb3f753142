import gzip
import shutil
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.ace05 import Ace05
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures" / "ace05"
LDC = FIXTURES / "ldc" / "nw" / "adj"


def read(path, **options):
    repairs = Repairs()
    corpus = Ace05(**options)
    return [s for file in corpus.files(str(path)) for s in corpus.sentences(file, repairs)], repairs


def named(sentence, *entities):
    return [" ".join(sentence.tokens[e.start : e.end]) for e in entities]


def related(sentences):
    return [(r.type, *named(s, r.head, r.tail)) for s in sentences for r in s.relations]


def test_the_ldc_s_files_give_heads():
    found, repairs = read(FIXTURES / "ldc")
    assert [named(sentence, *sentence.entities) for sentence in found] == [
        ["Roe", "Lima"],
        ["Jane Roe", "her", "Lima", "AT &amp; T", "office", "John"],
        ["port", "Aurora", "ship", "navy"],
    ]
    assert related(found) == [
        ("PHYS", "Roe", "Lima"),
        ("PER-SOC", "her", "John"),
        ("PART-WHOLE", "office", "AT &amp; T"),
        ("ART", "navy", "ship"),
    ]
    assert repairs.counts == {"relation of type METONYMY left out": 1, "sentence outside the body left out": 2}
    document = (LDC / "ABC0001.sgm").read_text()
    bare = "".join(piece.partition(">")[2] for piece in document.split("<"))
    for sentence in found:
        for token, (start, end) in zip(sentence.tokens, sentence.offsets):
            assert bare[sentence.text_start + start : sentence.text_start + end] == token


def test_the_ldc_s_files_give_full_extents_on_request():
    found, _repairs = read(LDC, spans="extent")
    extents = [name for sentence in found for name in named(sentence, *sentence.entities)]
    assert "The visitor Jane Roe , head of AT &amp; T 's office in Lima" in extents and "her brother John" in extents
    assert len(related(found)) == 4


def test_either_file_of_a_pair_names_the_document_and_each_is_read_once(tmp_path):
    expected, _ = read(LDC / "ABC0001.apf.xml")
    assert [s.tokens for s in read(LDC / "ABC0001.sgm")[0]] == [s.tokens for s in expected]
    assert [s.tokens for s in read(LDC / "*")[0]] == [s.tokens for s in expected]
    assert [Path(file).parent.name for file in Ace05().files(str(FIXTURES / "ldc"))] == ["timex2norm"]
    for name in ("ABC0001.sgm", "ABC0001.apf.xml"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((LDC / name).read_bytes()))
    assert [s.tokens for s in read(tmp_path)[0]] == [s.tokens for s in expected]


@pytest.mark.parametrize(
    "change, kind",
    [
        (lambda sgm: sgm.replace(b"\n", b"\r\n"), "CR LF counts as one character"),
        (lambda sgm: sgm.replace(b"<HEADLINE>", b"<HEADLINE>&lt;"), "entity whose text does not match the document"),
    ],
)
def test_other_ways_to_count_are_tried(tmp_path, change, kind):
    shutil.copy(LDC / "ABC0001.apf.xml", tmp_path)
    (tmp_path / "ABC0001.sgm").write_bytes(change((LDC / "ABC0001.sgm").read_bytes()))
    found, repairs = read(tmp_path)
    assert kind in repairs.counts
    if kind.startswith("CR"):
        assert [len(sentence.entities) for sentence in found] == [2, 6, 4]


def test_entity_references_may_count_as_one_character(tmp_path):
    (tmp_path / "d.sgm").write_text("<DOC><BODY>A&amp;B met Ada.</BODY></DOC>")
    mention = (
        '<entity TYPE="{0}"><entity_mention ID="{1}">'
        '<head><charseq START="{2}" END="{3}">{4}</charseq></head></entity_mention></entity>'
    )
    mentions = mention.format("ORG", "E1", 0, 2, "A&amp;B") + mention.format("PER", "E2", 8, 10, "Ada")
    (tmp_path / "d.apf.xml").write_text(f"<source_file><document>{mentions}</document></source_file>")
    [sentence], repairs = read(tmp_path)
    assert named(sentence, *sentence.entities) == ["A&B", "Ada"]
    assert repairs.counts == {"entity references count as one character": 1}


def test_lstm_er_s_files_lose_their_header_and_nothing_else():
    found, repairs = read(FIXTURES / "lstm-er" / "corpus" / "train")
    assert [len(sentence.tokens) for sentence in found] == [8, 10]
    assert related(found) == [
        ("PHYS", "Jane Roe", "Oslo"),
        ("PER-SOC", "Her", "John"),
        ("ORG-AFF", "John", "port of Callao"),
    ]
    assert repairs.counts == {"line of the header left out": 4}
    assert len(read(FIXTURES / "lstm-er" / "corpus" / "train", keep_header=True)[0]) == 6


def test_dygie_s_and_entrel_s_files_are_distinguished():
    found, _ = read(FIXTURES / "dygie" / "train.json")
    assert found[0].entities[3] == Entity.of("PER", 0, 5)
    assert related(found) == [
        ("PHYS", "Jane Roe", "Lima"),
        ("ORG-AFF", "Jane Roe", "Acme Labs"),
        ("ORG-AFF", "guards", "Port Sel"),
    ]
    found, repairs = read(FIXTURES / "entrel" / "train" / "data.json")
    assert related(found) == [("PHYS", "Jane Roe", "Lima"), ("ORG-AFF", "guards", "Lima police")]
    assert repairs.counts == {"empty token left out": 1}


@pytest.mark.parametrize(
    "change, line",
    [
        (lambda apf: apf[: len(apf) // 2], r":\d+"),
        (lambda apf: apf.replace(' TYPE="PER"', ""), ":5"),
        (lambda apf: apf.replace('START="', 'START="-'), ":7"),
        (lambda apf: apf.replace('END="', 'END="9'), ":"),
        (lambda apf: apf.replace("<?xml version", '<?xml encoding="nope" version'), ":1"),
        (lambda apf: apf.replace('SYSTEM "apf.v5.1.1.dtd"', '[<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]'), ":2"),
    ],
)
def test_a_damaged_annotation_is_refused_with_its_line(tmp_path, change, line):
    shutil.copy(LDC / "ABC0001.sgm", tmp_path)
    (tmp_path / "ABC0001.apf.xml").write_text(change((LDC / "ABC0001.apf.xml").read_text()))
    with pytest.raises(ConfigurationError, match=r"ABC0001\.apf\.xml" + line):
        read(tmp_path)


def test_half_a_pair_and_a_misspelt_option_are_refused(tmp_path):
    shutil.copy(LDC / "ABC0001.apf.xml", tmp_path)
    with pytest.raises(ConfigurationError, match=r"ABC0001\.sgm"):
        read(tmp_path)
    with pytest.raises(ConfigurationError, match="extent"):
        Ace05(spans="heads")
