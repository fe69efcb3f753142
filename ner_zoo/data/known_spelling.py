"""
Words by the first of their spellings that the vocabulary knows: as written, in lower case, then with a plainer shape.

    #ZAGREB  ->  #ZAGREB, #zagreb, ZAGREB, zagreb, Zagreb

So a word that training never saw still gets the number, and with it the vector, of a word it is meant to be.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from allennlp.data import TokenIndexer, Vocabulary
from allennlp.data.token_indexers import SingleIdTokenIndexer
from allennlp.data.tokenizers import Token
from overrides import overrides

_URL = re.compile(r"(https?:|www\.)", re.IGNORECASE)
_RUN = re.compile(r"(.)\1{2,}")
_DIGIT = re.compile(r"\d")
_OUTER = re.compile(r"^\W+|\W+$")
_APOSTROPHE = re.compile(r"['’`]")
_SYMBOLS = re.compile(r"^\W+$")


def _plainer(word: str) -> Iterator[str]:
    """The word in plainer shapes, the nearest first."""
    if _URL.match(word):
        yield from ("<url>", "http", "url")
    elif word.startswith("@") and len(word) > 1:
        # Not the name behind it: that would be the word of another sentence.
        yield from ("<user>", "@")
    else:
        yield unicodedata.normalize("NFKC", html.unescape(word))
        yield _OUTER.sub("", word)
        yield _RUN.sub(r"\1\1", word)
        yield _RUN.sub(r"\1", word)
        yield _APOSTROPHE.split(word)[0]
        yield _DIGIT.sub("0", word)
        yield _DIGIT.sub("#", word)
        yield word.rpartition("-")[2]
        yield word.partition("-")[0]
        if _SYMBOLS.match(word):
            yield word[0]


@lru_cache(maxsize=1 << 16)
def spellings(word: str) -> tuple[str, ...]:
    """The spellings of a word, the best first: itself, its lower case, capitalised, and its plainer shapes likewise."""
    found: dict[str, None] = {}
    for shape in (word, *_plainer(word)):
        if shape:
            found.update(dict.fromkeys((shape, shape.lower(), shape.capitalize())))
    return tuple(found)


@TokenIndexer.register("known_spelling")
class KnownSpelling(SingleIdTokenIndexer):
    """
    namespace : where the vocabulary keeps the words.
    token_min_padding_length : as in AllenNLP.
    """

    def __init__(self, namespace: str = "tokens", token_min_padding_length: int = 0) -> None:
        super().__init__(namespace, token_min_padding_length=token_min_padding_length)

    @overrides
    def tokens_to_indices(self, tokens: list[Token], vocabulary: Vocabulary) -> dict[str, list[int]]:
        numbers = vocabulary.get_token_to_index_vocabulary(self.namespace)
        unknown = vocabulary.get_token_index(vocabulary._oov_token, self.namespace)
        found = []
        for token in tokens:
            number = numbers.get(token.text)
            if number is None:
                number = next((numbers[word] for word in spellings(token.text) if word in numbers), unknown)
            found.append(number)
        return {"tokens": found}
