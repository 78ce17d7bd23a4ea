"""vec_cmpv_xx and vcmpv_xx, vec_sel and vsel."""

import operator

from ..error import KernelError
from ..number import decode, encode
from .elementwise import check_types, number_of
from .form import call
from .lanes import ITERATION, REPEAT, STRIDE, Iterations, Strides, lanes_of, plain
from .step import CarriedStep

_FLOATS = ("half", "float")
_MASKS = ("uint8", "uint16", "uint32", "uint64")


def _check_is_mask(name, what, window, site):
    if window.dtype.word not in _MASKS:
        raise KernelError(f"{name}: {what} is {window.dtype.name}; it may be {', '.join(_MASKS)}", site)


def _bits(flags):
    number = sum(1 << k for k, flag in enumerate(flags) if flag)
    return number.to_bytes(len(flags) // 8, "little")


def _compare(run, site, name, operation, dst, src0, src1, repeat_times, strides):
    """A bit for each lane, written one after another; there is no mask."""
    step = CarriedStep(run, name, "V", site)
    to, left, right = (step.operand(which, view) for which, view in (("dst", dst), ("src0", src0), ("src1", src1)))
    _check_is_mask(name, "dst", to, site)
    dtype = check_types(name, (left, right), _FLOATS, site)
    repeat = step.parameter("repeat_times", repeat_times, *REPEAT)
    vectors = [Strides.of(step, which, window, *own)
               for which, window, own in zip(("src0", "src1"), (left, right), strides)]
    count = ITERATION // dtype.size
    lanes = lanes_of((1 << count) - 1, count)
    for k in range(repeat):
        a, b = (decode(dtype, step.read(one.window, one.runs(lanes, k), k)) for one in vectors)
        step.write(to, [(to.at + k * count // 8, count // 8)], _bits([operation(*pair) for pair in zip(a, b)]), k)
    step.emit()


def _comparisons(word, operation):

    @call(f"vec_cmpv_{word}")
    def vec(run, site, dst, src0, src1, repeat_times, src0_rep_stride, src1_rep_stride):
        _compare(run, site, f"vec_cmpv_{word}", operation, dst, src0, src1, repeat_times, [(1, src0_rep_stride),
                                                                                           (1, src1_rep_stride)])

    @call(f"vcmpv_{word}")
    def strided(run, site, dst, src0, src1, repeat_times, src0_blk_stride, src1_blk_stride, src0_rep_stride,
                src1_rep_stride):
        _compare(run, site, f"vcmpv_{word}", operation, dst, src0, src1, repeat_times,
                 [(src0_blk_stride, src0_rep_stride), (src1_blk_stride, src1_rep_stride)])


for _word in ("lt", "gt", "ge", "eq", "le"):
    _comparisons(_word, getattr(operator, _word))
# As Compare on Atlas A2 and A3: nothing is unequal to NaN.
_comparisons("ne", lambda a, b: a < b or a > b)


@call("vec_sel")
def vec_sel(run, site, mask, mode, dst, sel, src0, src1, repeat_times, dst_rep_stride=0, src0_rep_stride=0,
            src1_rep_stride=0):
    _select(run, site, "vec_sel", mask, mode, dst, sel, src0, src1, repeat_times, None,
            (dst_rep_stride, src0_rep_stride, src1_rep_stride))


@call("vsel")
def vsel(run, site, mask, mode, dst, sel, src0, src1, repeat_times, dst_blk_stride, src0_blk_stride, src1_blk_stride,
         dst_rep_stride=0, src0_rep_stride=0, src1_rep_stride=0, stride_unit=0):
    plain(site, stride_unit)
    _select(run, site, "vsel", mask, mode, dst, sel, src0, src1, repeat_times,
            (dst_blk_stride, src0_blk_stride, src1_blk_stride), (dst_rep_stride, src0_rep_stride, src1_rep_stride))


def _select(run, site, name, mask, mode, dst, sel, src0, src1, repeat_times, block_strides, repeat_strides):
    """src0 where the bit of sel is 1, else src1: mode 0 reads the same bits in
    every iteration, mode 2 the next ones, mode 1 likewise with a scalar src1."""
    step = CarriedStep(run, name, "V", site)
    which = [("dst", dst), ("src0", src0)] + ([("src1", src1)] if mode != 1 else [])
    windows = [step.operand(word, view) for word, view in which]
    bits = step.operand("mask", sel)
    _check_is_mask(name, "sel", bits, site)
    dtype = check_types(name, windows, _FLOATS, site)
    if mode not in (0, 1, 2):
        raise KernelError(f"{name}: mode is {mode}; it may be 0, 1 or 2", site)
    step.parameter("mode", mode, 0, 2)
    iterations = Iterations(step, run, site, mask, repeat_times, dtype.size)
    vectors = [Strides.of(step, word, window, block, stride) if block_strides else
               Strides(window, 1, step.parameter(f"{word}_rep_stride", stride, *STRIDE))
               for (word, _), window, block, stride in zip(which, windows, block_strides or (1, 1, 1), repeat_strides)]
    scalar = None
    if mode == 1:
        scalar = encode(dtype, [number_of(src1, dtype, run)])
        step.word("scalar", str(decode(dtype, scalar)[0]))
    width, size = iterations.count // 8, dtype.size
    for k in range(iterations.repeat):
        lanes = iterations.lanes(k)
        chosen = int.from_bytes(step.read(bits, [(bits.at + (k * width if mode else 0), width)], k), "little")
        a = step.read(windows[1], vectors[1].runs(lanes, k), k)
        b = scalar * len(lanes) if mode == 1 else step.read(windows[2], vectors[2].runs(lanes, k), k)
        result = b"".join((a if chosen >> lane & 1 else b)[size * n:size * n + size] for n, lane in enumerate(lanes))
        step.write(windows[0], vectors[0].runs(lanes, k), result, k)
    step.emit()
