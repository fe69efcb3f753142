"""
Distillation: a small tagger learns from the marginals of a large one, on labelled and unlabelled text.

    L = (1 - weight) L_own(gold) + weight CE(q, p),    q, p = marginals of the teacher and of the student

A sentence of unlabelled text only has the second term. The teacher is the archive of another run, opened with the usual
checks. It processes every sentence once, before training; its marginals are stored in half precision. The validation
loss is the student's own.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Instance
from allennlp.data.data_loaders import SimpleDataLoader
from allennlp.models import Model
from allennlp.models.archival import Archive, load_archive
from allennlp.nn.util import move_to_device
from allennlp.training import GradientDescentTrainer
from allennlp.training.callbacks import TrainerCallback
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.text_file import lines
from ner_zoo.data.readers import CorpusReader
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.token_budget import token_batches
from ner_zoo.labels.tags import TagLabels
from ner_zoo.losses.marginal_cross_entropy import marginal_cross_entropy
from ner_zoo.models.ner_model import labels_of
from ner_zoo.platform.pretrained import model_path
from ner_zoo.platform.run_callback import RunCallback
from ner_zoo.structures.structure import UNKNOWN, Structure
from ner_zoo.training.frozen_vectors import forget_vectors, store_vectors

logger = logging.getLogger(__name__)

MOST_TOKENS = 1024
Tokens = tuple[str, ...]


@TrainerCallback.register("distillation")
class Distillation(RunCallback):
    """
    teacher : the archive of a tagger with the same tags.
    weight : weight of the teacher's marginals relative to the gold labels.
    temperature : values above 1 flatten both distributions, which reveals more about labels that are not the best.
    unlabelled : additional text files with one text per line, plain or gzip.
    """

    def __init__(
        self,
        serialization_dir: str,
        teacher: str,
        weight: float = 0.5,
        temperature: float = 1.0,
        unlabelled: list[str] | None = None,
    ) -> None:
        super().__init__(serialization_dir)
        if not 0.0 < weight <= 1.0 or temperature <= 0.0:
            raise ConfigurationError(
                f"weight is {weight} and temperature is {temperature}. Set a weight above 0 and up to 1, and a "
                f"temperature above 0."
            )
        self.teacher = teacher
        self.weight = weight
        self.temperature = temperature
        self.unlabelled = unlabelled or []
        self.beliefs: dict[Tokens, Tensor] = {}
        self._sentences: Sequence[Sentence] = ()

    @overrides
    def begin(self, trainer: GradientDescentTrainer) -> None:
        archive = load_archive(model_path(self.teacher))
        order = label_order(labels_of(trainer.model), labels_of(archive.model), self.teacher)
        self._add_unlabelled(trainer)
        sentences = [instance["metadata"].metadata for instance in trainer.data_loader.iter_instances()]  # type: ignore
        for tokens, marginals in beliefs(archive, sentences, self.temperature, str(self.serialization_dir)):
            self.beliefs[tokens] = marginals[:, order]
        self._teach(trainer.model)

    def _add_unlabelled(self, trainer: GradientDescentTrainer) -> None:
        loader: Any = trainer.data_loader
        if self.unlabelled and getattr(loader, "_instances", None) is None:
            raise ConfigurationError(
                "Distillation adds unlabelled sentences to the training data in memory. Remove "
                "max_instances_in_memory from the data_loader."
            )
        added = [
            loader.reader._instance(sentence, Repairs())
            for path in self.unlabelled
            for sentence in unlabelled_sentences(path, loader.reader)
        ]
        for instance in added:
            loader.reader.apply_token_indexers(instance)
            instance.index_fields(trainer.model.vocab)
        if added:
            logger.info("Added %s unlabelled sentences to %s.", f"{len(added):,}", f"{len(loader._instances):,}")
            loader._instances.extend(added)

    def _teach(self, model: Any) -> None:
        """Wraps the loss of the student, and records the sentences of each batch."""
        own, plain = model.loss, model.loss.forward

        def remember(module: Any, arguments: Any, options: dict[str, Any]) -> None:
            self._sentences = options.get("metadata") or ()

        def forward(structure: Structure, gold: LongTensor) -> Tensor:
            if not own.training:
                return plain(structure, gold)
            return self.loss(own, structure, gold)

        self.hooks.append(model.register_forward_pre_hook(remember, with_kwargs=True))
        own.forward = forward

    def loss(self, own: Any, structure: Structure, gold: LongTensor) -> Tensor:
        """The mean over all sentences; unlabelled ones have no loss of their own."""
        wanted = torch.zeros_like(structure.scores)
        for row, sentence in enumerate(self._sentences):
            wanted[row, : len(sentence.tokens)] = self.beliefs[sentence.tokens]
        taught = marginal_cross_entropy(structure.tempered(self.temperature), wanted)
        is_labelled = ((gold != UNKNOWN) & structure.mask).any(1)
        if own.handles_unknown or bool(((gold != UNKNOWN) | ~structure.mask)[is_labelled].all()):
            each = own.per_sentence(structure, gold.masked_fill(~is_labelled.unsqueeze(1), 0))
            return (self.weight * taught + (1 - self.weight) * torch.where(is_labelled, each, taught)).mean()
        return own(structure, gold)  # reports what is wrong

    @overrides
    def finish(self, trainer: GradientDescentTrainer, metrics: dict[str, Any] | None) -> None:
        trainer.model.loss.__dict__.pop("forward", None)


def label_order(student: Any, teacher: Any, archive: str) -> LongTensor:
    """For each tag of the student, its index in the teacher."""
    if not isinstance(student, TagLabels) or not isinstance(teacher, TagLabels):
        raise ConfigurationError("Distillation requires the model `tagger` for both teacher and student.")
    if set(student.names) != set(teacher.names):
        only = [sorted(set(a.names) - set(b.names)) for a, b in ((student, teacher), (teacher, student))]
        raise ConfigurationError(
            f"The teacher {archive} has different tags than this model. Only in this model: "
            f"{', '.join(only[0]) or 'none'}; only in the teacher: {', '.join(only[1]) or 'none'}. Train both on the "
            f"same corpus with the same scheme."
        )
    return torch.tensor([teacher.names.index(name) for name in student.names])  # type: ignore[return-value]


def beliefs(
    archive: Archive, sentences: Sequence[Sentence], temperature: float, run: str
) -> Iterator[tuple[Tokens, Tensor]]:
    """The teacher's marginals `(tokens, tags)` of each distinct sentence, in half precision."""
    reader, model = archive.dataset_reader, archive.model.eval()
    different = list(dict.fromkeys(sentence.tokens for sentence in sentences))
    instances = [reader.text_to_instance(Sentence(tokens)) for tokens in different]
    for instance in instances:
        reader.apply_token_indexers(instance)
        instance.index_fields(model.vocab)
    store_vectors(model, [SimpleDataLoader(instances, 1)], run)
    for batch in token_batches([len(tokens) for tokens in different], MOST_TOKENS):
        marginals = marginals_of(model, [instances[number] for number in batch], temperature)
        for number, row in zip(batch, marginals):
            yield different[number], row[: len(different[number])].clone()
    forget_vectors(model)


@torch.no_grad()
def marginals_of(model: Model, instances: list[Instance], temperature: float) -> Tensor:
    loader = SimpleDataLoader(instances, len(instances))
    (batch,) = loader
    structure = model(**move_to_device(batch, model._get_prediction_device()))["structure"]
    return structure.tempered(temperature).marginals().cpu().half()


def unlabelled_sentences(path: str, reader: CorpusReader) -> Iterator[Sentence]:
    for _, line in lines(path):
        for start, end in reader.sentence_splitter.split(line):
            tokens = tuple(token.ensure_text() for token in reader.tokenizer.tokenize(line[start:end]))
            if tokens:
                yield Sentence(tokens, unknown=tuple(range(len(tokens))))
