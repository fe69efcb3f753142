"""Word vectors from a file, found under any spelling, and kept in the archive."""

import logging

import pytest
import torch
from allennlp.commands.train import train_model
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.data.tokenizers import Token
from allennlp.models import load_archive
from torch.testing import assert_close

from ner_zoo.data.known_spelling import KnownSpelling
from ner_zoo.modules.word_vectors import WordVectors

FILE = "harbour 1 2\nlisbon 3 4\nso 5 6\nzebra 7 8\nApril 9 10\napril 11 12\n"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text(FILE)
    return str(file)


def embedder(path, words=("Harbour", "lisbon", "April", "soooo", "zzyzx"), **settings):
    vocab = Vocabulary(tokens_to_add={"words": list(words)})
    torch.manual_seed(0)
    return vocab, WordVectors(vocab, 2, path, "words", **settings)


def vectors(vocab, module, *words):
    numbers = KnownSpelling("words").tokens_to_indices([Token(word) for word in words], vocab)["tokens"]
    return module(torch.tensor([numbers]))[0]


def test_words_of_the_text_have_the_vector_of_their_best_spelling(path):
    found = vectors(*embedder(path), "Harbour", "lisbon", "April", "soooo")
    assert found.tolist() == [[1, 2], [3, 4], [9, 10], [5, 6]]


def test_words_that_no_text_had_are_found_in_any_spelling(path):
    found = vectors(*embedder(path), "zebra", "ZEBRA", "#lisbon", "april", "APRIL")
    assert found.tolist() == [[7, 8], [7, 8], [3, 4], [11, 12], [11, 12]]


def test_words_without_a_vector_share_one_that_is_learned_while_the_others_are_frozen(path):
    vocab, module = embedder(path)
    assert torch.equal(*vectors(vocab, module, "zzyzx", "qqq"))
    vectors(vocab, module, "zzyzx", "lisbon").sum().backward()
    assert module.weight.grad is None
    assert module.unknown.grad.tolist() == [1, 1]


def test_or_each_has_a_random_one(path):
    vocab, module = embedder(path, ("zzyzx", "qqqq", "lisbon"), unknown="random")
    first, second, known = vectors(vocab, module, "zzyzx", "qqqq", "lisbon")
    assert not torch.equal(first, second)
    assert known.tolist() == [3, 4]


def test_vectors_can_be_tuned(path):
    vocab, module = embedder(path, trainable=True)
    vectors(vocab, module, "lisbon").sum().backward()
    assert module.weight.grad[vocab.get_token_index("lisbon", "words")].tolist() == [1, 1]


def test_padding_is_zero(path):
    _, module = embedder(path)
    assert not module(torch.tensor([[0]])).any()


def test_standardised_vectors_have_mean_0_and_deviation_1_over_the_words_of_the_text(path):
    vocab, module = embedder(path, ("Harbour", "lisbon", "soooo"), standardise=True)
    found = vectors(vocab, module, "Harbour", "lisbon", "soooo")
    assert_close(found.mean(0), torch.zeros(2))
    assert_close(found.std(0, correction=0), torch.ones(2))
    # Harbour, lisbon, soooo are 2 apart around 3, 4; zebra is 4 above that.
    assert_close(vectors(vocab, module, "zebra")[0], torch.full((2,), 4 / (8 / 3) ** 0.5))


def test_the_words_of_the_file_can_be_pruned_to_those_of_the_text(path):
    vocab, module = embedder(path, max_unseen_words=0)
    assert vocab.get_vocab_size("words") == len(module.weight) == 7
    vocab, module = embedder(path, max_unseen_words=2)
    assert vocab.get_vocab_size("words") == len(module.weight) == 9
    assert vectors(vocab, module, "harbour").tolist() == [[1, 2]]


def test_the_coverage_is_reported(path, caplog):
    with caplog.at_level(logging.INFO, logger="ner_zoo"):
        embedder(path)
    (message,) = (record.getMessage() for record in caplog.records if "Word vectors" in record.getMessage())
    assert "of 5 words of the text, as written 2 (40.0%), in lower case 1 (20.0%)" in message
    assert "in another shape 1 (20.0%), without a vector 1 (20.0%); plus 4 other words" in message


def test_words_that_fine_tuning_adds_have_the_vectors_of_their_other_spellings(path):
    vocab, module = embedder(path)
    module.extend_vocab(vocab)
    vocab.add_tokens_to_namespace(["Zebra", "wxyz"], "words")
    module.extend_vocab(vocab)
    assert len(module.weight) == vocab.get_vocab_size("words")
    assert vectors(vocab, module, "Zebra", "lisbon").tolist() == [[7, 8], [3, 4]]
    assert torch.equal(vectors(vocab, module, "wxyz")[0], module.unknown)


def test_a_missing_file_is_an_error_that_says_what_to_do():
    with pytest.raises(ConfigurationError, match="no file of word vectors at nowhere.txt"):
        embedder("nowhere.txt")


def test_a_file_in_which_nothing_is_found_is_refused(path):
    with pytest.raises(ConfigurationError, match="No word of the text"):
        embedder(path, ("qqq",), max_unseen_words=0)


def test_a_third_kind_of_unknown_is_refused(path):
    with pytest.raises(ConfigurationError, match="'zero'.*learned or random"):
        embedder(path, unknown="zero")


def test_an_archive_has_the_vectors_of_unseen_words_when_the_file_is_gone(tmp_path):
    file = tmp_path / "vectors.txt"
    file.write_text(FILE + "the 13 14\n")
    words = {"type": "word_vectors", "embedding_dim": 2, "pretrained_file": str(file), "vocab_namespace": "words"}
    config = {
        "dataset_reader": {
            "type": "span_json",
            "view": "tags",
            "max_instances": 10,
            "token_indexers": {"words": {"type": "known_spelling", "namespace": "words"}},
        },
        "train_data_path": "fixtures/demo/train.jsonl",
        "datasets_for_vocab_creation": ["train"],
        "model": {
            "type": "tagger",
            "embedder": {"token_embedders": {"words": words}},
            "encoder": {"type": "pass_through", "input_dim": 2},
            "head": "softmax",
            "loss": "nll",
        },
        "data_loader": {"batch_size": 5},
        "trainer": {"num_epochs": 1, "optimizer": {"type": "sgd", "lr": 0.1}},
    }
    train_model(Params(config), str(tmp_path / "run"))
    file.unlink()
    model = load_archive(tmp_path / "run" / "model.tar.gz").model
    module = model.embedder.token_embedder_words
    assert vectors(model.vocab, module, "Zebra", "The").tolist() == [[7, 8], [13, 14]]
    assert torch.equal(vectors(model.vocab, module, "zzyzx")[0], module.unknown)
