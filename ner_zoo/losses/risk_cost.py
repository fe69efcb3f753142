"""
Cost of a labelling: one minus its sentence-level F1, computed on tensors for many labellings of many sentences at once.

    F = 2 correct / (predicted + gold)          1 if nothing is gold and nothing predicted

An entity is correct if its span and type are; a relation, if both its entities, its label and its direction are.
"""

import torch
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.structures.chunks import ChunkRules, Chunks, chunks_of
from ner_zoo.structures.joint import JointLabels, Relations
from ner_zoo.structures.pairs import totals


def f1(right: Tensor, predicted: Tensor, gold: Tensor) -> Tensor:
    """From the numbers of correct, predicted and gold annotations, each `(rows,)`."""
    both = predicted + gold
    return torch.where(both > 0, 2 * right / both.clamp(min=1), torch.ones_like(right))


def is_gold(chunks: Chunks, gold: Chunks, batch: int, positions: int) -> BoolTensor:
    """Whether each chunk of the `n * batch` rows is a gold chunk of its sentence."""
    end = gold.last.new_full((batch, positions), -1)
    kind = gold.kind.new_full((batch, positions), -1)
    end[gold.sentence, gold.first], kind[gold.sentence, gold.first] = gold.last, gold.kind
    place = chunks.sentence % batch, chunks.first
    return (end[place] == chunks.last) & (kind[place] == chunks.kind)


def entity_f1(chunks: Chunks, gold_tags: LongTensor, mask: BoolTensor, rules: ChunkRules, rows: int) -> Tensor:
    """chunks : of `rows` labellings, n per sentence of the batch; gold_tags : `(batch, positions)`."""
    batch, positions = gold_tags.shape
    gold = chunks_of(gold_tags.masked_fill(~mask, 0), mask, rules)
    right = is_gold(chunks, gold, batch, positions).float()
    wanted = totals(torch.ones_like(gold.first, dtype=torch.float), gold.sentence, batch)
    predicted = totals(torch.ones_like(right), chunks.sentence, rows)
    return f1(totals(right, chunks.sentence, rows), predicted, wanted.repeat(rows // batch))


def relation_f1(
    relations: Relations, labels: LongTensor, gold: JointLabels, mask: BoolTensor, rules: ChunkRules, none: int
) -> Tensor:
    """labels : of the pairs of `relations`."""
    batch, positions = gold.tags.shape
    rows, (first, second) = relations.rows, relations.pairs
    gold_chunks = chunks_of(gold.tags.masked_fill(~mask, 0), mask, rules)
    is_right = is_gold(relations.chunks, gold_chunks, batch, positions)
    wanted = gold.of_pairs(relations.chunks, relations.pairs, none)
    is_predicted = labels != none
    right = (is_predicted & (labels == wanted) & is_right[first] & is_right[second]).float()
    above = torch.ones(gold.relations.shape[1:], dtype=torch.bool, device=mask.device).triu(1)
    total = ((gold.relations != none) & above).sum((1, 2)).float()
    predicted = totals(is_predicted.float(), relations.row, rows)
    return f1(totals(right, relations.row, rows), predicted, total.repeat(rows // batch))
