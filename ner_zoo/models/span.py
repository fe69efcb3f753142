"""
Span classifier: one label per candidate span, with any representation, head and loss.

Spans are scored in chunks, so that memory does not grow with the number of spans times the size of their vectors; in
training, the vectors of a chunk are recomputed for the backward pass.
"""

from collections.abc import Sequence
from typing import Any

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from overrides import overrides
from torch import LongTensor, Tensor
from torch.utils.checkpoint import checkpoint

from ner_zoo.annotation import Sentence
from ner_zoo.data.span_arrays import PADDING
from ner_zoo.labels.prediction import Prediction
from ner_zoo.labels.span_decoding import Argmax, SpanDecoder
from ner_zoo.labels.spans import SpanLabels
from ner_zoo.losses import Loss, NegativeLogLikelihood
from ner_zoo.metrics.entity_f1 import EntityF1
from ner_zoo.metrics.typing_accuracy import TypingAccuracy
from ner_zoo.models.ner_model import NerModel, label_names
from ner_zoo.modules import Head
from ner_zoo.modules.fragment_links import FragmentLinks, link_labels
from ner_zoo.modules.span_representation import SpanRepresentation
from ner_zoo.structures.labelled_spans import LabelledSpans, Links, hull


@Model.register("span")
class SpanClassifier(NerModel):
    """
    embedder, encoder, embedding_dropout, temperature : as for all models.
    representation : converts token vectors to span vectors.
    head : converts span vectors to independent labels: `softmax` or `biaffine`.
    loss : the loss to minimise.
    feedforward : layer between representation and head, applied to each span.
    decoder : selects compatible labelled spans.
    links : links the parts of discontinuous entities, if the corpus has such entities.
    dropout : dropout on the output of the encoder.
    max_spans : number of spans to score at a time.
    namespace : vocabulary namespace of the labels.
    """

    labels: SpanLabels
    export_kind = "span"

    def __init__(
        self,
        vocab: Vocabulary,
        embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        representation: Lazy[SpanRepresentation],
        head: Lazy[Head],
        loss: Loss,
        feedforward: Lazy[FeedForward] | None = None,
        decoder: SpanDecoder | None = None,
        links: Lazy[FragmentLinks] | None = None,
        embedding_dropout: float = 0.0,
        dropout: float = 0.0,
        max_spans: int = 16384,
        namespace: str = "labels",
        temperature: float = 1.0,
        initializer: InitializerApplicator | None = None,
    ) -> None:
        labels = SpanLabels(tuple(label_names(vocab, namespace, "spans")), decoder or Argmax())
        super().__init__(vocab, labels, embedder, encoder, embedding_dropout, dropout, temperature)
        self.representation = representation.construct(input_dim=self.encoder.get_output_dim())
        dim = self.representation.get_output_dim()
        self.links = (links or Lazy(FragmentLinks)).construct(input_dim=dim) if labels.has_parts else None
        self.feedforward = feedforward.construct(input_dim=dim) if feedforward else None
        self.head = head.construct(
            input_dim=self.feedforward.get_output_dim() if self.feedforward else dim, labels=labels
        )
        self.loss = loss
        self.link_loss = NegativeLogLikelihood()
        if max_spans < 1:
            raise ConfigurationError(
                f"max_spans is {max_spans}, but it is the number of spans to score at a time. Set it to 1 or more."
            )
        self.max_spans = max_spans
        self.discontinuous_f1 = EntityF1("discontinuous_entity")
        self.typing_accuracy = TypingAccuracy()
        if initializer is not None:
            initializer(self)

    @overrides(check_signature=False)
    def forward(  # type: ignore[override]
        self,
        text: TextFieldTensors,
        spans: LongTensor,
        labels: LongTensor | None = None,
        links: LongTensor | None = None,
        spans_are_given: bool = False,
        metadata: list[Sentence] | None = None,
    ) -> dict[str, Any]:
        encoded, mask = self.encode(text)
        tokens = self.representation.tokens(self.dropout(encoded))
        structure = self.tempered(self.score(tokens, spans, mask.sum(1)))
        structure.links, structure.are_given = self.link(tokens, structure, labels), spans_are_given
        output = self.outcome(structure, labels, metadata)
        if labels is not None and links is not None and structure.links is not None:
            pairs, linked = structure.links
            output["loss"] = output["loss"] + self.link_loss(linked, link_labels(pairs, links))
        return output

    def score(self, tokens: Tensor, spans: LongTensor, lengths: LongTensor) -> LabelledSpans:
        """The labels of all spans, scored chunk by chunk."""
        mask = spans[..., 0, 0] >= 0  # (batch, spans)
        # If no sentence has a span, a padding span is scored to use every parameter, and removed again.
        some = spans if spans.shape[1] else spans.new_full((len(spans), 1, 1, 2), PADDING)
        chunks = some.split(max(1, self.max_spans // len(spans)), dim=1)
        if len(chunks) > 1 and torch.is_grad_enabled():
            scores = [checkpoint(self._scores, tokens, chunk, use_reentrant=False) for chunk in chunks]
        else:
            scores = [self._scores(tokens, chunk) for chunk in chunks]
        return LabelledSpans(torch.cat(scores, dim=1)[:, : mask.shape[1]], mask, lengths, spans, self.labels.background)

    def _scores(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        vectors = self.representation(tokens, spans)  # (batch, spans, dim)
        if self.feedforward is not None:
            vectors = self.feedforward(vectors)
        return self.head(vectors, spans[..., 0, 0] >= 0).scores

    def link(self, tokens: Tensor, structure: LabelledSpans, labels: LongTensor | None) -> Links | None:
        """Pairs of parts that may be adjacent in one entity, and whether they are."""
        if self.links is None:
            return None
        spans = structure.spans
        stands_for_part = torch.from_numpy(self.labels.holds[:, self.labels.is_part].any(1)).to(spans.device)
        probability = structure.marginals().detach() @ stands_for_part.to(structure.scores.dtype)
        best = stands_for_part[structure.best()]
        is_part = self.labels.decoder.picked(best.unsqueeze(2), probability.unsqueeze(2)).squeeze(2) & structure.mask
        if self.training and labels is not None:
            gold = stands_for_part[labels.clamp(min=0)] & structure.mask & (labels >= 0)
            is_part, probability = is_part | gold, probability + gold
        pairs = self.links.pairs(spans, is_part, probability)  # (batch, pairs, 2)
        chosen = spans.take_along_dim(pairs.flatten(1).clamp(min=0)[:, :, None, None], dim=1)
        vectors = self.representation(tokens, chosen).unflatten(1, (-1, 2))  # (batch, pairs, 2, dim)
        gaps = hull(chosen).unflatten(1, (-1, 2))
        between = gaps[:, :, 1, 0] - gaps[:, :, 0, 1]
        linked = self.links(vectors[:, :, 0], vectors[:, :, 1], between, pairs[..., 0] >= 0)
        return Links(pairs, self.tempered(linked))

    @overrides
    def count(self, predictions: Sequence[Prediction], sentences: Sequence[Sentence], structure: Any) -> None:
        """If spans are given, only types are predicted, and the metric has a different name."""
        found = [[entity for entity, _ in one.entities] for one in predictions]
        gold = [one.entities for one in sentences]
        if structure.are_given:
            self.typing_accuracy(found, gold)
            return
        self.entity_f1(found, gold)
        discontinuous = [[[e for e in some if e.is_discontinuous] for some in side] for side in (found, gold)]
        if any(map(any, discontinuous)):
            self.discontinuous_f1(*discontinuous)
