"""Exact arithmetic on bits: half and float, rounded once (ARITH-*), and integers.

A finite value is a pair (m, e) of integers that stands for m * 2**e. Zeros are
distinguished by their bits.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import isqrt


class Format:
    def __init__(self, size, exponent_bits):
        self.size = size  # bytes
        self.width = 8 * size
        self.fraction_bits = self.width - 1 - exponent_bits
        self.sign = 1 << (self.width - 1)
        self.infinity = ((1 << exponent_bits) - 1) << self.fraction_bits
        self.largest = self.infinity - 1
        self.nan = self.infinity | 1 << (self.fraction_bits - 1)
        # The exponent of the smallest subnormal: 2**-24 of half.
        self.lowest = 2 - (1 << (exponent_bits - 1)) - self.fraction_bits


HALF, FLOAT = Format(2, 5), Format(4, 8)
BFLOAT16, DOUBLE = Format(2, 8), Format(8, 11)
FORMATS = {"half": HALF, "float": FLOAT, "bfloat16": BFLOAT16, "double": DOUBLE}


def is_nan(form, bits):
    return bits & (form.sign - 1) > form.infinity


def is_infinite(form, bits):
    return bits & (form.sign - 1) == form.infinity


def is_zero(form, bits):
    return bits & (form.sign - 1) == 0


def exact(form, bits):
    """(m, e) of a finite value; e is never below the smallest subnormal's."""
    field = (bits & (form.sign - 1)) >> form.fraction_bits
    fraction = bits & ((1 << form.fraction_bits) - 1)
    m = fraction if field == 0 else fraction | 1 << form.fraction_bits
    return (-m if bits & form.sign else m), form.lowest + max(field - 1, 0)


def rounded(form, m, e):
    """The bits nearest to m * 2**e, ties to even; beyond the range infinity. m != 0."""
    sign = form.sign if m < 0 else 0
    m = abs(m)
    # The last place that the value keeps: its own precision's or the subnormals'.
    shift = max(m.bit_length() - form.fraction_bits - 1, form.lowest - e)
    if shift > 0:
        kept, rest = m >> shift, m & ((1 << shift) - 1)
        half = 1 << (shift - 1)
        m = kept + (rest > half or (rest == half and kept & 1))
        e += shift
    else:
        m <<= -shift
        e += shift
    # m has at most fraction_bits + 1 bits, or is the next power of two; the
    # carry into the exponent field is that of the addition below.
    if m >> form.fraction_bits == 0:
        return sign | m  # subnormal, or zero
    field = e - form.lowest + 1
    bits = (field << form.fraction_bits) + (m - (1 << form.fraction_bits))
    return sign | min(bits, form.infinity)


def from_fraction(form, value):
    """Bits of a Fraction that is not 0, rounded once."""
    # Enough bits of the quotient, and one for whether anything is left.
    bits = form.fraction_bits + 3
    scale = bits + value.denominator.bit_length() - value.numerator.bit_length() + 1
    scale = min(max(scale, 0), -form.lowest + 3)
    scaled = Fraction(abs(value)) * (1 << scale)
    whole = scaled.numerator // scaled.denominator
    m = whole << 1 | (scaled.denominator != 1)
    bits = rounded(form, m, -scale - 1)
    return bits | (form.sign if value < 0 else 0)


def add(form, a, b):
    if is_nan(form, a) or is_nan(form, b):
        return form.nan
    if is_infinite(form, a):
        return form.nan if is_infinite(form, b) and a != b else a
    if is_infinite(form, b):
        return b
    (m, e), (n, f) = exact(form, a), exact(form, b)
    low = min(e, f)
    total = (m << (e - low)) + (n << (f - low))
    if total == 0:  # -0 only of two that are -0
        return form.sign if a == b == form.sign else 0
    return rounded(form, total, low)


def add_number(form, a, number):
    """The sum of a and of any integer from 0 on, which `form` need not have."""
    if is_nan(form, a) or is_infinite(form, a):
        return add(form, a, 0)
    m, e = exact(form, a)
    total = (m << max(e, 0)) + (number << max(-e, 0))
    return rounded(form, total, min(e, 0)) if total else 0


