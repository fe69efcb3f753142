"""
Exports a span classifier: graphs from word vectors to token features, and from these to span scores.
"""

from typing import Any

import numpy as np
import torch
from numpy import ndarray
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.data.candidates import Contiguous, Gaps
from ner_zoo.data.span_arrays import contiguous, with_gaps
from ner_zoo.data.views.spans import Spans as SpanView
from ner_zoo.exporting.graphs import Example, PartOfModel, graph_of
from ner_zoo.exporting.tagger import TOKENS, encoder_examples
from ner_zoo.labels.span_decoding import Argmax, Exact, Greedy, Nested, SpanDecoder
from ner_zoo.models.span import SpanClassifier
from ner_zoo.platform.configuration_error import ConfigurationError
from ner_zoo.structures.labelled_spans import hull

DECODERS: dict[type[SpanDecoder], str] = {Argmax: "argmax", Greedy: "greedy", Exact: "exact", Nested: "nested"}
SPANS = ("batch", "spans")


class TokenGraph(PartOfModel):
    """Encoder, and the per-token part of a representation."""

    def forward(self, embedded: Tensor, mask: BoolTensor) -> Tensor:
        return self.model.representation.tokens(self.model.encoder(embedded, mask))


class SpanGraph(PartOfModel):
    """Representation, layers above it, and head."""

    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        return self.model._scores(tokens, spans)


class LinkGraph(PartOfModel):
    """From pairs of parts to whether they are adjacent in one entity."""

    def forward(self, tokens: Tensor, chosen: LongTensor) -> Tensor:
        vectors = self.model.representation(tokens, chosen)
        ends = hull(chosen)
        between = ends[:, 1::2, 0] - ends[:, 0::2, 1]
        return self.model.links(vectors[:, 0::2], vectors[:, 1::2], between, chosen[:, 0::2, 0, 0] >= 0).scores


def span_parts(model: SpanClassifier, view: SpanView) -> tuple[dict[str, Any], dict[str, ndarray], dict[str, bytes]]:
    """The label settings, arrays and graphs of a traceable span classifier."""
    examples = encoder_examples(model.embedder.get_output_dim())
    candidates = candidate_settings(view)
    token_graph = TokenGraph(model)
    graphs = {
        "encoder": graph_of(
            "encoder", token_graph, examples, ["tokens"], dict.fromkeys(("embedded", "mask", "tokens"), TOKENS)
        )
    }
    with torch.no_grad():
        tokens = [token_graph(*example.values()).contiguous() for example in examples]
    axes = {"tokens": TOKENS, "spans": SPANS, "scores": SPANS}
    span_examples = [_with_spans(one, candidates, "spans") for one in tokens]
    graphs["spans"] = graph_of("span representation and head", SpanGraph(model), span_examples, ["scores"], axes)
    if model.links is not None:
        axes = {"tokens": TOKENS, "chosen": SPANS, "scores": SPANS}
        pairs = [_with_spans(one, candidates, "chosen") for one in tokens]
        pairs = [{**one, "chosen": torch.cat([one["chosen"]] * 2, 1)} for one in pairs]
        graphs["links"] = graph_of("links between parts", LinkGraph(model), pairs, ["scores"], axes)
    labels: Any = model.labels
    return span_settings(model, candidates), {"holds": labels.holds, "is_part": labels.is_part}, graphs


def span_settings(model: SpanClassifier, candidates: dict[str, Any]) -> dict[str, Any]:
    labels: Any = model.labels
    decoder: Any = labels.decoder
    if type(decoder) not in DECODERS:
        raise ConfigurationError(f"The decoder {type(decoder).__name__} cannot be exported. Use one of ner_zoo's.")
    return {
        "types": list(labels.types),
        "marked_types": list(labels.marked_types),
        "background": labels.background,
        "candidates": candidates,
        "max_spans": model.max_spans,
        "max_parts": model.links.max_parts if model.links else 0,
        "max_gap": model.links.max_gap if model.links else 0,
        "decoder": {
            "type": DECODERS[type(decoder)],
            "threshold": decoder.threshold,
            "minimum": getattr(decoder, "minimum", None),
            "may_cross": getattr(decoder, "may_cross", False),
        },
    }


def candidate_settings(view: Any) -> dict[str, Any]:
    candidates = view.candidates
    if type(candidates) is Contiguous:
        return {"type": "contiguous", "max_width": candidates.max_width}
    if type(candidates) is Gaps:
        sizes = {name: getattr(candidates, name) for name in ("max_width", "max_fragment_width", "max_gap")}
        return {"type": "gaps", **sizes}
    raise ConfigurationError(
        f"The candidates {type(candidates).__name__} cannot be exported, because an export has to find spans in raw "
        f"text. Train with the candidates `contiguous` or `gaps`."
    )


def _with_spans(tokens: Tensor, settings: dict[str, Any], name: str) -> Example:
    """All spans of the longest sentence, for every sentence."""
    sizes = {key: value for key, value in settings.items() if key != "type"}
    spans = (with_gaps if settings["type"] == "gaps" else contiguous)(tokens.shape[1], **sizes)
    return {"tokens": tokens, name: torch.from_numpy(np.repeat(spans[None], len(tokens), 0))}
