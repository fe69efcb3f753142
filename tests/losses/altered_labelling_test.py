"""The rule that puts one false positive before the first entity."""

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError

from ner_zoo.losses import Loss
from ner_zoo.losses.altered_labelling import AlteredLabelling, FalsePositive
from tests.losses.enumerated_hinge import ALTERED, GOLD, TAGS, padded, vocabulary

MASK = padded([(1,) * len(row) for row in GOLD]).bool()


def test_the_o_immediately_before_the_first_entity_becomes_a_false_positive():
    assert torch.equal(FalsePositive(vocabulary()).altered(padded(GOLD), MASK), padded(ALTERED))


def test_an_entity_under_the_mask_alters_nothing():
    gold = torch.tensor([[0, 0, 3, 3]])
    mask = torch.tensor([[True, True, False, False]])
    assert torch.equal(FalsePositive(vocabulary()).altered(gold, mask), gold)


def test_the_gold_labels_themselves_are_unchanged():
    gold = padded(GOLD)
    FalsePositive(vocabulary()).altered(gold, MASK)
    assert torch.equal(gold, padded(GOLD))


@pytest.mark.parametrize(
    "tags, label",
    [
        (["O", "B-ORG", "I-ORG"], "B-ORG"),
        (["O", "B-ORG", "I-ORG", "L-ORG", "U-ORG"], "U-ORG"),
        (["O", "B-ORG", "I-ORG", "E-ORG", "S-ORG"], "S-ORG"),
        (["O", "I-ORG", "I-PER"], "I-ORG"),
    ],
)
def test_the_false_positive_is_tagged_as_the_scheme_tags_a_single_token(tags, label):
    assert tags[FalsePositive(vocabulary(tags)).label] == label


def test_type_and_label_can_be_chosen():
    rule = {"type": "false_positive", "entity_type": "PER"}
    assert TAGS[AlteredLabelling.from_params(Params(rule), vocab=vocabulary()).label] == "B-PER"
    assert TAGS[FalsePositive(vocabulary(), label="I-ORG").label] == "I-ORG"


def test_a_loss_passes_the_vocabulary_on_to_its_rule():
    rule = {"type": "false_positive", "entity_type": "PER"}
    params = {"losses": [{"type": "double_hinge", "altered_labelling": rule}, "hinge_yu"], "type": "weighted_sum"}
    loss = Loss.from_params(Params(params), vocab=vocabulary())
    assert [TAGS[part.altered_labelling.label] for part in loss.losses] == ["B-PER", "B-ORG"]


def test_a_type_that_the_corpus_does_not_have_is_refused_with_those_it_has():
    with pytest.raises(ConfigurationError, match="'B-GPE', but the labels of 'labels' are O, B-ORG, I-ORG, B-PER"):
        FalsePositive(vocabulary(), entity_type="GPE")


def test_labels_of_spans_are_refused_because_they_are_not_tags():
    with pytest.raises(ConfigurationError, match="O, ORG, PER-geo are not tags like B-ORG.*`hinge`"):
        FalsePositive(vocabulary(["O", "ORG", "PER-geo"]))
