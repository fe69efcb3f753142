"""
Character CNN: embeds the letters of a word, applies convolutions and max-pooling, and optional highway layers.

    e = max over windows of f(W letters + b)          z = t * g(V e + c) + (1 - t) * e,  t = sigmoid(V' e + c')

Has the same parameters and results as AllenNLP's `character_encoding` with the encoder `cnn`, but is many times faster
on the CPU: see `letter_windows`. If the letter vectors themselves are needed, as in adversarial training, they are
computed (`letter_occurrences`, or `letter_rows` on other devices), with the same results up to rounding.
"""

import torch
from allennlp.data import Vocabulary
from allennlp.modules import Highway, TokenEmbedder
from allennlp.modules.seq2vec_encoders import CnnEncoder
from allennlp.modules.token_embedders import Embedding
from allennlp.nn import Activation
from overrides import overrides
from torch import BoolTensor, LongTensor, Tensor

from ner_zoo.modules.letter_occurrences import Occurrences, best_windows_of
from ner_zoo.modules.letter_rows import kernels, pooled
from ner_zoo.modules.letter_windows import best_windows


@TokenEmbedder.register("character_cnn")
class CharacterCnn(TokenEmbedder):
    """
    embedding_dim : size of a letter vector.
    widths : widths of the filters in letters. The output of a filter for a shorter word is 0, before the highway
        layers.
    num_filters : number of filters per width.
    num_highway : number of highway layers after the convolution.
    activation : activation of the filters, which must be monotonic: `relu`, `tanh`, ...
    vocab_namespace : vocabulary namespace of the letters.
    """

    def __init__(
        self,
        vocab: Vocabulary,
        embedding_dim: int,
        widths: list[int],
        num_filters: int,
        num_highway: int = 0,
        activation: Activation | None = None,
        vocab_namespace: str = "token_characters",
    ) -> None:
        super().__init__()
        self.widths = widths
        self.embedding = Embedding(embedding_dim, vocab=vocab, vocab_namespace=vocab_namespace)
        self.lookup = LetterLookup()
        self.activation = activation or Activation.by_name("relu")()
        self.convolution = CnnEncoder(embedding_dim, num_filters, tuple(widths), self.activation)
        size = self.convolution.get_output_dim()
        self.highway = Highway(size, num_highway, torch.tanh) if num_highway else None

    @property
    def input_embedding(self) -> torch.nn.Module:
        """The module whose output adversarial training perturbs."""
        return self.lookup

    @overrides
    def get_output_dim(self) -> int:
        return self.convolution.get_output_dim()

    @overrides(check_signature=False)
    def forward(self, token_characters: LongTensor) -> Tensor:  # type: ignore[override]
        """`(batch, tokens, letters)`: `(batch, tokens, size)`."""
        words = token_characters.flatten(0, -2)
        if words.device.type != "cpu":
            vectors = self._by_rows(words, token_characters.flatten(1).count_nonzero(1))
        # A table of the alphabet is indexed by letter ids: a hook on letter vectors would not be called, and could not
        # change them.
        elif self.lookup._forward_hooks:
            occurrences = Occurrences.of(token_characters)
            alphabet = self.embedding.weight
            letters = self.lookup(alphabet.detach(), occurrences.letters)
            vectors = self._pooled(*best_windows_of(letters, alphabet, self._kernel(), occurrences, self.widths))
        else:
            vectors = self._pooled(*best_windows(self.embedding.weight @ self._kernel(), words, self.widths))
        if self.highway is not None:
            vectors = self.highway(vectors)
        return vectors.unflatten(0, token_characters.shape[:-1])

    def _kernel(self) -> Tensor:
        return kernels(self.convolution._convolution_layers)

    def _pooled(self, sums: Tensor, where: LongTensor) -> Tensor:
        bias = torch.cat([layer.bias for layer in self.convolution._convolution_layers])
        return self.activation(sums + bias).masked_fill(where < 0, 0.0)

    def _by_rows(self, words: LongTensor, counts: LongTensor) -> Tensor:
        rows, is_letter = letters_of(words, counts)
        letters = self.lookup(self.embedding.weight, rows)  # (sentences, letters, dim)
        layers = self.convolution._convolution_layers
        return pooled(letters[is_letter], (words != 0).sum(1), layers, self.activation)


class LetterLookup(torch.nn.Module):
    """
    As torch's `embedding`, whose gradient is slower on the CPU. A hook can read the vectors and add to them; what it
    adds counts as a constant for the gradient of the alphabet.
    """

    def forward(self, weight: Tensor, letters: LongTensor) -> Tensor:
        return weight.index_select(0, letters.flatten()).unflatten(0, letters.shape)


def letters_of(words: LongTensor, counts: LongTensor) -> tuple[LongTensor, BoolTensor]:
    """
    The letters of each sentence in one row `(sentences, letters)`, which has much less padding than a row per word; and
    the mask of the letters.

    words : `(sentences * tokens, length)`
    counts : `(sentences,)`, the number of letters of each sentence.
    """
    is_letter = torch.arange(int(counts.max()), device=words.device) < counts.unsqueeze(1)
    return words.new_zeros(is_letter.shape).masked_scatter(is_letter, words[words != 0]), is_letter
