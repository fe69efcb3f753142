"""An output that is also an input is refused before anything is written."""

import os

import pytest

from ner_zoo.bulk.run import Task
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.platform.output_path import refuse_input_as_output
from ner_zoo.workbench.selection import SelectionOptions
from ner_zoo.workbench.suggest import SuggestTask


def test_another_name_of_the_same_file_is_noticed(tmp_path):
    texts, link = tmp_path / "texts.jsonl", tmp_path / "link.jsonl"
    texts.write_text("{}\n")
    os.symlink(texts, link)
    with pytest.raises(ConfigurationError, match="is also an input. Pass a different --output-file"):
        refuse_input_as_output(str(link), ["other.jsonl", str(texts)], "--output-file")
    refuse_input_as_output(str(tmp_path / "new.jsonl"), [str(texts)])


def test_bulk_commands_keep_their_input(tmp_path):
    texts, model = str(tmp_path / "texts.jsonl"), str(tmp_path / "model.jsonl")
    for path in (texts, model):
        (tmp_path / path).write_text("{}\n")
        with pytest.raises(ConfigurationError, match="is also an input"):
            Task(model, texts, path)
        with pytest.raises(ConfigurationError, match="is also an input"):
            SuggestTask(model, (texts,), path, SelectionOptions(1))
