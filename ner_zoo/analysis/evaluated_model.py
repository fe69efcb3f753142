"""
Evaluates a model on the sentences of a file, in batches.

A sentence that is too long for the model is split into windows, as in prediction; the probabilities on the tokens of a
gold entity come from the window that decides them.
"""

from collections.abc import Sequence
from typing import Any

import torch
from allennlp.common import Tqdm
from allennlp.common.checks import ConfigurationError
from allennlp.data import DatasetReader
from allennlp.models import Model

from ner_zoo.analysis.answers import Answer, Answers
from ner_zoo.analysis.breakdown import seen_forms
from ner_zoo.analysis.reading import answer_of, pieces_of, read
from ner_zoo.annotation import Sentence
from ner_zoo.data.corpora.corpus import Corpus
from ner_zoo.platform.archive_reach import may_read
from ner_zoo.platform.archives import archive_config, archive_params, is_own_archive, model_config
from ner_zoo.predictors.forward import Forward
from ner_zoo.predictors.loading import open_predictor
from ner_zoo.predictors.ner_zoo import NerZooPredictor


class EvaluatedModel:
    """
    archive, config : its archive and its config.
    predictor : the loaded model.
    corpus : how to read files, if different from the archive's config.
    """

    def __init__(
        self, archive: str, config: dict[str, Any], predictor: NerZooPredictor, corpus: Corpus | None = None
    ) -> None:
        self.archive = archive
        self.config = config
        self.kind: str = model_config(config)["type"]
        self.predictor = predictor
        self.model: Model = predictor._model
        self.reader: Any = predictor._dataset_reader
        if corpus is not None:
            self.reader.corpus = corpus
        # The whole file is evaluated.
        self.reader.annotation_dropout = None
        self.reader.max_instances = None
        self.forward = Forward(self.model, self.reader)
        self.labels = predictor.labels

    @classmethod
    def load(cls, archive: str, cuda_device: int = -1, corpus: Corpus | None = None) -> "EvaluatedModel":
        predictor = open_predictor(archive, cuda_device)
        return cls(archive, archive_config(archive), predictor, corpus)

    def sentences(self, file: str) -> list[Sentence]:
        """All sentences of a file, a folder or a glob."""
        return [instance["metadata"].metadata for instance in self.reader.read(file)]

    def seen_forms(self, file: str | None = None) -> tuple[dict[str, set[str]] | None, str]:
        """
        The surface forms of the training data with their types; or `None` and the reason. The data is the archive's
        training data, or `file`, read with the archive's own reader.
        """
        if file is not None:
            return seen_forms(self.sentences(file)), ""
        path = str(self.config.get("train_data_path", ""))
        if not may_read(path, is_own_archive(self.archive)):
            return (
                None,
                f"The training data {path} is named by an archive that you did not train. Pass it with --train FILE.",
            )
        reader = DatasetReader.from_params(archive_params(self.archive)["dataset_reader"])
        try:
            return seen_forms(instance["metadata"].metadata for instance in reader.read(path)), ""
        except (ConfigurationError, OSError):
            return None, f"The training data {path} does not exist here. Pass it with --train FILE."

    def answers(self, sentences: Sequence[Sentence]) -> Answers:
        """The model's answers, in sentence order."""
        cuts = [self.predictor.windows(sentence) for sentence in sentences]
        pieces = [piece for sentence, some in zip(sentences, cuts) for piece in pieces_of(sentence, some)]
        read = iter(self._read(pieces))
        each: list[Answer] = []
        for sentence, some in zip(sentences, cuts):
            answer = answer_of(sentence, some, [next(read) for _ in some])
            lost = self.labels.out_of_reach(sentence, answer.type_probabilities)
            answer.out_of_reach = lost - set(answer.entities)
            each.append(answer)
        labels = self.labels
        return Answers(
            self.archive,
            self.kind,
            list(labels.types),
            labels.has_relations,
            each,
            self.reader.view.spans_are_given,
            labels.pair_names,
        )

    def _read(self, pieces: Sequence[Sentence]) -> list[Answer]:
        found = [Answer(piece, error_probability=0.0) for piece in pieces]
        batches = list(self.predictor.batches(pieces))
        for batch in Tqdm.tqdm(batches, desc="evaluating the model", unit="batch"):
            some = [pieces[number] for number in batch]
            with torch.no_grad():
                answers = read(self.labels, *self.forward.labelled(some), some)
            for number, answer in zip(batch, answers):
                found[number] = answer
        return found
