"""
Pretrained word vectors from a file, looked up by alternative spellings too; other words share one learned vector.

    words of the text           ->  the vector of their first spelling in the file, or none
    other words of the file     ->  their vectors, for texts not seen in training

Both are added to the vocabulary and, with the weights, to the archive: the file is read once, before training. With the
indexer `known_spelling`, a word that is not in the vocabulary is found by its alternative spellings.
"""

import logging
from collections import Counter

import numpy as np
import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import TokenEmbedder
from numpy import ndarray
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.data.spellings import spellings
from ner_zoo.data.vector_file import word_vectors

logger = logging.getLogger(__name__)

# The indices of padding and of the unknown word, the first two of a vocabulary.
PADDING, UNKNOWN_WORD = 0, 1


@TokenEmbedder.register("word_vectors")
class WordVectors(TokenEmbedder):
    """
    embedding_dim : size of the vectors.
    pretrained_file : file of the vectors. Not needed to load an archive, which contains them.
    vocab_namespace : vocabulary namespace of the words.
    trainable : whether training updates the vectors.
    unknown : for words without a vector, one `learned` vector for all, or a `random` one for each.
    standardise : whether to scale each dimension to mean 0 and standard deviation 1 over the words of the text. The
        size of a small perturbation, for example in adversarial training, then does not depend on the file.
    max_unseen_words : maximum number of words of the file to keep that are not in the text, in file order (default:
        all).
    """

    has_vector: Tensor

    def __init__(
        self,
        vocab: Vocabulary,
        embedding_dim: int,
        pretrained_file: str | None = None,
        vocab_namespace: str = "tokens",
        trainable: bool = False,
        unknown: str = "learned",
        standardise: bool = False,
        max_unseen_words: int | None = None,
    ) -> None:
        super().__init__()
        if unknown not in ("learned", "random"):
            raise ConfigurationError(
                f"Words without a vector cannot be {unknown!r}. Set `unknown` to learned or random."
            )
        self.vocab_namespace = vocab_namespace
        self.is_learned = unknown == "learned"
        weight, has_vector = torch.randn(vocab.get_vocab_size(vocab_namespace), embedding_dim), None
        if pretrained_file is not None:
            weight, has_vector = self._read(vocab, pretrained_file, embedding_dim, standardise, max_unseen_words)
        if has_vector is None or not self.is_learned:
            has_vector = torch.ones(len(weight), dtype=torch.bool)
        weight[PADDING] = 0.0
        self.weight = torch.nn.Parameter(weight, requires_grad=trainable)
        self.register_buffer("has_vector", has_vector)
        if self.is_learned:
            self.unknown = torch.nn.Parameter(weight[has_vector].mean(0))

    @property
    def input_embedding(self) -> torch.nn.Module:
        """The module whose output adversarial training perturbs."""
        return self

    @overrides
    def get_output_dim(self) -> int:
        return self.weight.shape[1]

    @overrides(check_signature=False)
    def forward(self, tokens: LongTensor) -> Tensor:  # type: ignore[override]
        vectors = torch.nn.functional.embedding(tokens, self.weight)  # (batch, tokens, dim)
        if not self.is_learned:
            return vectors
        return torch.where(self.has_vector[tokens].unsqueeze(-1), vectors, self.unknown)

    def extend_vocab(
        self,
        extended_vocab: Vocabulary,
        vocab_namespace: str | None = None,
        extension_pretrained_file: str | None = None,
        model_path: str | None = None,
    ) -> None:
        """Rows for words added by fine-tuning, as AllenNLP requires: those of their alternative spellings, or none."""
        old = similar_words(extended_vocab, vocab_namespace or self.vocab_namespace, len(self.weight))
        weight = torch.cat([self.weight.data, self.weight.data[old]])
        self.weight = torch.nn.Parameter(weight, requires_grad=self.weight.requires_grad)
        self.has_vector = torch.cat([self.has_vector, self.has_vector[old]])

    def _read(
        self, vocab: Vocabulary, path: str, size: int, standardise: bool, max_unseen_words: int | None
    ) -> tuple[Tensor, Tensor]:
        """The vectors of all words, with those of the file added to the vocabulary, and whether each word has one."""
        search = WordSearch(vocab, self.vocab_namespace, path, size, max_unseen_words)
        found = np.concatenate([search.vectors, *search.unseen_vectors]) if search.unseen_words else search.vectors
        has_vector = np.concatenate([search.rank < search.NOT_FOUND, np.ones(len(search.unseen_words), dtype=bool)])
        if not has_vector.any():
            raise ConfigurationError(
                f"No word of the text has a vector in {path}. Check that the file is for this language and script."
            )
        spread = found[: len(search.rank)][search.rank < search.NOT_FOUND] if search.words else found
        spread = spread if len(spread) > 1 else found[has_vector]
        mean, deviation = spread.mean(0), spread.std(0).clip(min=1e-6)
        if standardise:
            found = (found - mean) / deviation
            mean, deviation = np.zeros_like(mean), np.ones_like(deviation)
        drawn = mean + deviation * torch.randn(len(found), size).numpy()
        found = np.where(has_vector[:, None], found, drawn)
        # Padding has a zero vector; the unknown word has none.
        first = np.stack([np.zeros(size), mean])
        weight = torch.from_numpy(np.concatenate([first, found]).astype(np.float32))
        return weight, torch.from_numpy(np.concatenate([[True, False], has_vector]))


