"""
Unpaired surrogates: JSON and Python allow them, UTF-8 and tokenizers of pretrained encoders do not.
"""


def without_surrogates(text: str) -> str:
    """Replaces them with U+FFFD, the replacement character."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
