import torch
from torch.testing import assert_close

from ner_zoo.modules.lstm_minus import left_context, right_context


def sentences():
    """Two sentences of 4 and 3 words in sequence, with vectors of 2 + 2."""
    torch.manual_seed(0)
    return torch.randn(7, 4)


def test_the_left_context_is_the_forward_state_before_it_and_what_the_backward_lstm_read_of_it():
    vectors = sentences()
    forward, backward = vectors[:, :2], vectors[:, 2:]
    # The words before word 2 of the first sentence are 0 and 1; before word 1 of the second, 0.
    found = left_context(vectors, torch.tensor([2, 5]), torch.tensor([0, 4]))
    first = torch.cat([forward[1], backward[0] - backward[2]])
    second = torch.cat([forward[4], backward[4] - backward[5]])
    assert_close(found, torch.stack([first, second]))


def test_the_right_context_is_what_the_forward_lstm_read_of_it_and_the_backward_state_at_its_beginning():
    vectors = sentences()
    forward, backward = vectors[:, :2], vectors[:, 2:]
    # From word 1 of the first sentence on are 1, 2, 3; from word 2 of the second, 2.
    found = right_context(vectors, torch.tensor([1, 6]), torch.tensor([4, 7]))
    first = torch.cat([forward[3] - forward[0], backward[1]])
    second = torch.cat([forward[6] - forward[5], backward[6]])
    assert_close(found, torch.stack([first, second]))


def test_the_context_beyond_a_sentence_is_zero_whatever_its_neighbours_are():
    vectors = sentences()
    assert not left_context(vectors, torch.tensor([0, 4]), torch.tensor([0, 4])).any()
    assert not right_context(vectors, torch.tensor([4, 7]), torch.tensor([4, 7])).any()


def test_left_and_right_context_are_not_the_same():
    vectors = sentences()
    left = left_context(vectors, torch.tensor([2]), torch.tensor([0]))
    assert not torch.allclose(left, right_context(vectors, torch.tensor([2]), torch.tensor([4])))
