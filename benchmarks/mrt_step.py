"""
A training step with minimum risk training, K outputs per sentence, compared with the plain step of the same joint
model.

A batch of 100 artificial sentences, with 27 words and 4 entities each on average; forward and backward pass. The
relation head gets its share of the risk's gradient (mu = 0.5), which costs more than the paper's mu = 1.
"""

import random
from functools import lru_cache, partial
from typing import Any

import torch
from allennlp.common import Params
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.models import Model

from benchmarks.contest import CONTESTS, Contest, Work
from ner_zoo.annotation import Entity, Relation, Sentence
from ner_zoo.data.repairs import Repairs
from ner_zoo.losses.minimum_risk import MinimumRisk

SENTENCES = 100
TYPES = ("Loc", "Org", "Other", "Peop")
INDEXERS = {
    "words": {"type": "single_id", "namespace": "words"},
    "characters": {"type": "characters", "min_padding_length": 3},
}
MODEL: dict[str, Any] = {
    "type": "joint_relation",
    "embedder": {
        "token_embedders": {
            "words": {"type": "embedding", "embedding_dim": 100, "vocab_namespace": "words"},
            "characters": {
                "type": "character_encoding",
                "embedding": {"embedding_dim": 50, "vocab_namespace": "token_characters"},
                "encoder": {"type": "cnn", "embedding_dim": 50, "num_filters": 25, "ngram_filter_sizes": [2, 3]},
            },
        }
    },
    "encoder": {"type": "lstm", "input_size": 150, "hidden_size": 64, "bidirectional": True},
    "head": "softmax",
    "loss": "nll",
    "dropout": 0.5,
}
# The model is pretrained a little; otherwise it would predict an entity on every word.
STEPS_BEFORE = 15


def sentence_of(draw: random.Random) -> Sentence:
    length = draw.randint(18, 36)
    words = tuple("".join(draw.choices("abcdefghij", k=draw.randint(2, 9))) for _ in range(length))
    starts = sorted(draw.sample(range(0, length - 2, 3), draw.randint(2, 6)))
    entities = tuple(Entity.of(draw.choice(TYPES), start, start + draw.randint(1, 2)) for start in starts)
    relations = tuple(Relation("near", entities[i], entities[i + 1]) for i in range(0, len(entities) - 1, 2))
    # Words that reveal their tags.
    tokens = list(words)
    for entity in entities:
        tokens[entity.start : entity.end] = [f"{entity.type}{i}" for i in range(entity.width)]
    return Sentence(tuple(tokens), entities, relations)


def instances_of(sentences: list[Sentence]) -> list[Instance]:
    reader: Any = DatasetReader.from_params(Params({"type": "conll04", "token_indexers": INDEXERS}))
    instances = [reader._instance(sentence, Repairs()) for sentence in sentences]
    for instance in instances:
        reader.apply_token_indexers(instance)
    return instances


@lru_cache(maxsize=1)
def model_and_batch() -> tuple[Any, dict[str, Any]]:
    draw = random.Random(0)
    instances = instances_of([sentence_of(draw) for _ in range(SENTENCES)])
    vocab = Vocabulary.from_instances(instances)
    batch = Batch(instances)
    batch.index_instances(vocab)
    model, tensors = Model.from_params(vocab=vocab, params=Params(MODEL)), batch.as_tensor_dict()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(STEPS_BEFORE):
        step(model, tensors)
        optimizer.step()
    return model, tensors


def step(model: Any, batch: dict[str, Any]) -> None:
    model.zero_grad(set_to_none=True)
    model(**batch)["loss"].backward()


def with_risk(model: Any, batch: dict[str, Any], risk: MinimumRisk) -> Work:
    def work() -> None:
        hook = model.loss.register_forward_hook(lambda module, inputs, local: local + risk(*inputs))
        step(model, batch)
        hook.remove()

    return work


def against_plain(num_samples: int) -> Contest:
    model, batch = model_and_batch()
    risk = MinimumRisk(model.vocab, "both", num_samples, alpha=1.0, mu=0.5)
    return Contest(with_risk(model, batch, risk), partial(step, model, batch), "the plain joint step")


for samples in (3, 5):
    CONTESTS[f"mrt_step_k{samples}"] = partial(against_plain, samples)
