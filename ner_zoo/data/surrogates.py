"""
Half surrogate pairs: JSON and Python can hold them, UTF-8 and tokenizers of pretrained encoders cannot.
"""


def without_surrogates(text: str) -> str:
    """With U+FFFD, the replacement character, in their place."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
