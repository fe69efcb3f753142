import json

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader

from ner_zoo.data.corpora.corpus import Corpus, Repairs

DEMO = "fixtures/demo/dev.jsonl"


def sentences(path, **options):
    corpus = Corpus.from_params(Params({"type": "held_out", "of": "span_json", **options}))
    return [sentence.source for file in corpus.files(path) for sentence in corpus.sentences(file, Repairs())]


def test_both_parts_together_are_the_corpus_and_share_nothing():
    rest, held_out = sentences(DEMO, every=7), sentences(DEMO, every=7, is_held_out=True)
    assert (len(rest), len(held_out)) == (85, 15) and not set(rest) & set(held_out)


def test_of_many_files_whole_ones_are_held_out(tmp_path):
    for number in range(8):
        lines = [json.dumps({"tokens": ["a"], "entities": []})] * 3
        (tmp_path / f"{number}.jsonl").write_text("\n".join(lines))
    rest, held_out = sentences(str(tmp_path), every=4), sentences(str(tmp_path), every=4, is_held_out=True)
    files = {source.rsplit("/", 1)[1].split(".")[0] for source in held_out}
    assert files == {"0", "4"} and len(held_out) == 6 and len(rest) == 18


def test_a_reader_has_the_defaults_of_the_corpus_that_is_divided():
    reader = DatasetReader.from_params(Params({"type": "held_out", "of": "msra"}))
    whole = DatasetReader.from_params(Params({"type": "msra"}))
    assert type(reader.tokenizer) is type(whole.tokenizer)
    assert type(reader.view) is type(whole.view)


def test_holding_out_everything_is_refused():
    with pytest.raises(ConfigurationError, match="nothing to train on"):
        sentences(DEMO, every=1)
