"""Q, the risk and its gradient equal a manual computation over an enumerated set of outputs."""

import itertools

import pytest
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from torch.testing import assert_close

from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses import Loss
from ner_zoo.losses.minimum_risk import Outcomes
from ner_zoo.structures import ChainConstraints, Independent, LinearChain
from ner_zoo.structures.joint import Joint, JointLabels
from ner_zoo.structures.taggings import log_probabilities

TAGS = ["O", "U-PER", "U-LOC"]
TABLE = TagLabels.of(TAGS)
LENGTHS = (2, 1, 3)
# Enough to draw each of the at most 27 taggings of a sentence.
EVERY = {"num_samples": 27, "max_draws": 900, "epsilon": 1.0}


@pytest.fixture
def vocabulary():
    vocab = Vocabulary()
    for tag in TAGS:
        vocab.add_token_to_namespace(tag, "labels")
    return vocab


def risk(vocabulary, **settings):
    return Loss.by_name("minimum_risk")(vocabulary, **settings)


def mask():
    return torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS).unsqueeze(1)


def gold_tags():
    return torch.tensor([[1, 0, 0], [2, 0, 0], [1, 0, 2]])


def scores():
    torch.manual_seed(0)
    return torch.randn(len(LENGTHS), max(LENGTHS), len(TAGS), dtype=torch.float64, requires_grad=True)


def tagger(kind="independent"):
    if kind == "independent":
        return Independent(scores(), mask(), 0)
    transitions = 0.3 * torch.randn(3, 3, dtype=torch.float64)
    legal = torch.tensor([[True, True, True], [True, True, False], [True, True, True]])
    constraints = ChainConstraints(legal, torch.ones(3, dtype=torch.bool), torch.ones(3, dtype=torch.bool))
    return LinearChain(scores(), transitions, mask(), constraints=constraints if kind == "constrained" else None)


def taggings(structure, sentence):
    """Every legal tagging of a sentence with its log-probability."""
    length = LENGTHS[sentence]
    every = torch.tensor(list(itertools.product(range(3), repeat=length)))
    if isinstance(structure, LinearChain):
        steps = structure.constraints.transitions[every[:, :-1], every[:, 1:]].all(1)
        every = every[steps]
    labels = torch.zeros(len(every), *structure.mask.shape, dtype=torch.long)
    labels[:, sentence, :length] = every
    return every, log_probabilities(structure, labels)[:, sentence]


def entity_cost(tags, gold):
    """1 - F1 of tags in which every entity is one word."""
    found, wanted = ({(i, int(t)) for i, t in enumerate(row) if t} for row in (tags, gold))
    return 1 - _f1(found, wanted)


def _f1(found, wanted):
    return 2 * len(found & wanted) / (len(found) + len(wanted)) if found or wanted else 1.0


@pytest.mark.parametrize("kind", ["independent", "chain", "constrained"])
@pytest.mark.parametrize("alpha", [1.0, 0.3])
def test_over_all_outputs_the_risk_is_the_expected_cost_under_the_sharpened_model(kind, alpha, vocabulary):
    structure, gold = tagger(kind), gold_tags()
    found = risk(vocabulary, alpha=alpha, **EVERY).per_sentence(structure, gold)
    for sentence, length in enumerate(LENGTHS):
        every, log_probability = taggings(structure, sentence)
        cost = [entity_cost(row.tolist(), gold[sentence, :length].tolist()) for row in every]
        weights = (alpha * log_probability).softmax(0)
        assert_close(found[sentence], (weights * torch.tensor(cost, dtype=torch.float64)).sum())


def test_with_more_and_more_samples_the_risk_converges_to_that_of_the_model(vocabulary):
    structure, gold = tagger(), gold_tags()
    exact = risk(vocabulary, alpha=1.0, **EVERY).per_sentence(structure, gold).detach()
    torch.manual_seed(1)
    errors = []
    for samples in (2, 6, 14):
        few = risk(vocabulary, alpha=1.0, num_samples=samples, max_draws=200, epsilon=0.1)
        runs = torch.stack([few.per_sentence(structure, gold).detach() for _ in range(40)])
        errors.append(float((runs - exact).abs().mean()))
    assert errors[0] > errors[1] > errors[2]


