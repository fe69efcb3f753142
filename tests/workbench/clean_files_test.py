"""The tasks of each annotation tool have their own file, and tell where a sentence comes from and what is doubtful."""

from pathlib import Path

import pytest

from ner_zoo.analysis.answers import Answer
from ner_zoo.analysis.suspects import Suspect
from ner_zoo.annotation import Entity, Sentence
from ner_zoo.bulk.tool_sink import TOOLS
from ner_zoo.workbench.clean import Cleaning, Judges
from ner_zoo.workbench.clean_files import write_tasks
from ner_zoo.workbench.folds import TrainingData

ORG, LOC, ANN = Entity.of("ORG", 2, 4), Entity.of("LOC", 2, 4), Entity.of("PER", 0, 1)
SENTENCE = Sentence(("Ann", "left", "Oda", "Bay"), (ANN, ORG), source="train.conll:7")
SUSPECTED = "type entity: ORG Oda Bay -> LOC Oda Bay (97%)"


@pytest.fixture
def cleaning() -> Cleaning:
    doubt = Suspect(0, "type", ORG, LOC, 0.02, 0.91, incompatible_gold=(ORG,), confidence=0.97)
    data = TrainingData("train.conll", [SENTENCE], [("train.conll", 1)])
    return Cleaning(data, Judges([0], []), [Answer(SENTENCE, likely={LOC: 0.91})], [doubt], "tagger")


def test_no_tool_replaces_the_tasks_of_another(cleaning: Cleaning, tmp_path: Path) -> None:
    paths = [write_tasks(cleaning, tmp_path, tool) for tool in TOOLS]
    assert (
        sorted(path.name for path in tmp_path.iterdir())
        == sorted(path.name for path in paths)
        == [
            "tasks.argilla.json",
            "tasks.brat",
            "tasks.docbin.spacy",
            "tasks.doccano.jsonl",
            "tasks.label_studio.json",
            "tasks.prodigy.jsonl",
        ]
    )


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_gets_the_source_and_the_suspect(cleaning: Cleaning, tmp_path: Path, tool: str) -> None:
    path = write_tasks(cleaning, tmp_path, tool)
    content = (path / "train.ann" if tool == "brat" else path).read_bytes()
    if tool == "docbin":
        from spacy.tokens import DocBin
        from spacy.vocab import Vocab

        (doc,) = DocBin().from_bytes(content).get_docs(Vocab())
        assert doc.user_data == {"source": "train.conll:7", "suspected": SUSPECTED}
        return
    assert b"train.conll:7" in content and SUSPECTED.encode() in content
    if tool == "brat":
        notes = [line for line in content.decode().splitlines() if line.startswith("#")]
        fields = f"source: train.conll:7; suspected: {SUSPECTED}"
        assert notes == [
            f"#1\tAnnotatorNotes T1\tner_zoo clean 0.0000; {fields}",
            "#2\tAnnotatorNotes T2\tner_zoo clean 0.9100",
        ]
