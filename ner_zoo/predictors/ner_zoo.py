"""
The predictor of all models: text in; tokens, entities and relations with character offsets and probabilities out.
"""

import json
from typing import Any, Dict, Iterator, List

from allennlp.common.checks import ConfigurationError
from allennlp.common.util import JsonDict
from allennlp.data import DatasetReader, Instance
from allennlp.models import Model
from allennlp.predictors import Predictor
from overrides import overrides

from ner_zoo.annotation import Sentence
from ner_zoo.predictors.document import Document


class BadLine(dict):
    """Stands for a line that could not be read: what is wrong, and the line's number."""


@Predictor.register("ner_zoo")
class NerZooPredictor(Predictor):
    """
    threshold : entities and relations with a lower probability are left out.
    max_tokens_per_batch : sentences of similar length go through the model together, padded to at most this many tokens.
    strict : stop at an input that cannot be used; by default its output says what is wrong with it, and the rest goes on.
    """

    def __init__(
        self,
        model: Model,
        dataset_reader: DatasetReader,
        frozen: bool = True,
        threshold: float = 0.0,
        max_tokens_per_batch: int = 4096,
        strict: bool = False,
    ) -> None:
        super().__init__(model, dataset_reader, frozen)
        if not 0.0 <= threshold <= 1.0:
            raise ConfigurationError(f"The threshold is {threshold}. It is a probability: give 0 to 1.")
        if max_tokens_per_batch < 1:
            raise ConfigurationError(f"max_tokens_per_batch is {max_tokens_per_batch}. Give 1 or more.")
        self.threshold = threshold
        self.max_tokens_per_batch = max_tokens_per_batch
        self.strict = strict
        self._lines = 0

    @overrides
    def load_line(self, line: str) -> JsonDict:
        """A JSON object, or else a line of text."""
        self._lines += 1
        if not line.lstrip().startswith("{"):
            return {"text": line.rstrip("\r\n")}
        try:
            return json.loads(line)
        except ValueError as error:
            problem = f"Line {self._lines} begins like a JSON object but is none: {error}"
            return BadLine(error=problem, line=self._lines)

    @overrides
    def dump_line(self, outputs: JsonDict) -> str:
        return json.dumps(outputs, ensure_ascii=False) + "\n"

    @overrides
    def predict_json(self, inputs: JsonDict) -> JsonDict:
        return self.predict_batch_json([inputs])[0]

    @overrides
    def predict_batch_json(self, inputs: List[JsonDict]) -> List[JsonDict]:
        outputs: List[JsonDict] = [{} for _ in inputs]
        documents: Dict[int, Document] = {}
        for i, given in enumerate(inputs):
            try:
                documents[i] = self.document(given)
            except ConfigurationError as error:
                if self.strict:
                    raise
                outputs[i] = dict(given) if isinstance(given, BadLine) else {"error": error.message}
        self.annotate(list(documents.values()))
        for i, document in documents.items():
            outputs[i] = document.to_json(self.threshold)
        return outputs

    @overrides
    def predict_instance(self, instance: Instance) -> JsonDict:
        return self.predict_batch_instance([instance])[0]

    @overrides
    def predict_batch_instance(self, instances: List[Instance]) -> List[JsonDict]:
        documents = [Document.of_sentence(instance["metadata"].metadata) for instance in instances]  # type: ignore
        self.annotate(documents)
        return [document.to_json(self.threshold) for document in documents]

    def document(self, inputs: Any) -> Document:
        """The sentences of one input."""
        if isinstance(inputs, BadLine):
            raise ConfigurationError(inputs["error"])
        reader: Any = self._dataset_reader
        return Document.of_json(inputs, reader.tokenizer, reader.sentence_splitter)

    def annotate(self, documents: List[Document]) -> None:
        """Give every document its predictions, in batches that do not care which document a sentence is from."""
        sentences = [sentence for document in documents for sentence in document.sentences]
        predictions: List[Dict[str, Any]] = [{"entities": [], "scores": []} for _ in sentences]
        for batch in self._batches(sentences):
            instances = [self._dataset_reader.text_to_instance(sentences[i]) for i in batch]
            for instance in instances:
                self._dataset_reader.apply_token_indexers(instance)
            for i, prediction in zip(batch, self._model.forward_on_instances(instances)):
                predictions[i] = prediction
        rest = iter(predictions)
        for document in documents:
            document.predictions = [next(rest) for _ in document.sentences]

    def _batches(self, sentences: List[Sentence]) -> Iterator[List[int]]:
        """Numbers of sentences of similar length, within the budget of tokens."""
        batch: List[int] = []
        for i in sorted(range(len(sentences)), key=lambda i: len(sentences[i].tokens)):
            length = len(sentences[i].tokens)
            if batch and (len(batch) + 1) * length > self.max_tokens_per_batch:
                yield batch
                batch = []
            if length:
                batch.append(i)
        if batch:
            yield batch

