"""Chunks and pairs computed on tensors equal those found by a loop."""

import itertools

import pytest
import torch

from ner_zoo.data.tag_schemes import SCHEMES, entities_from_tags
from ner_zoo.labels.spans import SpanLabels
from ner_zoo.labels.tags import TagLabels
from ner_zoo.structures.chunks import chunks_of
from ner_zoo.structures.pairs import first_occurrence, pairs_of, totals

PREFIXES = {"IO": "I", "IOB1": "BI", "BIO": "BI", "BIOUL": "BIUL", "BIOES": "BIES", "BMES": "BMES"}


def table_of(scheme="BIOUL"):
    return TagLabels.of(["O"] + [f"{prefix}-{type}" for type in ("PER", "LOC") for prefix in PREFIXES[scheme]], scheme)


def random_tags(table, n, batch, positions, seed=0):
    """Taggings with many O, and a mask with sentences of all lengths from 1."""
    torch.manual_seed(seed)
    tags = torch.randint(len(table.names), (n, batch, positions))
    tags = tags.masked_fill(torch.rand(tags.shape) < 0.4, 0)
    lengths = torch.randint(1, positions + 1, (batch,))
    return tags, torch.arange(positions) < lengths.unsqueeze(1)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_chunks_are_the_entities_of_the_tags(scheme):
    table = table_of(scheme)
    tags, mask = random_tags(table, 1, 50, 9)
    rows = [[table.names[tag] for tag in row[inside].tolist()] for row, inside in zip(tags[0], mask)]
    expected = [
        (number, entity.start, entity.end, table.types.index(entity.type))
        for number, row in enumerate(rows)
        for entity in entities_from_tags(row)
    ]
    assert list(zip(*(column.tolist() for column in chunks_of(tags[0], mask, table.rules)))) == expected


def test_every_labelled_position_is_a_chunk_where_labels_are_bare_types():
    rules = SpanLabels(("O", "PER", "LOC")).rules
    labels = torch.tensor([[1, 1, 0, 2, 1]])
    chunks = chunks_of(labels, torch.tensor([[True, True, True, True, False]]), rules)
    assert (
        chunks.first.tolist() == [0, 1, 3] and chunks.last.tolist() == [1, 2, 4] and chunks.kind.tolist() == [1, 1, 2]
    )


def test_pairs_are_all_combinations_of_the_chunks_of_a_row_in_text_order():
    table = table_of()
    tags, mask = random_tags(table, 1, 40, 8)
    chunks = chunks_of(tags[0], mask, table.rules)
    expected = []
    for row in range(40):
        expected += itertools.combinations((chunks.sentence == row).nonzero().squeeze(1).tolist(), 2)
    assert list(zip(*(column.tolist() for column in pairs_of(chunks, 40)))) == expected


@pytest.mark.parametrize("seed", range(5))
def test_a_pair_occurs_first_where_the_earliest_tagging_has_its_entities_and_all_tags_from_one_to_the_other(seed):
    table = table_of()
    n, batch = 5, 12
    tags, mask = random_tags(table, 1, batch, 8, seed)
    change = torch.rand(n, *tags.shape[1:]) < 0.15
    tags = torch.where(change, torch.randint(len(table.names), change.shape), tags)
    chunks = chunks_of(tags.flatten(0, 1), mask.repeat(n, 1), table.rules)
    pairs = pairs_of(chunks, n * batch)
    found = first_occurrence(tags, mask, table.rules, chunks, pairs)

    def look(pair):
        one, other = int(pairs.first[pair]), int(pairs.second[pair])
        spans = [(int(chunks.first[c]), int(chunks.last[c]), int(chunks.kind[c])) for c in (one, other)]
        row = int(chunks.sentence[one])
        inside = tags.flatten(0, 1)[row, spans[0][0] : spans[1][1]].tolist()
        return row % batch, tuple(spans), tuple(inside)

    first = {}
    expected = [first.setdefault(look(pair), pair) for pair in range(len(pairs.first))]
    assert found.tolist() == expected
    assert len(set(expected)) < len(expected)


def test_no_chunks_have_no_pairs():
    chunks = chunks_of(torch.zeros(2, 3, dtype=torch.long), torch.ones(2, 3, dtype=torch.bool), table_of().rules)
    assert len(pairs_of(chunks, 2).first) == 0


def test_totals_sum_the_values_of_each_row():
    assert totals(torch.tensor([1.0, 2.0, 4.0]), torch.tensor([2, 0, 2]), 3).tolist() == [2.0, 0.0, 5.0]
