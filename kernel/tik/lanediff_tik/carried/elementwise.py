"""vec_dup, vec_add and what works lane by lane like them.

Values are those of the same instruction in Ascend C (kernel/carried): what
rounds and saturates there does so here. vec_rec, vdiv and vaxpy are a host's: a
device may round otherwise.
"""

import inspect
import itertools
import math

from ..error import KernelError, RefusedError
from ..expr import as_expr
from ..number import decode, encode, encode_results, round_to, saturate
from .form import call
from .lanes import Iterations, Strides, plain
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


def _lanewise(name, allowed, operation, sources, scalar=False, strided=False, reads_dst=False):
    """dst lane = operation(src lanes of `sources`, scalar). With `strided` its
    operands have block strides of their own, else 1. With `reads_dst` the lanes
    of dst are sources, too, and the operation gets a function last: a node of
    its own."""
    operands = ["dst", *sources]
    words = ["mask", *operands, *(["scalar"] if scalar else []), "repeat_times"]
    words += [f"{which}_{kind}_stride" for kind in (("blk", "rep") if strided else ("rep",)) for which in operands]
    defaults = {"stride_unit": 0, "mask_mode": "normal"}
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(word, kind) for word in words] +
                                  [inspect.Parameter(word, kind, default=value) for word, value in defaults.items()])

    @call(name, signature)
    def execute(run, site, mask, repeat_times, stride_unit, mask_mode, **given):
        plain(site, stride_unit)
        step = CarriedStep(run, name, "V", site)
        if name in _APPROXIMATE:
            step.approximate()
        windows = [step.operand(which, given[which]) for which in operands]
        dtype = check_types(name, windows, allowed, site)
        iterations = Iterations(step, run, site, mask, repeat_times, dtype.size, mask_mode)
        vectors = [Strides.of(step, which, window, given.get(f"{which}_blk_stride", 1), given[f"{which}_rep_stride"])
                   for which, window in zip(operands, windows)]
        extra = []
        if scalar:
            extra = [number_of(given["scalar"], dtype, run)]
            step.word("scalar", str(extra[0]))
        if reads_dst:
            extra.append(lambda value: saturate(dtype, value, run.saturation))
        columns_of = vectors[1:] + (vectors[:1] if reads_dst else [])
        for k in range(iterations.repeat):
            lanes = iterations.lanes(k)
            columns = [decode(dtype, step.read(one.window, one.runs(lanes, k), k)) for one in columns_of]
            results = list(map(operation, *columns, *(itertools.repeat(one, len(lanes)) for one in extra)))
            # What is only copied doesn't saturate.
            data = encode_results(dtype, results, run.saturation) if columns else encode(dtype, results)
            step.write(vectors[0].window, vectors[0].runs(lanes, k), data, k)
        step.emit()


_ONE, _TWO = ("src",), ("src0", "src1")
_lanewise("vec_dup", _ANY, lambda value: value, (), scalar=True)
_lanewise("vec_rec", _FLOATS, lambda a: _divide(1.0, a), _ONE)
for _name, _allowed, _operation in (("add", _NUMBERS, _ADD), ("sub", _NUMBERS, _SUB), ("mul", _NUMBERS, _MUL),
                                    ("max", _NUMBERS, _MAX), ("min", _NUMBERS, _MIN),
                                    ("and", _BITS, lambda a, b: a & b)):
    _lanewise("vec_" + _name, _allowed, _operation, _TWO)
for _name, _operation in (("adds", _ADD), ("muls", _MUL)):
    _lanewise("vec_" + _name, _NUMBERS, _operation, _ONE, scalar=True)
    _lanewise("v" + _name, _NUMBERS, _operation, _ONE, scalar=True, strided=True)
for _name, _allowed, _operation in (("vadd", _NUMBERS, _ADD), ("vmul", _NUMBERS, _MUL), ("vdiv", _FLOATS, _divide)):
    _lanewise(_name, _allowed, _operation, _TWO, strided=True)
_lanewise("vaxpy", _FLOATS, lambda src, dst, scalar, node: node(src * scalar) + dst, _ONE, scalar=True, strided=True,
          reads_dst=True)
