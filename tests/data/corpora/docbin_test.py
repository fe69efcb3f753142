import pytest
import spacy
from allennlp.common.checks import ConfigurationError
from spacy.tokens import Doc, Span
from spacy.tokens import DocBin as Written

from ner_zoo.annotation import Entity
from ner_zoo.data.corpora.docbin import DocBin
from ner_zoo.data.repairs import Repairs


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


def save(path, *docs):
    Written(docs=docs).to_disk(path)
    return path


def read(path, corpus=None):
    return list((corpus or DocBin()).sentences(str(path), Repairs()))


def test_entities_tokens_and_text_are_kept(tmp_path, nlp):
    doc = nlp("Ada Quill moved  to Lune.")
    doc.ents = [Span(doc, 0, 2, "PER"), Span(doc, 5, 6, "LOC")]
    [sentence] = read(save(tmp_path / "a.spacy", doc))
    assert sentence.tokens == ("Ada", "Quill", "moved", "to", "Lune", ".")  # white space is not a token
    assert sentence.entities == (Entity.of("PER", 0, 2), Entity.of("LOC", 4, 5))
    assert sentence.text == doc.text and not sentence.unknown


def test_sentences_of_the_document_are_kept_and_others_are_split(tmp_path, nlp):
    words = "a b . C d".split()
    own = Doc(nlp.vocab, words=words, sent_starts=[True, True, False, False, False])
    assert [s.tokens for s in read(save(tmp_path / "a.spacy", own))] == [("a",), ("b", ".", "C", "d")]
    none = Doc(nlp.vocab, words=words)
    assert [s.tokens for s in read(save(tmp_path / "b.spacy", none))] == [("a", "b", "."), ("C", "d")]


def test_several_span_groups_are_read_together_or_by_name(tmp_path, nlp):
    doc = nlp("Ada Quill moved")
    doc.ents = [Span(doc, 0, 2, "PER")]
    doc.spans["sc"] = [Span(doc, 0, 2, "PER"), Span(doc, 0, 1, "FIRST")]
    doc.spans["verbs"] = [Span(doc, 2, 3, "V")]
    file = save(tmp_path / "a.spacy", doc)
    person, first, verb = Entity.of("PER", 0, 2), Entity.of("FIRST", 0, 1), Entity.of("V", 2, 3)
    assert read(file)[0].entities == (person, first, verb)
    assert read(file, DocBin(layers=["ents"]))[0].entities == (person,)
    assert read(file, DocBin(layers=["sc"]))[0].entities == (person, first)
    with pytest.raises(ConfigurationError, match="no layer 'other'. Available: ents, sc, verbs"):
        read(file, DocBin(layers=["other"]))


def test_missing_labels_are_unknown(tmp_path, nlp):
    doc = nlp("Ada moved away")
    doc.set_ents([Span(doc, 0, 1, "PER")], missing=[Span(doc, 2, 3)])
    assert read(save(tmp_path / "a.spacy", doc))[0].unknown == (2,)


def test_a_span_without_a_label_is_refused_with_its_document(tmp_path, nlp):
    doc = nlp("Ada moved")
    doc.spans["sc"] = [Span(doc, 0, 1)]
    with pytest.raises(ConfigurationError, match="a.spacy:2.*without a label"):
        read(save(tmp_path / "a.spacy", nlp("b"), doc))


@pytest.mark.parametrize(
    "damage", [lambda b: b[: len(b) // 2], lambda b: b"", lambda b: b"text", lambda b: b[:9] + b[40:]]
)
def test_what_is_not_a_whole_docbin_is_refused(tmp_path, nlp, damage):
    file = save(tmp_path / "a.spacy", nlp("Ada moved"))
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(ConfigurationError, match="a.spacy:1"):
        read(file)
