"""Another model's predictions as weak labels, and archives whose training used any."""

from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.models.archival import load_archive

from ner_zoo.annotation import Sentence
from ner_zoo.api import load
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.weak import WeakLabels
from ner_zoo.data.weak_source import WeakSource
from ner_zoo.platform.archives import archive_config, copy_archive
from ner_zoo.predictors.model_source import ModelSource
from tests.hostile_archives import Scene, members_of, pickle_as_weights
from tests.trained_models import demo_texts, tagger_archive

__all__ = ["tagger_archive"]
SENTENCES = [Sentence(tuple(text.split())) for text in demo_texts()[:20]]


def test_entities_of_at_least_the_threshold_are_taken_under_their_new_names(tagger_archive) -> None:
    source = ModelSource(str(tagger_archive), threshold=0.8, types={"PER": "person", "ORG": "ORG"})
    found = source.find(SENTENCES, Repairs())
    model = load(str(tagger_archive))
    names = {"PER": "person", "ORG": "ORG"}
    for sentence, entities in zip(SENTENCES, found):
        known = [e for e in model(tokens=sentence.tokens).entities if e.score >= 0.8 and e.type in names]
        texts = [" ".join(sentence.tokens[entity.start : entity.end]) for entity in entities]
        assert [(names[e.type], e.text) for e in known] == list(zip((e.type for e in entities), texts))
    assert sum(map(len, found)) > 5


def test_it_is_a_source_among_others_and_opens_nothing_before_the_first_sentence(tagger_archive) -> None:
    assert WeakSource.by_name("model") is ModelSource
    weak = WeakLabels([ModelSource(str(tagger_archive))], uncovered="UNKNOWN")
    labelled = [sentence for _, sentence in weak(enumerate(SENTENCES), Repairs())]
    assert any(sentence.entities for sentence in labelled) and all(sentence.unknown for sentence in labelled)
    nowhere = ModelSource("nowhere/model.tar.gz")
    with pytest.raises(ConfigurationError, match="There is no archive"):
        nowhere.find(SENTENCES, Repairs())


def test_a_type_that_the_model_does_not_have_is_refused(tagger_archive) -> None:
    with pytest.raises(ConfigurationError, match="does not have the type WEAPON"):
        ModelSource(str(tagger_archive), types={"WEAPON": "X"}).find(SENTENCES, Repairs())


def test_an_archive_that_could_run_code_is_refused_as_a_source(tagger_archive, tmp_path: Path) -> None:
    evil = pickle_as_weights(Scene(members_of(tagger_archive), tmp_path, str(tmp_path / "harm")))
    with pytest.raises(ConfigurationError, match="could run code"):
        ModelSource(str(evil)).find(SENTENCES, Repairs())
    assert not (tmp_path / "harm").exists()


def test_an_archive_is_used_without_the_weak_labels_of_its_training(tagger_archive, tmp_path: Path) -> None:
    config = archive_config(tagger_archive)
    sources = [
        {"type": "dictionary", "files": {"PER": "/etc/passwd"}},
        {"type": "model", "archive": "/nowhere/model.tar.gz"},
    ]
    config["dataset_reader"]["weak"] = {"sources": sources}
    config["validation_dataset_reader"] = config["dataset_reader"]
    copy_archive(tagger_archive, tmp_path / "model.tar.gz", config)
    archive = load_archive(tmp_path / "model.tar.gz")
    assert archive.dataset_reader.weak is None and archive.validation_dataset_reader.weak is None
