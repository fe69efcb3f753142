"""
Tagger: one label per token, with any head and loss.
"""

from typing import Any

from allennlp.common import Lazy
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from overrides import overrides
from torch import LongTensor

from ner_zoo.annotation import Sentence
from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses import Loss
from ner_zoo.models.ner_model import NerModel, label_names
from ner_zoo.modules import Head
from ner_zoo.modules.encoder_input import built_over


@Model.register("tagger")
class Tagger(NerModel):
    """
    embedder, encoder, embedding_dropout, temperature : as for all models.
    head : converts vectors to a structure over tags: `crf`, `softmax`, ...
    loss : the loss to minimise.
    feedforward : layer between encoder and head, applied to each token.
    dropout : dropout on the output of the encoder.
    scheme : tag scheme, which defines the legal transitions (default: inferred from the tags).
    namespace : vocabulary namespace of the tags.
    """

    export_kind = "tagger"

    def __init__(
        self,
        vocab: Vocabulary,
        embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        head: Lazy[Head],
        loss: Loss,
        feedforward: Lazy[FeedForward] | None = None,
        embedding_dropout: float = 0.0,
        dropout: float = 0.0,
        scheme: str = "",
        namespace: str = "labels",
        temperature: float = 1.0,
        initializer: InitializerApplicator | None = None,
    ) -> None:
        labels = TagLabels.of(label_names(vocab, namespace, "tags"), scheme)
        super().__init__(vocab, labels, embedder, encoder, embedding_dropout, dropout, temperature)
        self.feedforward = built_over(self.encoder, feedforward) if feedforward else None
        dim = (self.feedforward or self.encoder).get_output_dim()
        self.head = head.construct(input_dim=dim, labels=labels)
        self.loss = loss
        if initializer is not None:
            initializer(self)

    @overrides(check_signature=False)
    def forward(  # type: ignore[override]
        self,
        text: TextFieldTensors,
        labels: LongTensor | None = None,
        metadata: list[Sentence] | None = None,
    ) -> dict[str, Any]:
        encoded, mask = self.encode(text)
        encoded = self.dropout(encoded)
        if self.feedforward is not None:
            encoded = self.feedforward(encoded)
        return self.outcome(self.tempered(self.head(encoded, mask)), labels, metadata)
