"""Words as pieces of a tiny encoder."""

import pytest
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.tokenizers import Token


def indexed(words, max_length=8):
    params = Params({"type": "word_pieces", "model_name": "fixtures/tiny_encoder", "max_length": max_length})
    indexer = TokenIndexer.from_params(params)
    return indexer._tokenizer, indexer.tokens_to_indices([Token(word) for word in words], Vocabulary())


def test_a_long_sentence_is_cut_into_windows_each_with_its_frame():
    tokenizer, found = indexed(["the", "city", "works", "for", "the", "city", "is", "in"])
    pieces = tokenizer.convert_ids_to_tokens(found["token_ids"])
    assert pieces == "[CLS] the city works for the city [SEP] [CLS] is in [SEP]".split()


def test_windows_longer_than_the_encoder_has_positions_are_refused():
    indexed(["the"], max_length=64)
    with pytest.raises(ConfigurationError, match="positions for only 64 pieces"):
        indexed(["the"], max_length=65)


def test_a_token_without_pieces_refers_to_none():
    _, found = indexed(["the", "\u200b", "city"])
    assert found["offsets"] == [(1, 1), (-1, -1), (2, 2)]


@pytest.mark.parametrize("words", [["\u200b"], [" ", "\u200b", " "]])
def test_a_sentence_without_pieces_is_one_unknown_piece_that_no_token_refers_to(words):
    tokenizer, found = indexed(words)
    assert tokenizer.convert_ids_to_tokens(found["token_ids"]) == ["[CLS]", "[UNK]", "[SEP]"]
    assert found["offsets"] == [(-1, -1)] * len(words)
    assert found["mask"] == [True] * len(words)
