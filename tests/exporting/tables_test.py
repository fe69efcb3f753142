"""Compact tables give the same values, exactly or nearly."""

import io

import numpy as np
import pytest
import torch

from ner_zoo.exporting.tables import with_small_tables
from ner_zoo.light.sessions import Graph

ROWS = 2000


class Lookup(torch.nn.Module):
    """Looks up the clusters of a word, and the vectors of the clusters and the word."""

    clusters: torch.Tensor

    def __init__(self, clusters: int) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.register_buffer("clusters", torch.randint(0, clusters, (ROWS, 2)))
        self.of_clusters = torch.nn.Embedding(clusters, 3)
        self.words = torch.nn.Embedding(ROWS, 5, padding_idx=0)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.of_clusters(self.clusters[words]).flatten(1), self.words(words)], 1)


def graph_of(module: torch.nn.Module) -> bytes:
    content = io.BytesIO()
    axes = {"words": {0: "words"}, "vectors": {0: "words"}}
    names: dict = {
        "input_names": ["words"],
        "output_names": ["vectors"],
        "dynamic_axes": axes,
        "do_constant_folding": False,
    }
    torch.onnx.export(module, (torch.tensor([1, 2]),), content, opset_version=17, dynamo=False, **names)  # type: ignore
    return content.getvalue()


@pytest.mark.parametrize("clusters", [50, 40_000])
def test_integers_are_stored_without_loss_and_vectors_in_eight_bits_nearly(clusters: int) -> None:
    module = Lookup(clusters).eval()
    words = np.arange(0, ROWS, 7)
    with torch.no_grad():
        wanted = module(torch.from_numpy(words)).numpy()
    whole = graph_of(module)
    exact, small = (with_small_tables(whole, has_small_vectors=is_small) for is_small in (False, True))
    assert len(small) < len(exact) < len(whole)
    assert np.array_equal(Graph("words", exact)({"words": words})["vectors"], wanted)
    found = Graph("words", small)({"words": words})["vectors"]
    assert not np.array_equal(found, wanted) and np.abs(found - wanted).max() < np.abs(wanted).max() / 127
    assert np.array_equal(found[0, 6:], np.zeros(5))  # padding


def test_a_table_that_is_not_only_looked_up_is_unchanged() -> None:
    class Tied(Lookup):
        def forward(self, words: torch.Tensor) -> torch.Tensor:
            return self.words(words) @ self.words.weight.T

    whole = graph_of(Tied(10).eval())
    words = np.array([3, 5])
    small = Graph("words", with_small_tables(whole, has_small_vectors=True))({"words": words})["vectors"]
    assert np.array_equal(small, Graph("words", whole)({"words": words})["vectors"])
