import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.nn import InitializerApplicator
from allennlp.nn.initializers import ConstantInitializer

from ner_zoo.data.tag_schemes import ill_formed
from ner_zoo.labels.tags import TagLabels
from ner_zoo.modules import Crf, Softmax

TABLE = TagLabels.of(["O", "B-X", "I-X", "L-X", "U-X", "B-Y", "I-Y", "L-Y", "U-Y"])
MASK = torch.tensor([[True] * 6, [True] * 3 + [False] * 3])


def test_only_legal_taggings_are_found_and_drawn():
    torch.manual_seed(0)
    head = Crf(input_dim=4, labels=TABLE)
    structure = head(torch.randn(2, 6, 4), MASK)
    rows = [structure.best(), *structure.sample(20)]
    for labels in rows:
        for row, mask in zip(labels, MASK):
            assert ill_formed([TABLE.names[i] for i in row[mask].tolist()], "BIOUL") == []


def test_without_constraints_any_labelling_is_possible():
    torch.manual_seed(0)
    structure = Crf(input_dim=4, labels=TABLE, constrained=False)(torch.randn(2, 6, 4), MASK)
    drawn = structure.sample(50)[:, 0]
    assert any(ill_formed([TABLE.names[i] for i in row.tolist()], "BIOUL") for row in drawn)


def test_an_initializer_for_everything_leaves_the_constraints_alone():
    head = Crf(input_dim=4, labels=TABLE)
    before = head.constraints.transitions.clone()
    InitializerApplicator([(".*", ConstantInitializer(0.1))])(head)
    assert torch.equal(head.constraints.transitions, before)


def test_a_crf_over_spans_is_refused_with_the_reason():
    class Types:
        names = ("O", "X")
        background = 0

    with pytest.raises(ConfigurationError, match="softmax"):
        Crf(input_dim=4, labels=Types())


@pytest.mark.parametrize("head", [Crf, Softmax])
def test_the_structure_has_a_background_label(head):
    assert head(input_dim=4, labels=TABLE)(torch.randn(2, 6, 4), MASK).background == 0
