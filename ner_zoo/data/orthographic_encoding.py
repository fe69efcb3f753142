"""
Orthographic encoding of a word: the class of each character. `n` digit, `c` letter, `C` capital, `p` anything else.

    I don't like 13!  ->  C cccpc cccc nnp          Aguilar et al., 2017; Zhou et al., 2019
"""

from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def orthographic_encoding(word: str) -> str:
    return "".join(map(_kind, word))


def _kind(character: str) -> str:
    if character.isdigit():
        return "n"
    if character.isupper():
        return "C"
    return "c" if character.isalpha() else "p"
