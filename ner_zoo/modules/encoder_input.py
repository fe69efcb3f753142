"""
Infers the input size of an encoder, or of the layer after it, from the preceding part; a size in the config is optional
and checked.
"""

from typing import Any, TypeAlias

from allennlp.common import Lazy
from allennlp.common.checks import check_dimensions_match
from allennlp.modules import FeedForward, Seq2SeqEncoder

Layer: TypeAlias = Seq2SeqEncoder | FeedForward


def built_over(source: Any, part: Lazy[Any] | Layer) -> Any:
    """Builds an encoder or feed-forward layer for the vectors of an embedder or encoder, unless already built."""
    size = source.get_output_dim()
    # AllenNLP's parts use different names for it, and AllenNLP warns about an argument that is also in the config.
    names = [name for name in ("input_size", "input_dim") if isinstance(part, Lazy) and name not in part._params]
    built = part.construct(**dict.fromkeys(names, size)) if isinstance(part, Lazy) else part
    shown = (f"The size of the vectors of {type(source).__name__}", f"the input size of {type(built).__name__}")
    check_dimensions_match(size, built.get_input_dim(), *shown)
    return built
