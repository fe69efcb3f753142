from ner_zoo.annotation import Entity, Sentence


def test_an_entity_spans_from_its_first_to_its_last_fragment():
    entity = Entity("X", ((1, 2), (4, 6)))
    assert (entity.start, entity.end, entity.width, entity.is_discontinuous) == (1, 6, 5, True)


def test_tokens_without_a_text_are_joined_by_one_space():
    text, offsets = Sentence(("Ada", "", "lived")).characters()
    assert text == "Ada  lived"
    assert [text[start:end] for start, end in offsets] == ["Ada", "", "lived"]


def test_a_sentence_with_its_own_text_keeps_it():
    sentence = Sentence(("Ada", "lived"), text="Ada\tlived", offsets=((0, 3), (4, 9)))
    assert sentence.characters() == ("Ada\tlived", ((0, 3), (4, 9)))
