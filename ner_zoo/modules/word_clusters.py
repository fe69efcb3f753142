"""
Embeds words by clusters from a file, so that words not seen in training share what their cluster learned. Brown
clustering gives each word a bit path; a prefix of the path is a coarser cluster.

    tmrw, tomorrow  ->  1011 0110 0010 ...          prefixes of 4, 6, 10, 16 bits, one vector each, concatenated

The words of the file and the prefixes of their paths are added to the vocabulary, and so to the archive: the file is
read once, before training. Use it with the indexer `known_spelling`, which finds words by alternative spellings.
"""

from collections.abc import Sequence

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import Vocabulary
from allennlp.modules.token_embedders import TokenEmbedder
from overrides import overrides
from torch import LongTensor, Tensor

from ner_zoo.modules.word_vectors import PADDING, UNKNOWN_WORD, WordSearch, similar_words

# The number of bits of a path in a file; shorter paths are padded with zeros.
PATH_BITS = 16


@TokenEmbedder.register("word_clusters")
class WordClusters(TokenEmbedder):
    """
    embedding_dim : size of the vector of each prefix.
    pretrained_file : file with a word and the number of its path, left-aligned in 16 bits, on each line. Not needed to
        load an archive, which contains both.
    vocab_namespace : vocabulary namespace of the words; the clusters are in `<vocab_namespace>_clusters`.
    prefixes : numbers of bits, one vector each.
    """

    clusters: Tensor

    def __init__(
        self,
        vocab: Vocabulary,
        embedding_dim: int = 15,
        pretrained_file: str | None = None,
        vocab_namespace: str = "cluster_words",
        prefixes: Sequence[int] = (4, 6, 10, 16),
    ) -> None:
        super().__init__()
        if not prefixes or not all(1 <= bits <= PATH_BITS for bits in prefixes):
            raise ConfigurationError(
                f"`prefixes` is {list(prefixes)}. Set it to numbers of bits, from 1 to {PATH_BITS}."
            )
        self.vocab_namespace = vocab_namespace
        self.prefixes = list(prefixes)
        cluster_namespace = f"{vocab_namespace}_clusters"
        rows: list[list[int]] = []
        if pretrained_file is not None:
            rows = self._read(vocab, pretrained_file, cluster_namespace)
        clusters = torch.full((vocab.get_vocab_size(vocab_namespace), len(prefixes)), UNKNOWN_WORD)
        clusters[PADDING] = PADDING
        if rows:
            clusters[UNKNOWN_WORD + 1 :] = torch.tensor(rows)
        self.register_buffer("clusters", clusters)  # (words, prefixes)
        # The vector of a cluster not seen in training is uninformative, so it stays at zero.
        size = max(vocab.get_vocab_size(cluster_namespace), UNKNOWN_WORD + 1)
        self.embedding = torch.nn.Embedding(size, embedding_dim, padding_idx=PADDING)
        torch.nn.init.zeros_(self.embedding.weight)

    @property
    def input_embedding(self) -> torch.nn.Module:
        """The module whose output adversarial training perturbs."""
        return self.embedding

    @overrides
    def get_output_dim(self) -> int:
        return len(self.prefixes) * self.embedding.embedding_dim

    @overrides(check_signature=False)
    def forward(self, tokens: LongTensor) -> Tensor:  # type: ignore[override]
        return self.embedding(self.clusters[tokens]).flatten(2)  # (batch, tokens, prefixes x dim)

    def extend_vocab(
        self,
        extended_vocab: Vocabulary,
        vocab_namespace: str | None = None,
        extension_pretrained_file: str | None = None,
        model_path: str | None = None,
    ) -> None:
        """Clusters for words added by fine-tuning: those of their alternative spellings, or none."""
        old = similar_words(extended_vocab, vocab_namespace or self.vocab_namespace, len(self.clusters))
        self.clusters = torch.cat([self.clusters, self.clusters[old]])

    def _read(self, vocab: Vocabulary, path: str, cluster_namespace: str) -> list[list[int]]:
        """The indices of each word's prefixes; adds words and prefixes to the vocabulary."""
        search = WordSearch(vocab, self.vocab_namespace, path, size=1)
        found = [
            _path(path, number) if rank < search.NOT_FOUND else None
            for number, rank in zip(search.vectors[:, 0].tolist(), search.rank)
        ]
        found += [_path(path, float(number[0, 0])) for number in search.unseen_vectors]
        numbers: dict[str, int] = {}
        for prefix in sorted({own[:bits] for own in found if own is not None for bits in self.prefixes}):
            numbers[prefix] = vocab.add_token_to_namespace(prefix, cluster_namespace)
        unknown = [UNKNOWN_WORD] * len(self.prefixes)
        return [unknown if own is None else [numbers[own[:bits]] for bits in self.prefixes] for own in found]


def _path(file: str, number: float) -> str:
    """The bit path encoded by a number."""
    if number != int(number) or not 0 <= number < 1 << PATH_BITS:
        raise ConfigurationError(
            f"{file} has the cluster {number:g}, but a cluster must be a path of {PATH_BITS} bits: an integer below "
            f"{1 << PATH_BITS}. Check that it is a file of clusters."
        )
    return f"{int(number):0{PATH_BITS}b}"
