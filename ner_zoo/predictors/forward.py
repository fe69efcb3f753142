"""
One batch through a model: sentences in, predictions out, without gradients.
"""

import math
from typing import Any, Dict, List, Optional, Sequence

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer
from allennlp.models import Model
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder
from allennlp.nn.util import move_to_device

from ner_zoo.annotation import Sentence
from ner_zoo.data.readers import CorpusReader
from ner_zoo.predictors.prediction import Prediction, Tagging
from ner_zoo.predictors.word_tensors import WordTensors, looks_at_words, widest_convolution
from ner_zoo.structures import Independent, LinearChain


class Forward:
    """model, reader : of one archive."""

    def __init__(self, model: Model, reader: DatasetReader) -> None:
        self.model = model
        self.reader = reader
        self._most_pieces = most_word_pieces(model)
        indexers: Dict[str, Any] = getattr(reader, "token_indexers", {})
        self._piece_indexers = [i for i in indexers.values() if isinstance(i, PretrainedTransformerMismatchedIndexer)]
        self._words: Optional[WordTensors] = None
        if isinstance(reader, CorpusReader) and all(looks_at_words(indexer) for indexer in indexers.values()):
            self._words = WordTensors(indexers, model.vocab, margin=widest_convolution(model))

    def __call__(self, sentences: Sequence[Sentence], top_k: int = 0) -> List[Prediction]:
        """The prediction of each sentence, with its `top_k` best taggings."""
        with torch.no_grad():
            output = self.output(sentences)
            predictions = self.predictions(output, len(sentences))
            if top_k:
                self._add_taggings(output, predictions, top_k)
        return predictions

    def output(self, sentences: Sequence[Sentence]) -> Dict[str, Any]:
        """What the model's `forward` gives."""
        with torch.no_grad():
            return self.model(**move_to_device(self._tensors(sentences), self.model._get_prediction_device()))

    def predictions(self, output: Dict[str, Any], number: int) -> List[Prediction]:
        """The predictions that are in an output for this number of sentences; the output stays as it is."""
        readable = self.model.make_output_human_readable(dict(output))
        return [Prediction.of_output(readable, sentence) for sentence in range(number)]

    def _tensors(self, sentences: Sequence[Sentence]) -> Dict[str, Any]:
        """The arguments of the model's `forward`."""
        if self._words is None:
            instances = [self.reader.text_to_instance(sentence) for sentence in sentences]
            for instance in instances:
                self.reader.apply_token_indexers(instance)
            return _batch(instances, self.model.vocab)
        tensors: Dict[str, Any] = {"text": self._words(sentences), "metadata": list(sentences)}
        fields = [self.reader.view.inputs(sentence) for sentence in sentences]  # type: ignore[attr-defined]
        return {**tensors, **_batch([Instance(some) for some in fields], self.model.vocab)} if fields[0] else tensors

    def fits(self, pieces: Sequence[Sequence[str]]) -> bool:
        """Whether the model's transformer, if it has one, has positions for the word pieces of all of these."""
        if self._most_pieces == math.inf:
            return True
        tokenizers = [indexer._allennlp_tokenizer for indexer in self._piece_indexers]
        return all(
            len(tokenizer.intra_word_tokenize(list(tokens))[0]) <= self._most_pieces
            for tokens in pieces
            for tokenizer in tokenizers
        )

    def _add_taggings(self, output: Dict[str, Any], predictions: Sequence[Prediction], top_k: int) -> None:
        structure = output["structure"]
        chain = structure.as_chain() if isinstance(structure, Independent) else structure
        if not isinstance(chain, LinearChain) or not hasattr(self.model, "table"):
            raise ConfigurationError(
                f"top_k is {top_k}, but this model labels no tokens and so has no taggings: it is a "
                f"{type(self.model).__name__}. Leave top_k out, or use a model of tags such as `tagger`."
            )
        labels, scores = chain.n_best(top_k)
        log_probabilities = (scores - chain.log_partition()).tolist()  # (top_k, batch)
        for rank in range(top_k):
            readable = self.model.make_output_human_readable({**output, "labels": labels[rank]})
            for number, prediction in enumerate(predictions):
                log_probability = log_probabilities[rank][number]
                if log_probability > -math.inf:
                    entities = Prediction.of_output(readable, number).entities
                    prediction.taggings.append(Tagging(min(log_probability, 0.0), tuple(entities)))


def _batch(instances: List[Instance], vocab: Vocabulary) -> Dict[str, Any]:
    batch = Batch(instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()


def most_word_pieces(model: Model) -> float:
    """How many word pieces fit into the model at once, if it does not fold longer sentences itself."""
    limits = [
        module.config.max_position_embeddings - 2  # some models number positions from 2
        for module in model.modules()
        if isinstance(module, PretrainedTransformerEmbedder) and module._max_length is None
    ]
    return min(limits, default=math.inf)
