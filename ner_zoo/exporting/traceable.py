"""
Replaces modules by traceable ones. ONNX graphs cannot contain compiled loops: while a graph is created, modules with
such loops are replaced by others with the same parameters and results.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from allennlp.modules.seq2seq_encoders import PytorchSeq2SeqWrapper
from torch import BoolTensor, LongTensor, Tensor
from torch.nn.functional import pad
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ner_zoo.modules.character_cnn import CharacterCnn
from ner_zoo.modules.padded_lstm import PaddedLstm
from ner_zoo.modules.span_attention import SpanAttention
from ner_zoo.modules.span_representation import widths


class TracedLetters(torch.nn.Module):
    """`CharacterCnn` as AllenNLP's convolution, with padding for words that are shorter than its windows."""

    def __init__(self, original: CharacterCnn) -> None:
        super().__init__()
        self.original = original

    def forward(self, token_characters: LongTensor) -> Tensor:
        words = pad(token_characters.flatten(0, -2), [0, max(self.original.widths)])
        vectors = self.original.convolution(self.original.embedding(words), words != 0)
        if self.original.highway is not None:
            vectors = self.original.highway(vectors)
        return vectors.unflatten(0, token_characters.shape[:-1])


class TracedRecurrence(torch.nn.Module):
    """Stacked torch recurrent layers over packed sentences, longest first."""

    def __init__(self, layers: list[torch.nn.RNNBase]) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(layers)

    def forward(self, inputs: Tensor, mask: BoolTensor) -> Tensor:
        lengths = mask.sum(1)
        encoded = inputs
        for layer in self.layers:
            states, _ = layer(pack_padded_sequence(encoded, lengths, batch_first=True))
            encoded, _ = pad_packed_sequence(states, batch_first=True)
        return encoded


class TracedSpanAttention(torch.nn.Module):
    """`SpanAttention` whose maximum width is a value, not a constant of the graph."""

    def __init__(self, original: SpanAttention) -> None:
        super().__init__()
        self.original = original

    def tokens(self, encoded: Tensor) -> Tensor:
        return encoded

    def forward(self, tokens: Tensor, spans: LongTensor) -> Tensor:
        return self.original.attend(tokens, spans, widths(spans).max().clamp(min=1))


def _replacement(module: torch.nn.Module) -> torch.nn.Module | None:
    """The traceable replacement of a module, if it needs one."""
    if isinstance(module, CharacterCnn):
        return TracedLetters(module)
    if isinstance(module, PaddedLstm):
        return TracedRecurrence(list(module.layers))
    if isinstance(module, SpanAttention):
        return TracedSpanAttention(module)
    if isinstance(module, PytorchSeq2SeqWrapper) and not module.stateful:
        layers = module._module
        is_plain = isinstance(layers, (torch.nn.LSTM, torch.nn.GRU)) and layers.batch_first
        return TracedRecurrence([layers]) if is_plain else None
    return None


@contextmanager
def traceable(model: torch.nn.Module) -> Iterator[None]:
    """Context in which the model can be traced."""
    found = [
        (parent, name, child, stand_in)
        for parent in model.modules()
        for name, child in parent.named_children()
        if (stand_in := _replacement(child)) is not None
    ]
    for parent, name, _, stand_in in found:
        setattr(parent, name, stand_in.eval())
    try:
        yield
    finally:
        for parent, name, child, _ in found:
            setattr(parent, name, child)
