import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from ner_zoo.structures import ChainConstraints, Independent, LinearChain, chain_compiled, chain_torch
from ner_zoo.structures.chunks import ChunkRules, Chunks
from tests.structures.enumeration import Labelling, probabilities, random_mask

# For each scheme its tags, the prefixes that always start a chunk, and those that end one.
SCHEMES = {
    "BIO": (["O", "B-X", "I-X", "B-Y", "I-Y"], "B", ""),
    "BIOUL": (["O", "B-X", "I-X", "L-X", "U-X"], "BU", "LU"),
    "IO": (["O", "I-X", "I-Y"], "", ""),
}


def rules_of(scheme: str) -> ChunkRules:
    """As in conlleval: a chunk continues with the same type unless the first tag ends it or the second starts one."""
    tags, begins, ends = SCHEMES[scheme]
    kinds = [-1 if tag == "O" else "XY".index(tag[2]) for tag in tags]
    continues = torch.tensor(
        [
            [before == after != -1 and tags[i][0] not in list(ends) and tags[j][0] not in list(begins)
             for j, after in enumerate(kinds)]
            for i, before in enumerate(kinds)
        ]
    )  # fmt: skip
    in_chunk = torch.tensor(kinds) >= 0
    starts = torch.cat([~continues & in_chunk, in_chunk.unsqueeze(0)])
    return ChunkRules(starts, continues, torch.tensor(kinds))


def chunks_of(labels: Labelling, rules: ChunkRules) -> list[tuple[int, int, int]]:
    found, first = [], None
    for position, label in enumerate(labels):
        before = labels[position - 1] if position else -1
        if rules.starts[before, label]:
            first = position
        is_last = position + 1 == len(labels) or not rules.continues[label, labels[position + 1]]
        if first is not None and is_last:
            found.append((first, position + 1, int(rules.kind_of_label[labels[first]])))
            first = None
    return found


def enumerated(structure, sentence: int, rules: ChunkRules) -> dict[tuple[int, int, int], float]:
    """The probability of every possible chunk of a sentence."""
    length = int(structure.mask[sentence].sum())
    spans = [(i, j, kind) for i in range(length) for j in range(i + 1, length + 1) for kind in (0, 1)]
    total = dict.fromkeys(spans, 0.0)
    for labels, probability in probabilities(structure, sentence).items():
        for chunk in chunks_of(labels, rules):
            total[chunk] += probability
    return total


def some_chain(scheme: str, is_constrained: bool, scale: float = 1.0) -> LinearChain:
    torch.manual_seed(5)
    labels = len(SCHEMES[scheme][0])
    constraints = None
    if is_constrained:
        legal = torch.rand(labels, labels) < 0.7
        legal[:, 0] = legal[0, :] = True
        constraints = ChainConstraints(legal, legal[0], legal[:, 0])
    mask = random_mask([4, 1, 3], 4)
    shapes = [(3, 4, labels), (labels, labels), (labels,), (labels,)]
    scores, transitions, start, end = (scale * torch.randn(shape, dtype=torch.float64) for shape in shapes)
    return LinearChain(scores, transitions, mask, start, end, constraints)


def every_chunk(structure, rules: ChunkRules) -> tuple[Tensor, Tensor]:
    found = [
        ((sentence, *chunk), probability)
        for sentence in range(len(structure.mask))
        for chunk, probability in enumerated(structure, sentence, rules).items()
    ]
    return torch.tensor([chunk for chunk, _ in found]), torch.tensor([p for _, p in found], dtype=torch.float64)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("is_constrained", [True, False])
@pytest.mark.parametrize("scale", [1.0, 300.0, 1e4])
def test_chunk_marginals_sum_the_labellings_with_exactly_that_chunk(scheme, is_constrained, scale):
    chain, rules = some_chain(scheme, is_constrained, scale), rules_of(scheme)
    chunks, expected = every_chunk(chain, rules)
    assert scale > 1 or expected.min() > 0 or is_constrained or scheme != "BIO"
    assert_close(chain.chunk_marginals(Chunks(*chunks.t()), rules), expected)
    for verbs in (chain_compiled, chain_torch):
        assert_close(verbs.chunk_marginals(chain._potentials(), Chunks(*chunks.t()), rules), expected)


def test_independent_positions_have_chunks_too():
    chain, rules = some_chain("BIO", False), rules_of("BIO")
    independent = Independent(chain.scores, chain.mask)
    chunks, expected = every_chunk(independent, rules)
    assert_close(independent.chunk_marginals(Chunks(*chunks.t()), rules), expected)


def test_no_chunks_have_no_marginals():
    chain, rules = some_chain("BIO", False), rules_of("BIO")
    none = torch.zeros(0, dtype=torch.long)
    assert chain.chunk_marginals(Chunks(none, none, none, none), rules).shape == (0,)


@pytest.mark.parametrize("first, last", [(-1, 1), (2, 2), (0, 4)])
def test_a_chunk_outside_its_sentence_is_refused(first, last):
    chain, rules = some_chain("BIO", False), rules_of("BIO")
    chunk = [torch.tensor([value]) for value in (2, first, last, 0)]
    with pytest.raises(ValueError, match=rf"\[{first}, {last}\) in sentence 2 of the batch, which has 3 positions"):
        chain.chunk_marginals(Chunks(*chunk), rules)