def similar_words(vocab: Vocabulary, namespace: str, size: int) -> list[int]:
    """For every word after the first `size`, the number of the first of its spellings among those, if any."""
    numbers = vocab.get_token_to_index_vocabulary(namespace)
    found = ((n for n in map(numbers.get, spellings(word)) if n and n < size) for word in list(numbers)[size:])
    return [next(known, UNKNOWN_WORD) for known in found]


class WordSearch:
    """
    Reads a file once for the words of a text, under any of their spellings, and adds its other words to the vocabulary.

    words : the words of the text.
    rank : `(words,)`, the index of the spelling under which each word was found, best first.
    vectors : `(words, size)`.
    """

    NOT_FOUND = 1 << 20

    def __init__(
        self, vocab: Vocabulary, namespace: str, path: str, size: int, max_unseen_words: int | None = None
    ) -> None:
        self.words = words = list(vocab.get_token_to_index_vocabulary(namespace))[UNKNOWN_WORD + 1 :]
        self.size = size
        self.most_unseen = float("inf") if max_unseen_words is None else max_unseen_words
        self.rank = np.full(len(words), self.NOT_FOUND)
        self.vectors = np.zeros((len(words), size), dtype=np.float32)
        self.unseen_words: list[str] = []
        self.unseen_vectors: list[ndarray] = []
        self._seen = set(words)
        self._places: dict[str, list[tuple[int, int]]] = {}
        for number, word in enumerate(words):
            for rank, spelling in enumerate(spellings(word)):
                self._places.setdefault(spelling, []).append((rank, number))
        self._read(path)
        self._report(path)
        vocab.add_tokens_to_namespace(self.unseen_words, namespace)

    def _read(self, path: str) -> None:
        for word, vector in word_vectors(path, self.size, self._is_wanted):
            for rank, number in self._places.get(word, ()):
                if rank < self.rank[number]:
                    self.rank[number] = rank
                    self.vectors[number] = vector
            if word not in self._seen and len(self.unseen_words) < self.most_unseen:
                self._seen.add(word)
                self.unseen_words.append(word)
                self.unseen_vectors.append(vector[None])

    def _is_wanted(self, word: str) -> bool:
        return word in self._places or (len(self.unseen_words) < self.most_unseen and word not in self._seen)

    def _report(self, path: str) -> None:
        kinds = Counter(map(self._kind, self.words, self.rank.tolist()))
        shares = (f"{kind} {kinds[kind]:,} ({kinds[kind] / max(len(self.words), 1):.1%})" for kind in _KINDS)
        logger.info(
            "Word vectors of %s: of %s words of the text, %s; plus %s other words.",
            path,
            f"{len(self.words):,}",
            ", ".join(shares),
            f"{len(self.unseen_words):,}",
        )

    def _kind(self, word: str, rank: int) -> str:
        if rank == self.NOT_FOUND:
            return "without a vector"
        spelling = spellings(word)[rank]
        return "as written" if rank == 0 else "in lower case" if spelling == word.lower() else "in another shape"


_KINDS = ("as written", "in lower case", "in another shape", "without a vector")
