"""Numbers that are known only when the kernel runs: loop variables, Scalars,
elements of tensors, and what is computed from them.

Integers are exact in expressions and wrap when a Scalar or an element takes
them; `/` of integers drops the rest (assumed), `//` and `%` round down. A
floating operation is rounded once to the wider of its types; an immediate has
the other operand's.
"""

import math
import operator

from .error import KernelError
from .number import DTYPES, round_to
from .site import here


def _quotient(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _quotient,
    "//": lambda a, b: a // b, "%": operator.mod, "<<": operator.lshift, ">>": operator.rshift,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge
}
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Operators:
    """Arithmetic and comparisons make an expression."""

    __hash__ = object.__hash__

    def __bool__(self):
        raise KernelError("this number is not known while the kernel is built; use if_scope", here())

    def __neg__(self):
        return Binary("-", 0, self)


def _binary(sign):
    return lambda self, other: Binary(sign, self, other), lambda self, other: Binary(sign, other, self)


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"),
                     ("lshift", "<<"), ("rshift", ">>"), ("and", "&"), ("or", "|"), ("xor", "^")):
    _left, _right = _binary(_sign)
    setattr(Operators, f"__{_name}__", _left)
    setattr(Operators, f"__r{_name}__", _right)
for _name, _sign in zip(("eq", "ne", "lt", "le", "gt", "ge"), _COMPARISONS):
    setattr(Operators, f"__{_name}__", _binary(_sign)[0])


class Expr(Operators):
    """`dtype`: a floating type's name, or "int"."""

    dtype = "int"

    def evaluate(self, run):
        raise NotImplementedError


class Constant(Expr):

    def __init__(self, value):
        self.value = value
        self.dtype = "int" if isinstance(value, int) else None

    def evaluate(self, run):
        return self.value


class Variable(Expr):
    """Of a loop."""

    def __init__(self, name):
        self.name = name

    def evaluate(self, run):
        return run.variables[self]


def as_expr(value):
    if isinstance(value, Expr):
        return value
    if hasattr(value, "as_element"):
        return value.as_element()
    if hasattr(value, "item"):  # numpy's scalars
        value = value.item()
    if isinstance(value, (bool, int)):
        return Constant(int(value))
    if isinstance(value, float):
        return Constant(value)
    raise KernelError(f"{value!r} is no number", here())


class Binary(Expr):

    def __init__(self, sign, left, right):
        self.sign, self.left, self.right = sign, as_expr(left), as_expr(right)
        self.site = here()
        floats = [e.dtype for e in (self.left, self.right) if e.dtype != "int"]
        if not floats or sign in _COMPARISONS:
            self.dtype = "int"
        else:
            wide = [name for name in floats if name]
            self.dtype = max(wide, default="float32", key=lambda name: DTYPES[name].size)

    def evaluate(self, run):
        left, right = self.left.evaluate(run), self.right.evaluate(run)
        if self.dtype != "int":
            left, right = (round_to(DTYPES[self.dtype], one) for one in (left, right))
        try:
            value = OPERATIONS[self.sign](left, right)
        except ZeroDivisionError:
            raise KernelError(f"{left} {self.sign} 0", self.site) from None
        except (TypeError, ValueError, OverflowError) as error:
            raise KernelError(f"{left} {self.sign} {right}: {error}", self.site) from None
        return int(value) if self.dtype == "int" else round_to(DTYPES[self.dtype], value)


class All(Expr):
    """tik.all: 1 if no condition is 0."""

    def __init__(self, *conditions):
        self.conditions = [as_expr(one) for one in conditions]

    def evaluate(self, run):
        return int(all([one.evaluate(run) for one in self.conditions]))


def integer(value, run, what, site):
    """The integer that an argument is when the kernel runs."""
    number = as_expr(value).evaluate(run) if value is not None else None
    if isinstance(number, float) and math.isfinite(number) and number == int(number):
        number = int(number)
    if not isinstance(number, int):
        raise KernelError(f"{what} is {number}; it must be an integer", site)
    return number
