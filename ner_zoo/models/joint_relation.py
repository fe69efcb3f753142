"""
Entities and relations together: a tagger, and a head for all pairs of the entities it finds, over one encoder.

A relation's score is its probability given the tagging times the marginals of its two entities, P_rel * p(e1) *
p(e2): each factor is exact, and the product leaves out that the two entities may depend on each other.
"""

from functools import partial
from typing import Any, Dict, List, Optional, Tuple

import torch
from allennlp.common import Lazy
from allennlp.common.checks import ConfigurationError
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from allennlp.nn.util import get_text_field_mask
from overrides import overrides

from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.chunk_rules import on, tag_rules
from ner_zoo.data.tag_schemes import TagTable
from ner_zoo.data.views.joint import NONE, relations_from_pairs
from ner_zoo.losses import Loss, NegativeLogLikelihood
from ner_zoo.losses.local_joint import LocalJointLoss
from ner_zoo.metrics import EntityF1
from ner_zoo.metrics.relation_f1 import RelationF1
from ner_zoo.modules import Head
from ner_zoo.modules.encoder_input import check_encoder_input
from ner_zoo.modules.head import check_temperature
from ner_zoo.modules.relation import CnnLstmMinus, RelationHead
from ner_zoo.structures.joint import Joint, JointLabels, Relations


