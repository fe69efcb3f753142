"""
Convolution over letters with max-pooling, for letter vectors that differ between occurrences of a letter.

Works like `letter_windows`, but every occurrence of a letter is a row of the table, computed by one matrix product. The
gradient of a filter for a word goes only to the letters of its best window: there are fewer of these multiples than
terms in a matrix product over all letters. Gradients that do not depend on the occurrence are computed by letter.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy import ndarray
from torch import LongTensor, Tensor
from torch.nn.functional import pad

from ner_zoo.modules.letter_windows import find_best, scatter, sums_at

# Numbers that are added at once; vectors are padded to a multiple of it.
WIDTH = 16


class Occurrences(NamedTuple):
    """
    The letters of each sentence in one row, which has much less padding than a row per word.

    words : `(sentences * tokens, length)`, letter ids, left-aligned, 0 after the end of a word.
    letters : `(sentences, letters)`, letter ids, 0 for padding.
    places : `(1 + occurrences,)`, the place of each occurrence in the flattened `letters`. Number 0 stands for padding;
        its place is never read.
    numbers : as `words`, with the number of each letter instead of its id.
    """

    words: LongTensor
    letters: LongTensor
    places: LongTensor
    numbers: LongTensor

    @classmethod
    def of(cls, words: LongTensor) -> "Occurrences":
        """words : `(sentences, tokens, length)`, letter ids, left-aligned."""
        numbered = _number(words.contiguous().numpy())
        return cls(words.flatten(0, 1), *map(torch.from_numpy, numbered))


def best_windows_of(
    vectors: Tensor, alphabet: Tensor, kernel: Tensor, occurrences: Occurrences, widths: Sequence[int]
) -> tuple[Tensor, LongTensor]:
    """
    vectors : `(sentences, letters, dim)`, of the letters in `occurrences`. Their difference from `alphabet` is a
        constant: `alphabet` has its gradient in any case, and `vectors` theirs if needed.
    alphabet : `(ids, dim)`, the usual vectors. If no vector differs from them, a table of the alphabet is enough.
    kernel : `(dim, positions * filters)`, see `kernels`.

    As `best_windows`.
    """
    return _BestWindowsOf.apply(vectors.flatten(0, 1), alphabet, kernel, occurrences, np.array(widths))


class _BestWindowsOf(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, vectors: Tensor, alphabet: Tensor, kernel: Tensor, occurrences: Occurrences, widths: ndarray
    ) -> tuple[Tensor, Tensor]:
        ctx.is_usual = _is_usual(vectors.numpy(), alphabet.numpy(), occurrences.letters.flatten().numpy())
        if ctx.is_usual:
            table, words = alphabet, occurrences.words
        else:
            table, words = vectors.index_select(0, occurrences.places), occurrences.numbers
        values, begins = find_best((table @ kernel).numpy(), words.numpy(), widths)
        where = torch.from_numpy(begins)
        ctx.mark_non_differentiable(where)
        ctx.save_for_backward(vectors, alphabet, kernel, where)
        ctx.rows, ctx.occurrences, ctx.widths = table, occurrences, widths
        return torch.from_numpy(values), where

    @staticmethod
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        vectors, alphabet, kernel, where = ctx.saved_tensors
        words, letters, places, numbers = ctx.occurrences
        if torch.is_grad_enabled():
            usual = alphabet.index_select(0, letters.flatten())
            table = (vectors + usual - usual.detach()).index_select(0, places) @ kernel
            sums = sums_at(table, numbers, where, ctx.widths.tolist())
            parts = vectors, alphabet, kernel
            needed = [part for part, is_needed in zip(parts, ctx.needs_input_grad) if is_needed]
            found = iter(torch.autograd.grad(sums, needed, gradient, create_graph=True))
            return *(next(found) if is_needed else None for is_needed in ctx.needs_input_grad[:3]), None, None
        best = gradient.contiguous().numpy(), where.numpy(), ctx.widths, words.numpy(), numbers.numpy()
        # Filled along with the gradients of letters or filters, whichever are computed, or else alone.
        by_letter = torch.zeros(len(alphabet), kernel.shape[1], dtype=kernel.dtype)
        by_place = None
        if ctx.needs_input_grad[0]:
            by_row = torch.zeros(len(places), _padded(len(kernel)), dtype=kernel.dtype)
            _add_gradients(*best, by_letter.numpy(), _with_padding(kernel.t()).numpy(), by_row.numpy(), True)
            by_place = torch.zeros_like(vectors).index_copy_(0, places[1:], by_row[1:, : len(kernel)])
        elif ctx.is_usual:
            scatter(best[0], words.numpy(), ctx.widths, best[1], by_letter.numpy())
        if ctx.is_usual:
            by_filter = alphabet.t() @ by_letter
        else:
            found = torch.zeros(kernel.shape[1], _padded(len(kernel)), dtype=kernel.dtype)
            _add_gradients(*best, by_letter.zero_().numpy(), _with_padding(ctx.rows).numpy(), found.numpy(), False)
            by_filter = found[:, : len(kernel)].t()
        return by_place, by_letter @ kernel.t(), by_filter, None, None


def _padded(dim: int) -> int:
    return dim + -dim % WIDTH


def _with_padding(rows: Tensor) -> Tensor:
    return pad(rows, (0, _padded(rows.shape[1]) - rows.shape[1])).contiguous()


@njit(cache=True, error_model="numpy")
def _number(words: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """See `Occurrences`."""
    sentences, tokens, most = words.shape
    longest, total = 1, 0
    for sentence in range(sentences):
        count = int(np.count_nonzero(words[sentence]))
        longest, total = max(longest, count), total + count
    letters = np.zeros((sentences, longest), dtype=np.int64)
    places = np.zeros(1 + total, dtype=np.int64)
    numbers = np.zeros((sentences * tokens, most), dtype=np.int64)
    number = 0
    for sentence in range(sentences):
        at = 0
        for token in range(tokens):
            for place in range(most):
                letter = words[sentence, token, place]
                if letter == 0:
                    break
                number += 1
                letters[sentence, at] = letter
                places[number] = sentence * longest + at
                numbers[sentence * tokens + token, place] = number
                at += 1
    return letters, places, numbers


@njit(cache=True, error_model="numpy")
def _is_usual(vectors: ndarray, alphabet: ndarray, letters: ndarray) -> bool:
    """Whether the vectors `(places, dim)` are those of their letters in the alphabet."""
    for place in range(letters.shape[0]):
        is_equal = True
        for d in range(vectors.shape[1]):
            is_equal &= vectors[place, d] == alphabet[letters[place], d]
        if not is_equal:
            return False
    return True


@intrinsic
def _add_multiple(context: Any, target: Any, at: Any, factor: Any, source: Any, source_at: Any) -> Any:
    """Adds a multiple of 16 numbers of one array to 16 numbers of another, given their offsets."""
    signature = types.void(target, types.intp, target.dtype, source, types.intp)
    return signature, _addition_code()


def _addition_code() -> Callable[..., Any]:
    """Generates LLVM code: the compiler cannot vectorise the loop because the arrays might overlap."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        target, at, factor, source, source_at = arguments
        vector = ir.VectorType(context.get_value_type(signature.args[0].dtype), WIDTH)

        def place(position: int, array: Any, offset: Any) -> Any:
            data = context.make_array(signature.args[position])(context, builder, array).data
            return builder.bitcast(builder.gep(data, [offset]), vector.as_pointer())

        to, origin = place(0, target, at), place(3, source, source_at)
        every = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        undefined = ir.Constant(vector, ir.Undefined)
        spread = builder.insert_element(undefined, factor, ir.IntType(32)(0))
        spread = builder.shuffle_vector(spread, undefined, every)
        product = builder.fmul(spread, builder.load(origin, align=4), flags=("contract",))
        builder.store(builder.fadd(builder.load(to, align=4), product, flags=("contract",)), to, align=4)
        return context.get_dummy_value()

    return generate


