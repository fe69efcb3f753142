"""
Exports a joint model: the tagger's graph, which also returns the vectors, and the weights of the relation head.
"""

from typing import Any

from numpy import ndarray
from torch import BoolTensor, Tensor

from ner_zoo.exporting.graphs import PartOfModel, graph_of
from ner_zoo.exporting.tagger import TOKENS, encoder_examples, structure_of, tag_arrays, tag_settings
from ner_zoo.models.joint_relation import JointRelation
from ner_zoo.modules.relation import CnnLstmMinus
from ner_zoo.platform.configuration_error import ConfigurationError


class JointGraph(PartOfModel):
    """Encoder and head of the tags."""

    def forward(self, embedded: Tensor, mask: BoolTensor) -> tuple[Tensor, Tensor]:
        encoded = self.model.encoder(embedded, mask)
        return self.model.head(encoded, mask).scores, encoded


def joint_parts(model: JointRelation) -> tuple[dict[str, Any], dict[str, ndarray], dict[str, bytes]]:
    """The label settings, arrays and graphs of a traceable joint model."""
    head: Any = model.relation_head
    if type(head) is not CnnLstmMinus:
        raise ConfigurationError(f"The relation head {type(head).__name__} cannot be exported. Use `relation`.")
    examples = encoder_examples(model.embedder.get_output_dim())
    axes = dict.fromkeys(("embedded", "mask", "scores", "encoded"), TOKENS)
    graph = graph_of("encoder and head", JointGraph(model), examples, ["scores", "encoded"], axes)
    labels: Any = model.labels
    settings = {
        **tag_settings(labels.tags),
        "pair_names": list(labels.pair_names),
        "none": labels.none,
        "widths": list(head.cnns[0].widths),
        "filters": head.cnns[0].filters,
    }
    arrays = tag_arrays(labels.tags, structure_of(model, examples[0]), model.temperature)
    return settings, {**arrays, **relation_arrays(head)}, {"encoder": graph}


def relation_arrays(head: CnnLstmMinus) -> dict[str, ndarray]:
    """The weights of a relation head, named as in `ner_zoo.light.relations`."""
    found: dict[str, Tensor] = {
        "first": head.first.weight,
        "first_bias": head.first.bias,
        "second": head.second.weight,
        "between": head.between.weight,
        "distance": head.distance.weight,
        "output": head.output.weight,
        "output_bias": head.output.bias,
    }
    for number, cnn in enumerate(head.cnns):
        parts: Any = cnn
        weights = {"words": parts.words.weight, "tags": parts.tags.weight, "bias": parts.bias}
        found |= {f"cnn{number}.{name}": weight for name, weight in weights.items()}
    return {f"relation.{name}": weight.detach().numpy() for name, weight in found.items()}