def subtract(form, a, b):
    return add(form, a, b ^ form.sign)


def multiply(form, a, b):
    if is_nan(form, a) or is_nan(form, b):
        return form.nan
    sign = (a ^ b) & form.sign
    if is_infinite(form, a) or is_infinite(form, b):
        return form.nan if is_zero(form, a) or is_zero(form, b) else sign | form.infinity
    (m, e), (n, f) = exact(form, a), exact(form, b)
    return rounded(form, m * n, e + f) if m * n else sign


def value(form, bits):
    """The Fraction of a finite value."""
    m, e = exact(form, bits)
    return Fraction(m) * Fraction(2) ** e


def divide(form, a, b):
    if is_nan(form, a) or is_nan(form, b):
        return form.nan
    sign = (a ^ b) & form.sign
    if is_infinite(form, a):
        return form.nan if is_infinite(form, b) else sign | form.infinity
    if is_zero(form, b):
        return form.nan if is_zero(form, a) else sign | form.infinity
    if is_infinite(form, b) or is_zero(form, a):
        return sign
    return from_fraction(form, value(form, a) / value(form, b))


def reciprocal(form, a):
    return divide(form, one(form), a)


def one(form):
    return form.infinity // 2 >> form.fraction_bits << form.fraction_bits


def root_of(form, fraction):
    """The bits nearest to the square root of a positive Fraction."""
    # An even power of two makes whole numbers of which the root has 64 bits and more.
    scale = 2 * max(0, 64 + fraction.denominator.bit_length() - fraction.numerator.bit_length())
    scaled = fraction * 2**scale
    whole = isqrt(scaled.numerator // scaled.denominator)
    more = Fraction(whole) ** 2 != scaled
    return from_fraction(form, Fraction(2 * whole + more, 2 * 2 ** (scale // 2)))


def square_root(form, a):
    if is_nan(form, a) or is_zero(form, a) or a == form.infinity:
        return form.nan if is_nan(form, a) else a
    return form.nan if a & form.sign else root_of(form, value(form, a))


def inverse_root(form, a):
    if is_nan(form, a) or a & form.sign and not is_zero(form, a):
        return form.nan
    if is_zero(form, a):
        return a | form.infinity
    return 0 if a == form.infinity else root_of(form, 1 / value(form, a))


def exponential(form, a):
    if is_nan(form, a):
        return form.nan
    if is_infinite(form, a):
        return 0 if a & form.sign else a
    if is_zero(form, a):
        return one(form)
    x = value(form, a)
    if abs(x) > 200:  # far beyond the largest number, or below the smallest
        return form.infinity if x > 0 else 0
    return transcendental(form, x, Decimal.exp)


def logarithm(form, a):
    if is_nan(form, a) or a & form.sign and not is_zero(form, a):
        return form.nan
    if is_zero(form, a):
        return form.sign | form.infinity
    if a == form.infinity or a == one(form):
        return a if a == form.infinity else 0
    return transcendental(form, value(form, a), Decimal.ln)


def transcendental(form, x, function):
    """Of a value that is never halfway between two others: 120 digits are enough."""
    with localcontext() as context:
        context.prec = 120 + 150  # 150 digits for x itself
        return from_fraction(form, Fraction(function(Decimal(x.numerator) / x.denominator)))


def smaller(form, a, b):
    if is_nan(form, a) or is_nan(form, b):
        return form.nan
    return a if order(form, a) <= order(form, b) else b


def larger(form, a, b):
    if is_nan(form, a) or is_nan(form, b):
        return form.nan
    return a if order(form, a) >= order(form, b) else b


def order(form, bits):
    """Ascends with the value; -0 just before +0."""
    size = bits & (form.sign - 1)
    return -size - 1 if bits & form.sign else size


def saturated(form, bits, mode):
    """What saturation mode makes of a result; only half's (STATE-SATURATION)."""
    if form is not HALF or not mode:
        return bits
    if is_nan(form, bits):
        return 0
    return bits - 1 if is_infinite(form, bits) else bits


def signed(size, bits):
    """The integer of `size` bytes that `bits` are in two's complement."""
    return bits - (1 << 8 * size) if bits >> (8 * size - 1) else bits


def fitted(size, value, mode, unsigned=False):
    """Bits of an integer result: in saturation mode the nearest of its type, else its
    low bits (*-INTEGER-OVERFLOW)."""
    if mode:
        low = 0 if unsigned else -1 << (8 * size - 1)
        value = min(max(value, low), low + (1 << 8 * size) - 1)
    return value & ((1 << 8 * size) - 1)


def widened(bits):
    """A half as float, exactly; NaNs keep sign and payload, moved up (DC-BITS)."""
    sign = (bits & HALF.sign) << 16
    if is_nan(HALF, bits) or is_infinite(HALF, bits):
        return sign | FLOAT.infinity | (bits & 0x3FF) << 13
    m, e = exact(HALF, bits)
    return rounded(FLOAT, m, e) if m else sign


def narrowed(bits):
    """A float as half, rounded once."""
    sign = (bits & FLOAT.sign) >> 16
    if is_nan(FLOAT, bits):
        return HALF.nan
    if is_infinite(FLOAT, bits):
        return sign | HALF.infinity
    m, e = exact(FLOAT, bits)
    return rounded(HALF, m, e) if m else sign


def carries(mode, negative, odd, rest):
    """Whether a magnitude goes to its next step, of which `rest` is left (精度转换 · 表1)."""
    half = Fraction(1, 2)
    if rest == 0:
        return False
    return {"CAST_NONE": rest > half or rest == half and odd,
            "CAST_RINT": rest > half or rest == half and odd,
            "CAST_FLOOR": negative, "CAST_CEIL": not negative,
            "CAST_ROUND": rest >= half, "CAST_TRUNC": False, "CAST_ODD": not odd}[mode]


def steps_of(value, unit, mode):
    """A Fraction in steps of `unit`, rounded to a whole number of them, without its sign."""
    whole, rest = divmod(abs(value) / unit, 1)
    return int(whole) + carries(mode, value < 0, whole % 2 == 1, rest)


def to_format(form, value, mode):
    """Bits of a Fraction that is not 0, rounded by `mode`."""
    sign = form.sign if value < 0 else 0
    exponent = form.lowest  # of the last place
    while abs(value) >= Fraction(2) ** (exponent + form.fraction_bits + 1):
        exponent += 1
    top = (form.infinity >> form.fraction_bits) - 2 + form.lowest
    if exponent > top:  # beyond the largest number, whose last place is odd
        up = carries(mode, value < 0, True, Fraction(3, 4))
        return sign | (form.infinity if up else form.largest)
    steps = steps_of(value, Fraction(2) ** exponent, mode)
    # The carry into the exponent field is that of the addition.
    return sign | ((exponent - form.lowest << form.fraction_bits) + steps)


def converted(source, target, mode, bits, mode_on):
    """What Cast makes of an element of type `source` as one of type `target`."""
    form, into = FORMATS.get(source), FORMATS.get(target)
    widths = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1}
    low, high = 0, 255
    if into is None and target != "uint8":
        high = (1 << 8 * widths[target] - 1) - 1
        low = -high - 1
    if form is None:
        value = Fraction(bits if source == "uint8" else signed(widths[source], bits))
    elif is_nan(form, bits):
        if into is None or mode_on and into.size == 2:
            return 0
        return into.nan
    elif is_infinite(form, bits):
        negative = bits & form.sign
        if into is None:
            value = Fraction(low if negative else high)
        else:
            finite = mode_on and into.size == 2
            return (into.sign if negative else 0) | (into.largest if finite else into.infinity)
    else:
        m, e = exact(form, bits)
        value = m * Fraction(2) ** e
    if into is None or source == target:
        steps = steps_of(value, Fraction(1), mode)
        value = Fraction(-steps if value < 0 else steps)
    if into is None:
        size = widths[target]
        return min(max(int(value), low), high) & ((1 << 8 * size) - 1)
    if value == 0:  # of the same type -0 becomes +0
        negative = form is not None and form is not into and bits & form.sign
        return into.sign if negative else 0
    result = to_format(into, value, mode)
    if mode_on and into.size == 2 and is_infinite(into, result):
        return result - 1
    return result
