"""
The probability of each type on any tokens, also where the model decoded something else.

A tagger sums over all taggings with exactly that chunk; a span model adds up the labels that hold the type. A
discontinuous entity that a span model puts together from parts has the product of its parts, which is as much as it
can be whatever the links between them say.
"""

from functools import singledispatch
from typing import Any, Collection, Dict, List, Sequence, Set

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.models import Model

from ner_zoo.analysis.answers import Fragments
from ner_zoo.annotation import Entity, Sentence
from ner_zoo.data.chunk_rules import on, tag_rules
from ner_zoo.data.readers import CorpusReader
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.span_labels import PART
from ner_zoo.data.views.tags import flat_entities
from ner_zoo.models.joint_relation import JointRelation
from ner_zoo.models.span import SpanClassifier
from ner_zoo.models.tagger import Tagger

# For each sentence, the tokens that are asked about with the probabilities of all types; without those that no entity
# of the model can have.
Found = List[Dict[Fragments, np.ndarray]]


@singledispatch
def known_types(model: Model) -> List[str]:
    """The types that a model can find."""
    raise ConfigurationError(
        f"The model {type(model).__name__} is none of tagger, span and joint_relation, so it is not known what its "
        "labels mean. Analyze an archive of one of these."
    )


@known_types.register
def _(model: Tagger) -> List[str]:
    return list(model.table.types)


@known_types.register
def _(model: JointRelation) -> List[str]:
    return list(model.table.types)


@known_types.register
def _(model: SpanClassifier) -> List[str]:
    return sorted({type.removesuffix(PART) for type in model.labels.types})


def type_probabilities(
    model: Model, reader: CorpusReader, output: Dict[str, Any], sentences: Sequence[Sentence]
) -> Found:
    """For the tokens of the gold entities of each sentence of a batch, from the model's `output` for it."""
    if isinstance(model, SpanClassifier):
        return _of_spans(model, reader, output, sentences)
    assert isinstance(model, (Tagger, JointRelation))
    return _of_chunks(model.table, output["structure"], sentences)


def _of_chunks(table: Any, structure: Any, sentences: Sequence[Sentence]) -> Found:
    found: Found = [{} for _ in sentences]
    types = len(table.types)
    asked = [
        (number, entity.fragments)
        for number, sentence in enumerate(sentences)
        for entity in sentence.entities
        if not entity.is_discontinuous
    ]
    asked = list(dict.fromkeys(asked))
    if not asked or not types:
        return found
    device = structure.scores.device
    rows = torch.tensor([(number, *fragments[0]) for number, fragments in asked], device=device)
    sentence, first, last = rows.repeat_interleave(types, 0).unbind(1)
    kind = torch.arange(types, device=device).repeat(len(asked))
    rules = on(device, tag_rules(table))
    values = structure.chunk_marginals(sentence, first, last, kind, *rules).view(-1, types)
    for (number, fragments), row in zip(asked, values.double().clamp(0.0, 1.0).cpu().numpy()):
        found[number][fragments] = row
    return found


def _of_spans(
    model: SpanClassifier, reader: CorpusReader, output: Dict[str, Any], sentences: Sequence[Sentence]
) -> Found:
    structure, labels = output["structure"], model.labels
    holds = torch.from_numpy(labels.holds).to(structure.scores)
    by_label = (structure.marginals() @ holds).double().clamp(0.0, 1.0).cpu().numpy()  # (batch, spans, label types)
    types = known_types(model)
    whole = [labels.types.index(type) if type in labels.types else -1 for type in types]
    parts = [labels.types.index(type + PART) if type + PART in labels.types else -1 for type in types]
    found: Found = [{} for _ in sentences]
    for number, sentence in enumerate(sentences):
        places = reader.view.candidates.places(sentence) if sentence.entities else {}  # type: ignore[attr-defined]
        for fragments in {entity.fragments for entity in sentence.entities}:
            if fragments in places:
                found[number][fragments] = _columns(by_label[number, places[fragments]], whole)
            elif len(fragments) > 1 and labels.has_parts and all((part,) in places for part in fragments):
                each = [_columns(by_label[number, places[(part,)]], parts) for part in fragments]
                found[number][fragments] = np.prod(each, axis=0)
    return found


def out_of_reach(model: Model, sentence: Sentence, found: Collection[Fragments]) -> Set[Entity]:
    """
    The gold entities that the model cannot find, at least not beside the others; `found` are the tokens that it can
    make an entity of.
    """
    types = known_types(model)
    lost = {entity for entity in sentence.entities if entity.type not in types or entity.fragments not in found}
    if isinstance(model, (Tagger, JointRelation)):
        kept = flat_entities(sentence.entities, model.table.scheme, sentence.source, Repairs())
        lost |= set(sentence.entities) - set(kept)
    return lost


def _columns(row: np.ndarray, columns: Sequence[int]) -> np.ndarray:
    """The chosen columns of a row, 0 for those that do not exist."""
    return np.array([row[column] if column >= 0 else 0.0 for column in columns])