@pytest.mark.parametrize("kind", ["independent", "chain"])
def test_the_gradient_is_the_sum_of_q_times_cost_above_risk_times_the_gradient_of_the_log_probability(kind, vocabulary):
    alpha, gold = 0.6, gold_tags()
    structure = tagger(kind)
    loss = risk(vocabulary, alpha=alpha, **EVERY).per_sentence(structure, gold).sum()
    (found,) = torch.autograd.grad(loss, structure.scores, retain_graph=True)
    expected = torch.zeros_like(found)
    for sentence, length in enumerate(LENGTHS):
        every, log_probability = taggings(structure, sentence)
        rows = [entity_cost(row.tolist(), gold[sentence, :length].tolist()) for row in every]
        cost = torch.tensor(rows, dtype=torch.float64)
        q = (alpha * log_probability.detach()).softmax(0)
        weights = alpha * q * (cost - (q * cost).sum())
        for weight, one in zip(weights, log_probability):
            expected += weight * torch.autograd.grad(one, structure.scores, retain_graph=True)[0]
    assert_close(found, expected)


def outcomes():
    """Three outputs for two sentences, only two for the second."""
    entities = torch.tensor([[-1.0, -2.0], [-2.5, -0.3], [-0.2, -1.0]], dtype=torch.float64)
    relations = torch.tensor([[-0.5, -0.1], [-3.0, -0.7], [-1.5, -1.0]], dtype=torch.float64)
    cost = torch.tensor([[0.0, 0.0], [0.4, 1.0], [0.9, 0.2]], dtype=torch.float64)
    return Outcomes(entities, relations, cost, torch.tensor([[True, True], [True, True], [True, False]]))


def q_by_hand(alpha, mu):
    first, second, _, exists = outcomes()
    weights = ((mu * first).exp() * ((1 - mu) * second).exp()) ** alpha * exists
    return weights / weights.sum(0)


@pytest.mark.parametrize("alpha", [1e-4, 1.0, 3.0])
@pytest.mark.parametrize("mu", [0.0, 0.3, 1.0])
def test_q_weighs_entities_and_relations_and_leaves_out_what_is_not_there(alpha, mu, vocabulary):
    found = risk(vocabulary, cost="both", alpha=alpha, mu=mu).log_q(outcomes()).exp()
    assert_close(found, q_by_hand(alpha, mu))


def test_q_does_not_underflow_where_the_probabilities_do(vocabulary):
    far = outcomes()._replace(entities=outcomes().entities - 5000)
    assert_close(risk(vocabulary, alpha=1.0).log_q(far), risk(vocabulary, alpha=1.0).log_q(outcomes()))


def test_the_risk_is_the_expected_cost(vocabulary):
    found = risk(vocabulary, cost="both", alpha=1.0, mu=0.3).risk_of(outcomes())
    assert_close(found, (q_by_hand(1.0, 0.3) * outcomes().cost).sum(0))


@pytest.mark.parametrize("rival", ["any", "other"])
@pytest.mark.parametrize("form", ["paper", "reference"])
def test_gamma_adds_the_learned_loss_and_its_margin(form, rival, vocabulary):
    q, cost = q_by_hand(1.0, 1.0), outcomes().cost
    best = q.amax(0) if rival == "any" else q[1:].amax(0)
    margin = (1 - q[0] + best).clamp(min=0)
    expected = (q * (cost - q)).sum(0) if form == "paper" else (q * (cost + 1 - q)).sum(0) / 2
    settings = {"alpha": 1.0, "gamma": True, "risk": form, "rival": rival}
    assert_close(risk(vocabulary, cost="both", **settings).risk_of(outcomes()), expected + margin)
    alone = (q * -q).sum(0) if form == "paper" else (q * (1 - q)).sum(0)
    no_cost = outcomes()._replace(cost=torch.zeros_like(cost))
    assert_close(risk(vocabulary, cost="none", **settings).risk_of(no_cost), alone + margin)


