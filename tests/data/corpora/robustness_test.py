"""For any bytes, a corpus reads sentences or raises an error with file and line; nothing else happens, and it ends."""

import gzip
import inspect
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs

FIXTURES = Path(__file__).parents[3] / "fixtures"


def is_of_files(name):
    """Whether a corpus represents a file format, rather than wrapping another corpus."""
    parameters = inspect.signature(Corpus.by_name(name)).parameters.values()
    return all(parameter.default is not parameter.empty for parameter in parameters)


NAMES = sorted(name for name in Corpus.list_available() if is_of_files(name))

# File names that make each corpus accept the file, and the building blocks of its rows.
ENDINGS = ("", ".conll", ".txt", ".ann", ".json", ".jsonl", ".xml", ".sgm", ".apf.xml", ".tsv", ".gold_conll")
ENDINGS += (".csv", ".conllu", ".spacy", ".parquet", ".arrow")
PIECES = [
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "O",
    "B-PER",
    "I-",
    "UNK",
    "-DOCSTART- O\n",
    "#doc 1\n",
    "#\turl\n",
    "0\t",
    "['N']",
    "[0]",
    "(ORG*",
    "*)",
]
PIECES += [
    "{",
    "}",
    '"',
    '{"sentText": "a b"}\n',
    '{"sentences": [["a"]], "ner": [[[0, 0, "PER"]]]}\n',
    "[",
    "null",
    "1e999",
]
PIECES += [
    "T1\tPER 0 3\tAda\n",
    "R1\tX Arg1:T1 Arg2:T9\n",
    "T2\tPER 9 2;1 1\t\n",
    "<DOC>",
    "</DOC>",
    "<EM ",
    "<ALT>",
    "|",
    "<P>",
    "&amp;",
    "]]>",
]
# Annotation tools.
PIECES += [
    '{"text": "Ada left.", "spans": [{"start": 0, "end": 3, "label": "PER"}]}\n',
    '{"text": "Ada", "tokens": [{"text": "Ada", "start": 0, "end": 3}], "spans": [], "relations": [{"head": 0}]}\n',
    '{"text": "Ada left.", "label": [[0, 3, "PER"]]}\n',
    '{"text": "Ada", "entities": [{"id": 1, "label": 3, "start_offset": 0, "end_offset": 9}]}\n',
    '{"data": {"text": "Ada"}, "annotations": [{"result": [{"type": "labels", "value": {"start": 0, "end": 1}}]}]}\n',
    '{"fields": {"text": "Ada"}, "responses": {"q": [{"value": [{"start": -1, "end": 2, "label": "X"}]}]}}\n',
    '{"tokens": ["Ada", ""], "ner_tags": ["B-PER", "O"]}\n',
    '{"tokens": ["Ada"], "ner_tags": [3]}\n',
    '{"tokenized_text": ["Ada"], "ner": [[0, 0, "PER"]], "relations": [[0, 0, "r"]]}\n',
    '{"sentence": ["Ada"], "ner": [{"index": [0], "type": "PER"}]}\n',
    "#FORMAT=WebAnno TSV 3.3\n#T_SP=a.NamedEntity|value\n\n\n",
    "#T_RL=a.R|l|BT_a.NamedEntity\n",
    "#Text=Ada left\n",
    "1-1\t0-3\tAda\tPER[1]|X[2]\t_\t1-1[1_2]\n",
    "1-2\t4-8\tleft\t*\n",
    "1\tAda\t_\t_\t_\t_\t_\t_\t_\tNER=B-PER|SpaceAfter=No\n",
    "word,tag\n",
    "text;start;end;type\n",
    "Ada;0;3;PER\n",
    "Ada,B-PER\n",
]
PIECES += ["\x00", "\ufeff", "\u2028", "\x85", "é", "何", "word"]
quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def read_or_refuse(name, directory, content, ending):
    """The sentences of a file with that content, or its error, which must name the file and a line."""
    for old in directory.iterdir():
        old.unlink()
    file = directory / f"file{ending}"
    file.write_bytes(content)
    if ending == ".ann":
        (directory / "file.txt").write_text("Ada left.\n")
    if ending == ".apf.xml":
        (directory / "file.sgm").write_text("<DOC>Ada left.</DOC>\n")
    corpus = Corpus.by_name(name)()
    try:
        sentences = [s for found in corpus.files(str(file)) for s in corpus.sentences(found, Repairs())]
    except ConfigurationError as error:
        assert str(directory) in str(error)
        return str(error)
    assert all(isinstance(sentence, Sentence) and sentence.tokens for sentence in sentences)
    for sentence in sentences:
        assert all(0 <= e.start < e.end <= len(sentence.tokens) for e in sentence.entities)
        assert len(set(sentence.entities)) == len(sentence.entities)
        assert len(set(sentence.relations)) == len(sentence.relations)
    return sentences


@pytest.mark.parametrize("name", NAMES)
@quick
@given(content=st.binary(max_size=300), ending=st.sampled_from(ENDINGS))
def test_random_bytes(tmp_path, name, content, ending):
    read_or_refuse(name, tmp_path, content, ending)


@pytest.mark.parametrize("name", NAMES)
@quick
@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=30),
    ending=st.sampled_from(ENDINGS),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "gb18030"]),
)
def test_random_pieces_of_every_format(tmp_path, name, pieces, ending, encoding):
    read_or_refuse(name, tmp_path, "".join(pieces).encode(encoding), ending)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"\r\n\r\n",
        b"\x00" * 100,
        b"a" * 1_000_000,
        b"a b " * 250_000,
        b"a\tO\n" * 5,
        b"\x1f\x8b",
        b"\xff\xfe",
        b"\t" * 1000,
    ],
    ids=["empty", "line feed", "CRLF", "NUL", "long word", "long line", "columns", "half gzip", "half UTF-16", "tabs"],
)
def test_odd_files(tmp_path, name, content):
    for ending in ("", ".txt", ".json"):
        read_or_refuse(name, tmp_path, content, ending)


@pytest.mark.parametrize("name", NAMES)
def test_a_directory_without_files_is_refused(tmp_path, name):
    with pytest.raises(ConfigurationError):
        Corpus.by_name(name)().files(str(tmp_path))


def fixture_files():
    return [file for file in sorted(FIXTURES.rglob("*")) if file.is_file() and file.suffix not in (".py", ".jpg")]


@pytest.mark.parametrize("name", NAMES)
def test_the_fixtures_of_all_other_corpora(tmp_path, name):
    for file in fixture_files():
        read_or_refuse(
            name, tmp_path, file.read_bytes(), "".join(file.suffixes[-2:]) if file.suffix == ".xml" else file.suffix
        )


@pytest.mark.parametrize("name", NAMES)
def test_truncated_and_damaged_fixtures(tmp_path, name):
    for file in fixture_files():
        if file.parent.name != name and name not in ("conll", "standoff", "span_json") and name not in str(file):
            continue
        content = file.read_bytes()
        packed = gzip.compress(content)
        for damaged in (content[: len(content) // 2], content[:-1], content[:40] + b"\xff\x00" + content[40:]):
            read_or_refuse(name, tmp_path, damaged, file.suffix)
        assert isinstance(read_or_refuse(name, tmp_path, packed[: len(packed) // 2], file.suffix), str)
