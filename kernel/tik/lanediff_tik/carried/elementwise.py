"""vec_dup, vec_add and what works lane by lane like them: `vec_add` has strides
between iterations, `vadd` those between blocks too.

Values are those of the same instruction in Ascend C: what rounds and saturates
there does so here. Quotients, roots, powers and vaxpy are a host's: a device may
round otherwise.
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


def _exp(a):
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def _ln(a):
    return math.log(a) if 0 < a < math.inf else -math.inf if a == 0 else a if a > 0 else math.nan


def _sqrt(a):
    return math.sqrt(a) if a >= 0 else math.nan


def _rsqrt(a):
    return _divide(1.0, math.copysign(_sqrt(a), a)) if a >= 0 else math.nan


def _leaky(a, scalar):
    return a * scalar if math.copysign(1, a) < 0 or a != a else a


_MAX, _MIN = _pick(max, _positive), _pick(min, _negative)
_FLOATS = ("half", "float")
_NUMBERS = _FLOATS + ("int16", "int32")
_BITS = ("int16", "uint16")
_ANY = _NUMBERS + ("uint16", "uint32")


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


def _lanewise(name, allowed, operation, sources, scalar=False, strided=False, reads_dst=False, approximate=False,
              op=None):
    """dst lane = operation(src lanes of `sources`, scalar). With `strided` its
    operands have block strides of their own, else 1. With `reads_dst` the lanes
    of dst are sources, too, and the operation gets a function last: a node of
    its own. `approximate`: the documents do not determine the results. `op`: the call of
    Ascend C."""
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
        if approximate:
            step.approximate()
        windows = [step.operand(which, given[which]) for which in operands]
        dtype = check_types(name, windows, allowed, site)
        iterations = Iterations(step, run, site, mask, repeat_times, dtype.size, mask_mode)
        vectors = [Strides.of(step, which, window, given.get(f"{which}_blk_stride", 1), given[f"{which}_rep_stride"])
                   for which, window in zip(operands, windows)]
        extra, of_scalar = [], {}
        if scalar:
            extra = [number_of(given["scalar"], dtype, run)]
            step.word("scalar", str(extra[0]))
            of_scalar = {"scalar": "0x" + encode(dtype, extra)[::-1].hex()}
        if op is not None and sources:
            names = [(f"{which}{case}Stride", f"{which}_{kind}_stride") for kind, case in (("blk", "Blk"), ("rep", "Rep"))
                     for which in operands]
            step.judged(op, dtype, **of_scalar, mask="mask", repeatTimes="repeat_times", repeatParams=dict(names))
        elif op is not None:
            step.judged(op, dtype, scalarValue=of_scalar["scalar"], mask="mask", repeatTime="repeat_times",
                        dstBlockStride="dst_blk_stride", dstRepeatStride="dst_rep_stride")
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


def _spellings(word, *row, **more):
    """vec_WORD and vWORD."""
    _lanewise("vec_" + word, *row, **more)
    _lanewise("v" + word, *row, **more, strided=True)


_lanewise("vec_dup", _ANY, lambda value: value, (), scalar=True, op="Duplicate")
_lanewise("vector_dup", _ANY, lambda value: value, (), scalar=True, strided=True, op="Duplicate")
for _row in (("add", _NUMBERS, lambda a, b: a + b), ("sub", _NUMBERS, lambda a, b: a - b),
             ("mul", _NUMBERS, lambda a, b: a * b), ("max", _NUMBERS, _MAX), ("min", _NUMBERS, _MIN),
             ("and", _BITS, lambda a, b: a & b), ("or", _BITS, lambda a, b: a | b)):
    _spellings(*_row, _TWO, op=_row[0].capitalize())
for _row in (("abs", _FLOATS, abs), ("relu", _FLOATS + ("int32",), lambda a: _MAX(a, type(a)(0))),
             ("not", _BITS, lambda a: ~a)):
    _spellings(*_row, _ONE, op=_row[0].capitalize())
for _row in (("adds", _NUMBERS, lambda a, b: a + b), ("muls", _NUMBERS, lambda a, b: a * b)):
    _spellings(*_row, _ONE, scalar=True, op=_row[0].capitalize())
_spellings("lrelu", _FLOATS, _leaky, _ONE, scalar=True, op="LeakyRelu")
for _row in (("exp", _FLOATS, _exp), ("ln", _FLOATS, _ln), ("sqrt", _FLOATS, _sqrt), ("rsqrt", _FLOATS, _rsqrt),
             ("rec", _FLOATS, lambda a: _divide(1.0, a))):
    _spellings(*_row, _ONE, approximate=True)
_lanewise("vdiv", _FLOATS, _divide, _TWO, strided=True, approximate=True)
_spellings("axpy", _FLOATS, lambda src, dst, scalar, node: node(src * scalar) + dst, _ONE, scalar=True, reads_dst=True,
           approximate=True)
_spellings("mla", _FLOATS, lambda a, b, dst, node: node(a * b) + dst, _TWO, reads_dst=True, approximate=True)
_spellings("madd", _FLOATS, lambda a, b, dst, node: node(a * dst) + b, _TWO, reads_dst=True, approximate=True)
