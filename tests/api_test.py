"""The Python interface, as in the README."""

import json
from pathlib import Path

import pytest
from allennlp.common.checks import ConfigurationError

from ner_zoo import load
from ner_zoo.api import Annotator
from tests.trained_models import joint_archive, tagger_archive

__all__ = ["joint_archive", "tagger_archive"]
TEXT = "Edda Abernathy of Meridian Systems\n\n  lives in Port Ellery. "


@pytest.fixture(scope="module")
def model(joint_archive: Path) -> Annotator:
    return load(str(joint_archive))


def test_a_text_gets_its_entities_and_relations(model: Annotator) -> None:
    doc = model(TEXT)
    assert ("Edda Abernathy", "PER") in [(entity.text, entity.type) for entity in doc.entities]
    assert all(TEXT[entity.start : entity.end] == entity.text and 0 < entity.score <= 1 for entity in doc.entities)
    assert any(relation.head.text == "Edda Abernathy" for relation in doc.relations)
    assert "Edda Abernathy [PER]" in repr(doc)


def test_tokens_and_options_are_understood(model: Annotator) -> None:
    assert model(tokens=["Edda", "sings"]).tokens == ["Edda", "sings"]
    assert [doc.tokens for doc in model.pipe([["Edda", "sings"]])] == [["Edda", "sings"]]
    assert model(TEXT, threshold=1.0).entities == []
    assert len(model(TEXT, top_k=2).to_dict()["taggings"]) == 2


def test_many_texts_come_back_in_order(model: Annotator) -> None:
    texts = [f"Letter {number} to Edda." for number in range(30)]
    assert [doc.text for doc in model.pipe(iter(texts), at_once=7)] == texts


def test_a_document_is_written_as_json_columns_and_html(model: Annotator) -> None:
    doc = model(TEXT)
    assert json.loads(json.dumps(doc.to_dict()))["text"] == TEXT
    assert "Abernathy\tI-PER" in doc.to_conll()
    assert doc.to_html() == doc._repr_html_() and "<mark" in doc.to_html()


def test_a_document_becomes_spacys(model: Annotator) -> None:
    doc = model(TEXT)
    spacy_doc = doc.to_spacy()
    assert spacy_doc.text == TEXT
    assert {(span.text, span.label_) for span in spacy_doc.ents} == {(e.text, e.type) for e in doc.entities}
    assert len(spacy_doc.spans["ner_zoo"].attrs["scores"]) == len(doc.entities)


def test_unusable_input_is_an_error(model: Annotator) -> None:
    with pytest.raises(ConfigurationError):
        model(tokens=["a", ""])


@pytest.mark.parametrize("given", [["Edda sings.", "Dov walks."], ("a", "b"), 5])
def test_anything_but_a_text_is_refused_and_both_alternatives_are_named(model: Annotator, given) -> None:
    with pytest.raises(ConfigurationError, match=r"model\.pipe\(texts\).*model\(tokens="):
        model(given)


def test_one_text_in_place_of_many_is_refused(model: Annotator) -> None:
    for call in (lambda: list(model.pipe("Edda sings.")), lambda: model(tokens="Edda"), lambda: model()):
        with pytest.raises(ConfigurationError, match=r"model\(text\)"):
            call()


def test_a_model_has_a_readable_repr(model: Annotator) -> None:
    assert "PER" in model.labels
    assert "PER" in repr(model) and "model.tar.gz" in repr(model)


def test_ner_zoo_has_no_other_attributes() -> None:
    import ner_zoo

    with pytest.raises(AttributeError, match="lode"):
        ner_zoo.lode  # noqa: B018


def test_given_entities_get_relations_between_them(model: Annotator) -> None:
    text = "Edda Abernathy of Meridian Systems lives in Port Ellery."
    found = model(text)
    for entities in ([(0, 14, "PER"), (44, 55, "LOC")], [{"start": 0, "end": 14, "type": "PER"}, (44, 55, "LOC")]):
        doc = model(text, entities=entities)
        assert [(one.start, one.end, one.type, one.score) for one in doc.entities] == [
            (0, 14, "PER", 1.0),
            (44, 55, "LOC", 1.0),
        ]
    assert [one.text for one in model(text, entities=found.entities).entities] == [one.text for one in found.entities]
    (doc,) = model.pipe([{"tokens": ["Edda", "sings"], "entities": [(0, 1, "PER")]}])
    assert [one.text for one in doc.entities] == ["Edda"]
    with pytest.raises(ConfigurationError, match="Entity 0 of the input, 'Edda A'"):
        model(text, entities=[(0, 6, "PER")])


def test_a_model_without_relations_refuses_entities(tagger_archive: Path) -> None:
    with pytest.raises(ConfigurationError, match="this model does not predict relations"):
        load(str(tagger_archive))("Edda sings.", entities=[(0, 4, "PER")])
