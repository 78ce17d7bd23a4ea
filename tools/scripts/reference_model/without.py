"""What cases are evidence of: rules of arithmetic with their effect taken away.

A case that names such a rule in `requirement` must object to one of the ways in
which the rule can be missing; its tag alone proves nothing.
"""

from contextlib import contextmanager
from unittest.mock import patch

from . import arithmetic, lanewise, sums, trowprod
from .arithmetic import FLOAT, FORMATS, exact, is_infinite, is_nan, is_zero
from .lanewise import CALLS, CastOfTwo, Lanewise, prefix
from .machine import SIZES, Machine
from .sums import Sum, WholeReduceMax

add, subtract, multiply = arithmetic.add, arithmetic.subtract, arithmetic.multiply
smaller, larger = arithmetic.smaller, arithmetic.larger
rounded, saturated, fitted = arithmetic.rounded, arithmetic.saturated, arithmetic.fitted
converted = arithmetic.converted
MODULES = (sums, lanewise, trowprod)


@contextmanager
def function(name, replacement, *modules):
    """`name` of arithmetic replaced, where it is used in `modules`."""
    patches = [patch.object(module, name, replacement) for module in modules]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


def mode_stuck(on, *modules):
    return lambda: function("saturated", lambda form, bits, mode: saturated(form, bits, on), *modules)


def integers_stuck(on):
    return lambda: function("fitted", lambda size, value, mode, *rest: fitted(size, value, on, *rest), lanewise)


def float_saturates(*modules):
    def either(form, bits, mode):
        if form is FLOAT and mode:
            return 0 if is_nan(form, bits) else bits - is_infinite(form, bits)
        return saturated(form, bits, mode)
    return lambda: function("saturated", either, *modules)


def nan_gives_way(form, a, b):
    return b if is_nan(form, a) else a if is_nan(form, b) else None


def nan_lost(name, of, module):
    def other(form, a, b):
        left = nan_gives_way(form, a, b)
        return of(form, a, b) if left is None else left
    return lambda: function(name, other, module)


def nan_is_one(name, of, module):
    """An invalid operation gives 1."""
    def other(form, a, b):
        result = of(form, a, b)
        return trowprod.Products(form, False).one if is_nan(form, result) else result
    return lambda: function(name, other, module)


def sign_lost(name, of, module):
    def other(form, a, b):
        result = of(form, a, b)
        return 0 if is_zero(form, result) else result
    return lambda: function(name, other, module)


def written(change):
    """What is written is changed: for values that meet no arithmetic."""
    write = Machine.write

    def other(self, memory, at, size, bits, dtype):
        form = FORMATS.get(dtype)
        write(self, memory, at, size, change(form, bits) if form else bits, dtype)
    return lambda: patch.object(Machine, "write", other)


def zero_by_order(name, of, which):
    def other(form, a, b):
        both = is_zero(form, a) and is_zero(form, b)
        return (a, b)[which] if both else of(form, a, b)
    return lambda: function(name, other, lanewise)


def distance(form, bits, m, e):
    """How far the value of `bits` is from |m| * 2**e."""
    n, f = exact(form, bits & (form.sign - 1))
    scale = 400
    return (n << (f + scale)) - (abs(m) << (e + scale))


def toward_zero(form, m, e):
    bits = rounded(form, m, e)
    if is_infinite(form, bits):
        return bits - 1
    return bits - (distance(form, bits, m, e) > 0)


def ties_away(form, m, e):
    bits = rounded(form, m, e)
    if is_infinite(form, bits) or is_infinite(form, bits + 1):
        return bits
    below, above = distance(form, bits, m, e), distance(form, bits + 1, m, e)
    return bits + (below < 0 and above == -below)


def rounding(other):
    return lambda: patch.object(arithmetic, "rounded", other)


def result_is(call, choice):
    """The result is one of the operands, a scalar behind the others."""
    def lane(self, addresses):
        if choice == len(addresses):
            return self.step["scalar"]
        return self.machine.read("UB", addresses[choice], self.size)
    return lambda: patch.object(call, "lane", lane)


def conversion_is(other):
    return lambda: function("converted", other, lanewise)


def values_lost(call):
    """The result is an operand; of a call that gives just that there is none."""
    if call is CALLS["Cast"]:  # the low bits, or zeros above
        def low(_source, target, _mode, bits, _on):
            return bits & ((1 << 8 * SIZES[target]) - 1)
        return [conversion_is(low)]
    if issubclass(call, CastOfTwo):  # one of the two, converted
        return [lambda i=i: patch.object(call, "of_two", lambda self, *two: two[i])
                for i in (0, 1)]
    if call is CALLS["Select"]:
        return [lambda on=on: patch.object(call, "next_bit", lambda self: on) for on in (0, 1)]
    if len(call.names) == 1 or call is CALLS["Copy"]:
        return [lambda: patch.object(call, "iteration", lambda self, lanes: None)]
    if issubclass(call, CALLS["Compare"]):
        original = call.holds
        return [lambda: patch.object(call, "holds", lambda *of: not original(*of))]
    of = next(getattr(call, name) for name in ("of_floats", "of_integers", "moved")
              if hasattr(call, name))
    operands = of.__code__.co_varnames[:of.__code__.co_argcount]
    return [result_is(call, i) for i in range(len(set(operands) - {"self", "form"}))]