@Model.register("joint_relation")
class JointRelation(Model):
    """
    embedder, encoder : words to vectors, and to vectors in their context.
    head : vectors to a structure over tags: `softmax`, as in the paper, `crf`, ...
    loss : of the entities.
    relation_head : vectors, tags and pairs of entities to scores.
    relation_loss : of the pairs.
    relation_weight, average : how the two losses are put together, see `LocalJointLoss`.
    embedding_dropout, dropout : on what goes into the encoder, and on what goes from it to the tags.
    scheme : the tag scheme; by default the one that the tags show.
    namespace, relation_namespace : where the vocabulary keeps the tags and the labels of pairs.
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
        relation_head: Optional[Lazy[RelationHead]] = None,
        relation_loss: Optional[Loss] = None,
        relation_weight: float = 1.0,
        average: str = "positions",
        embedding_dropout: float = 0.0,
        dropout: float = 0.0,
        scheme: str = "",
        namespace: str = "labels",
        relation_namespace: str = "relation_labels",
        temperature: float = 1.0,
        initializer: Optional[InitializerApplicator] = None,
    ) -> None:
        super().__init__(vocab)
        self.table = TagTable.of(_names(vocab, namespace, "tags"), scheme)
        self.relation_labels = _names(vocab, relation_namespace, "labels of pairs")
        self.rules = tag_rules(self.table)
        check_encoder_input(embedder, encoder)
        self.embedder = embedder
        self.encoder = encoder
        self.embedding_dropout = torch.nn.Dropout(embedding_dropout)
        self.dropout = torch.nn.Dropout(dropout)
        dim = encoder.get_output_dim()
        self.head = head.construct(input_dim=dim, labels=self.table)
        sizes = {"num_tags": len(self.table.names), "num_labels": len(self.relation_labels)}
        self.relation_head = (relation_head or Lazy(CnnLstmMinus)).construct(input_dim=dim, **sizes)
        self.loss = LocalJointLoss(loss, relation_loss or NegativeLogLikelihood(), relation_weight, average)
        self.temperature = check_temperature(temperature)
        self.entity_f1 = EntityF1()
        self.relation_f1, self.relation_boundaries_f1 = RelationF1(), RelationF1(is_strict=False)
        if initializer is not None:
            initializer(self)

    @overrides(check_signature=False)
    def forward(  # type: ignore[override]
        self,
        text: TextFieldTensors,
        labels: Optional[torch.LongTensor] = None,
        entity_spans: Optional[torch.LongTensor] = None,
        relation_labels: Optional[torch.LongTensor] = None,
        metadata: Optional[List[Sentence]] = None,
    ) -> Dict[str, Any]:
        mask = get_text_field_mask(text)
        encoded = self.encoder(self.embedding_dropout(self.embedder(text)), mask)  # (batch, tokens, dim)
        entities = self.head(self.dropout(encoded), mask)
        pair_scorer = partial(self.relation_head, encoded, mask)
        joint = Joint(entities, pair_scorer, on(mask.device, self.rules), self.relation_labels.index(NONE))
        if not self.training:
            joint = joint.tempered(self.temperature)
        output: Dict[str, Any] = {}
        if labels is not None and entity_spans is not None and relation_labels is not None:
            gold = JointLabels(labels, entity_spans.long(), relation_labels)
            output["loss"] = self.loss(joint, gold)
        if not self.training:
            output["joint"], output["structure"] = joint, joint.entities
            output["labels"], relations = joint.best()
            if labels is not None and metadata is not None:
                self._count(output["labels"], relations, mask, metadata)
        return output

    def _count(self, tags: torch.Tensor, relations: Relations, mask: torch.Tensor, metadata: List[Sentence]) -> None:
        found = self.table.entities(tags.cpu().numpy(), mask.cpu().numpy())
        self.entity_f1(found, [sentence.entities for sentence in metadata])
        related = [row for row, _ in self._related(found, relations)]
        for metric in (self.relation_f1, self.relation_boundaries_f1):
            metric(related, [sentence.relations for sentence in metadata])

    def _related(
        self, entities: List[List[Entity]], relations: Relations
    ) -> List[Tuple[List[Relation], List[Tuple[int, int, float]]]]:
        """For each sentence its relations, and for each of them the numbers of its entities and its probability."""
        labels = relations.best()
        kept = (labels != self.relation_labels.index(NONE)).nonzero().squeeze(1)
        probabilities = relations.probabilities()[kept, labels[kept]].tolist()
        rows, labels = relations.row[kept].tolist(), labels[kept].tolist()
        first_of_row = torch.tensor([0] + [len(row) for row in entities]).cumsum(0).tolist()
        pairs: List[Dict[Tuple[int, int], str]] = [{} for _ in entities]
        scores: List[List[Tuple[int, int, float]]] = [[] for _ in entities]
        firsts, seconds = (numbers[kept].tolist() for numbers in relations.pairs)
        for row, first, second, label, score in zip(rows, firsts, seconds, labels, probabilities):
            i, j = first - first_of_row[row], second - first_of_row[row]
            pairs[row][i, j] = self.relation_labels[label]
            scores[row].append((i, j, score))
        return [(relations_from_pairs(*row), score) for row, score in zip(zip(entities, pairs), scores)]

    @overrides(check_signature=False)
    def make_output_human_readable(self, output_dict: Dict[str, Any]) -> Dict[str, Any]:
        """Entities with their exact marginals, and relations with P_rel times the marginals of their two entities."""
        joint, structure, tags = (output_dict.pop(name) for name in ("joint", "structure", "labels"))
        best, relations = joint.best()
        if tags is not best:
            relations = joint.given(tags.unsqueeze(0))
        marginals = structure.chunk_marginals(*relations.chunks, *joint.rules).tolist()
        entities: List[List[Entity]] = [[] for _ in tags]
        scores: List[List[float]] = [[] for _ in tags]
        for row, start, end, type, score in zip(*(column.tolist() for column in relations.chunks), marginals):
            entities[row].append(Entity.of(self.table.types[type], start, end))
            scores[row].append(score)
        related = self._related(entities, relations)
        output_dict["entities"], output_dict["scores"] = entities, scores
        output_dict["relations"] = [row for row, _ in related]
        output_dict["relation_scores"] = [
            [score * of[i] * of[j] for i, j, score in row] for (_, row), of in zip(related, scores)
        ]
        return output_dict

    @overrides
    def get_metrics(self, reset: bool = False) -> Dict[str, float]:
        metrics = (self.entity_f1, self.relation_f1, self.relation_boundaries_f1)
        return {name: value for metric in metrics for name, value in metric.get_metric(reset).items()}


def _names(vocab: Vocabulary, namespace: str, what: str) -> List[str]:
    names = vocab.get_index_to_token_vocabulary(namespace)
    if not names:
        raise ConfigurationError(
            f"The vocabulary has no {what} in its namespace {namespace!r}. Is the training data without entities, or "
            "has the reader another view than `joint`?"
        )
    return [names[i] for i in range(len(names))]
