import json

import pytest

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.sentence_rules import StopRules
from ner_zoo.data.token_rules import TOKEN_RULES
from ner_zoo.labels.prediction import Prediction, Tagging
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.document_text import COMPACT, SPACED
from ner_zoo.predictors.options import Options

TEXT = 'Zoë "O\\Neill"\tmet\x1fDr. Ωmega in 中国. \u2028She left\x00!\n\n100% 🇵🇹'


def document(text: str = TEXT) -> Document:
    """A text in which the first token of each sentence is an entity, related to itself."""
    found = Document.of_text(text, TOKEN_RULES["words"](), StopRules())
    for _ in found.sentences:
        entity = Entity.of('a "type"', 0, 1)
        tagging = Tagging(-0.5, ((entity, 0.25),))
        found.predictions.append(
            Prediction([(entity, 0.123456789)], [(Relation("is", entity, entity), 1.0)], [tagging])
        )
    return found


@pytest.mark.parametrize("options", [Options(), Options(threshold=0.5), Options(top_k=2)])
@pytest.mark.parametrize("one", [document(), document(""), document("nothing else")])
def test_the_text_is_what_json_writes_of_the_same_object(one, options):
    output = one.to_json(options)
    assert SPACED.document(one, one.without_tokens(options)) == json.dumps(output, ensure_ascii=False).encode()
    assert json.loads(COMPACT.document(one, one.without_tokens(options))) == output
    compact = json.dumps(output, ensure_ascii=False, separators=(",", ":"))
    assert COMPACT.document(one, one.without_tokens(options)) == compact.encode()


def test_given_tokens_are_written_where_they_stand_in_the_joined_text():
    one = Document.of_sentence(Sentence(("a", "b\n", '"')))
    one.predictions = [Prediction()]
    assert json.loads(SPACED.document(one, one.without_tokens(Options()))) == one.to_json(Options())


def test_an_unpaired_surrogate_stays_escaped():
    one = document("a \ud800 b")
    assert COMPACT.document(one, one.without_tokens(Options())).isascii()
    assert json.loads(COMPACT.document(one, one.without_tokens(Options()))) == one.to_json(Options())
