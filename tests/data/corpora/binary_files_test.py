import pyarrow
import pyarrow.parquet
import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from spacy.tokens import DocBin

from ner_zoo.data.corpora.binary_files import is_docbin, kind_of_binary
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources

TEXT_READERS = ("conll", "wnut", "span_json", "prodigy", "label_studio", "csv", "conllu", "webanno", "conll04")


def save_docbin(file):
    DocBin(docs=[spacy.blank("en")("Ada moved.")]).to_disk(file)


def save_parquet(file):
    pyarrow.parquet.write_table(pyarrow.table({"tokens": [["Ada"]], "ner_tags": [["B-PER"]]}), file)


@pytest.mark.parametrize("reader", TEXT_READERS)
@pytest.mark.parametrize("save, kind", [(save_docbin, "spaCy DocBin"), (save_parquet, "Parquet")])
def test_a_text_reader_says_what_a_binary_file_is(tmp_path, reader, save, kind):
    save(tmp_path / "train")
    [source] = sources(Corpus.by_name(reader)(), str(tmp_path / "train"))
    with pytest.raises(ConfigurationError, match=f"train:1 is .*{kind}.*Use the reader"):
        list(source.sentences(Repairs()))


@pytest.mark.parametrize(
    "head, said",
    [(b"PK\x03\x04", "ZIP"), (b"%PDF-1.7", "PDF"), (b"SQLite format 3\x00", "SQLite"), (b"BZh9", "bzip2")],
)
def test_other_files_are_recognised_by_their_first_bytes(head, said):
    assert said in kind_of_binary(head)


@pytest.mark.parametrize("head", [b"", b"x", b"xylophone\tO\n", b"x^2\tO\n", b"PAR\tO\n", "é\tO\n".encode()])
def test_text_is_not_taken_for_anything_else(head):
    assert kind_of_binary(head) is None and not is_docbin(head)
