"""
Joint model of entities and relations: a tagger and a head for all pairs of entities, on top of one encoder.
"""

from functools import partial
from typing import Any

from allennlp.common import Lazy
from allennlp.data import TextFieldTensors, Vocabulary
from allennlp.models import Model
from allennlp.modules import Seq2SeqEncoder, TextFieldEmbedder
from allennlp.nn import InitializerApplicator
from overrides import overrides
from torch import LongTensor

from ner_zoo.annotation import Sentence
from ner_zoo.labels.pairs import PairLabels
from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses import Loss, NegativeLogLikelihood
from ner_zoo.losses.local_joint import LocalJointLoss
from ner_zoo.models.ner_model import NerModel, label_names
from ner_zoo.modules import Head
from ner_zoo.modules.relation import CnnLstmMinus, RelationHead
from ner_zoo.structures.joint import Joint, JointLabels


@Model.register("joint_relation")
class JointRelation(NerModel):
    """
    embedder, encoder, embedding_dropout, temperature : as for all models.
    head : converts vectors to a structure over tags: `softmax`, as in the paper, `crf`, ...
    loss : loss of the entities.
    relation_head : scores pairs of entities, given vectors and tags.
    relation_loss : loss of the pairs.
    relation_weight, average, gold_pairs : how the two losses are combined, see `LocalJointLoss`.
    dropout : dropout between encoder and tags.
    scheme : tag scheme (default: inferred from the tags).
    namespace, relation_namespace : vocabulary namespaces of the tags and of the pair labels.
    """

    labels: PairLabels
    export_kind = "joint_relation"

    def __init__(
        self,
        vocab: Vocabulary,
        embedder: TextFieldEmbedder,
        encoder: Lazy[Seq2SeqEncoder],
        head: Lazy[Head],
        loss: Loss,
        relation_head: Lazy[RelationHead] | None = None,
        relation_loss: Loss | None = None,
        relation_weight: float = 1.0,
        average: str = "positions",
        gold_pairs: str = "all",
        embedding_dropout: float = 0.0,
        dropout: float = 0.0,
        scheme: str = "",
        namespace: str = "labels",
        relation_namespace: str = "relation_labels",
        temperature: float = 1.0,
        initializer: InitializerApplicator | None = None,
    ) -> None:
        tags = TagLabels.of(label_names(vocab, namespace, "joint"), scheme)
        labels = PairLabels(tags, label_names(vocab, relation_namespace, "joint"))
        super().__init__(vocab, labels, embedder, encoder, embedding_dropout, dropout, temperature)
        dim = self.encoder.get_output_dim()
        self.head = head.construct(input_dim=dim, labels=tags)
        sizes = {"num_tags": len(tags.names), "num_labels": len(labels.pair_names)}
        self.relation_head = (relation_head or Lazy(CnnLstmMinus)).construct(input_dim=dim, **sizes)
        self.loss = LocalJointLoss(loss, relation_loss or NegativeLogLikelihood(), relation_weight, average, gold_pairs)
        if initializer is not None:
            initializer(self)

    @overrides(check_signature=False)
    def forward(  # type: ignore[override]
        self,
        text: TextFieldTensors,
        labels: LongTensor | None = None,
        entity_spans: LongTensor | None = None,
        relation_labels: LongTensor | None = None,
        metadata: list[Sentence] | None = None,
    ) -> dict[str, Any]:
        encoded, mask = self.encode(text)
        entities = self.head(self.dropout(encoded), mask)
        score_pairs = partial(self.relation_head, encoded, mask)
        joint = Joint(entities, score_pairs, self.labels.tags.rules.to(mask.device), self.labels.none)
        gold = None
        if labels is not None and entity_spans is not None and relation_labels is not None:
            gold = JointLabels(labels, entity_spans.long(), relation_labels)
        return self.outcome(self.tempered(joint), gold, metadata)
