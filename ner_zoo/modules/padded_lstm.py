"""
LSTM, unidirectional or bidirectional, on padded batches without computation on the padding.

Has the parameters and results of torch's LSTM on packed sequences, which is slow on the CPU because it uses many small
operations per step and layer: see `lstm_recurrence`.
"""

import torch
from allennlp.modules import Seq2SeqEncoder
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ner_zoo.modules.dropout import Dropout
from ner_zoo.modules.lstm_recurrence import Steps, Weights, recur, recur_distinct


@Seq2SeqEncoder.register("padded_lstm")
class PaddedLstm(Seq2SeqEncoder):
    """
    input_size : size of a token vector.
    hidden_size : size of the state of each direction.
    num_layers : number of layers.
    bidirectional : whether to process sentences in both directions and concatenate the states.
    dropout : dropout between layers.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bidirectional: bool = True,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.output_size = hidden_size * (2 if bidirectional else 1)
        self.bidirectional = bidirectional
        sizes = [input_size] + [self.output_size] * (num_layers - 1)
        self.layers = torch.nn.ModuleList(
            torch.nn.LSTM(size, hidden_size, batch_first=True, bidirectional=bidirectional) for size in sizes
        )
        self.dropout = Dropout(dropout)

    @overrides
    def get_input_dim(self) -> int:
        return self.input_size

    @overrides
    def get_output_dim(self) -> int:
        return self.output_size

    @overrides
    def is_bidirectional(self) -> bool:
        return self.bidirectional

    @overrides(check_signature=False)
    def forward(self, inputs: Tensor, mask: BoolTensor) -> Tensor:  # type: ignore[override]
        """
        From `(batch, tokens, input_size)` and mask `(batch, tokens)`, left-aligned, to `(batch, tokens, output
        size)`.
        """
        lengths = mask.sum(1)
        steps = Steps.of(lengths, inputs.shape[1]) if inputs.device.type == "cpu" else None
        encoded = inputs
        for number, layer in enumerate(self.layers):
            encoded = self.dropout(encoded) if number else encoded
            encoded = _compiled(layer, encoded, steps) if steps else _packed(layer, encoded, lengths)
        return encoded

    def of_distinct(self, vectors: Tensor, places: LongTensor) -> Tensor:
        """As `forward` over `vectors[places]`, without gradients and dropout: see `of_distinct`."""
        steps = Steps.of((places > 0).sum(1), places.shape[1])
        first, *rest = self.layers
        rows = recur_distinct(vectors, places.flatten(), _weights(first), steps)
        encoded = rows.unflatten(0, places.shape)
        for layer in rest:
            encoded = _compiled(layer, encoded, steps)
        return encoded


def of_distinct(encoder: Seq2SeqEncoder, vectors: Tensor, places: LongTensor) -> Tensor:
    """
    Runs an encoder over `vectors[places]`. An LSTM without gradients computes its input product once per vector.

    vectors : `(words, input_size)`, of padding and of the distinct words.
    places : `(batch, tokens)`, the index of each token's vector; 0 for padding.
    """
    if isinstance(encoder, PaddedLstm) and vectors.device.type == "cpu" and not torch.is_grad_enabled():
        return encoder.of_distinct(vectors, places)
    return encoder(vectors[places], places > 0)


def _compiled(layer: torch.nn.LSTM, inputs: Tensor, steps: Steps) -> Tensor:
    return recur(inputs.flatten(0, 1), _weights(layer), steps).unflatten(0, inputs.shape[:2])


def _weights(layer: torch.nn.LSTM) -> list[Weights]:
    return [tuple(weights) for weights in layer.all_weights]


def _packed(layer: torch.nn.LSTM, inputs: Tensor, lengths: Tensor) -> Tensor:
    # Packing rejects empty sentences: they get one token, whose states are not returned.
    packed = pack_padded_sequence(inputs, lengths.clamp(min=1).cpu(), batch_first=True, enforce_sorted=False)
    states, _ = pad_packed_sequence(layer(packed)[0], batch_first=True, total_length=inputs.shape[1])
    return states.masked_fill((lengths == 0).view(-1, 1, 1), 0.0)
