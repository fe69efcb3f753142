"""
Scores all spans of up to 10 tokens in sentences of 50, 500 and 2000 tokens, forward and backward: the time grows with
the length. Theirs is AllenNLP's endpoint extractor with a feed-forward network, the same function.
"""

from functools import partial
from typing import Any

import torch
from allennlp.modules import FeedForward
from allennlp.modules.span_extractors import EndpointSpanExtractor
from allennlp.nn import Activation

from benchmarks.contest import CONTESTS, Contest
from ner_zoo.annotation import Sentence
from ner_zoo.data.candidates import Contiguous
from ner_zoo.modules.projected_endpoints import ProjectedEndpoints

LENGTHS = (50, 500, 2000)
WIDTH, ENCODED, DIM, LABELS = 10, 300, 150, 5


def scoring(length: int) -> Contest:
    spans = torch.from_numpy(Contiguous(WIDTH).spans(Sentence(("x",) * length))).unsqueeze(0)
    encoded = torch.randn(1, length, ENCODED)
    representation = ProjectedEndpoints(ENCODED, DIM, DIM, WIDTH, dropout=0.0)
    layers = torch.nn.Sequential(torch.nn.Linear(DIM, DIM), torch.nn.ReLU(), torch.nn.Linear(DIM, LABELS))
    extractor = EndpointSpanExtractor(ENCODED, "x,y", num_width_embeddings=WIDTH, span_width_embedding_dim=DIM)
    relu = Activation.by_name("relu")()
    network = FeedForward(extractor.get_output_dim(), 2, DIM, relu)
    output = torch.nn.Linear(DIM, LABELS)
    inclusive = torch.stack([spans[:, :, 0, 0], spans[:, :, 0, 1] - 1], dim=2)

    def ours() -> Any:
        layers(representation(representation.tokens(encoded), spans)).sum().backward()

    def theirs() -> Any:
        output(network(extractor(encoded, inclusive))).sum().backward()

    return Contest(ours, theirs, "allennlp EndpointSpanExtractor + FeedForward", rounds=5)


for size in LENGTHS:
    CONTESTS[f"span_scaling_{size}"] = partial(scoring, size)
