"""The label-aware CRF."""

import pytest
import torch
from allennlp.common import Params
from allennlp.common.checks import ConfigurationError
from torch.testing import assert_close

from ner_zoo.labels.tags import TagLabels
from ner_zoo.modules import Crf, Head
from ner_zoo.modules.label_aware_crf import LabelAwareCrf

TABLE = TagLabels.of(["O", "B-X", "I-X", "B-Y"])
COUNTS = {"O": 1600, "B-X": 100, "I-X": 1, "elsewhere": 10000}
MASK = torch.ones(2, 3, dtype=torch.bool)


def head(**settings):
    torch.manual_seed(0)
    return LabelAwareCrf(input_dim=4, labels=TABLE, **settings)


def test_zeta_is_the_power_of_how_much_rarer_a_label_is_than_the_most_frequent():
    crf = head()
    crf.count({**COUNTS, "B-Y": 16})
    assert_close(crf.zeta, torch.tensor([1.0, 16.0**0.25, 1600.0**0.25, 100.0**0.25]))


def test_a_label_that_training_never_has_counts_as_if_it_came_once():
    crf = head(tau=0.5)
    crf.count(COUNTS)
    assert_close(crf.zeta, torch.tensor([1.0, 4.0, 40.0, 40.0]))
    crf.count({})
    assert_close(crf.zeta, torch.ones(4))


def test_zeta_can_be_bounded():
    crf = head(tau=0.5, max_zeta=10.0)
    crf.count(COUNTS)
    assert_close(crf.zeta, torch.tensor([1.0, 4.0, 10.0, 10.0]))


def test_the_scores_of_tokens_are_multiplied_and_nothing_else():
    crf, vectors = head(), torch.randn(2, 3, 4)
    crf.count(COUNTS)
    plain = Crf(input_dim=4, labels=TABLE)
    plain.load_state_dict({name: value for name, value in crf.state_dict().items() if name != "zeta"})
    found, expected = crf(vectors, MASK), plain(vectors, MASK)
    assert_close(found.scores, expected.scores * crf.zeta)
    shift = found.scores - expected.scores
    assert_close(found.log_partition(), expected.plus(shift).log_partition())


def test_with_a_tau_of_0_it_equals_the_plain_crf():
    crf = head(tau=0.0)
    crf.count(COUNTS)
    assert_close(crf.zeta, torch.ones(4))


def test_zeta_is_kept_with_the_weights():
    crf, other = head(), head()
    crf.count(COUNTS)
    other.load_state_dict(crf.state_dict())
    assert other.is_counted()
    assert torch.equal(other.zeta, crf.zeta)


def test_zeta_is_not_a_trainable_parameter():
    assert "zeta" not in dict(head().named_parameters())


def test_labels_without_counts_are_refused_with_advice():
    with pytest.raises(ConfigurationError, match="label_counts"):
        head()(torch.randn(2, 3, 4), MASK)


def test_it_is_registered_and_takes_the_options_of_the_plain_crf():
    params = Params({"type": "label_aware_crf", "tau": 0.1, "constrained": False})
    crf = Head.from_params(params, input_dim=4, labels=TABLE)
    assert crf.tau == 0.1 and crf.constraints is None


def test_a_bound_below_1_is_refused():
    with pytest.raises(ConfigurationError, match="max_zeta is 0.5"):
        head(max_zeta=0.5)


@pytest.mark.parametrize("tau", [-0.1, float("nan"), float("inf")])
def test_a_tau_that_makes_no_factor_is_refused(tau):
    with pytest.raises(ConfigurationError, match="tau is"):
        head(tau=tau)
