"""
What the labels of a model mean, as tables for structures: which of them make chunks, and of what kind.

A tagger's labels are tags, and a scheme says where chunks begin and go on. A span model's labels are bare types, and
every position that has one is a chunk by itself.
"""

from typing import Sequence

import torch

from ner_zoo.data.tag_schemes import OUTSIDE, TagTable
from ner_zoo.structures.chunks import ChunkRules


def tag_rules(table: TagTable) -> ChunkRules:
    tables = (table.begins, table.continues, table.type_of)
    return ChunkRules(*(torch.from_numpy(rule) for rule in tables))


def label_rules(names: Sequence[str], scheme: str = "") -> ChunkRules:
    """The rules of tags or bare types, whichever the names are."""
    labels = [name for name in names if name != OUTSIDE]
    if any(name[1:2] == "-" for name in labels) or scheme:
        return tag_rules(TagTable.of(names, scheme))
    kinds = torch.tensor([-1 if name == OUTSIDE else labels.index(name) for name in names], dtype=torch.long)
    is_entity = (kinds >= 0).unsqueeze(0)
    return ChunkRules(is_entity.repeat(len(names) + 1, 1), torch.zeros(len(names), len(names), dtype=torch.bool), kinds)


def on(device: torch.device, rules: ChunkRules) -> ChunkRules:
    return ChunkRules(*(table.to(device) for table in rules))
