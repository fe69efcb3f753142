import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.bulk.tool_sink import TOOLS, check_tool, model_name, write_for_tool
from ner_zoo.data.corpora.argilla import Argilla
from ner_zoo.data.corpora.auto import the_only_format
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.data.corpora.label_studio import LabelStudio
from ner_zoo.data.repairs import Repairs

RECORD = {
    "id": 7,
    "text": "Ada left.",
    "tokens": [{"text": "Ada", "start": 0, "end": 3}, {"text": "left", "start": 4, "end": 8}],
    "entities": [{"type": "PER", "fragments": [[0, 3]], "start": 0, "end": 3, "score": 0.9}],
    "relations": [],
}
LINES = [json.dumps(record).encode() for record in (RECORD, {"error": "no text", "line": 2}, {**RECORD, "tokens": []})]
PREDICTED = {"label_studio": lambda: LabelStudio(predictions=True), "argilla": lambda: Argilla(suggestions=True)}


@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_written_is_of_the_tools_format_and_holds_the_entities(tmp_path, tool, caplog):
    output = tmp_path / ("out.ann" if tool == "brat" else "out.json")
    written = write_for_tool(tool, str(output), LINES, "names-1")
    assert written != output and not output.exists()
    written.rename(output)
    assert the_only_format(str(output))[0] == TOOLS[tool]
    corpus = PREDICTED.get(tool, Corpus.by_name(TOOLS[tool]))()
    [sentence] = corpus.sentences(str(output), Repairs())
    assert [(e.type, sentence.tokens[e.start : e.end]) for e in sentence.entities] == [("PER", ("Ada",))]
    assert "row that could not be annotated left out, 1 times" in caplog.text


def test_brat_needs_its_file_extension_and_other_names_are_refused():
    check_tool("brat", "out.ann")
    with pytest.raises(ConfigurationError, match=".ann"):
        check_tool("brat", "out.jsonl")
    with pytest.raises(ConfigurationError, match="label_studio, doccano"):
        check_tool("gate", "out.xml")


@pytest.mark.parametrize(
    "archive, name", [("runs/names/model.tar.gz", "names"), ("names-1.tar.gz", "names-1"), ("runs/names", "names")]
)
def test_a_model_is_called_by_its_file_or_its_folder(archive, name):
    assert model_name(str(Path("/data") / archive)) == name
