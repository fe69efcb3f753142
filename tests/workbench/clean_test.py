"""Models that have learned too little say so, and correct nothing."""

from typing import Any

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo.analysis.suspects import Suspect
from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.workbench.clean import Cleaning
from ner_zoo.workbench.clean_files import write_tasks
from ner_zoo.workbench.folds import TrainingData

ANN, BAY = Entity.of("PER", 0, 1), Entity.of("LOC", 1, 2)
LIVES = Relation("lives_in", ANN, BAY)
SENTENCE = Sentence(("Ann", "Bay"), (ANN, BAY), (LIVES,))


def cleaning(entity: float, relation: float) -> Cleaning:
    """The models give the annotation these probabilities, and doubt all of it."""
    found = [
        Suspect(0, "spurious", gold, None, probability, 0.9, (), 0.99)
        for gold, probability in ((ANN, entity), (BAY, entity), (LIVES, relation))
    ]
    nobody: Any = None
    return Cleaning(TrainingData("train.jsonl", [SENTENCE], [("train.jsonl", 1)]), nobody, [], found, "joint_relation")


def test_entities_that_the_models_have_not_learned_are_not_corrected():
    with pytest.raises(
        ConfigurationError, match=r"Nothing was corrected. The models give the annotated entities .* 2.0%"
    ):
        cleaning(entity=0.02, relation=0.5).corrected("unknown", 0.9)


def test_relations_that_the_models_have_not_learned_are_left_alone():
    found = cleaning(entity=0.5, relation=0.02)
    assert len(found.doubts()) == 1 and "relations" in found.doubts()[0]
    sentences, log = found.corrected("unknown", 0.9)
    assert sentences[0].entities == () and not any(change.suspect.is_relation for change in log)


def test_models_that_know_the_annotation_are_trusted():
    found = cleaning(entity=0.5, relation=0.5)
    assert found.doubts() == []
    assert any(change.suspect.is_relation for change in found.corrected("unknown", 0.9)[1])


def test_a_folder_of_tasks_that_may_be_annotated_is_not_overwritten(tmp_path):
    (tmp_path / "tasks.brat").mkdir()
    (tmp_path / "tasks.brat" / "train.ann").write_text("T1\tPER 0 3\tAnn\n")
    with pytest.raises(ConfigurationError, match="may contain annotations. Move it"):
        write_tasks(cleaning(entity=0.5, relation=0.5), tmp_path, "brat")
