"""
Runs one batch of sentences through a model, without gradients.
"""

import math
from collections.abc import Sequence
from typing import Any

import torch
from allennlp.data import Batch, DatasetReader, Instance, Vocabulary
from allennlp.data.token_indexers import PretrainedTransformerMismatchedIndexer
from allennlp.models import Model
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder
from allennlp.nn.util import move_to_device

from ner_zoo.annotation import Sentence
from ner_zoo.data.readers import CorpusReader
from ner_zoo.data.repairs import Repairs
from ner_zoo.data.surrogates import without_surrogates
from ner_zoo.labels.prediction import Prediction
from ner_zoo.models.ner_model import labels_of
from ner_zoo.predictors.given_entities import given_in
from ner_zoo.predictors.word_tensors import WordTensors, embeds_words_alone, looks_at_words, widest_convolution


class Forward:
    """model, reader : from the same archive."""

    def __init__(self, model: Model, reader: DatasetReader) -> None:
        self.model = model
        self.labels = labels_of(model)
        self.reader = reader
        self._most_pieces = most_word_pieces(model)
        indexers: dict[str, Any] = getattr(reader, "token_indexers", {})
        self._piece_indexers = [i for i in indexers.values() if isinstance(i, PretrainedTransformerMismatchedIndexer)]
        self._words: WordTensors | None = None
        if isinstance(reader, CorpusReader) and all(looks_at_words(indexer) for indexer in indexers.values()):
            self._words = WordTensors(
                indexers, model.vocab, widest_convolution(model), is_distinct=embeds_words_alone(model)
            )

    def __call__(self, sentences: Sequence[Sentence], top_k: int = 0) -> list[Prediction]:
        """The prediction for each sentence, with its `top_k` best taggings."""
        self.labels.check_top_k(top_k)
        given = [given_in(sentence) for sentence in sentences]
        with torch.no_grad():
            structure = self.structure(sentences)
            is_given = any(entities is not None for entities in given)
            predictions = self.labels.read_given(structure, given) if is_given else self.labels.read(structure)
            if top_k:
                for prediction, taggings in zip(predictions, self.labels.taggings(structure, top_k)):
                    prediction.taggings = taggings
        return predictions

    def structure(self, sentences: Sequence[Sentence]) -> Any:
        """The model's structures for the sentences, to be decoded with its labels."""
        with torch.no_grad():
            tensors = move_to_device(self._tensors(sentences), self.model._get_prediction_device())
            return self.model(**tensors)["structure"]

    def labelled(self, sentences: Sequence[Sentence]) -> tuple[Any, Any]:
        """The model's structures for annotated sentences, with their gold labels."""
        fields = [self.reader.view.labels(sentence, Repairs()) for sentence in sentences]  # type: ignore[attr-defined]
        labels = _batch([Instance(some) for some in fields], self.model.vocab)
        with torch.no_grad():
            device = self.model._get_prediction_device()
            output = self.model(**move_to_device({**self._tensors(sentences), **labels}, device))
        self.model.get_metrics(reset=True)
        return output["structure"], output["gold"]

    def _tensors(self, sentences: Sequence[Sentence]) -> dict[str, Any]:
        """The arguments of the model's `forward`."""
        if self._words is None:
            instances = [self.reader.text_to_instance(sentence) for sentence in sentences]
            for instance in instances:
                self.reader.apply_token_indexers(instance)
            return _batch(instances, self.model.vocab)
        tensors: dict[str, Any] = {"text": self._words(sentences), "metadata": list(sentences)}
        fields = [self.reader.view.inputs(sentence) for sentence in sentences]  # type: ignore[attr-defined]
        return {**tensors, **_batch([Instance(some) for some in fields], self.model.vocab)} if fields[0] else tensors

    @property
    def has_encoder(self) -> bool:
        return bool(self._piece_indexers)

    def lengths(self, sentences: Sequence[Sentence]) -> list[int]:
        """
        The cost of each sentence in a batch: its number of tokens or, for a pretrained encoder, its approximate number
        of word pieces. A URL is one token but thirty pieces.
        """
        tokens = [len(sentence.tokens) for sentence in sentences]
        if not self._piece_indexers or not tokens:
            return tokens
        texts = [without_surrogates(" ".join(sentence.tokens)) for sentence in sentences]
        found = self._piece_indexers[0]._tokenizer(texts)["input_ids"]
        return [len(ids) if count else 0 for ids, count in zip(found, tokens)]

    def fits(self, pieces: Sequence[Sequence[str]]) -> bool:
        """Whether the model's transformer, if any, has enough positions for the word pieces of all these sentences."""
        if self._most_pieces == math.inf:
            return True
        tokenizers = [indexer._allennlp_tokenizer for indexer in self._piece_indexers]
        return all(
            len(tokenizer.intra_word_tokenize(list(tokens))[0]) <= self._most_pieces
            for tokens in pieces
            for tokenizer in tokenizers
        )


def _batch(instances: list[Instance], vocab: Vocabulary) -> dict[str, Any]:
    batch = Batch(instances)
    batch.index_instances(vocab)
    return batch.as_tensor_dict()


def most_word_pieces(model: Model) -> float:
    """The maximum number of word pieces, unless the model splits longer sentences itself."""
    limits = [
        module.config.max_position_embeddings - 2  # some models start positions at 2
        for module in model.modules()
        if isinstance(module, PretrainedTransformerEmbedder) and module._max_length is None
    ]
    return min(limits, default=math.inf)
