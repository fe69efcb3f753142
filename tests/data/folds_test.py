"""A path can refer to one fold of a corpus, or to all but one."""

import json
from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.folds import fold_path, write_folds
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sources import sources


def words(path: str) -> list[str]:
    corpus = Corpus.from_params(Params({"type": "span_json"}))
    return [sentence.tokens[0] for source in sources(corpus, path) for sentence in source.sentences(Repairs())]


def write(file: Path, tokens: str) -> str:
    file.write_text("".join(json.dumps({"tokens": [token], "entities": []}) + "\n" for token in tokens.split()))
    return str(file)


def test_a_fold_and_the_rest_are_the_corpus_in_its_order(tmp_path):
    first, second = write(tmp_path / "a.jsonl", "a b c"), write(tmp_path / "b.jsonl", "d e")
    write_folds(tmp_path / "folds.json", [0, 1, 0, 1, 0], [(first, 3), (second, 2)], 2, 13)
    path = f"{first} + {second}"
    assert words(fold_path(path, tmp_path / "folds.json", 0, is_rest=False)) == ["a", "c", "e"]
    assert words(fold_path(path, tmp_path / "folds.json", 0, is_rest=True)) == ["b", "d"]


def test_a_fold_of_a_part_counts_the_sentences_of_the_part(tmp_path):
    file = write(tmp_path / "a.jsonl", "a b c d e f")
    write_folds(tmp_path / "folds.json", [0, 1, 0], [(file, 3)], 2, 13)
    assert words(f"{file} [all but every 2nd] [fold 1 in {tmp_path}/folds.json]") == ["b", "f"]


def test_sentences_without_a_fold_are_in_neither_part(tmp_path):
    file = write(tmp_path / "a.jsonl", "a b c d")
    write_folds(tmp_path / "folds.json", [0, 1], [(file, 2)], 2, 13)
    for is_rest, found in ((False, ["a"]), (True, ["b"])):
        assert words(fold_path(file, tmp_path / "folds.json", 0, is_rest)) == found


def test_missing_folds_are_refused(tmp_path):
    file, other = write(tmp_path / "a.jsonl", "a b"), write(tmp_path / "b.jsonl", "c")
    with pytest.raises(ConfigurationError, match="does not say which fold"):
        words(f"{file} [fold 1 in {tmp_path}/nothing.json]")
    write_folds(tmp_path / "folds.json", [0, 1], [(file, 2)], 2, 13)
    with pytest.raises(ConfigurationError, match="has folds 1 to 2 of .*but fold 3 of"):
        words(f"{file} [fold 3 in {tmp_path}/folds.json]")
    with pytest.raises(ConfigurationError, match=r"but fold 1 of .*b\.jsonl was requested"):
        words(f"{other} [fold 1 in {tmp_path}/folds.json]")
