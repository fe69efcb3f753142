"""A batch for a tagger's CRF: BIOUL tags in vocabulary order, sentences about as long as tweets."""

from dataclasses import dataclass

import torch
from allennlp.modules import ConditionalRandomField
from allennlp.modules.conditional_random_field import allowed_transitions
from torch import Tensor
from torchcrf import CRF

from ner_zoo.structures import ChainConstraints, LinearChain

SENTENCES = 32
# Entity types and the number of their tags: four as in CoNLL, ten as in WNUT-16, eighteen as in OntoNotes.
SIZES = {17: 4, 41: 10, 73: 18}


@dataclass(frozen=True)
class TagBatch:
    """
    One batch and three CRFs for it. Ours and AllenNLP's have the same legal transitions; AllenNLP uses them only in
    Viterbi, and sums over all transitions in its loss. pytorch-crf has no constraints.
    """

    scores: Tensor
    mask: Tensor
    gold: Tensor
    allennlp: ConditionalRandomField
    pytorch_crf: CRF
    constraints: ChainConstraints

    @classmethod
    def of(cls, num_tags: int) -> "TagBatch":
        generator = torch.Generator().manual_seed(0)
        tags = ["O"] + [f"{prefix}-{kind}" for kind in range(SIZES[num_tags]) for prefix in "BILU"]
        tags = [tags[i] for i in torch.randperm(num_tags, generator=generator)]
        # By the geometric mean of three uniform numbers: from 3 to 42, about 19 on average.
        lengths = (3 + 40 * torch.rand(SENTENCES, 3, generator=generator).prod(1).pow(1 / 3)).long()
        mask = torch.arange(int(lengths.max())).unsqueeze(0) < lengths.unsqueeze(1)
        single = torch.tensor([i for i, tag in enumerate(tags) if tag[0] in "OU"])
        gold = single[torch.randint(len(single), mask.shape, generator=generator)]
        scores = torch.randn(*mask.shape, num_tags, generator=generator).requires_grad_()
        legal = allowed_transitions("BIOUL", dict(enumerate(tags)))
        allennlp = ConditionalRandomField(num_tags, legal)
        return cls(scores, mask, gold, allennlp, CRF(num_tags, batch_first=True), constraints_of(num_tags, legal))

    def chain(self) -> LinearChain:
        crf = self.allennlp
        start, end = crf.start_transitions, crf.end_transitions
        return LinearChain(self.scores, crf.transitions, self.mask, start, end, self.constraints)

    def forget_gradients(self) -> None:
        self.scores.grad = None
        self.allennlp.zero_grad(set_to_none=True)
        self.pytorch_crf.zero_grad(set_to_none=True)


def constraints_of(num_tags: int, pairs: list[tuple[int, int]]) -> ChainConstraints:
    """AllenNLP numbers the start and the end of a sentence as two additional tags."""
    legal = torch.zeros(num_tags + 2, num_tags + 2, dtype=torch.bool)
    legal[tuple(zip(*pairs))] = True
    return ChainConstraints(legal[:num_tags, :num_tags], legal[num_tags, :num_tags], legal[:num_tags, num_tags + 1])