def left_fold(node, lanes):
    total = lanes[0]
    for lane in lanes[1:]:
        total = node(total, lane)
    return total


def halves(node, lanes):
    while len(lanes) > 1:
        middle = len(lanes) // 2
        odd = lanes[2 * middle:]
        lanes = [node(a, b) for a, b in zip(lanes, lanes[middle:2 * middle])] + odd
    return lanes[0]


def sum_is(fold):
    """Sums by `fold` of a node and the values of the lanes that take part."""
    def tree(self, nodes):
        lanes = [node for node in nodes if node is not None]
        return fold(self.node, lanes) if lanes else None
    return lambda: patch.object(Sum, "tree", tree)


def missing_is_zero():
    """Lanes that take no part are added as +0."""
    def node(self, a, b):
        return original(self, a or 0, b or 0)
    original = Sum.node
    return patch.object(Sum, "node", node)


def index_is(other):
    """An index made of the right one and the lanes that take part."""
    def index(self, value, reads):
        return other(original(self, value, reads), [lane for lane, _ in reads])
    original = WholeReduceMax.index
    return lambda: patch.object(WholeReduceMax, "index", index)


OPERATIONS = (("add", add, sums), ("add", add, lanewise), ("subtract", subtract, lanewise),
              ("multiply", multiply, lanewise), ("multiply", multiply, trowprod),
              ("smaller", smaller, lanewise), ("larger", larger, lanewise),
              ("smaller", smaller, sums), ("larger", larger, sums))
TREES = [sum_is(left_fold), sum_is(halves), sum_is(lambda node, lanes: left_fold(node, lanes[::-1])),
         sum_is(lambda node, lanes: node(0, left_fold(node, lanes))),
         sum_is(lambda node, lanes: lanes[0]), missing_is_zero]
INDICES = [index_is(lambda found, lanes: 0), index_is(lambda found, lanes: lanes[-1]),
           index_is(lambda found, lanes: lanes[0]), index_is(lambda found, lanes: found + 1)]
OVERFLOWS = [integers_stuck(True), integers_stuck(False)]
CONVERSIONS = [conversion_is(lambda *of, on=on: converted(*of[:4], on)) for on in (True, False)]


def stuck(*modules):
    return [mode_stuck(True, *modules), mode_stuck(False, *modules), float_saturates(*modules)]


WITHOUT = {
    "STATE-SATURATION": stuck(*MODULES) + OVERFLOWS + CONVERSIONS,
    "RRS-SATURATE": [mode_stuck(False, sums)],
    "WRS-SATURATE": stuck(sums),
} | {f"{rules}-SATURATE": stuck(sums) for rules in (
        "BRMAX", "BRMIN", "BRS", "PRS", "WRMAX", "WRMIN")} | {
    "TRP-SATURATE": stuck(trowprod),
    "ARITH-NAN": [way(*of) for way in (nan_lost, nan_is_one) for of in OPERATIONS]
    + [written(lambda form, bits: 1 if is_nan(form, bits) else bits)],
    "ARITH-ZERO-SIGN": [sign_lost(*of) for of in OPERATIONS]
    + [zero_by_order(name, of, which)
       for name, of in (("smaller", smaller), ("larger", larger)) for which in (0, 1)]
    + [written(lambda form, bits: 0 if is_zero(form, bits) else bits)],
    "ARITH-ROUND": [rounding(toward_zero), rounding(ties_away)],
    "RRS-TREE": TREES,
    "WRS-TREE": TREES,
    "BRS-TREE": TREES, "PRS-TREE": TREES, "BRMAX-VALUE": TREES, "BRMIN-VALUE": TREES,
    "WRMAX-VALUE": TREES, "WRMIN-VALUE": TREES,
    "WRMAX-INDEX": INDICES, "WRMIN-INDEX": INDICES,
} | {
    f"{prefix(op)}-VALUE": values_lost(call) for op, call in CALLS.items()
} | {f"{prefix(op)}-INTEGER-OVERFLOW": OVERFLOWS for op in CALLS}


def unseen(case, objections):
    """Rules that `case` names and whose absence it does not notice."""
    for rule in case.get("requirement", []):
        for way in WITHOUT.get(rule, ()):
            with way():
                if any(True for _ in objections(case)):
                    break
        else:
            if rule in WITHOUT:
                yield f"names {rule}, and doesn't object when it is gone"
