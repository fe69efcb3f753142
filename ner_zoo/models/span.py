"""
A span classifier: one label for each candidate span, by any representation and head, trained with any loss.

Spans are scored in chunks, so that memory grows with the sentence and not with its spans times the size of their
vectors; while training, a chunk's vectors are worked out again when its gradient is needed.
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask
from allennlp.training.metrics import Metric
from overrides import overrides
from torch import LongTensor, Tensor
from torch.utils.checkpoint import checkpoint

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.candidates import PADDING
from ner_zoo.data.span_labels import SpanLabels
from ner_zoo.losses import Loss, NegativeLogLikelihood
from ner_zoo.metrics.entity_f1 import EntityF1
from ner_zoo.metrics.typing_accuracy import TypingAccuracy
from ner_zoo.modules import Head
from ner_zoo.modules.encoder_input import check_encoder_input
from ner_zoo.modules.fragment_links import FragmentLinks, link_labels
from ner_zoo.modules.head import check_temperature
from ner_zoo.modules.span_decoding import Argmax, SpanDecoder
from ner_zoo.modules.span_entities import Scored, joined
from ner_zoo.modules.span_representation import SpanRepresentation, hull
from ner_zoo.structures import Independent
from ner_zoo.structures.labelled_spans import LabelledSpans


@Model.register("span")
class SpanClassifier(Model):
    """
    embedder : words to vectors.
    encoder : vectors in their context.
    representation : vectors of tokens to vectors of spans.
    head : vectors of spans to independent labels: `softmax` or `biaffine`.
    loss : what training minimises.
    feedforward : between representation and head, span by span.
    decoder : which labelled spans may stand together.
    links : how parts of discontinuous entities are joined, where the corpus has such entities.
    embedding_dropout, dropout : on what goes into the encoder, and on what comes out of it.
    max_spans : how many spans are scored at a time.
    namespace : where the vocabulary keeps the labels.
    temperature : what every score is divided by when the model is used, not when it is trained. Above 1 it is less sure
        of itself; `allennlp analyze --calibrate` finds the right one.
    """

    default_predictor = "ner_zoo"
    # Metrics talk to other processes when an evaluation ends, not before: see platform/whole_share.py.
    counts_alone = True

    def __init__(
        self,
        vocab: Vocabulary,
        embedder: TextFieldEmbedder,
        encoder: Seq2SeqEncoder,
        representation: Lazy[SpanRepresentation],
        head: Lazy[Head],
        loss: Loss,
        feedforward: Optional[Lazy[FeedForward]] = None,
        decoder: Optional[SpanDecoder] = None,
        links: Optional[Lazy[FragmentLinks]] = None,
        embedding_dropout: float = 0.0,
        dropout: float = 0.0,
        max_spans: int = 16384,
        namespace: str = "labels",
        temperature: float = 1.0,
        initializer: Optional[InitializerApplicator] = None,
    ) -> None:
        super().__init__(vocab)
        names = vocab.get_index_to_token_vocabulary(namespace)
        if not names:
            raise ConfigurationError(
                f"The vocabulary has no labels in its namespace {namespace!r}. Is the training data empty, or has the "
                "reader another view than `spans`?"
            )
        self.labels = SpanLabels(tuple(names[i] for i in range(len(names))))
        check_encoder_input(embedder, encoder)
        self.embedder = embedder
        self.encoder = encoder
        self.embedding_dropout = torch.nn.Dropout(embedding_dropout)
        self.dropout = torch.nn.Dropout(dropout)
        self.representation = representation.construct(input_dim=encoder.get_output_dim())
        dim = self.representation.get_output_dim()
        self.links = (links or Lazy(FragmentLinks)).construct(input_dim=dim) if self.labels.has_parts else None
        self.feedforward = feedforward.construct(input_dim=dim) if feedforward else None
        self.head = head.construct(
            input_dim=self.feedforward.get_output_dim() if self.feedforward else dim, labels=self.labels
        )
        self.loss = loss
        self.link_loss = NegativeLogLikelihood()
        self.decoder = decoder or Argmax()
        if max_spans < 1:
            raise ConfigurationError(
                f"max_spans is {max_spans}, but it is how many are scored at a time. Give 1 or more."
            )
        self.max_spans = max_spans
        self.temperature = check_temperature(temperature)
        self.entity_f1 = EntityF1()
        self.discontinuous_f1 = EntityF1("discontinuous_entity")
        self.typing_accuracy = TypingAccuracy()
        if initializer is not None:
            initializer(self)

    @overrides(check_signature=False)
    def forward(  # type: ignore[override]
        self,
        text: TextFieldTensors,
        spans: LongTensor,
        labels: Optional[LongTensor] = None,
        links: Optional[LongTensor] = None,
        spans_are_given: bool = False,
        metadata: Optional[List[Sentence]] = None,
    ) -> Dict[str, Any]:
        mask = get_text_field_mask(text)
        encoded = self.dropout(self.encoder(self.embedding_dropout(self.embedder(text)), mask))  # (batch, tokens, dim)
        tokens = self.representation.tokens(encoded)
        temperature = 1.0 if self.training else self.temperature
        structure = self.score(tokens, spans, mask.sum(1)).tempered(temperature)
        pairs, linked = self.link(tokens, spans, structure, labels)
        linked = None if linked is None else linked.tempered(temperature)
        output: Dict[str, Any] = {}
        if labels is not None:
            output["loss"] = self.loss(structure, labels)
            if linked is not None and links is not None:
                output["loss"] = output["loss"] + self.link_loss(linked, link_labels(pairs, links))
        if not self.training:
            output["structure"], output["labels"] = structure, structure.best()
            found = self.decode(structure, spans, pairs, linked, Argmax() if spans_are_given else self.decoder)
            output["entities"] = [[entity for entity, _ in some] for some in found]
            output["scores"] = [[score for _, score in some] for some in found]
            if labels is not None and metadata is not None:
                self.count(output["entities"], [sentence.entities for sentence in metadata], spans_are_given)
        return output

    def score(self, tokens: Tensor, spans: LongTensor, lengths: LongTensor) -> LabelledSpans:
        """The labels of all spans, scored chunk by chunk."""
        mask = spans[..., 0, 0] >= 0  # (batch, spans)
        # Where no sentence has a span there is one of filling to touch every parameter, and it is cut off again.
        some = spans if spans.shape[1] else spans.new_full((len(spans), 1, 1, 2), PADDING)
        chunks = some.split(max(1, self.max_spans // len(spans)), dim=1)
        if len(chunks) > 1 and torch.is_grad_enabled():
            scores = [checkpoint(self._scores, tokens, chunk, use_reentrant=False) for chunk in chunks]
        else:
            scores = [self._scores(tokens, chunk) for chunk in chunks]
        return LabelledSpans(torch.cat(scores, dim=1)[:, : mask.shape[1]], mask, lengths, self.labels.background)

    def _scores(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        vectors = self.representation(tokens, spans)  # (batch, spans, dim)
        if self.feedforward is not None:
            vectors = self.feedforward(vectors)
        return self.head(vectors, spans[..., 0, 0] >= 0).scores

    def link(
        self, tokens: Tensor, spans: LongTensor, structure: LabelledSpans, labels: Optional[LongTensor]
    ) -> Tuple[LongTensor, Optional[Independent]]:
        """Pairs of parts that may be neighbours in one entity, and whether they are."""
        if self.links is None:
            return spans.new_zeros(len(spans), 0, 2), None
        stands_for_part = torch.from_numpy(self.labels.holds[:, self.labels.is_part].any(1)).to(spans.device)
        probability = structure.marginals().detach() @ stands_for_part.to(structure.scores.dtype)
        best = stands_for_part[structure.best()]
        is_part = self.decoder.picked(best.unsqueeze(2), probability.unsqueeze(2)).squeeze(2) & structure.mask
        if self.training and labels is not None:
            gold = stands_for_part[labels.clamp(min=0)] & structure.mask & (labels >= 0)
            is_part, probability = is_part | gold, probability + gold
        pairs = self.links.pairs(spans, is_part, probability)  # (batch, pairs, 2)
        chosen = _spans_at(spans, pairs.flatten(1))
        vectors = self.representation(tokens, chosen).unflatten(1, (-1, 2))  # (batch, pairs, 2, dim)
        gaps = hull(chosen).unflatten(1, (-1, 2))
        between = gaps[:, :, 1, 0] - gaps[:, :, 0, 1]
        return pairs, self.links(vectors[:, :, 0], vectors[:, :, 1], between, pairs[..., 0] >= 0)

    def decode(
        self,
        structure: LabelledSpans,
        spans: LongTensor,
        pairs: LongTensor,
        linked: Optional[Independent],
        decoder: SpanDecoder,
    ) -> List[List[Scored]]:
        """The entities of each sentence with their probabilities."""
        mentions = decoder(structure, spans, self.labels)
        probabilities = None if linked is None else linked.marginals()[..., 1].tolist()
        places, spans = pairs.tolist(), spans.cpu()
        found = []
        for sentence, some in enumerate(mentions):
            links = {} if probabilities is None else dict(zip(map(tuple, places[sentence]), probabilities[sentence]))
            rows = {mention.place: spans[sentence, mention.place].tolist() for mention in some}
            found.append(joined(some, rows, links, self.labels.types))
        return found

    def count(self, found: Sequence[Sequence[Entity]], gold: Sequence[Sequence[Entity]], spans_are_given: bool) -> None:
        """Scores what was found; where only types had to be found, by its own name."""
        if spans_are_given:
            self.typing_accuracy(found, gold)
            return
        self.entity_f1(found, gold)
        discontinuous = [[[e for e in some if e.is_discontinuous] for some in side] for side in (found, gold)]
        if any(map(any, discontinuous)):
            self.discontinuous_f1(*discontinuous)

    @overrides(check_signature=False)
    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """The entities of each sentence with their probabilities."""
        del output_dict["structure"], output_dict["labels"]
        return output_dict

    @overrides
    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        metrics: List[Metric] = [self.entity_f1, self.discontinuous_f1, self.typing_accuracy]
        return {name: value for metric in metrics for name, value in metric.get_metric(reset).items()}


def _spans_at(spans: LongTensor, places: LongTensor) -> LongTensor:
    """The spans `(batch, places, fragments, 2)` at places `(batch, places)`; those below 0 are taken for 0."""
    index = places.clamp(min=0)[:, :, None, None].expand(-1, -1, *spans.shape[2:])
    return spans.gather(1, index)
