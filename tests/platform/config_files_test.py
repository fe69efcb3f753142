"""Configs that need corpora say so if the corpus folder is unknown."""

from pathlib import Path

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

CONFIG = """
local data = std.extVar('NER_ZOO_DATA');
{ train_data_path: data + '/wnut17/train.conll', model: { vectors: [data + '/glove.txt'] }, seed: 1 }
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("NER_ZOO_DATA", raising=False)
    (tmp_path / "config.jsonnet").write_text(CONFIG)
    return tmp_path / "config.jsonnet"


def test_a_config_without_its_corpora_says_what_it_looked_for_and_what_to_type(config: Path) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Params.from_file(config)
    message = str(raised.value)
    assert "$NER_ZOO_DATA/wnut17/train.conll" in message and "$NER_ZOO_DATA/glove.txt" in message
    assert "export NER_ZOO_DATA=" in message


def test_a_config_whose_paths_are_all_given_misses_nothing(config: Path) -> None:
    params = Params.from_file(config, '{"train_data_path": "mine.conll", "model.vectors": []}')
    assert params["train_data_path"] == "mine.conll"


def test_the_environment_and_the_caller_say_where_corpora_are(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Params.from_file(config, ext_vars={"NER_ZOO_DATA": "here"})["train_data_path"] == "here/wnut17/train.conll"
    monkeypatch.setenv("NER_ZOO_DATA", "there")
    assert Params.from_file(config)["train_data_path"] == "there/wnut17/train.conll"
