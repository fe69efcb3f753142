import json

import pytest
import spacy
from spacy.tokens import DocBin

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.argilla import Argilla
from ner_zoo.data.corpora.label_studio import LabelStudio
from ner_zoo.data.corpora.standoff import Standoff
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.argilla import ArgillaWriter
from ner_zoo.data.writers.docbin import DocBinWriter
from ner_zoo.data.writers.doccano import DoccanoWriter
from ner_zoo.data.writers.label_studio import LabelStudioWriter
from ner_zoo.data.writers.prodigy import ProdigyWriter
from ner_zoo.data.writers.scored_sentence import of_prediction
from ner_zoo.data.writers.standoff import StandoffWriter

ADA, LUNE = Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5)
TOKENS = [(0, 3), (4, 9), (10, 15), (16, 18), (19, 23), (23, 24)]
TEXT = "Ada Quill moved to Lune."


@pytest.fixture
def scored():
    """A prediction as written by `annotate`, with an extra field of the input."""
    record = {
        "id": 7,
        "text": TEXT,
        "tokens": [{"text": TEXT[start:end], "start": start, "end": end} for start, end in TOKENS],
        "sentences": [[0, 24]],
        "entities": [
            {"type": "PER", "text": "Ada Quill", "fragments": [[0, 9]], "start": 0, "end": 9, "score": 0.97},
            {"type": "LOC", "text": "Lune", "fragments": [[19, 23]], "start": 19, "end": 23, "score": 0.6},
        ],
        "relations": [{"type": "MOVES_TO", "head": 0, "tail": 1, "score": 0.5}],
    }
    return of_prediction(record, "names-1")


def written(writer, scored, path):
    writer.write([scored], str(path), Repairs())
    return path


def test_a_prediction_is_a_sentence_with_scores(scored):
    assert scored.sentence.entities == (ADA, LUNE)
    assert scored.sentence.relations == (Relation("MOVES_TO", ADA, LUNE),)
    assert scored.score == 0.6 and scored.fields == {"id": 7} and scored.is_predicted


def test_label_studio_gets_a_prediction_with_model_and_scores(scored, tmp_path):
    [task] = json.loads(written(LabelStudioWriter(), scored, tmp_path / "a.json").read_text())
    [prediction] = task["predictions"]
    assert (prediction["model_version"], prediction["score"]) == ("names-1", 0.6) and "annotations" not in task
    assert [result.get("score") for result in prediction["result"]] == [0.97, 0.6, None]
    [sentence] = LabelStudio(predictions=True).sentences(str(tmp_path / "a.json"), Repairs())
    assert sentence.entities == (ADA, LUNE) and len(sentence.relations) == 1


def test_prodigy_gets_a_task_without_an_answer(scored, tmp_path):
    task = json.loads(written(ProdigyWriter(), scored, tmp_path / "a.jsonl").read_text())
    assert "answer" not in task and task["meta"] == {"model": "names-1", "score": 0.6, "id": "7"}
    assert [(span["score"], span["source"]) for span in task["spans"]] == [(0.97, "names-1"), (0.6, "names-1")]


def test_doccano_gets_labels_and_the_model_next_to_the_text(scored, tmp_path):
    record = json.loads(written(DoccanoWriter(relations=False), scored, tmp_path / "a.jsonl").read_text())
    assert record["label"] == [[0, 9, "PER"], [19, 23, "LOC"]] and record["model"] == "names-1"


def test_doccano_gets_relations_where_there_are_any(scored, tmp_path):
    record = json.loads(written(DoccanoWriter(), scored, tmp_path / "b.jsonl").read_text())
    [relation], places = record["relations"], {one["id"]: one["start_offset"] for one in record["entities"]}
    assert (places[relation["from_id"]], places[relation["to_id"]]) == (0, 19) and record["model"] == "names-1"


def test_brat_gets_notes_with_model_and_score(scored, tmp_path):
    written(StandoffWriter(), scored, tmp_path / "a.ann")
    assert "#2\tAnnotatorNotes T2\tnames-1 0.6000\n" in (tmp_path / "a.ann").read_text()
    [sentence] = Standoff().sentences(str(tmp_path / "a.ann"), Repairs())
    assert sentence.entities == (ADA, LUNE)


def test_argilla_gets_a_suggestion_with_agent_and_scores(scored, tmp_path):
    [record] = json.loads(written(ArgillaWriter(), scored, tmp_path / "a.json").read_text())
    suggestion = record["suggestions"]["entities"]
    assert (suggestion["agent"], suggestion["score"]) == ("names-1", [0.97, 0.6]) and record["responses"] == {}
    [sentence] = Argilla(suggestions=True).sentences(str(tmp_path / "a.json"), Repairs())
    assert sentence.entities == (ADA, LUNE)


def test_spacy_gets_entities_and_a_span_group_with_scores(scored, tmp_path):
    file = written(DocBinWriter(), scored, tmp_path / "a.spacy")
    [doc] = DocBin().from_disk(file).get_docs(spacy.blank("en").vocab)
    assert doc.text == TEXT and [(ent.text, ent.label_) for ent in doc.ents] == [("Ada Quill", "PER"), ("Lune", "LOC")]
    assert doc.spans["ner_zoo"].attrs == {"scores": [0.97, 0.6], "model": "names-1"}
