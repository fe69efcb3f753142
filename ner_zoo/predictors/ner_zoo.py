"""
The predictor for all models: takes text, and returns tokens, entities and relations with offsets and probabilities.

    line or JSON -> Document -> sentences -> windows -> batches -> model -> predictions -> JSON
"""

from collections.abc import Iterator, Sequence
from typing import Any

from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors import Predictor
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.data.sentence_rules import SentenceRules
from ner_zoo.labels.labels import Labels
from ner_zoo.predictors.document import Document
from ner_zoo.predictors.encoder_precision import set_precision
from ner_zoo.predictors.forward import Forward
from ner_zoo.predictors.line import read_line, write_line
from ner_zoo.predictors.text_predictor import TextPredictor


@Predictor.register("ner_zoo")
class NerZooPredictor(TextPredictor, Predictor):
    """
    threshold, top_k, nested : which predictions to return, see `Options`.
    max_tokens_per_batch : maximum size of a padded batch of sentences of similar length (default: 4096 tokens or, for a
        pretrained encoder, 512 word pieces).
    max_sentence_tokens : longer sentences are processed in windows of this size, see `windows`.
    window_overlap : minimum number of tokens shared by adjacent windows.
    precision : numeric precision of a pretrained encoder, see `encoder_precision`.
    strict : stop at an input that cannot be used (default: write an error as its output and continue).
    """

    labels: Labels
    _forward: Forward

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        frozen: bool = True,
        threshold: float = 0.0,
        top_k: int = 0,
        nested: bool = True,
        max_tokens_per_batch: int | None = None,
        max_sentence_tokens: int = 512,
        window_overlap: int = 128,
        strict: bool = False,
        precision: str = "float",
    ) -> None:
        Predictor.__init__(self, model, dataset_reader, frozen)
        set_precision(model, precision)
        TextPredictor.__init__(
            self,
            Forward(model, dataset_reader),
            getattr(dataset_reader, "tokenizer", None),
            getattr(dataset_reader, "sentence_splitter", SentenceRules()),
            threshold,
            top_k,
            nested,
            max_tokens_per_batch,
            max_sentence_tokens,
            window_overlap,
            strict,
        )
        self._lines = 0

    @overrides
    def load_line(self, line: str) -> JsonDict:
        """Parses a JSON object or a line of text. Lines are numbered in the order of the calls."""
        self._lines += 1
        return read_line(line.encode("utf-8", "surrogatepass"), self._lines)

    @overrides
    def dump_line(self, outputs: JsonDict) -> str:
        return write_line(outputs)

    @overrides
    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.predict_batch_json([inputs])[0]

    @overrides
    def predict_batch_json(self, inputs: list[JsonDict]) -> list[JsonDict]:
        return self.predict_all(inputs)

    @overrides
    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    @overrides
    def predict_batch_instance(self, instances: list[Instance]) -> list[JsonDict]:
        documents = [Document.of_sentence(instance["metadata"].metadata) for instance in instances]  # type: ignore
        self.annotate(documents, self.options.top_k)
        return [document.to_json(self.options) for document in documents]

    def structures(self, pieces: Sequence[Sentence]) -> Iterator[tuple[list[int], Any]]:
        """The model's structures for the pieces, batch by batch with their indices, to be decoded with its labels."""
        for batch in self.batches(pieces):
            yield batch, self._forward.structure([pieces[number] for number in batch])
