"""The words of a spaCy `Doc` for a text with given tokens, which a `Doc` represents without gaps."""

from collections.abc import Iterable

from ner_zoo.annotation import Span


def spacy_words(text: str, offsets: Iterable[Span]) -> tuple[list[str], list[bool], list[int]]:
    """
    The words, whether a space follows each, and the index of each token among them. Text between tokens that is more
    than a space is a separate word, as in spaCy's tokenizers; so is text before the first token.
    """
    words: list[str] = []
    spaces: list[bool] = []
    places: list[int] = []
    reach = 0
    for start, end in (*offsets, (len(text), len(text))):
        between = text[reach:start]
        if between.startswith(" ") and words:
            spaces[-1], between = True, between[1:]
        if between:
            words.append(between)
            spaces.append(False)
        if end > start:
            places.append(len(words))
            words.append(text[start:end])
            spaces.append(False)
        reach = end
    return words, spaces, places
