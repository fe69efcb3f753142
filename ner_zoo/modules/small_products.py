"""
Repeated products of a few rows with the same matrix, for compiled loops.

A BLAS library packs the matrix for every product and has call overhead: for the rows of one LSTM step, that takes as
long as the product itself. Here the matrix is packed once into panels of 16 columns, and a tile of up to six rows and
one panel stays in registers during the sum over the depth.
"""

from collections.abc import Callable
from typing import Any

import torch
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy import ndarray
from torch import Tensor

WIDTH = 16


def packed(matrix: Tensor) -> Tensor:
    """`(depth, columns)` as `(panels, depth, 16)`, with zero columns in the last panel."""
    depth, columns = matrix.shape
    panels = -(-columns // WIDTH)
    missing = panels * WIDTH - columns
    padded = torch.nn.functional.pad(matrix, (0, missing)) if missing else matrix
    return padded.view(depth, panels, WIDTH).transpose(0, 1).contiguous()


def _tile_of(rows: int) -> Callable[..., None]:
    """
    Multiplies some rows of `left` with one panel and writes to `out`, given their offsets and row strides in numbers,
    and the number of terms of a sum.
    """

    @intrinsic
    def tile(
        context: Any, out: Any, at: Any, apart: Any, left: Any, left_at: Any, depth: Any, panels: Any, panel_at: Any
    ) -> Any:
        signature = types.void(out, types.intp, types.intp, left, types.intp, types.intp, panels, types.intp)
        return signature, _tile_code(rows)

    return tile


def _tile_code(rows: int) -> Callable[..., Any]:
    """Generates LLVM code: a loop over the depth that carries `rows` vectors of sums."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        out, at, apart, left, left_at, depth, panels, panel_at = arguments
        number = context.get_value_type(signature.args[0].dtype)
        vector, integer = ir.VectorType(number, WIDTH), depth.type

        def place(position: int, array: Any, offset: Any) -> Any:
            data = context.make_array(signature.args[position])(context, builder, array).data
            return builder.gep(data, [offset])

        def as_vector(pointer: Any) -> Any:
            return builder.bitcast(pointer, vector.as_pointer())

        targets = [place(0, out, builder.add(at, builder.mul(apart, integer(row)))) for row in range(rows)]
        sources = [place(3, left, builder.add(left_at, builder.mul(depth, integer(row)))) for row in range(rows)]
        panel = place(6, panels, panel_at)
        before, loop, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
        builder.branch(loop)
        builder.position_at_end(loop)
        term = builder.phi(integer)
        sums = [builder.phi(vector) for _ in range(rows)]
        right = builder.load(as_vector(builder.gep(panel, [builder.mul(term, integer(WIDTH))])), align=4)
        every = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        undefined = ir.Constant(vector, ir.Undefined)
        added = []
        for source, total in zip(sources, sums):
            value = builder.insert_element(undefined, builder.load(builder.gep(source, [term])), ir.IntType(32)(0))
            spread = builder.shuffle_vector(value, undefined, every)
            product = builder.fmul(spread, right, flags=("contract",))
            added.append(builder.fadd(total, product, flags=("contract",)))
        following = builder.add(term, integer(1))
        term.add_incoming(integer(0), before)
        term.add_incoming(following, loop)
        for total, new in zip(sums, added):
            total.add_incoming(ir.Constant(vector, [0.0] * WIDTH), before)
            total.add_incoming(new, loop)
        builder.cbranch(builder.icmp_signed("<", following, depth), loop, after)
        builder.position_at_end(after)
        for target, total in zip(targets, added):
            builder.store(total, as_vector(target), align=4)
        return context.get_dummy_value()

    return generate


_one, _two, _four, _six = (_tile_of(rows) for rows in (1, 2, 4, 6))


@njit(cache=True, error_model="numpy")
def multiply(left: ndarray, count: int, panels: ndarray, out: ndarray) -> None:
    """
    left : `(rows, depth)`, of which the first `count` are multiplied.
    panels : `(panels, depth, 16)`, see `packed`.
    out : `(rows, 16 * panels)`, of which the first `count` are written.
    """
    depth, apart = left.shape[1], out.shape[1]
    for panel in range(panels.shape[0]):
        at, right = panel * WIDTH, panel * depth * WIDTH
        row = 0
        while row + 6 <= count:
            _six(out, at + row * apart, apart, left, row * depth, depth, panels, right)
            row += 6
        if row + 4 <= count:
            _four(out, at + row * apart, apart, left, row * depth, depth, panels, right)
            row += 4
        if row + 2 <= count:
            _two(out, at + row * apart, apart, left, row * depth, depth, panels, right)
            row += 2
        if row < count:
            _one(out, at + row * apart, apart, left, row * depth, depth, panels, right)
