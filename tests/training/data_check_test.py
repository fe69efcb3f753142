import json
from pathlib import Path

import pytest
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.data.data_loaders import MultiProcessDataLoader

from ner_zoo.training.data_check import refuse_nothing, summary_of

FIXTURES = Path(__file__).parents[2] / "fixtures"
ADA = "Ada\tB-PER\nmoved\tO\n\n"


def train(tmp_path, reader, train_path, validation_path=None):
    """A minimal training of one epoch."""
    model = {
        "type": "tagger",
        "embedder": {"token_embedders": {"tokens": {"type": "embedding", "embedding_dim": 4}}},
        "encoder": {"type": "pass_through", "input_dim": 4},
        "head": {"type": "softmax"},
        "loss": {"type": "nll"},
    }
    config = {
        "dataset_reader": reader,
        "train_data_path": str(train_path),
        "validation_data_path": str(validation_path or train_path),
        "model": model,
        "data_loader": {"batch_size": 2},
        "trainer": {"num_epochs": 1, "optimizer": {"type": "sgd", "lr": 0.1}, "cuda_device": -1},
    }
    return train_model(Params(config), str(tmp_path / "run"), force=True)


def written(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    return tmp_path / name


def refused(tmp_path, reader, path):
    with pytest.raises(ConfigurationError) as error:
        train(tmp_path, reader, path)
    return str(error.value)


def test_data_without_an_entity_is_refused_with_its_columns(tmp_path):
    file = written(tmp_path, "a.conll", "Ada\tNNP\tB-PER\tO\nmoved\tVBD\tO\tO\n\n")
    message = refused(tmp_path, {"type": "conll"}, file)
    assert "no entity in 1 sentences" in message and "4 columns: 'Ada\\tNNP\\tB-PER\\tO'" in message


def test_data_without_an_entity_is_refused_with_its_fields_and_the_reader_that_fits(tmp_path):
    record = {"text": "Ada moved.", "tokens": [{"text": "Ada", "start": 0, "end": 3}], "answer": "accept"}
    file = written(tmp_path, "a.jsonl", json.dumps(record))
    message = refused(tmp_path, {"type": "span_json", "view": {"type": "tags"}}, file)
    assert "the fields answer, text, tokens" in message and 'matches the reader "prodigy"' in message


def test_data_without_an_entity_is_not_said_to_fit_the_reader_that_read_it(tmp_path):
    file = written(tmp_path, "a.conll", "Ada O\nmoved O\n\n")
    message = refused(tmp_path, {"type": "auto", "view": {"type": "tags"}}, file)
    assert "no entity in 1 sentences" in message and "matches the reader" not in message


@pytest.mark.parametrize("reader", ["text", "conll"])
def test_weak_sources_that_match_nothing_are_named_as_the_reason(tmp_path, reader):
    weak = {"sources": [{"type": "patterns", "patterns": {"DATE": "[0-9]{4}"}}]}
    file = written(tmp_path, "a.txt", "Ada\tO\nmoved\tO\n")
    message = refused(tmp_path, {"type": reader, "view": {"type": "tags"}, "weak": weak}, file)
    assert "o weak source matched anything" in message and "case='ignore'" in message
    assert ("columns" in message) == (reader == "conll")


def test_joint_data_without_a_relation_is_refused(tmp_path):
    record = {"tokens": ["Ada", "moved"], "entities": [{"type": "PER", "start": 0, "end": 1}]}
    file = written(tmp_path, "a.jsonl", json.dumps(record))
    reader = DatasetReader.from_params(Params({"type": "span_json"}))
    loader = MultiProcessDataLoader(reader, str(file), batch_size=1)
    with pytest.raises(ConfigurationError, match="no relation in 1 sentences"):
        refuse_nothing(summary_of(loader), loader)


def test_splits_without_a_common_type_and_numbers_for_tokens_are_warned_of(tmp_path):
    one, other = written(tmp_path, "one", ADA), written(tmp_path, "other", "7\tB-LOC\n9\tO\n\n")
    train(tmp_path, {"type": "conll"}, one, other)
    log = (tmp_path / "run" / "out.log").read_text()
    assert "WARNING" in log and "no entity type in common: PER and LOC" in log
    assert "100% of the tokens of the validation data are numbers" in log


def test_good_data_is_trained_on_without_a_warning(tmp_path):
    train(tmp_path, {"type": "conll"}, written(tmp_path, "one", ADA))
    assert "data_check" not in (tmp_path / "run" / "out.log").read_text()
