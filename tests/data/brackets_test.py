from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.brackets import MOST_TOKENS, bracketed


def test_nested_entities_are_brackets_in_brackets_and_relations_follow():
    person, name, place = Entity.of("PER", 0, 2), Entity.of("NAME", 1, 2), Entity.of("LOC", 3, 4)
    sentence = Sentence(("Ada", "Quill", "in", "Lune"), (person, name, place), (Relation("LIVES", person, place),))
    assert bracketed(sentence) == "[Ada [Quill]NAME]PER in [Lune]LOC\n  LIVES: Ada Quill -> Lune"


def test_fragments_are_numbered_and_the_text_is_kept():
    entity = Entity("PAIN", ((0, 1), (3, 4)))
    offsets = ((0, 4), (5, 7), (8, 13), (14, 18), (18, 19))
    tokens = ("left", "or", "right", "hand", ".")
    sentence = Sentence(tokens, (entity,), text="left or right hand.", offsets=offsets)
    assert bracketed(sentence) == "[left]PAIN/1 or right [hand]PAIN/2."


def test_a_long_sentence_is_cut():
    assert bracketed(Sentence(("a",) * (MOST_TOKENS + 1))) == "a " * MOST_TOKENS + "…"
