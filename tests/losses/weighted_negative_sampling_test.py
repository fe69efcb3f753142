import torch
from torch.testing import assert_close

from ner_zoo.losses.weighted_negative_sampling import WeightedNegativeSampling
from ner_zoo.structures import Independent
from ner_zoo.structures.labelled_spans import LabelledSpans

SPANS = torch.zeros(1, 60, 1, 2).long()


def test_weighted_sampling_prefers_doubt_and_avoids_what_looks_like_an_entity():
    sure_negative, in_doubt, like_an_entity = [9.0, 0.0, 0.0], [1.0, 0.5, 0.5], [0.0, 9.0, 0.0]
    rows = [sure_negative] * 20 + [in_doubt] * 20 + [like_an_entity] * 20
    structure = LabelledSpans(torch.tensor([rows]), torch.ones(1, 60, dtype=torch.bool), torch.tensor([20]), SPANS, 0)
    weights = WeightedNegativeSampling(temperature=0.2).log_weights(structure)[0]
    assert weights[20] > weights[0] + 1 and weights[20] > weights[40] + 1


def test_weights_have_their_values_by_hand():
    scores = torch.tensor([[[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]]]).log().clamp(min=-1e9)
    structure = Independent(scores, torch.ones(1, 2, dtype=torch.bool), 0)
    weights = WeightedNegativeSampling(mu=2.0, temperature=0.5).log_weights(structure)[0]
    # The entropy of (1/2, 1/4, 1/4) is 1.5 bits of log2(3); p(O) is 1/4 above the next.
    assert_close(weights, torch.tensor([1.5 / 1.5849625 * 1.25**2 / 0.5, 0.0]))


def test_labels_without_o_are_equally_likely():
    structure = Independent(torch.randn(1, 4, 3), torch.ones(1, 4, dtype=torch.bool))
    assert_close(WeightedNegativeSampling().log_weights(structure), torch.zeros(1, 4))
