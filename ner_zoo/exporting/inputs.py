"""
Exports the word inputs: how words become indices, and the graph from these to vectors.
"""

from collections.abc import Sequence
from typing import Any

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer, TokenCharactersIndexer
from allennlp.data.tokenizers import CharacterTokenizer
from allennlp.modules import TextFieldEmbedder
from torch import Tensor

from ner_zoo.data.known_spelling import KnownSpelling
from ner_zoo.data.orthography import OrthographicCharacters, OrthographicWords
from ner_zoo.exporting.graphs import Example, graph_of
from ner_zoo.exporting.tables import with_small_tables
from ner_zoo.light.words import UNKNOWN
from ner_zoo.predictors.word_tensors import looks_at_words

# The settings of one input in an export: see `ner_zoo.light.words.WordInput`.
Setting = dict[str, Any]


def word_input(name: str, indexer: TokenIndexer, margin: int) -> Setting:
    """margin : padding after the characters of a word."""
    kind = _kind(indexer)
    if not kind:
        raise ConfigurationError(
            f"The token indexer {name!r} is a {type(indexer).__name__}, which cannot be exported. Supported: "
            f"single_id, characters, known_spelling, orthographic_words and orthographic_characters."
        )
    is_word = isinstance(indexer, SingleIdTokenIndexer)
    namespace = indexer.namespace if isinstance(indexer, SingleIdTokenIndexer) else indexer._namespace
    least = 0 if is_word else indexer._min_padding_length
    return {"name": name, "kind": kind, "namespace": namespace, "min_length": least, "margin": 0 if is_word else margin}


def _kind(indexer: TokenIndexer) -> str:
    """One of the kinds that `ner_zoo.light.words` supports, or nothing."""
    if not looks_at_words(indexer):
        return ""
    if type(indexer) is SingleIdTokenIndexer:
        return "lower_case_words" if indexer.lowercase_tokens else "words"
    if type(indexer) is KnownSpelling:
        return "known_spelling"
    if type(indexer) is OrthographicWords:
        return "orthographic_words"
    if not isinstance(indexer, TokenCharactersIndexer):
        return ""
    cut = indexer._character_tokenizer
    if type(cut) is not CharacterTokenizer or cut._byte_encoding or cut._start_tokens or cut._end_tokens:
        return ""
    if type(indexer) is OrthographicCharacters:
        return "orthographic_characters"
    return "lower_case_characters" if cut._lowercase_characters else "characters"


def vocabulary_of(vocab: Vocabulary, settings: Sequence[Setting]) -> dict[str, list[str]]:
    """The names in the namespaces of the inputs, by index."""
    if vocab._oov_token != UNKNOWN:
        raise ConfigurationError(
            f"The vocabulary calls unknown words {vocab._oov_token!r}, but an export requires {UNKNOWN!r}."
        )
    found = {}
    for namespace in sorted({setting["namespace"] for setting in settings}):
        names = vocab.get_index_to_token_vocabulary(namespace)
        found[namespace] = [names[number] for number in range(len(names))]
    return found


class WordGraph(torch.nn.Module):
    """The embedder for a row of words. keys : for each input, its name and the name of its tensor in AllenNLP."""

    def __init__(self, embedder: TextFieldEmbedder, keys: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.embedder = embedder
        self.keys = keys

    def forward(self, *inputs: Tensor) -> Tensor:
        text = {name: {key: one.unsqueeze(0)} for (name, key), one in zip(self.keys, inputs)}
        return self.embedder(text).squeeze(0)


def word_graph(embedder: TextFieldEmbedder, settings: Sequence[Setting], vocab: Vocabulary) -> bytes:
    """From the indices of words and characters to vectors."""
    keys = [(one["name"], "token_characters" if "characters" in one["kind"] else "tokens") for one in settings]
    axes = {name: ["words", "characters"] if key == "token_characters" else ["words"] for name, key in keys}
    examples = [_example(settings, vocab, words, letters) for words, letters in ((5, 4), (1, 1), (12, 21))]
    graph = graph_of("embedder", WordGraph(embedder, keys), examples, ["vectors"], {**axes, "vectors": ["words"]})
    return with_small_tables(graph, has_small_vectors=False)


def _example(settings: Sequence[Setting], vocab: Vocabulary, words: int, letters: int) -> Example:
    """Random words; the indices of characters are followed by padding."""
    found = {}
    for one in settings:
        size = vocab.get_vocab_size(one["namespace"])
        if "characters" not in one["kind"]:
            found[one["name"]] = torch.randint(0, size, (words,))
            continue
        width = max(letters, one["min_length"]) + one["margin"]
        numbers = torch.randint(1, max(size, 2), (words, width))
        lengths = torch.randint(1, letters + 1, (words, 1))
        found[one["name"]] = numbers.masked_fill(torch.arange(width) >= lengths, 0)
    return found
