"""Elements: their types, bytes, and one rounding to nearest even.

Half is worked out in doubles and rounded once: sums and products of two halves
are exact there, and a quotient that is rounded to 53 bits first rounds to 11 as
if it had not been; the same holds of float's 24.
"""

import math
import struct
from fractions import Fraction

from .error import KernelError


class DType:

    def __init__(self, name, word, size, code):
        self.name, self.word, self.size, self.code = name, word, size, code
        self.is_float = code in "ef"
        self.is_signed = code in "bhiq"

    @property
    def low(self):
        return -(1 << (8 * self.size - 1)) if self.is_signed else 0

    @property
    def high(self):
        return (1 << (8 * self.size - self.is_signed)) - 1


# TIK's names, the words of cases, bytes, and what struct calls them.
DTYPES = {
    name: DType(name, word, size, code) for name, word, size, code in (
        ("int8", "int8", 1, "b"), ("uint8", "uint8", 1, "B"), ("int16", "int16", 2, "h"),
        ("uint16", "uint16", 2, "H"), ("int32", "int32", 4, "i"), ("uint32", "uint32", 4, "I"),
        ("int64", "int64", 8, "q"), ("uint64", "uint64", 8, "Q"), ("float16", "half", 2, "e"),
        ("float32", "float", 4, "f"))
}
HALF_MAX = 65504.0
# Below these in magnitude nothing is rounded to infinity.
_LIMITS = {"e": 65520.0, "f": 3.4028235e38}


def dtype_of(name, site):
    if name not in DTYPES:
        raise KernelError(f"dtype is {name!r}; it may be {', '.join(DTYPES)}", site)
    return DTYPES[name]


def decode(dtype, data):
    return list(struct.unpack(f"<{len(data) // dtype.size}{dtype.code}", data))


def encode(dtype, values):
    """Values in the type's range; those of a floating type are rounded."""
    return struct.pack(f"<{len(values)}{dtype.code}", *values)


def round_to(dtype, value):
    """The nearest value of a floating type, ties to even, infinite beyond; an
    integer's low bits."""
    if not dtype.is_float:
        low_bits = int(value) & ((1 << 8 * dtype.size) - 1)
        return low_bits - (1 << 8 * dtype.size) if low_bits > dtype.high else low_bits
    try:
        return struct.unpack("<" + dtype.code, struct.pack("<" + dtype.code, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def saturate(dtype, value, saturation=True):
    """What a node becomes, as numbers.h has it: where saturation is on, half is
    65504 for what is too large and 0 for NaN, and an integer is the nearest one;
    else a NaN is the canonical one and an integer keeps its low bits."""
    if not dtype.is_float:
        return clamp(dtype, value) if saturation else round_to(dtype, value)
    saturated = dtype.code == "e" and saturation
    if value != value:
        return 0.0 if saturated else math.nan
    rounded = round_to(dtype, value)
    return max(-HALF_MAX, min(HALF_MAX, rounded)) if saturated else rounded


def encode_results(dtype, results, saturation):
    """The bytes of arithmetic results, which are not rounded yet."""
    if dtype.is_float:
        if not all(map(_LIMITS[dtype.code].__gt__, map(abs, results))):  # of NaN, too
            results = [saturate(dtype, one, saturation) for one in results]
    elif not all(dtype.low <= one <= dtype.high for one in results):
        results = [saturate(dtype, one, saturation) for one in results]
    return encode(dtype, results)


def clamp(dtype, value):
    """An integer type's nearest value."""
    return max(dtype.low, min(dtype.high, value))


def nearest(dtype, exact):
    """`exact`, a Fraction, in the type: rounded once; an error if it doesn't
    fit."""
    if not dtype.is_float:
        if exact.denominator != 1 or not dtype.low <= exact <= dtype.high:
            raise KernelError(f"{exact} is no {dtype.name}")
        return int(exact)
    double = float(exact)
    if Fraction(double) != exact and struct.pack(">d", double)[7] % 2 == 0:
        # To the odd neighbour: rounding again then cannot meet a false tie.
        double = math.nextafter(double, math.inf if exact > Fraction(double) else -math.inf)
    rounded = round_to(dtype, double)
    if math.isinf(rounded):
        raise KernelError(f"{exact} is too large for {dtype.name}")
    return rounded


# round_mode of vec_conv and vconv; '' and 'none' round to nearest even where
# something is lost.
def _to_even(x):
    return round(x)


def _away(x):
    return int(math.copysign(math.floor(abs(x) + 0.5), x)) if abs(x) < 1 << 52 else int(x)


ROUNDINGS = {
    "": _to_even, "none": _to_even, "round": _to_even, "floor": math.floor, "ceil": math.ceil,
    "ceiling": math.ceil, "to-zero": math.trunc, "away-zero": _away
}
