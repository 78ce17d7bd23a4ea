"""vcmin and vreduce."""

import math

from ..error import KernelError
from ..number import decode, encode, round_to, saturate
from ..tensor import Scalar, Tensor
from .elementwise import check_types
from .form import call
from .lanes import BLOCK, ITERATION, REPEAT, STRIDE, Iterations, Strides, lanes_of, plain
from .step import CarriedStep

# src1_pattern as a number: every period-th element from the first on (1:
# 0101…01, bit 0 first).
_PATTERNS = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3)}


@call("vcmin")
def vcmin(run, site, mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride, src_rep_stride, stride_unit=0):
    """Of each iteration the smallest element and behind it the index of the
    first that equals it, an integer of the element's size. dst_rep_stride counts
    such pairs. As WholeReduceMin: NaN if one is, and −0 is below +0."""
    plain(site, stride_unit)
    step = CarriedStep(run, "vcmin", "V", site)
    to = step.operand("dst", dst, align=lambda dtype: 2 * dtype.size)
    of = step.operand("src", src)
    dtype = check_types("vcmin", (to, of), ("half", "float"), site)
    iterations = Iterations(step, run, site, mask, repeat_times, dtype.size)
    pair = 2 * dtype.size
    stride = step.parameter("dst_rep_stride", dst_rep_stride, *STRIDE) * pair
    vector = Strides.of(step, "src", of, src_blk_stride, src_rep_stride)
    for k in range(iterations.repeat):
        lanes = iterations.lanes(k)
        values = decode(dtype, step.read(of, vector.runs(lanes, k), k))
        if values:
            n = min(range(len(values)),
                    key=lambda at: (values[at] == values[at], values[at], math.copysign(1, values[at]), at))
            index = lanes[n].to_bytes(dtype.size, "little")
            smallest = encode(dtype, [saturate(dtype, values[n], run.saturation)])
            step.write(to, [(to.at + k * stride, pair)], smallest + index, k)
    step.emit()


@call("vreduce")
def vreduce(run, site, mask, dst, src0, src1_pattern, repeat_times, src0_blk_stride, src0_rep_stride, src1_rep_stride,
            stride_unit=0, rsvd_scalar=None, mask_mode="normal"):
    """The elements of src0 whose bits are 1, one after another; rsvd_scalar
    gets their count. In counter mode an iteration has `mask` elements."""
    plain(site, stride_unit)
    step = CarriedStep(run, "vreduce", "V", site)
    to, of = step.operand("dst", dst), step.operand("src0", src0)
    size = check_types("vreduce", (to, of), ("half", "float", "int16", "uint16", "int32", "uint32"), site).size
    bits = None
    if isinstance(src1_pattern, Tensor):
        bits = step.operand("src1", src1_pattern)
        wanted = "uint16" if size == 2 else "uint32"
        if bits.dtype.word != wanted:
            raise KernelError(f"vreduce: src1_pattern is {bits.dtype.name}; it must be {wanted}", site)
    else:
        period, first = _PATTERNS[step.parameter("src1_pattern", src1_pattern, 1, 6)]
    iterations = Iterations(step, run, site, mask, repeat_times, size, mask_mode)
    vector = Strides.of(step, "src0", of, src0_blk_stride, src0_rep_stride)
    bits_stride = step.parameter("src1_rep_stride", src1_rep_stride, *STRIDE) * BLOCK
    counted = mask_mode == "counter"
    if counted:
        count = iterations.elements
        if vector.block_stride > 0:  # what is more leaves the window
            count = min(count, max(of.bytes, 0) // size + ITERATION)
        repeat = step.parameter("repeat_times", repeat_times, *REPEAT)
        lanes = lanes_of((1 << count) - 1, count)
    else:
        repeat, count = iterations.repeat, ITERATION // size
    done = 0
    for k in range(repeat):
        if not counted:
            lanes = iterations.lanes(k)
        if bits is None:
            chosen = [lane for lane in lanes if lane % period == first]
        else:
            flags = int.from_bytes(step.read(bits, [(bits.at + k * bits_stride, -(-count // 8))], k), "little")
            chosen = [lane for lane in lanes if flags >> lane & 1]
        data = step.read(of, vector.runs(tuple(lanes), k), k)
        place = {lane: n for n, lane in enumerate(lanes)}
        result = b"".join(data[size * place[lane]:size * place[lane] + size] for lane in chosen)
        if result:
            step.write(to, [(to.at + done * size, len(result))], result, k)
        done += len(chosen)
    step.emit()
    if rsvd_scalar is not None:
        if not isinstance(rsvd_scalar, Scalar):
            raise KernelError(f"vreduce: rsvd_scalar is {type(rsvd_scalar).__name__}; it may be None or a Scalar", site)
        run.scalars[rsvd_scalar] = round_to(rsvd_scalar.type, done)