class PairScorer:
    """The label of a pair depends only on the pair of words."""

    def __init__(self):
        torch.manual_seed(4)
        self.weights = torch.randn(3, 3, 3, dtype=torch.float64, requires_grad=True)

    def __call__(self, tags, chunks, pairs):
        return self.weights[chunks.first[pairs.first], chunks.first[pairs.second]]


def joint_and_gold():
    spans = torch.tensor([[[0, 1], [-1, -1]], [[0, 1], [-1, -1]], [[0, 1], [2, 3]]])
    relations = torch.zeros(3, 2, 2, dtype=torch.long)
    relations[2, 0, 1] = 2
    return Joint(tagger(), PairScorer(), TABLE.rules, 0), JointLabels(gold_tags(), spans, relations)


def test_outputs_drawn_from_another_structure_are_weighed_by_this_one(vocabulary):
    joint, gold = joint_and_gold()
    # The other one only ever draws the tagging O O U-LOC, so that the third sentence has two outputs.
    sure = torch.tensor([[0, 0, 2]]).expand(3, 3)
    other = Joint(
        Independent(50 * torch.nn.functional.one_hot(sure, 3).double(), mask(), 0), PairScorer(), TABLE.rules, 0
    )
    loss = risk(vocabulary, cost="both", alpha=1.0, mu=1.0, epsilon=0.0, num_samples=5)
    loss.drawn = loss.draw(other, gold)
    found = loss.per_sentence(joint, gold)[2]
    log_tags = joint.entities.scores[2].log_softmax(1)
    log_gold, log_drawn = (log_tags[range(3), tags].sum() for tags in ([1, 0, 2], [0, 0, 2]))
    # The drawn output has one of two entities, so its F1 is 2/3, and no relation.
    assert_close(found, torch.stack([log_gold, log_drawn]).softmax(0)[1] * (1 / 3 + 1) / 2)


def test_with_mu_of_one_the_relation_decoder_gets_exactly_no_gradient(vocabulary):
    joint, gold = joint_and_gold()
    loss = risk(vocabulary, cost="both", alpha=1.0, mu=1.0, epsilon=1.0)(joint, gold)
    gradients = torch.autograd.grad(loss, [joint.entities.scores, joint.score_pairs.weights], allow_unused=True)
    assert gradients[0].any()
    assert gradients[1] is None or not gradients[1].any()


def test_with_a_smaller_mu_it_gets_its_share(vocabulary):
    joint, gold = joint_and_gold()
    loss = risk(vocabulary, cost="both", alpha=1.0, mu=0.5, **EVERY)(joint, gold)
    assert torch.autograd.grad(loss, joint.score_pairs.weights)[0].any()


@pytest.mark.parametrize("mu", [1.0, 0.4])
def test_the_joint_risk_with_the_best_relations_is_that_of_enumeration(mu, vocabulary):
    alpha, sentence = 0.8, 2
    joint, gold = joint_and_gold()
    settings = {"alpha": alpha, "mu": mu, "sample_relations": False, **EVERY}
    found = risk(vocabulary, cost="both", **settings).per_sentence(joint, gold)[sentence]
    every, log_entities = taggings(joint.entities, sentence)
    log_labels = joint.score_pairs.weights.log_softmax(2)
    wanted = {(0, 1, 2, 2, 2)}
    log_weights, costs = [], []
    for row, log_entity in zip(every.tolist(), log_entities):
        pairs = list(itertools.combinations([i for i, tag in enumerate(row) if tag], 2))
        labels = {pair: int(log_labels[pair].argmax()) for pair in pairs}
        if row == [1, 0, 2]:
            labels[0, 2] = 2  # the gold output comes with its own relations
        log_relation = sum([log_labels[pair][label] for pair, label in labels.items()], torch.zeros(()))
        related = {(i, row[i], j, row[j], label) for (i, j), label in labels.items() if label}
        log_weights.append(alpha * (mu * log_entity + (1 - mu) * log_relation))
        costs.append((entity_cost(row, [1, 0, 2]) + 1 - _f1(related, wanted)) / 2)
    expected = (torch.stack(log_weights).softmax(0) * torch.tensor(costs, dtype=torch.float64)).sum()
    assert_close(found, expected)


