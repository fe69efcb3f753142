"""The spaCy component in real pipelines."""

import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from spacy.tokens import Span

from ner_zoo import load, spacy_component  # noqa: F401  registers the factory, as the entry point does
from tests.trained_models import joint_archive, tagger_archive

__all__ = ["joint_archive", "tagger_archive"]
TEXTS = ["Edda Abernathy of Meridian Systems lives in Port Ellery.", "", "Nothing here."] * 4


@pytest.fixture(scope="module")
def nlp(joint_archive):
    nlp = spacy.blank("en")
    nlp.add_pipe("ner_zoo", config={"archive": str(joint_archive)})
    return nlp


def test_the_entities_are_those_of_the_model_with_their_scores(nlp, joint_archive):
    model = load(str(joint_archive))
    for doc, one in zip(nlp.pipe(TEXTS, batch_size=5), model.pipe(TEXTS)):
        spans = doc.spans["ner_zoo"]
        assert [(span.start_char, span.end_char, span.label_) for span in spans] == [
            (entity.start, entity.end, entity.type) for entity in one.entities
        ]
        assert spans.attrs["scores"] == [entity.score for entity in one.entities]
        assert {span.text for span in doc.ents} == {entity.text for entity in one.entities}
        assert [(head.text, type, tail.text) for head, type, tail, _ in doc._.ner_zoo_relations] == [
            (relation.head.text, relation.type, relation.tail.text) for relation in one.relations
        ]
    assert any(doc.ents for doc in nlp.pipe(TEXTS))


def test_existing_entities_are_kept_on_request(tagger_archive):
    nlp = spacy.blank("en")
    component = nlp.add_pipe("ner_zoo", config={"archive": str(tagger_archive), "overwrite_ents": False})
    doc = nlp.make_doc(TEXTS[0])
    doc.ents = [Span(doc, 0, 3, label="MINE")]
    component(doc)
    assert doc.ents[0].label_ == "MINE" and len(doc.ents) > 1
    component.overwrite_ents = True
    assert "MINE" not in {span.label_ for span in component(doc).ents}


def test_a_pipeline_on_disk_and_in_bytes_keeps_its_model(nlp, tmp_path):
    nlp.get_pipe("ner_zoo").threshold = 0.25
    nlp.to_disk(tmp_path / "pipeline")
    nlp.get_pipe("ner_zoo").threshold = 0.0
    nlp.config["components"]["ner_zoo"]["archive"] = "gone.tar.gz"
    again = spacy.load(tmp_path / "pipeline")
    assert again.get_pipe("ner_zoo").threshold == 0.25
    assert str(tmp_path) in again.get_pipe("ner_zoo").archive
    assert [span.text for span in again(TEXTS[0]).ents] == [span.text for span in nlp(TEXTS[0]).ents]
    blank = spacy.blank("en")
    blank.add_pipe("ner_zoo")
    blank.from_bytes(nlp.to_bytes())
    assert [span.text for span in blank(TEXTS[0]).ents] == [span.text for span in nlp(TEXTS[0]).ents]


def test_a_document_with_annotations_can_be_stored(nlp):
    doc = nlp(TEXTS[0])
    again = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert len(again._.ner_zoo_relations) == len(doc._.ner_zoo_relations)


def test_a_pipeline_is_linked_without_loading_the_model():
    # spaCy looks for these attributes in the order of a set, which differs from process to process.
    component = spacy.blank("en").add_pipe("ner_zoo", config={"archive": "missing.tar.gz"})
    assert not hasattr(component, "model") and component.labels == ()


def test_a_component_without_a_model_says_how_to_set_one():
    nlp = spacy.blank("en")
    nlp.add_pipe("ner_zoo")
    with pytest.raises(ConfigurationError, match="archive"):
        nlp("text")
