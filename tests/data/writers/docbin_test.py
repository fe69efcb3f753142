from spacy.tokens import DocBin
from spacy.vocab import Vocab

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.writers.docbin import DocBinWriter
from ner_zoo.data.writers.scored_sentence import ScoredSentence


def test_fields_are_stored_with_the_document_whatever_json_allows(tmp_path):
    fields = {"id": 7, "score": 0.5, "none": None, "large": 1 << 70, "list": [1, {"a": 2}], "text": "a\ud800"}
    path = str(tmp_path / "out.spacy")
    DocBinWriter().write([ScoredSentence(Sentence(("Ada",)), fields=fields)], path, Repairs())
    (doc,) = DocBin().from_disk(path).get_docs(Vocab())
    stored = {"large": str(1 << 70), "list": '[1, {"a": 2}]', "text": "a?"}
    assert doc.user_data == {**fields, **stored}
