"""
Analyses of fictitious models: invented sentences, and answers that are mostly right.

    example(types=18, has_relations=True, has_rival=True)
"""

import itertools

import numpy as np

from ner_zoo.analysis.analyse import analyse
from ner_zoo.analysis.analysis import Analysis, Tempered
from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.breakdown import seen_forms
from ner_zoo.analysis.calibration import calibration
from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.pair_labels import BACKWARD, FORWARD, NONE
from ner_zoo.rendering.loss_curve import LossCurve

TYPES = (
    "PER LOC ORG EVENT WORK_OF_ART LAW LANGUAGE PRODUCT DATE TIME MONEY PERCENT QUANTITY ORDINAL CARDINAL "
    "FACILITY NORP GPE"
).split()
RELATION_TYPES = ("lives_in", "works_for", "made_by")
PAIR_NAMES = (NONE, *(type + direction for type in RELATION_TYPES for direction in (FORWARD, BACKWARD)))
WORDS = "the old road from here goes over a hill and nobody knows who built it so we ask again every spring".split()
NAMES = "Orla Tam Vesk Brindle Kestrel Aubray Minna Dov Prask Selwyn Ione Hartle Quill Marrow Fenn Oda".split()


def example(
    types: int = 4,
    has_relations: bool = False,
    has_rival: bool = False,
    is_calibrated: bool = False,
    sentences: int = 150,
    seed: int = 0,
) -> Analysis:
    """A complete analysis, from numbers drawn with a seed."""
    draw = np.random.default_rng(seed)
    names = TYPES[:types]
    gold = [invented_sentence(draw, names, has_relations, number) for number in range(sentences)]
    first = invented_answers(draw, gold, names, has_relations, "runs/first/model.tar.gz", quality=0.8)
    second = invented_answers(draw, gold, names, has_relations, "runs/second/model.tar.gz", quality=0.7)
    seen = seen_forms(gold[: sentences // 4])
    analysis = analyse(first, "data/test.jsonl", seen, other=second if has_rival else None)
    analysis.loss_curve = invented_curve(draw)
    if is_calibrated:
        before = analysis.calibration
        after = calibration(list(np.clip(before.scores - 0.15, 0.01, 0.99)), list(before.is_correct))
        analysis.tempered = Tempered(1.8, "data/dev.jsonl", "report/calibrated.tar.gz", -4.1, -3.2, after)
    analysis.command = "allennlp analyze runs/first/model.tar.gz data/test.jsonl -o report"
    return analysis


def empty_example() -> Analysis:
    """The analysis of a file without entities, by a model that finds none."""
    gold = [Sentence(("Nobody", "came", "."), source="data/empty.jsonl:1")]
    return analyse(Answers("model.tar.gz", "tagger", ["PER"], False, [Answer(gold[0])]), "data/empty.jsonl")


def invented_sentence(draw: np.random.Generator, types: list[str], has_relations: bool, number: int) -> Sentence:
    tokens: list[str] = []
    entities: list[Entity] = []
    for _ in range(draw.integers(0, 5)):
        tokens += [str(word) for word in draw.choice(WORDS, draw.integers(1, 12))]
        width = int(draw.integers(1, 4))
        start = len(tokens)
        tokens += [str(name) for name in draw.choice(NAMES, width)]
        entities.append(Entity.of(str(draw.choice(types)), start, start + width))
        if width > 1 and draw.random() < 0.15:
            entities.append(Entity.of(str(draw.choice(types)), start, start + 1))
    tokens += [*(str(word) for word in draw.choice(WORDS, draw.integers(1, 8))), "."]
    relations = []
    if has_relations:
        pairs = [(one, other) for one, other in itertools.pairwise(entities) if draw.random() < 0.6]
        relations = [Relation(str(draw.choice(RELATION_TYPES)), one, other) for one, other in pairs]
    return Sentence(tuple(tokens), tuple(entities), tuple(relations), source=f"data/test.jsonl:{number + 1}")


def invented_answers(
    draw: np.random.Generator,
    gold: list[Sentence],
    types: list[str],
    has_relations: bool,
    model: str,
    quality: float,
) -> Answers:
    each = [invented_answer(draw, sentence, types, quality) for sentence in gold]
    kind = "joint_relation" if has_relations else "span"
    return Answers(model, kind, types, has_relations, each, pair_names=PAIR_NAMES if has_relations else ())


def invented_answer(draw: np.random.Generator, sentence: Sentence, types: list[str], quality: float) -> Answer:
    answer = Answer(sentence)
    stands_for: dict[Entity, Entity] = {}
    for entity in sentence.entities:
        logits = draw.normal(0.0, 1.0, len(types) + 1)
        logits[types.index(entity.type)] += 6 * quality * draw.random()
        probabilities = np.exp(logits) / np.exp(logits).sum()
        answer.type_probabilities[entity.fragments] = probabilities[:-1]
        best = int(probabilities.argmax())
        if best == len(types):
            continue
        found = Entity(types[best], entity.fragments)
        if draw.random() < 0.1 and entity.end < len(sentence.tokens):
            found = Entity.of(types[best], entity.start, entity.end + 1)
        answer.entities[found] = float(min(1.0, probabilities[best] + 0.1))
        stands_for[entity] = found
    if draw.random() < 0.15:
        start = int(draw.integers(0, len(sentence.tokens)))
        answer.entities.setdefault(Entity.of(str(draw.choice(types)), start, start + 1), float(draw.random()))
    for relation in sentence.relations:
        if relation.head in stands_for and relation.tail in stands_for:
            ends = stands_for[relation.head], stands_for[relation.tail]
            if draw.random() < 0.1:
                ends = ends[::-1]
            type = relation.type if draw.random() < 0.8 else str(draw.choice(RELATION_TYPES))
            answer.relations[Relation(type, *ends)] = float(draw.random())
    answer.likely = dict(answer.entities)
    for entity in (*sentence.entities, *answer.likely):
        answer.nothing[entity.fragments] = float(draw.random()) * 0.5
    if sentence.relations:
        for first, second in itertools.combinations(sentence.entities, 2):
            answer.pairs[first, second] = draw.dirichlet([3.0] + [0.5] * (len(PAIR_NAMES) - 1))
    answer.error_probability = float(draw.random())
    return answer


def invented_curve(draw: np.random.Generator, epochs: int = 20) -> LossCurve:
    time = np.arange(epochs)
    training = 4.0 * np.exp(-time / 5.0) + draw.normal(0.0, 0.03, epochs)
    validation = 3.0 * np.exp(-time / 4.0) + 0.04 * time
    return LossCurve(time, training, validation, 0.8 - 0.7 * np.exp(-time / 4.0), "entity_f1", 14)
