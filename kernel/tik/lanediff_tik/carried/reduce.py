"""vcadd, vcmax, vcmin; vcgadd, vcgmax, vcgmin; vcpadd; vreduce."""

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


def _sum(values, node):
    """Neighbours first; None where no lane takes part."""
    while len(values) > 1:
        values = [b if a is None else a if b is None else node(a + b) for a, b in zip(values[::2], values[1::2])]
    return values[0]


def _first(pick):
    """The best value, NaN if one is, and of zeros the one that `pick` prefers; beside it
    the first place that has it."""

    def find(values):
        return pick(range(len(values)),
                    key=lambda at: ((values[at] != values[at]) == (pick is max), values[at] if values[at] == values[at]
                                    else 0, math.copysign(1, values[at]), at if pick is min else -at))

    return find


_SMALLEST, _LARGEST = _first(min), _first(max)


def _reduction(name, op, results, unit, align, reduce, **fields):
    """Of each iteration so many `results` of the same number of neighbouring lanes each;
    dst_rep_stride counts `unit` bytes of a dtype. A result without lanes is not
    written. `op` and `fields`: the call of Ascend C."""

    @call(name)
    def execute(run, site, mask, dst, src, repeat_times, dst_rep_stride, src_blk_stride, src_rep_stride, stride_unit=0):
        plain(site, stride_unit)
        step = CarriedStep(run, name, "V", site)
        to, of = step.operand("dst", dst, align=align), step.operand("src", src)
        dtype = check_types(name, (to, of), ("half", "float"), site)
        iterations = Iterations(step, run, site, mask, repeat_times, dtype.size)
        stride = step.parameter("dst_rep_stride", dst_rep_stride, *STRIDE) * unit(dtype)
        vector = Strides.of(step, "src", of, src_blk_stride, src_rep_stride)
        repeat = "repeatTimes" if op == "WholeReduceSum" else "repeatTime"
        step.judged(op, dtype, **{repeat: "repeat_times"}, mask="mask", dstRepStride="dst_rep_stride",
                    srcBlkStride="src_blk_stride", srcRepStride="src_rep_stride", **fields)
        each = iterations.count // results(dtype)
        for k in range(iterations.repeat):
            lanes = iterations.lanes(k)
            values = dict(zip(lanes, decode(dtype, step.read(of, vector.runs(lanes, k), k))))
            for n in range(results(dtype)):
                part = {lane: values[lane] for lane in range(n * each, n * each + each) if lane in values}
                if part:
                    data = reduce(dtype, part, range(n * each, n * each + each), run.saturation)
                    step.write(to, [(to.at + k * stride + n * len(data), len(data))], data, k)
        step.emit()


def _added(dtype, part, lanes, saturation):

    def node(value):
        return saturate(dtype, value, saturation)

    return encode(dtype, [node(_sum([part.get(lane) for lane in lanes], node))])


def _best(find):

    def best(dtype, part, _, saturation):
        return encode(dtype, [saturate(dtype, list(part.values())[find(list(part.values()))], saturation)])

    return best


def _best_and_index(find):
    """The index is an integer of the element's size."""

    def best(dtype, part, lanes, saturation):
        return _best(find)(dtype, part, lanes, saturation) + list(part)[find(list(part.values()))].to_bytes(
            dtype.size, "little")

    return best


# As WholeReduceSum, …Max, …Min, BlockReduceSum, …Max, …Min and PairReduceSum of Ascend C.
_reduction("vcadd", "WholeReduceSum", lambda of: 1, lambda of: of.size, lambda of: of.size, _added)
_reduction("vcpadd", "PairReduceSum", lambda of: ITERATION // of.size // 2, lambda of: ITERATION // 2, lambda of: BLOCK, _added)
_reduction("vcgadd", "BlockReduceSum", lambda of: ITERATION // BLOCK, lambda of: 8 * of.size, lambda of: 8 * of.size, _added)
for _word, _find in (("max", _LARGEST), ("min", _SMALLEST)):
    _reduction("vc" + _word, "WholeReduce" + _word.capitalize(), lambda of: 1, lambda of: 2 * of.size,
               lambda of: 2 * of.size, _best_and_index(_find), order="ORDER_VALUE_INDEX")
    _reduction("vcg" + _word, "BlockReduce" + _word.capitalize(), lambda of: ITERATION // BLOCK, lambda of: 8 * of.size, lambda of: 8 * of.size,
               _best(_find))


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
