import pytest
import torch
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import Embedding, TokenCharactersEncoder
from allennlp.nn import Activation
from torch.autograd import gradcheck, gradgradcheck
from torch.testing import assert_close

from ner_zoo.modules.character_cnn import CharacterCnn
from ner_zoo.modules.cnn_highway import CnnHighway
from ner_zoo.modules.letter_occurrences import Occurrences, best_windows_of
from ner_zoo.modules.letter_windows import best_windows

VOCAB = Vocabulary({"token_characters": dict.fromkeys("abcdefghij", 1)})


def words() -> torch.Tensor:
    """Words of 0 to 6 letters in two sentences, the second with padding."""
    torch.manual_seed(0)
    letters = torch.randint(1, 12, (2, 5, 6))
    lengths = torch.tensor([[6, 1, 3, 2, 4], [5, 2, 6, 0, 0]])
    return letters * (torch.arange(6) < lengths.unsqueeze(2))


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_vectors_and_gradients_are_those_of_allennlp(activation):
    torch.manual_seed(1)
    ours = CharacterCnn(VOCAB, 5, [2, 3, 4], 7, activation=Activation.by_name(activation)())
    theirs = TokenCharactersEncoder(ours.embedding, ours.convolution)
    found = []
    for embedder in (ours, theirs):
        ours.zero_grad()
        vectors = embedder(words())
        (vectors * torch.arange(vectors.numel()).view_as(vectors).sin()).sum().backward()
        found.append((vectors, {name: weight.grad for name, weight in ours.named_parameters()}))
    assert_close(found[0], found[1], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_vectors_and_gradients_are_the_same_where_the_vectors_of_letters_are_looked_at(activation):
    torch.manual_seed(1)
    embedder = CharacterCnn(VOCAB, 5, [2, 3, 4], 7, num_highway=2, activation=Activation.by_name(activation)()).double()
    found, seen = [], []
    for hook in (None, lambda *pass_: seen.append(pass_[2])):
        if hook is not None:
            embedder.input_embedding.register_forward_hook(hook)
        embedder.zero_grad()
        vectors = embedder(words())
        (vectors * torch.arange(vectors.numel()).view_as(vectors).sin()).sum().backward()
        found.append((vectors, {name: weight.grad for name, weight in embedder.named_parameters()}))
    assert_close(found[0], found[1])
    # The longer sentence has 16 letters.
    assert [letters.shape for letters in seen] == [(2, 16, 5)]


@pytest.mark.parametrize("size", [0.0, 0.5])
def test_changed_letter_vectors_give_the_vectors_and_gradients_of_allennlp(size):
    torch.manual_seed(1)
    ours = CharacterCnn(VOCAB, 5, [2, 3, 4], 7, activation=torch.tanh)
    theirs = TokenCharactersEncoder(ours.embedding, ours.convolution)
    # Sentences in one row here, words in one row there.
    is_letter = words() != 0
    changes = size * torch.randn(*is_letter.shape, 5) * is_letter.unsqueeze(-1)
    in_rows = torch.zeros(2, 16, 5)
    for sentence, count in enumerate(is_letter.flatten(1).sum(1)):
        in_rows[sentence, :count] = changes[sentence][is_letter[sentence]]
    found = []
    for embedder, module, added in ((ours, ours.input_embedding, in_rows), (theirs, ours.embedding, changes)):
        ours.zero_grad()
        added.requires_grad_()
        handle = module.register_forward_hook(lambda *pass_, added=added: pass_[2] + added.view_as(pass_[2]))
        vectors = embedder(words())
        handle.remove()
        (vectors * torch.arange(vectors.numel()).view_as(vectors).sin()).sum().backward()
        found.append((vectors, {name: weight.grad for name, weight in ours.named_parameters()}))
    assert_close(found[0], found[1], rtol=1e-5, atol=1e-6)
    if size > 0:  # otherwise windows of equal letters are equally good, and any share of the gradient is right
        for sentence, letters in enumerate(is_letter):
            changed = in_rows.grad[sentence, : letters.sum()], changes.grad[sentence][letters]
            assert_close(*changed, rtol=1e-5, atol=1e-6)


def test_other_devices_give_the_same_vectors_and_gradients():
    torch.manual_seed(0)
    embedder = CharacterCnn(VOCAB, 5, [2, 3, 4], 7, activation=torch.tanh).double()
    flat, counts = words().flatten(0, 1), words().flatten(1).count_nonzero(1)
    found = []
    for vectors in (embedder(words()).flatten(0, 1), embedder._by_rows(flat, counts)):
        embedder.zero_grad()
        (vectors * torch.arange(vectors.numel()).view_as(vectors).sin()).sum().backward()
        found.append((vectors, {name: weight.grad for name, weight in embedder.named_parameters()}))
    assert_close(found[0], found[1])


def test_a_batch_without_a_letter_has_no_windows_and_no_gradient_by_letters():
    embedder = CharacterCnn(VOCAB, 5, [2, 3], 7)
    embedder.input_embedding.register_forward_hook(lambda *pass_: None)
    assert not embedder(torch.zeros(2, 3, 4, dtype=torch.long)).any()


def test_it_computes_what_the_cnn_of_older_archives_computes():
    torch.manual_seed(1)
    embedder = CharacterCnn(VOCAB, 5, [2, 3], 7, num_highway=2, activation=torch.tanh)
    torch.manual_seed(1)
    embedding = Embedding(5, vocab=VOCAB, vocab_namespace="token_characters")
    older = TokenCharactersEncoder(embedding, CnnHighway(5, [2, 3], 7))
    mask = (words() != 0).any(-1)
    assert_close(embedder(words())[mask], older(words())[mask])


def test_a_word_has_the_same_vector_whatever_the_longest_word_of_its_batch():
    embedder = CharacterCnn(VOCAB, 5, [2, 3], 7, num_highway=2).double()
    assert_close(embedder(words()[:, 1:2, :4]), embedder(words())[:, 1:2])


def test_a_word_shorter_than_the_window_is_0():
    embedder = CharacterCnn(VOCAB, 5, [3], 7)
    vectors = embedder(words())
    assert not vectors[0, 1].any() and not vectors[0, 3].any() and not vectors[1, 4].any()
    assert vectors[0, 0].any()


def test_gradients_are_right_to_the_second_order():
    # Windows of two letters and of three, with three filters each, over an alphabet of four.
    table = torch.randn(4, 5 * 3, dtype=torch.float64, requires_grad=True)
    letters = torch.tensor([[1, 2, 3, 0], [2, 0, 0, 0], [3, 3, 1, 2], [0, 0, 0, 0]])
    assert gradcheck(lambda part: best_windows(part, letters, [2, 3])[0], table)
    assert gradgradcheck(lambda part: best_windows(part, letters, [2, 3])[0].pow(2), table)


OCCURRENCES = Occurrences.of(torch.tensor([[[1, 2, 3], [2, 0, 0]], [[3, 1, 0], [0, 0, 0]]]))


def test_gradients_for_changed_letter_vectors_are_right_to_the_second_order():
    vectors = torch.randn(2, 4, 2, dtype=torch.float64, requires_grad=True)
    kernel = torch.randn(2, 5 * 3, dtype=torch.float64, requires_grad=True)
    alphabet = torch.zeros(4, 2, dtype=torch.float64)

    def sums(vectors, kernel):
        return best_windows_of(vectors, alphabet, kernel, OCCURRENCES, [2, 3])[0]

    assert gradcheck(sums, (vectors, kernel))
    assert gradgradcheck(lambda *parts: sums(*parts).pow(2), (vectors, kernel))


@pytest.mark.parametrize("size", [0.0, 0.5])
def test_gradients_of_the_alphabet_below_changes_are_right_to_the_second_order(size):
    alphabet = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
    kernel = torch.randn(2, 5 * 3, dtype=torch.float64, requires_grad=True)
    changes = size * torch.randn(2, 4, 2, dtype=torch.float64)

    def sums(alphabet, kernel):
        vectors = alphabet.detach()[OCCURRENCES.letters] + changes
        return best_windows_of(vectors, alphabet, kernel, OCCURRENCES, [2, 3])[0]

    assert gradcheck(sums, (alphabet, kernel))
    assert gradgradcheck(lambda *parts: sums(*parts).pow(2), (alphabet, kernel))


@pytest.mark.parametrize("size", [0.0, 0.5])
def test_the_alphabet_and_the_filters_have_the_same_gradient_whether_or_not_that_of_the_letters_is_needed(size):
    alphabet, kernel = torch.randn(4, 2, requires_grad=True), torch.randn(2, 5 * 3, requires_grad=True)
    vectors = alphabet.detach()[OCCURRENCES.letters] + size * torch.randn(2, 4, 2)

    def gradients(vectors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        sums, _ = best_windows_of(vectors, alphabet, kernel, OCCURRENCES, [2, 3])
        return torch.autograd.grad(sums.pow(2).sum(), (alphabet, kernel))

    assert_close(gradients(vectors.clone().requires_grad_()), gradients(vectors))


def test_it_runs_in_inference_mode():
    embedder = CharacterCnn(VOCAB, 5, [2, 3], 7)
    expected = embedder(words())
    with torch.inference_mode():
        assert_close(embedder(words()), expected)
