"""
An encoder, or the layer after it, takes vectors of the size that it is given: a config need not state the size, and one
that does is checked.
"""

from typing import Any, TypeAlias

from allennlp.common import Lazy
from allennlp.common.checks import check_dimensions_match
from allennlp.modules import FeedForward, Seq2SeqEncoder

Layer: TypeAlias = Seq2SeqEncoder | FeedForward


def built_over(source: Any, part: Lazy[Any] | Layer) -> Any:
    """An encoder or a feed-forward layer for the vectors of an embedder or encoder; it may be built already."""
    size = source.get_output_dim()
    # AllenNLP's parts call it one or the other, and AllenNLP warns about an argument that the config has too.
    names = [name for name in ("input_size", "input_dim") if isinstance(part, Lazy) and name not in part._params]
    built = part.construct(**dict.fromkeys(names, size)) if isinstance(part, Lazy) else part
    shown = (f"The size of the vectors of {type(source).__name__}", f"the input size of {type(built).__name__}")
    check_dimensions_match(size, built.get_input_dim(), *shown)
    return built
