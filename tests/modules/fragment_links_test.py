import torch

from ner_zoo.modules.fragment_links import FragmentLinks, link_labels

SPANS = torch.tensor([[[[0, 1]], [[2, 3]], [[2, 4]], [[9, 10]]], [[[0, 1]], [[1, 2]], [[-1, -1]], [[-1, -1]]]])


def pairs(is_part, **options):
    links = FragmentLinks(4, **options)
    return links.pairs(SPANS, torch.tensor(is_part), torch.tensor([[0.9, 0.8, 0.7, 0.6]] * 2)).tolist()


def test_pairs_go_from_left_to_right_over_a_gap():
    everything = [[True] * 4, [True, True, False, False]]
    assert pairs(everything) == [[[0, 1], [0, 2], [0, 3], [1, 3], [2, 3]], [[-1, -1]] * 5]


def test_parts_too_far_apart_are_not_a_pair():
    assert pairs([[True] * 4, [False] * 4], max_gap=5) == [[[0, 1], [0, 2], [2, 3]], [[-1, -1]] * 3]


def test_only_the_most_probable_parts_are_paired():
    assert pairs([[True] * 4, [False] * 4], max_parts=2) == [[[0, 1]], [[-1, -1]]]


def test_without_parts_there_is_a_pair_of_filling():
    assert pairs([[False] * 4] * 2) == [[[-1, -1]]] * 2


def test_a_pair_of_filling_touches_every_parameter_and_moves_none():
    links = FragmentLinks(4)
    vectors, gaps, mask = torch.randn(2, 1, 4), torch.zeros(2, 1, dtype=torch.long), torch.zeros(2, 1, dtype=torch.bool)
    links(vectors, vectors, gaps, mask).log_partition().sum().backward()
    assert all(parameter.grad is not None and not parameter.grad.any() for parameter in links.parameters())


def test_gold_links_label_their_pairs():
    found = torch.tensor([[[0, 1], [0, 2], [1, 2]], [[0, 1], [-1, -1], [-1, -1]]])
    gold = torch.tensor([[[0, 2], [1, 2]], [[-1, -1], [-1, -1]]])
    assert link_labels(found, gold).tolist() == [[0, 1, 1], [0, 0, 0]]
    assert link_labels(found, gold[:, :0]).tolist() == [[0, 0, 0], [0, 0, 0]]
