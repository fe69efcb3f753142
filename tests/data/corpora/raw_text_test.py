import pytest
from allennlp.common.checks import ConfigurationError
from allennlp.data.tokenizers import WhitespaceTokenizer

from ner_zoo.annotation import Entity, Relation
from ner_zoo.data.corpora.annotated_text import AnnotatedText, Link, Mention
from ner_zoo.data.corpora.raw_text import RawTextCorpus
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.sentence_splitter import LineSplitter, NoSplitter
from ner_zoo.data.tokenizers import Spaces

TEXT = "\nAda saw Mt. Lune. Then\nshe left it. Nobody knew.\n"


def document(**phrases):
    mentions = {key: Mention(key.upper(), (span(TEXT, phrase),), "f:1") for key, phrase in phrases.items()}
    return AnnotatedText(TEXT, "f:1", mentions, has_lines=True)


def span(text, phrase):
    start = text.index(phrase)
    return start, start + len(phrase)


def test_sentences_have_their_position_in_the_document_and_their_line():
    found = list(RawTextCorpus().sentences_of(document(), Repairs()))
    assert [sentence.text for sentence in found] == ["Ada saw Mt. Lune.", "Then\nshe left it.", "Nobody knew."]
    assert [sentence.source for sentence in found] == ["f:2", "f:2", "f:3"]
    for sentence in found:
        for token, (start, end) in zip(sentence.tokens, sentence.offsets):
            assert TEXT[sentence.text_start + start : sentence.text_start + end] == token


def test_no_sentence_ends_inside_a_mention():
    found = list(RawTextCorpus().sentences_of(document(x="Lune. Then\nshe", y="it"), Repairs()))
    assert [len(sentence.tokens) for sentence in found] == [10, 3]
    assert found[0].entities == (Entity.of("X", 3, 7), Entity.of("Y", 8, 9))


@pytest.mark.parametrize("join", [True, False])
def test_a_relation_joins_sentences_or_is_counted(join):
    repairs = Repairs()
    marked = document(a="Ada", b="she")
    marked.links += [Link("SAME", "b", "a", "f:7"), Link("SAME", "b", "a", "f:8")]
    found = list(RawTextCorpus(join_related=join).sentences_of(marked, repairs))
    assert len(found) == (2 if join else 3)
    if join:
        assert found[0].relations == (Relation("SAME", Entity.of("B", 6, 7), Entity.of("A", 0, 1)),)
        assert repairs.counts["repeated relation left out"] == 1
    else:
        assert repairs.counts == {"relation between two sentences left out": 2}
        assert repairs.where == {"relation between two sentences left out": ["f:7", "f:8"]}


def test_unknown_parts_are_aligned_with_tokens():
    marked = document(a="Lune")
    marked.unknown.append(span(TEXT, "Lune. Then"))
    found = list(RawTextCorpus(Spaces(), LineSplitter()).sentences_of(marked, Repairs()))
    assert [(sentence.tokens, sentence.unknown) for sentence in found] == [
        (("Ada", "saw", "Mt.", "Lune", ".", "Then"), (3, 4, 5)),
        (("she", "left", "it.", "Nobody", "knew."), ()),
    ]


def test_a_tokenizer_without_offsets_is_refused():
    with pytest.raises(ConfigurationError, match="words"):
        list(RawTextCorpus(WhitespaceTokenizer(), NoSplitter()).sentences_of(document(), Repairs()))
