import itertools

import pytest
import torch

from ner_zoo.annotation import Entity
from ner_zoo.data.tag_schemes import SCHEMES, entities_from_tags, ill_formed, tags_from_entities
from ner_zoo.labels.tags import TagLabels
from tests.labels.decoding import entities_of


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("length", [1, 2, 3])
def test_legal_transitions_admit_exactly_the_well_formed_sequences(scheme, length):
    written = [tags_from_entities([Entity.of("X", 0, width)], width, scheme) for width in (1, 2, 3)]
    prefixes = sorted({tag[0] for tags in written for tag in tags} | ({"B"} if scheme == "IOB1" else set()))
    tags = ["O"] + [f"{p}-{t}" for p in prefixes for t in "XY"]
    constraints = TagLabels.of(tags, scheme).constraints()
    for labels in itertools.product(range(len(tags)), repeat=length):
        legal = constraints.start[labels[0]] and constraints.end[labels[-1]]
        legal = legal and all(constraints.transitions[a, b] for a, b in itertools.pairwise(labels))
        names = [tags[i] for i in labels]
        assert legal == (ill_formed(names, scheme) == [])
        if scheme != "IO":
            assert legal == (tags_from_entities(entities_from_tags(names), length, scheme) == names)


@pytest.mark.parametrize("seed", range(20))
def test_a_batch_is_decoded_as_its_sentences_are(seed):
    table = TagLabels.of(["O", "B-X", "I-X", "L-X", "U-X", "B-Y", "I-Y", "L-Y", "U-Y"])
    torch.manual_seed(seed)
    labels, lengths = torch.randint(9, (50, 6)), torch.randint(7, (50,)).tolist()
    mask = torch.arange(6) < torch.tensor(lengths).unsqueeze(1)
    expected = [entities_from_tags([table.names[i] for i in row[:n]]) for row, n in zip(labels.tolist(), lengths)]
    assert entities_of(table, labels, mask) == expected


def test_two_thirds_of_the_transitions_of_bioul_are_illegal():
    table = TagLabels.of(["O"] + [f"{p}-{t}" for t in ("A", "B", "C", "D") for p in "BILU"])
    assert 0.2 < table.constraints().transitions.float().mean() < 0.35
