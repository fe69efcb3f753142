"""
A span classifier without torch: scores candidate spans in chunks, and decodes the scores.
"""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from ner_zoo.annotation import Sentence
from ner_zoo.data.fragments import Link
from ner_zoo.labels.prediction import Prediction
from ner_zoo.light.export_file import Export
from ner_zoo.light.reader import LightReader
from ner_zoo.light.spans import Spans, candidates, softmax


class SpanReader(LightReader):
    """The graph `spans` scores spans of the output of the graph `encoder`; `links` scores pairs of parts."""

    labels: Spans

    def __init__(self, export: Export, threads: int = 1) -> None:
        super().__init__(export, threads)
        self.labels = Spans(export.settings["labels"], export.arrays["holds"], export.arrays["is_part"])
        self.settings = export.settings["labels"]
        self.temperature = np.float32(export.settings["temperature"])

    def __call__(self, sentences: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        self.labels.check_top_k(top_k)
        tokens = self.encode(sentences)[0]["tokens"]
        spans = candidates(self.settings["candidates"], sentences)
        size = max(1, self.settings["max_spans"] // len(sentences))
        cuts = [spans[:, first : first + size] for first in range(0, spans.shape[1], size)]
        parts = [self.graphs["spans"]({"tokens": tokens, "spans": cut})["scores"] for cut in cuts]
        scores = np.concatenate(parts, 1) / self.temperature
        return self.labels.read(scores, spans, self._links(tokens, scores, spans))

    def _links(self, tokens: ndarray, scores: ndarray, spans: ndarray) -> list[dict[Link, float]]:
        """The probability of each pair of parts that they are adjacent in one entity."""
        found: list[dict[Link, float]] = [{} for _ in spans]
        if "links" not in self.graphs:
            return found
        is_part, probability = self.labels.parts(scores, spans)
        pairs = [self._neighbours(*row) for row in zip(is_part, probability, spans)]
        most = max(map(len, pairs))
        if most == 0:
            return found
        places = np.zeros((len(spans), most, 2), dtype=np.int64)
        for row, some in zip(places, pairs):
            row[: len(some)] = some or np.zeros((0, 2))
        chosen = np.take_along_axis(spans, places.reshape(len(spans), -1)[:, :, None, None], 1)
        linked = self.graphs["links"]({"tokens": tokens, "chosen": chosen})["scores"]
        values = softmax(linked / self.temperature)[..., 1]
        return [dict(zip(some, row.tolist())) for some, row in zip(pairs, values)]

    def _neighbours(self, is_part: ndarray, probability: ndarray, spans: ndarray) -> list[Link]:
        """The indices of parts that may be adjacent, in order."""
        places = is_part.nonzero()[0]
        best = np.argsort(-probability[places], kind="stable")[: self.settings["max_parts"]]
        ordered = sorted((tuple(spans[place, 0].tolist()), place) for place in places[best].tolist())
        return [
            (before, behind)
            for (_, end), before in ordered
            for (start, _), behind in ordered
            if 1 <= start - end <= self.settings["max_gap"]
        ]