@njit(cache=True, error_model="numpy")
def _add_gradients(
    gradient: ndarray,
    where: ndarray,
    widths: ndarray,
    words: ndarray,
    numbers: ndarray,
    by_letter: ndarray,
    source: ndarray,
    found: ndarray,
    is_of_letters: bool,
) -> None:
    """
    Adds the gradient of each best window to that of its letters, given the filters, or to that of its filter, given the
    letters; and to its rows of the table of the alphabet.

    words, numbers : see `Occurrences`.
    by_letter : `(ids, positions * filters)`
    source, found : the vectors of the filters `(positions * filters, dim)` and of the letters `(1 + occurrences, dim)`,
        or the other way round.
    """
    places = len(source) if is_of_letters else len(found)
    count, dim = places // widths.sum(), source.shape[1]
    column = 0
    for kind in range(widths.shape[0]):
        # Words in the inner loop, so that the filters of one width stay in the cache.
        for word in range(numbers.shape[0]):
            for f in range(count):
                first = where[word, kind * count + f]
                if first < 0:
                    break
                value = gradient[word, kind * count + f]
                for place in range(widths[kind]):
                    at = column + place * count + f
                    by_letter[words[word, first + place], at] += value
                    letter, of_filter = numbers[word, first + place] * dim, at * dim
                    to, origin = (letter, of_filter) if is_of_letters else (of_filter, letter)
                    for d in range(0, dim, WIDTH):
                        _add_multiple(found, to + d, value, source, origin + d)
        column += widths[kind] * count
