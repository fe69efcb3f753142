import random

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance
from allennlp.data.fields import TensorField

from ner_zoo.data.span_budget_sampler import SpanBudgetSampler


def instances(sizes):
    return [Instance({"spans": TensorField(torch.zeros(size, 1, 2))}) for size in sizes]


SIZES = [random.Random(3).randint(0, 60) for _ in range(200)] + [500]


@pytest.mark.parametrize("shuffle", [True, False])
def test_every_sentence_is_in_one_batch_within_the_budget(shuffle):
    batches = list(SpanBudgetSampler(300, 16, shuffle).get_batch_indices(instances(SIZES)))
    assert sorted(i for batch in batches for i in batch) == list(range(len(SIZES)))
    assert all(len(batch) <= 16 for batch in batches)
    assert all(len(batch) * max(SIZES[i] for i in batch) <= 300 for batch in batches if len(batch) > 1)


def test_a_sentence_larger_than_the_budget_is_a_batch_of_its_own():
    batches = list(SpanBudgetSampler(300, 16).get_batch_indices(instances(SIZES)))
    assert [SIZES.index(500)] in batches


def test_the_number_of_batches_is_known_beforehand_and_the_same_every_time():
    sampler = SpanBudgetSampler(300, 16)
    some = instances(SIZES)
    counts = {len(list(sampler.get_batch_indices(some))) for _ in range(5)}
    assert counts == {sampler.get_num_batches(some)}


def test_epochs_differ_and_a_seed_repeats_them():
    sampler, some = SpanBudgetSampler(300, 16), instances(SIZES)
    random.seed(7)
    first, second = list(sampler.get_batch_indices(some)), list(sampler.get_batch_indices(some))
    random.seed(7)
    assert first != second and first == list(sampler.get_batch_indices(some))


def test_without_shuffling_small_sentences_come_first():
    batches = list(SpanBudgetSampler(300, 16, shuffle=False).get_batch_indices(instances(SIZES)))
    ordered = [SIZES[i] for batch in batches for i in batch]
    assert ordered == sorted(ordered)


def test_instances_without_spans_are_refused_with_advice():
    sampler = SpanBudgetSampler(300, 16, field="candidates")
    with pytest.raises(ConfigurationError, match="view `spans`"):
        list(sampler.get_batch_indices(instances([3])))
