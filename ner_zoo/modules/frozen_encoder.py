"""
A frozen pretrained encoder, which has to process each sentence only once.

    vector of a word = gamma sum_l softmax(w)_l h_l,  h_l = the mean of its word pieces in layer l of the encoder

w and gamma are learned with the rest of the model. In training the h_l come from a `VectorStore`, filled by the
callback `frozen_vectors`; in prediction, and for sentences that are not in the store, from the encoder. Both are
rounded to half precision, so that training and prediction see the same vectors.
"""

import hashlib
import json
from collections.abc import Sequence

import torch
from allennlp.common.checks import ConfigurationError
from allennlp.modules.token_embedders import PretrainedTransformerEmbedder, TokenEmbedder
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.data.vector_store import VectorStore, sentence_key

# Version of the vector files: increased whenever the same encoder would produce different vectors.
VERSION = 1
# Config keys about where an encoder came from, not about what it computes.
ORIGIN = ("_name_or_path", "transformers_version", "architectures")
# Weights that the layers do not depend on. If an encoder was saved without them, they are random.
POOLER = "transformer_model.pooler."


@TokenEmbedder.register("frozen_encoder")
class FrozenEncoder(TokenEmbedder):
    """
    model_name : name or folder of a Hugging Face encoder. Use it with the indexer `word_pieces`.
    max_length : length of a window in pieces, as in the indexer.
    layers : the layers to use: `mix` for all of them, `last`, or a list of numbers, from 1 for the lowest or from -1
        for the last. For several layers, a mix is learned.

    store : where vectors are looked up; `None` outside training.
    """

    def __init__(self, model_name: str, max_length: int = 512, layers: str | list[int] = "mix") -> None:
        super().__init__()
        self.encoder = PretrainedTransformerEmbedder(
            model_name, max_length=max_length, train_parameters=False, eval_mode=True
        )
        self.layers = layer_numbers(layers, self.encoder.config.num_hidden_layers)
        self.encoder.config.output_hidden_states = True
        # Replaces AllenNLP's mix, which the embedder would apply to the layers before it joins windows.
        self.encoder._scalar_mix = SideBySide(self.layers)
        if len(self.layers) > 1:
            self.mix = torch.nn.Parameter(torch.zeros(len(self.layers)))
            self.gamma = torch.nn.Parameter(torch.ones(()))
        self.store: VectorStore | None = None

    @property
    def input_embedding(self) -> torch.nn.Module:
        """The module whose output adversarial training perturbs."""
        return self

    @overrides
    def get_output_dim(self) -> int:
        return self.encoder.get_output_dim()

    @overrides(check_signature=False)
    def forward(  # type: ignore[override]
        self,
        token_ids: LongTensor,
        mask: BoolTensor,
        offsets: LongTensor,
        wordpiece_mask: BoolTensor,
        type_ids: LongTensor | None = None,
        segment_concat_mask: BoolTensor | None = None,
    ) -> Tensor:
        layers = None  # (layers, words, dim), all words of the batch without padding
        if self.store is not None:
            pieces = wordpiece_mask if segment_concat_mask is None else segment_concat_mask
            layers = self.stored(self.store, keys_of(token_ids, pieces, offsets, mask))
        if layers is None:
            layers = self.encoded(token_ids, mask, offsets, wordpiece_mask, type_ids, segment_concat_mask)[:, mask]
        mixed = self.mixed(layers.to(mask.device, torch.float32))
        vectors = mixed.new_zeros(*mask.shape, mixed.shape[1])
        vectors[mask] = mixed
        return vectors  # (batch, words, dim)

    def mixed(self, layers: Tensor) -> Tensor:
        """`(words, dim)`"""
        if len(self.layers) == 1:
            return layers[0]
        weights = self.gamma * self.mix.softmax(0)
        return (weights @ layers.flatten(1)).view(layers.shape[1:])

    def stored(self, store: VectorStore, keys: Sequence[bytes]) -> Tensor | None:
        """The vectors of a batch; `None` if any of its sentences is not in the store."""
        if not all(key in store for key in keys):
            return None
        return torch.cat([store[key] for key in keys], dim=1)

    @torch.no_grad()
    def encoded(
        self,
        token_ids: LongTensor,
        mask: BoolTensor,
        offsets: LongTensor,
        wordpiece_mask: BoolTensor,
        type_ids: LongTensor | None = None,
        segment_concat_mask: BoolTensor | None = None,
    ) -> Tensor:
        """The vectors `(layers, batch, words, dim)` of a batch, computed by the encoder, in half precision."""
        states = self.encoder(token_ids, wordpiece_mask, type_ids, segment_concat_mask)  # (batch, pieces, layers x dim)
        words = word_means(states, offsets, mask)
        return words.unflatten(2, (len(self.layers), -1)).movedim(2, 0).half()

    def fingerprint(self) -> str:
        """A hash that is equal only if the encoder produces equal vectors for equal pieces."""
        config = {key: value for key, value in self.encoder.config.to_dict().items() if key not in ORIGIN}
        settings = [VERSION, self.layers, self.encoder._max_length, config]
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
        for name, weight in sorted(self.encoder.state_dict().items()):
            if name.startswith(POOLER):
                continue
            digest.update(f"{name} {tuple(weight.shape)}".encode())
            digest.update(weight.cpu().contiguous().view(torch.uint8).numpy())
        return digest.hexdigest()


class SideBySide(torch.nn.Module):
    """layers : the encoder's layers, from 0, that are concatenated."""

    def __init__(self, layers: Sequence[int]) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, states: Sequence[Tensor]) -> Tensor:
        return torch.cat([states[layer] for layer in self.layers], dim=-1)


def layer_numbers(layers: str | Sequence[int], most: int) -> list[int]:
    """Converts numbers from 1, or negative ones, to indices from 0."""
    if layers == "mix":
        return list(range(most))
    if layers == "last":
        return [most - 1]
    known = [layer for layer in layers if isinstance(layer, int) and 1 <= abs(layer) <= most]
    if isinstance(layers, str) or not layers or len(known) < len(layers):
        raise ConfigurationError(
            f"`layers` is {layers!r}. Set it to mix, last, or a list of numbers from 1 to {most}, or from -1 to "
            f"-{most}: the encoder has that many layers."
        )
    return sorted({layer - 1 if layer > 0 else most + layer for layer in known})


def word_means(states: Tensor, offsets: LongTensor, mask: BoolTensor) -> Tensor:
    """
    `(batch, words, dim)`, the mean of the states `(batch, pieces, dim)` from the first to the last piece of each word.

    offsets : `(batch, words, 2)`, -1 for a word without pieces, whose vector is zero, like that of padding.
    """
    pieces = torch.arange(states.shape[1], device=states.device)
    first, last = offsets.unsqueeze(-1).unbind(2)  # (batch, words, 1)
    is_part = (first <= pieces) & (pieces <= last) & mask.unsqueeze(-1) & (first >= 0)  # (batch, words, pieces)
    shares = is_part.to(states.dtype)
    return torch.bmm(shares / shares.sum(2, keepdim=True).clamp(min=1.0), states)


def keys_of(token_ids: LongTensor, pieces: BoolTensor, offsets: LongTensor, mask: BoolTensor) -> list[bytes]:
    """The key of each sentence in a padded batch."""
    numbers, places = token_ids.cpu().numpy(), offsets.cpu().numpy()
    lengths = zip(pieces.sum(1).tolist(), mask.sum(1).tolist())
    return [sentence_key(numbers[row, :n], places[row, :m]) for row, (n, m) in enumerate(lengths)]
