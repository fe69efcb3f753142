"""
Base class of all models: contextual word vectors, a temperature, and labels for decoding.

A model is a subclass with a `forward` that builds a structure from the vectors (`encode`, then a head) and returns
`self.outcome(self.tempered(structure), gold, metadata)`. Everything else, from metrics to analysis, uses `labels`.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn.util import get_text_field_mask
from allennlp.training.metrics import Metric
from overrides import overrides
from torch import BoolTensor, Tensor

from ner_zoo.annotation import Sentence
from ner_zoo.data.distinct_words import DistinctWords
from ner_zoo.labels.labels import Labels
from ner_zoo.labels.prediction import Prediction
from ner_zoo.metrics.entity_f1 import EntityF1
from ner_zoo.metrics.relation_f1 import RelationF1
from ner_zoo.modules.dropout import Dropout
from ner_zoo.modules.encoder_input import built_over
from ner_zoo.modules.head import check_temperature
from ner_zoo.modules.padded_lstm import of_distinct

Scores = TypeVar("Scores", bound=Any)


class NerModel(Model):
    """
    labels : the meaning of the structure's labels.
    embedder : converts words to vectors.
    encoder : contextualises vectors; if lazy, it is built for the embedder's output size.
    embedding_dropout, dropout : before the encoder, and after it in models that apply it.
    temperature : divisor of all scores in evaluation and prediction, not in training. Above 1 the model is less
        confident; `allennlp analyze --calibrate` fits it.
    initializer : AllenNLP's initializers for the weights, by regular expressions of their names.

    A subclass sets `loss`. Every attribute that is a metric is reported.
    """

    default_predictor = "ner_zoo"
    # Metrics communicate between processes only when an evaluation ends: see platform/independent_validation.py.
    counts_alone = True
    # One of KINDS in exporting/export.py, if models of this class can be exported. Subclasses set their own.
    export_kind: str | None = None

    loss: torch.nn.Module

    def __init__(
        self,
        vocab: Vocabulary,
        labels: Labels,
        embedder: TextFieldEmbedder,
        encoder: Seq2SeqEncoder | Lazy[Seq2SeqEncoder],
        embedding_dropout: float = 0.0,
        dropout: float = 0.0,
        temperature: float = 1.0,
    ) -> None:
        super().__init__(vocab)
        self.labels = labels
        self.embedder = embedder
        self.encoder = built_over(embedder, encoder)
        self.embedding_dropout = Dropout(embedding_dropout)
        self.dropout = Dropout(dropout)
        self.temperature = check_temperature(temperature)
        self.entity_f1 = EntityF1()
        if labels.has_relations:
            self.relation_f1, self.relation_boundaries_f1 = RelationF1(), RelationF1(is_strict=False)

    def encode(self, text: TextFieldTensors) -> tuple[Tensor, BoolTensor]:
        """The contextual vectors of the words `(batch, tokens, dim)`, and the mask `(batch, tokens)`."""
        if isinstance(text, DistinctWords) and not self.training:
            vectors = self.embedder(text.distinct).squeeze(0)
            return of_distinct(self.encoder, vectors, text.places), text.places > 0
        mask = get_text_field_mask(text)
        return self.encoder(self.embedding_dropout(self.embedder(text)), mask), mask

    def tempered(self, structure: Scores) -> Scores:
        """The structure with the temperature applied; unchanged in training."""
        return structure if self.training else structure.tempered(self.temperature)

    def outcome(self, structure: Any, gold: Any, sentences: list[Sentence] | None) -> dict[str, Any]:
        """The loss, if there are gold labels; in evaluation also the structure, and metrics are updated."""
        output: dict[str, Any] = {} if gold is None else {"loss": self.loss(structure, gold)}
        if not self.training:
            output["structure"] = structure
            if gold is not None:
                output["gold"] = gold
                if sentences is not None:
                    self.count(self.labels.read(structure, with_marginals=False), sentences, structure)
        return output

    def count(self, predictions: Sequence[Prediction], sentences: Sequence[Sentence], structure: Any) -> None:
        """Updates the metrics with the predictions and the gold annotation of the sentences themselves."""
        found = [[entity for entity, _ in one.entities] for one in predictions]
        self.entity_f1(found, [one.entities for one in sentences])
        if self.labels.has_relations:
            related = [[relation for relation, _ in one.relations] for one in predictions]
            for metric in (self.relation_f1, self.relation_boundaries_f1):
                metric(related, [one.relations for one in sentences])

    @overrides(check_signature=False)
    def make_output_human_readable(self, output_dict: dict[str, Any]) -> dict[str, Any]:
        """Replaces tensors by one `Prediction` per sentence."""
        output_dict["prediction"] = self.labels.read(output_dict.pop("structure"))
        output_dict.pop("gold", None)
        return output_dict

    @overrides
    def get_metrics(self, reset: bool = False) -> dict[str, float]:
        metrics = [value for value in vars(self).values() if isinstance(value, Metric)]
        return {name: value for metric in metrics for name, value in metric.get_metric(reset).items()}


def label_names(vocab: Vocabulary, namespace: str, view: str) -> list[str]:
    """The labels in the vocabulary, by index; they are added by a reader with the right view."""
    names = vocab.get_index_to_token_vocabulary(namespace)
    if not names:
        raise ConfigurationError(
            f"The vocabulary has no labels in its namespace {namespace!r}. Check that the training data is not empty "
            f"and that the reader has the view `{view}`."
        )
    return [names[number] for number in range(len(names))]


def labels_of(model: Model) -> Labels:
    """The labels of a model; refuses a model without them."""
    if not isinstance(model, NerModel):
        raise ConfigurationError(
            f"The model {type(model).__name__} does not define the meaning of its labels. Use `tagger`, `span`, "
            f"`joint_relation` or another subclass of ner_zoo.models.ner_model.NerModel."
        )
    return model.labels
