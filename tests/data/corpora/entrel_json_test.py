from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.entrel_json import is_entrel, sentence_of_record
from ner_zoo.data.repairs import Repairs


def mention(id, text, start, end, label="X"):
    return {"emId": id, "text": text, "offset": [start, end], "label": label}


def relation(head, tail, head_text, tail_text, label="r"):
    return {"em1Id": head, "em2Id": tail, "em1Text": head_text, "em2Text": tail_text, "label": label}


def test_the_form_is_recognised_by_its_offsets():
    assert is_entrel({"entityMentions": [mention(0, "a", 0, 1)]})
    assert not is_entrel({"entityMentions": [{"start": 0, "text": "a"}]})
    assert not is_entrel({"entityMentions": []}) and not is_entrel({"entityMentions": 3}) and not is_entrel({})


def test_every_single_space_separates_tokens_and_empty_ones_are_dropped():
    record = {"sentText": "a  b c", "entityMentions": [mention("E1", "b c", 2, 4)]}
    repairs = Repairs()
    sentence = sentence_of_record(record, repairs, "f:1")
    assert sentence.tokens == ("a", "b", "c") and sentence.entities == (Entity.of("X", 1, 3),)
    assert repairs.counts == {"empty token left out": 1}


def test_where_ids_repeat_or_are_missing_the_text_decides():
    mentions = [mention(0, "a", 0, 1), mention(0, "b", 1, 2), mention(2, "c", 2, 3)]
    relations = [relation(0, 2, "b", "c"), relation(2, 0, "c", "a"), relation(7, 2, "a", "x"), relation(7, 8, "x", "c")]
    repairs = Repairs()
    sentence = sentence_of_record(
        {"sentText": "a b c", "entityMentions": mentions, "relationMentions": relations}, repairs, "f:1"
    )
    a, b, c = (Entity.of("X", i, i + 1) for i in range(3))
    assert sentence.relations == (Relation("r", b, c), Relation("r", c, a), Relation("r", a, c))
    assert repairs.counts == {"relation to a missing entity left out": 1}
