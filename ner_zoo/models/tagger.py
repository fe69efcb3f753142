"""
A tagger: one label per token, by any head, trained with any loss.
"""

from typing import Any, Dict, List, Optional

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import FeedForward, Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask
from overrides import overrides

from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.tag_schemes import TagTable
from ner_zoo.losses import Loss
from ner_zoo.metrics import EntityF1
from ner_zoo.modules import Head
from ner_zoo.modules.encoder_input import check_encoder_input
from ner_zoo.modules.head import check_temperature


@Model.register("tagger")
class Tagger(Model):
    """
    embedder : words to vectors.
    encoder : vectors in their context.
    head : vectors to a structure over tags: `crf`, `softmax`, ...
    loss : what training minimises.
    feedforward : between encoder and head, token by token.
    embedding_dropout, dropout : on what goes into the encoder, and on what comes out of it.
    scheme : the tag scheme whose transitions are legal; by default the one that the tags show.
    namespace : where the vocabulary keeps the tags.
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
        head: Lazy[Head],
        loss: Loss,
        feedforward: Optional[FeedForward] = None,
        embedding_dropout: float = 0.0,
        dropout: float = 0.0,
        scheme: str = "",
        namespace: str = "labels",
        temperature: float = 1.0,
        initializer: Optional[InitializerApplicator] = None,
    ) -> None:
        super().__init__(vocab)
        tags = vocab.get_index_to_token_vocabulary(namespace)
        if not tags:
            raise ConfigurationError(
                f"The vocabulary has no tags in its namespace {namespace!r}. Is the training data empty, or has the "
                "reader another view than `tags`?"
            )
        self.table = TagTable.of([tags[i] for i in range(len(tags))], scheme)
        check_encoder_input(embedder, encoder)
        self.embedder = embedder
        self.encoder = encoder
        self.feedforward = feedforward
        self.embedding_dropout = torch.nn.Dropout(embedding_dropout)
        self.dropout = torch.nn.Dropout(dropout)
        dim = feedforward.get_output_dim() if feedforward else encoder.get_output_dim()
        self.head = head.construct(input_dim=dim, labels=self.table)
        self.loss = loss
        self.temperature = check_temperature(temperature)
        self.entity_f1 = EntityF1()
        if initializer is not None:
            initializer(self)

    @overrides(check_signature=False)
    def forward(  # type: ignore[override]
        self,
        text: TextFieldTensors,
        labels: Optional[torch.LongTensor] = None,
        metadata: Optional[List[Sentence]] = None,
    ) -> Dict[str, Any]:
        mask = get_text_field_mask(text)
        encoded = self.dropout(self.encoder(self.embedding_dropout(self.embedder(text)), mask))  # (batch, tokens, dim)
        if self.feedforward is not None:
            encoded = self.feedforward(encoded)
        structure = self.head(encoded, mask)
        if not self.training:
            structure = structure.tempered(self.temperature)
        output: Dict[str, Any] = {}
        if labels is not None:
            output["loss"] = self.loss(structure, labels)
        if not self.training:
            output["structure"], output["labels"] = structure, structure.best()
            if labels is not None and metadata is not None:
                predicted = self.table.entities(output["labels"].cpu().numpy(), mask.cpu().numpy())
                self.entity_f1(predicted, [sentence.entities for sentence in metadata])
        return output

    @overrides(check_signature=False)
    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """The entities of each sentence with their probabilities: exact marginals, summed over all taggings."""
        structure, labels = output_dict.pop("structure"), output_dict.pop("labels")
        chunks = self.table.chunks(labels.cpu().numpy(), structure.mask.cpu().numpy())
        sentence, start, end, type = (torch.from_numpy(column).to(labels.device) for column in chunks)
        rules = (self.table.begins, self.table.continues, self.table.type_of)
        starts, continues, type_of = (torch.from_numpy(rule).to(labels.device) for rule in rules)
        scores = structure.chunk_marginals(sentence, start, end, type, starts, continues, type_of)
        output_dict["entities"] = [[] for _ in range(labels.size(0))]
        output_dict["scores"] = [[] for _ in range(labels.size(0))]
        for i, s, e, t, score in zip(*(column.tolist() for column in (*chunks, scores))):
            output_dict["entities"][i].append(Entity.of(self.table.types[t], s, e))
            output_dict["scores"][i].append(score)
        return output_dict

    @overrides
    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        return self.entity_f1.get_metric(reset)
