"""vec_dup, vec_add and what works lane by lane like them.

Values are those of the same instruction in Ascend C (kernel/carried): what
rounds and saturates there does so here. vec_rec, vdiv and vaxpy are a host's: a
device may round otherwise.
"""

import itertools
import math

from ..error import KernelError, RefusedError
from ..expr import as_expr
from ..number import decode, encode, encode_results, round_to, saturate
from .form import call
from .lanes import STRIDE, Iterations, Strides, plain
from .step import CarriedStep


def _pick(of, tie):
    """max or min: NaN if one is, of two zeros the one that `tie` names."""

    def pick(a, b):
        if a != a or b != b:
            return math.nan
        return tie(a, b) if a == b == 0 and isinstance(a, float) else of(a, b)

    return pick


def _positive(a, b):
    return math.copysign(0.0, max(math.copysign(1, a), math.copysign(1, b)))


def _negative(a, b):
    return math.copysign(0.0, min(math.copysign(1, a), math.copysign(1, b)))


def _divide(a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


_ADD, _SUB, _MUL = (lambda a, b: a + b), (lambda a, b: a - b), (lambda a, b: a * b)
_MAX, _MIN = _pick(max, _positive), _pick(min, _negative)
_FLOATS = ("half", "float")
_NUMBERS = _FLOATS + ("int16", "int32")
_BITS = ("int16", "uint16")
_ANY = _NUMBERS + ("uint16", "uint32")
_APPROXIMATE = ("vec_rec", "vdiv", "vaxpy")


def check_types(name, windows, allowed, site):
    """All of the first one's type, which is among `allowed`."""
    first = windows[0].dtype
    for window in windows:
        if window.dtype is not first:
            raise KernelError(f"{name}: operands are {first.name} and {window.dtype.name}; they must be alike", site)
    if first.word not in allowed:
        raise RefusedError(name, f"of {first.name}; {', '.join(allowed)} are supported", site)
    return first


def number_of(value, dtype, run):
    """A scalar in the type of the elements."""
    value = as_expr(value).evaluate(run)
    return round_to(dtype, value if dtype.is_float else int(value))


def lanewise(run, site, name, allowed, operation, mask, operands, repeat_times, strides, scalar=None,
             mask_mode="normal", reads_dst=False):
    """dst lane = operation(src lanes of `operands[1:]`, scalar); `strides` as
    (name, block, repeat) of each operand. With `reads_dst` the lanes of dst are
    sources, too, and the operation gets a function last: a node of its own."""
    step = CarriedStep(run, name, "V", site)
    if name in _APPROXIMATE:
        step.approximate()
    windows = [step.operand(which, view) for which, view in operands]
    dtype = check_types(name, windows, allowed, site)
    iterations = Iterations(step, run, site, mask, repeat_times, dtype.size, mask_mode)
    vectors = []
    for (which, _), window, (block, repeat) in zip(operands, windows, strides):
        block = step.parameter(f"{which}_blk_stride", block, *STRIDE)
        vectors.append(Strides(window, block, step.parameter(f"{which}_rep_stride", repeat, *STRIDE)))
    extra = []
    if scalar is not None:
        extra = [number_of(scalar, dtype, run)]
        step.word("scalar", str(extra[0]))
    if reads_dst:
        extra.append(lambda value: saturate(dtype, value, run.saturation))
    sources = vectors[1:] + (vectors[:1] if reads_dst else [])
    for k in range(iterations.repeat):
        lanes = iterations.lanes(k)
        columns = [decode(dtype, step.read(one.window, one.runs(lanes, k), k)) for one in sources]
        results = list(map(operation, *columns, *(itertools.repeat(one, len(lanes)) for one in extra)))
        # What is only copied doesn't saturate.
        data = encode_results(dtype, results, run.saturation) if columns else encode(dtype, results)
        step.write(vectors[0].window, vectors[0].runs(lanes, k), data, k)
    step.emit()


@call("vec_dup", "mask dst scalar repeat_times dst_rep_stride stride_unit=0 mask_mode=normal")
def vec_dup(run, site, mask, dst, scalar, repeat_times, dst_rep_stride, stride_unit, mask_mode):
    plain(site, stride_unit)
    lanewise(run, site, "vec_dup", _ANY, lambda value: value, mask, [("dst", dst)], repeat_times,
             [(1, dst_rep_stride)], scalar, mask_mode)


def _two(name, allowed, operation):

    @call("vec_" + name, "mask dst src0 src1 repeat_times dst_rep_stride src0_rep_stride src1_rep_stride "
          "stride_unit=0 mask_mode=normal")
    def vec(run, site, mask, dst, src0, src1, repeat_times, dst_rep_stride, src0_rep_stride, src1_rep_stride,
            stride_unit, mask_mode):
        plain(site, stride_unit)
        lanewise(run, site, "vec_" + name, allowed, operation, mask, [("dst", dst), ("src0", src0), ("src1", src1)],
                 repeat_times, [(1, dst_rep_stride), (1, src0_rep_stride), (1, src1_rep_stride)], None, mask_mode)


def _scalar(name, operation):

    @call("vec_" + name, "mask dst src scalar repeat_times dst_rep_stride src_rep_stride stride_unit=0 "
          "mask_mode=normal")
    def vec(run, site, mask, dst, src, scalar, repeat_times, dst_rep_stride, src_rep_stride, stride_unit, mask_mode):
        plain(site, stride_unit)
        lanewise(run, site, "vec_" + name, _NUMBERS, operation, mask, [("dst", dst), ("src", src)], repeat_times,
                 [(1, dst_rep_stride), (1, src_rep_stride)], scalar, mask_mode)


def _strided_two(name, allowed, operation):

    @call(name, "mask dst src0 src1 repeat_times dst_blk_stride src0_blk_stride src1_blk_stride dst_rep_stride "
          "src0_rep_stride src1_rep_stride stride_unit=0 mask_mode=normal")
    def v(run, site, mask, dst, src0, src1, repeat_times, dst_blk_stride, src0_blk_stride, src1_blk_stride,
          dst_rep_stride, src0_rep_stride, src1_rep_stride, stride_unit, mask_mode):
        plain(site, stride_unit)
        lanewise(run, site, name, allowed, operation, mask, [("dst", dst), ("src0", src0), ("src1", src1)],
                 repeat_times, [(dst_blk_stride, dst_rep_stride), (src0_blk_stride, src0_rep_stride),
                                (src1_blk_stride, src1_rep_stride)], None, mask_mode)


def _strided_scalar(name, allowed, operation, reads_dst=False):

    @call(name, "mask dst src scalar repeat_times dst_blk_stride src_blk_stride dst_rep_stride src_rep_stride "
          "stride_unit=0 mask_mode=normal")
    def v(run, site, mask, dst, src, scalar, repeat_times, dst_blk_stride, src_blk_stride, dst_rep_stride,
          src_rep_stride, stride_unit, mask_mode):
        plain(site, stride_unit)
        lanewise(run, site, name, allowed, operation, mask, [("dst", dst), ("src", src)], repeat_times,
                 [(dst_blk_stride, dst_rep_stride), (src_blk_stride, src_rep_stride)], scalar, mask_mode, reads_dst)


@call("vec_rec", "mask dst src repeat_times dst_rep_stride src_rep_stride stride_unit=0 mask_mode=normal")
def vec_rec(run, site, mask, dst, src, repeat_times, dst_rep_stride, src_rep_stride, stride_unit, mask_mode):
    plain(site, stride_unit)
    lanewise(run, site, "vec_rec", _FLOATS, lambda a: _divide(1.0, a), mask, [("dst", dst), ("src", src)],
             repeat_times, [(1, dst_rep_stride), (1, src_rep_stride)], None, mask_mode)


for _name, _allowed, _operation in (("add", _NUMBERS, _ADD), ("sub", _NUMBERS, _SUB), ("mul", _NUMBERS, _MUL),
                                    ("max", _NUMBERS, _MAX), ("min", _NUMBERS, _MIN),
                                    ("and", _BITS, lambda a, b: a & b)):
    _two(_name, _allowed, _operation)
for _name, _operation in (("adds", _ADD), ("muls", _MUL)):
    _scalar(_name, _operation)
    _strided_scalar("v" + _name, _NUMBERS, _operation)
_strided_two("vadd", _NUMBERS, _ADD)
_strided_two("vmul", _NUMBERS, _MUL)
_strided_two("vdiv", _FLOATS, _divide)
_strided_scalar("vaxpy", _FLOATS, lambda src, dst, scalar, node: node(src * scalar) + dst, reads_dst=True)