def test_the_joint_risk_with_drawn_relations_is_in_the_mean_that_of_the_model(vocabulary):
    sentence = 2
    joint, gold = joint_and_gold()
    loss = risk(vocabulary, cost="relations", alpha=1.0, mu=1.0, **EVERY)
    torch.manual_seed(0)
    mean = torch.stack([loss.per_sentence(joint, gold)[sentence].detach() for _ in range(300)]).mean()
    every, log_entities = taggings(joint.entities, sentence)
    probabilities = joint.score_pairs.weights.detach().softmax(2)
    expected = 0.0
    for row, log_entity in zip(every.tolist(), log_entities.tolist()):
        pairs = list(itertools.combinations([i for i, tag in enumerate(row) if tag], 2))
        for labels in itertools.product(range(3), repeat=len(pairs)):
            probability = 1.0
            for pair, label in zip(pairs, labels):
                probability *= float(probabilities[pair][label])
            if row == [1, 0, 2]:
                probability, labels = 1 / 3, (2,)
            related = {(i, row[i], j, row[j], label) for (i, j), label in zip(pairs, labels) if label}
            cost = 1 - _f1(related, {(0, 1, 2, 2, 2)})
            expected += float(torch.tensor(log_entity).exp()) * probability * cost
    assert_close(float(mean), expected, atol=0.01, rtol=0)


@pytest.mark.parametrize("cost", ["entities", "relations", "both"])
@pytest.mark.parametrize("tags", [[[0, 0, 0]], [[0, 1, 0]]], ids=["no entity", "one entity"])
def test_sentences_without_pairs_have_a_finite_risk(tags, cost, vocabulary):
    spans = torch.tensor([[[1, 2]]]) if 1 in tags[0] else torch.zeros(1, 0, 2, dtype=torch.long)
    gold = JointLabels(torch.tensor(tags), spans, torch.zeros(1, spans.shape[1], spans.shape[1], dtype=torch.long))
    sure = torch.nn.functional.one_hot(gold.tags, 3).double() * 50
    entities = Independent(sure.requires_grad_(), torch.ones(1, 3, dtype=torch.bool), 0)
    joint = Joint(entities, PairScorer(), TABLE.rules, 0)
    loss = risk(vocabulary, cost=cost, alpha=1.0, mu=0.5, epsilon=0.0)(joint, gold)
    loss.backward()
    assert_close(loss.detach(), torch.zeros_like(loss))
    assert joint.score_pairs.weights.grad is not None


def test_one_token_with_fewer_taggings_than_samples_is_not_an_error(vocabulary):
    structure = Independent(torch.zeros(1, 1, 3, requires_grad=True), torch.ones(1, 1, dtype=torch.bool), 0)
    loss = risk(vocabulary, alpha=1.0, num_samples=50, max_draws=300)(structure, torch.tensor([[1]]))
    assert_close(loss.detach(), torch.tensor(2 / 3))


def test_relations_in_the_cost_of_a_tagger_are_refused(vocabulary):
    with pytest.raises(ConfigurationError, match="Use the cost `entities`"):
        risk(vocabulary, cost="both")(tagger(), gold_tags())


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"cost": "entity"}, "Use one of entities, relations, both, none"),
        ({"cost": "none"}, "nothing to minimise"),
        ({"num_samples": 1}, "set it to 2 or more"),
        ({"mu": 1.5}, "numbers from 0 to 1"),
        ({"risk": "code"}, "Use `paper` or `reference`"),
        ({"rival": "best"}, "Use one of any, other"),
    ],
)
def test_invalid_settings_are_refused(settings, message, vocabulary):
    with pytest.raises(ConfigurationError, match=message):
        risk(vocabulary, **settings)


def test_unknown_tags_are_refused_in_training(vocabulary):
    joint, gold = joint_and_gold()
    tags = gold.tags.clone()
    tags[0, 0] = -1
    with pytest.raises(ConfigurationError, match="1 of 3 training sentences"):
        risk(vocabulary, cost="both")(joint, gold._replace(tags=tags))
