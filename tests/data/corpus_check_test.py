"""`allennlp corpus check`: compares copies of corpora with their published counts."""

import shutil
import sys
from pathlib import Path

import pytest
from allennlp.commands import main
from allennlp.common.checks import ConfigurationError

from ner_zoo.commands.corpus import check_corpus
from ner_zoo.data.catalogue import catalogue, find
from ner_zoo.data.corpora.counts import PUBLISHED
from ner_zoo.data.corpus_check import check
from tests.real_corpora import DATA, needs_corpora

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_a_split_that_is_missing_or_differs_is_detected():
    train, dev, test = check(find("conll04"), FIXTURES)
    assert train.differences == {"sentences": -905, "tokens": -26767, "entities": -3381, "relations": -1267}
    assert train.verdict == "differs: sentences -905, tokens -26,767, entities -3,381, relations -1,267"
    assert train.repairs == 2
    assert dev.is_wrong and test.is_wrong and test.read is None and test.verdict == "missing"


def test_either_form_of_a_split_is_found_also_if_it_is_compressed(tmp_path):
    (tmp_path / "germeval14").mkdir()
    shutil.copy(FIXTURES / "germeval14" / "NER-de-dev.tsv", tmp_path / "germeval14")
    train, dev, _ = check(find("germeval14"), tmp_path)
    assert train.path == "germeval14/NER-de-train.tsv or germeval14/germ.train.iob2" and train.read is None
    assert dev.path == "germeval14/NER-de-dev.tsv" and dev.read is not None and dev.read.sentences == 3


@needs_corpora
def test_a_complete_copy_is_as_published(capsys):
    splits = check_corpus(find("conll04"), DATA)
    assert not any(split.is_wrong for split in splits)
    assert capsys.readouterr().out.count("as published") == 3


def test_the_command_fails_with_the_layout_that_it_expects(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["allennlp", "corpus", "check", "conll2003", "--data", str(tmp_path)])
    with pytest.raises((ConfigurationError, SystemExit)) as raised:
        main()
    told = f"{raised.value}{capsys.readouterr().err}"
    assert f"conll2003: 3 of 3 splits are missing or differ. Expected layout: {tmp_path}/conll2003/eng." in told


def test_every_published_count_belongs_to_a_split_of_the_catalogue():
    known = {
        (entry.reader, path.rpartition("/")[2])
        for entry in catalogue().values()
        for split in entry.splits
        for path in split.split(" or ")
    }
    assert set(PUBLISHED) <= known
