"""
A corpus in memory and a small tagger that is trained on some of its sentences, again and again.
"""

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import torch
from allennlp.common import Params
from allennlp.common.params import evaluate_snippet
from allennlp.common.util import prepare_environment
from allennlp.data import DatasetReader, Instance, Vocabulary
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model
from allennlp.training import GradientDescentTrainer
from allennlp.training.learning_rate_schedulers import LinearWithWarmup
from allennlp.training.optimizers import AdamOptimizer

from ner_zoo.annotation import Sentence
from ner_zoo.data.repairs import Repairs
from results.comparison import data

# The rate falls to 0 in a straight line, so that the last epoch is as good as any.
EPOCHS, BATCH, RATE = 12, 10, 0.006
CORPORA = {
    "conll04": (
        "use.conll04",
        "conll04/test.txt",
        "use.glove + use.characters(dim=16, filters=10) + use.bilstm(64, 0.2, 0.3)",
    ),
    "wnut17": (
        "use.wnut17",
        "wnut17/emerging.test.annotated",
        "use.glove + use.more_glove + use.characters(dim=16, filters=10) + use.orthography(min_count=10) "
        "+ use.brown_clusters() + use.bilstm(64, 0.2, 0.3)",
    ),
}


class SmallTaggers:
    """A corpus in memory, and a model that is made anew for each training."""

    def __init__(self, name: str, loss: str = "use.nll") -> None:
        corpus, test, inputs = CORPORA[name]
        text = (
            "local experiment = import 'ner_zoo/experiment.libsonnet'; local use = import 'ner_zoo/use.libsonnet'; "
            f"experiment + {corpus} + use.tagger + {inputs} + use.crf + {loss}"
        )
        self.config = json.loads(evaluate_snippet("rounds.jsonnet", text, ext_vars={"NER_ZOO_DATA": data()}))
        self.reader: Any = DatasetReader.from_params(Params(self.config["dataset_reader"]))
        self.pool, self.dev, self.test = (
            self._read(path)
            for path in (self.config["train_data_path"], self.config["validation_data_path"], f"{data()}/{test}")
        )
        self._vocab_of_pool = Vocabulary.from_params(Params(self.config["vocabulary"]), instances=self.pool)
        # A model adds the words of its vector files to the vocabulary, so it must exist before anything is indexed.
        self.vocab = self._new_model().vocab
        for instance in (*self.pool, *self.dev, *self.test):
            instance.index_fields(self.vocab)

    def _new_model(self) -> Model:
        """Every model starts from the vocabulary of the pool, and extends it in the same way."""
        vocab = deepcopy(self._vocab_of_pool)
        return Model.from_params(vocab=vocab, params=Params(deepcopy(self.config["model"])))

    def _read(self, path: str) -> list[Instance]:
        found = list(self.reader.read(path))
        for instance in found:
            self.reader.apply_token_indexers(instance)
        return found

    def instance(self, sentence: Sentence) -> Instance:
        """An instance of a sentence with other annotation than in the corpus."""
        instance = self.reader._instance(sentence, Repairs())
        self.reader.apply_token_indexers(instance)
        instance.index_fields(self.vocab)
        return instance

    def trained(self, chosen: Sequence[int], seed: int) -> Model:
        return self.trained_on([self.pool[number] for number in chosen], seed)

    def trained_on(self, instances: Sequence[Instance], seed: int, epochs: int = EPOCHS) -> Model:
        prepare_environment(Params({"random_seed": seed, "numpy_seed": seed, "pytorch_seed": seed}))
        model = self._new_model()
        loader = SimpleDataLoader(list(instances), BATCH, shuffle=True, vocab=self.vocab)
        optimizer = AdamOptimizer(list(model.named_parameters()), lr=RATE)
        steps = -(-len(instances) // BATCH)
        trainer = GradientDescentTrainer(
            model,
            optimizer,
            loader,
            num_epochs=epochs,
            grad_norm=5.0,
            learning_rate_scheduler=LinearWithWarmup(optimizer, epochs, steps, warmup_steps=1),
            cuda_device=-1,
            enable_default_callbacks=False,
        )
        trainer.train()
        return model.eval()

    def f1(self, model: Model, instances: Sequence[Instance]) -> float:
        model.get_metrics(reset=True)
        for _ in structures(model, self.vocab, instances, with_gold=True):
            pass
        return 100 * model.get_metrics(reset=True)["entity_f1"]


def structures(model: Model, vocab: Vocabulary, instances: Sequence[Instance], with_gold: bool = False) -> Any:
    loader = SimpleDataLoader(list(instances), 64, vocab=vocab)
    with torch.no_grad():
        for batch in loader:
            if not with_gold:
                batch.pop("labels", None)
            yield model(**batch)["structure"]
