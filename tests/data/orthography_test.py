"""The orthographic encoding of words."""

import pytest
from allennlp.common import Params
from allennlp.data import Instance, TokenIndexer, Vocabulary
from allennlp.data.fields import TextField
from allennlp.data.tokenizers import Token

from ner_zoo.data.orthographic_encoding import orthographic_encoding


@pytest.mark.parametrize(
    "sentence, twins",
    [
        ("I don't like 13!", "C cccpc cccc nnp"),
        ("@Ñandú_7 #ÉTÉ", "pCccccpn pCCC"),
        ("北京 9½ 🙂 ٣", "cc np p n"),
    ],
)
def test_each_character_is_a_digit_a_letter_a_capital_or_the_rest(sentence, twins):
    assert " ".join(map(orthographic_encoding, sentence.split())) == twins


def indexed(type, vocab_from, words, **settings):
    indexer = TokenIndexer.from_params(Params({"type": type, **settings}))
    fields = [TextField([Token(w) for w in text], {"text": indexer}) for text in (vocab_from, words)]
    vocab = Vocabulary.from_instances([Instance({"text": fields[0]})])
    fields[1].index(vocab)
    tensors = fields[1].as_tensor(fields[1].get_padding_lengths())["text"]
    return vocab, next(iter(tensors.values())).tolist()


def test_words_of_one_shape_share_a_number_and_a_new_shape_is_unknown():
    vocab, numbers = indexed("orthographic_words", ["Ada", "met", "Bo"], ["Eve", "fox", "MI5"])
    names = vocab.get_token_to_index_vocabulary("orthographic_words")
    assert numbers == [names["Ccc"], names["ccc"], 1]


def test_characters_are_numbered_by_their_kind():
    vocab, numbers = indexed("orthographic_characters", ["Ada", "7!"], ["B-2"], min_padding_length=4)
    names = vocab.get_token_to_index_vocabulary("orthographic_characters")
    assert set(names) - {"@@PADDING@@", "@@UNKNOWN@@"} == {"C", "c", "n", "p"}
    assert numbers == [[names["C"], names["p"], names["n"], 0]]


def test_the_tokens_themselves_are_unchanged():
    token = Token("Ada")
    indexer = TokenIndexer.by_name("orthographic_characters")()
    indexer.tokens_to_indices([token], Vocabulary())
    assert token.text == "Ada"
