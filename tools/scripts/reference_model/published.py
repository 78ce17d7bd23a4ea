"""What the vendor published for atlas-a2 and atlas-a3, as cases.

They rest on the tables of published_tables.py, of the calls in ELEMENTWISE, ON_DST and
COMPARING and the sum of one repeat. Nothing here is computed: a case expects what its rows print. `ieee` holds with
saturation mode off, and for float always; `saturating` is that of half, int16 and int32
with the mode on.
"""

from .lanewise import prefix
from .published_tables import COMPARING, ELEMENTWISE, ON_DST, PRODUCTS, SUMS, TITLE
from .published_tables import comparisons, products, rows

ORDERS = ("documented", "block-lanes", "register-lanes", "left-fold")
# Type, mode, whether the case sets it.
MODES = (("half", "saturating"), ("half", "ieee"), ("float", "ieee"))
INTEGERS = ("int16", "int32")
# No page states how near their results are.
OPEN = ("Exp", "Ln", "Reciprocal", "Sqrt", "Rsqrt", "Div")
ONE_SOURCE = ("Abs", "Relu") + OPEN[:-1]
SCALAR = ("Adds", "Muls", "Maxs", "Mins", "LeakyRelu")


def value(word, dtype):
    large = {"half": 65504, "float": "0x7f7fffff", "int16": 2**15 - 1, "int32": 2**31 - 1}
    small = {"half": -65504, "float": "0xff7fffff", "int16": -2**15, "int32": -2**31}
    words = {"max": large[dtype], "lowest": small[dtype], "0": 0, "1": 1}
    if word in words:
        return words[word]
    return word if word in ("nan", "inf", "-inf", "-0") else int(word)


def kind(row):
    """What a row is about; cases of one kind distinguish a rule from its neighbours."""
    words = [word for cell in row[:-2] for word in cell.replace("...", ",").split(",")]
    if "nan" in words:
        return "nan"
    if "inf" in words or "-inf" in words:
        return "infinity"
    return "zero" if "0" in words or "-0" in words else "finite"


KINDS = {
    "finite": "rows of finite values",
    "zero": "rows of zeros",
    "infinity": "rows of infinities",
    "nan": "rows with a NaN",
    "integers": "rows of this type",
    "values": "rows of this type",
}
FLOAT_KINDS = ("finite", "zero", "infinity", "nan")


def mode_steps(dtype, mode):
    return [{"op": "SetSaturation", "enabled": mode == "saturating"}] if dtype != "float" else []


def case(name, form, about, regions, steps, expected, rules, notes=(), ends="", more=""):
    """`form`: the kind of rows, type, mode and product; `about`: the table and its call."""
    which, dtype, mode, machine = form
    return {
        "format": "lanediff-case/1",
        "id": f"published/{name}-{which}-{dtype}-{mode}{ends}",
        "note": f"{TITLE} · 表{about}, {KINDS[which]}, {mode}{more}.",
        "product": machine,
        "memory": {"UB": {"fill": "a5", "regions": regions}},
        "program": mode_steps(dtype, mode) + steps,
        "expect": {"outcome": "executed", "notes": list(notes), "memory": {"UB": expected}},
        "origin": {"tool": "published"},
        "requirement": sorted(rules),
    }


def of(machine):
    return "-a3" if machine == "atlas-a3" else ""


def region(at, dtype, values):
    return {"at": at, "dtype": dtype, "values": values}


def general_rules(which, dtype):
    rules = ["STATE-SATURATION"] if dtype == "half" and which in ("infinity", "nan") else []
    return rules + {"nan": ["ARITH-NAN"], "zero": ["ARITH-ZERO-SIGN"]}.get(which, [])


def rules_of_nodes(which, dtype, mode):
    """What sums and products show beside: the largest values overflow, an infinity
    less itself or times zero is NaN."""
    if which == "finite":
        return ["STATE-SATURATION"] * (dtype == "half") + ["ARITH-ROUND"] * (mode == "ieee")
    return ["ARITH-NAN"] if which == "infinity" else []


def elementwise(op, which, table, dtype, mode, swapped, machine):
    width = {"half": 2, "int16": 2, "float": 4, "int32": 4}[dtype]
    table = [row for row in table if row[column(mode)] != "?"]
    sources = ["src"] if op in ONE_SOURCE + SCALAR else ["src0", "src1"]
    steps, regions = [], []
    for at, rows_of_step in zip(range(0, 512, 32), steps_of(op, table)):
        size = len(rows_of_step) * width
        operand = lambda position, at: {"position": position, "at": at, "bytes": size}
        step = {"op": op, "dtype": dtype, "dst": operand("VECOUT", 1024 + at)}
        step |= {name: operand("VECIN", at + 512 * i) for i, name in enumerate(sources)}
        if op in SCALAR:
            step["scalar"] = value(rows_of_step[0][1], dtype)
        strides = {name + "BlkStride": 1 for name in ["dst"] + sources}
        strides |= {name + "RepStride": 8 for name in ["dst"] + sources}
        steps.append(step | {"mask": len(rows_of_step), "repeatTimes": 1,
                             "repeatParams": strides})
        regions += [region(at + 512 * i, dtype,
                           [value(row[1 - i if swapped else i], dtype) for row in rows_of_step])
                    for i in range(len(sources))]
    expected = [region(step["dst"]["at"], dtype, results(rows_of_step, dtype, mode))
                for step, rows_of_step in zip(steps, steps_of(op, table))]
    return case(prefix(op).lower(), (which, dtype, mode, machine), f"{ELEMENTWISE[op][0]} ({op})", regions, steps,
                expected, elementwise_rules(op, which, dtype, mode), ends=of(machine) + "-swapped" * swapped,
                more=", operands exchanged" * swapped)


def steps_of(op, table):
    """The rows of each step: with a scalar those that have the same."""
    if op not in SCALAR:
        return [table]
    return [[row for row in table if row[1] == scalar]
            for scalar in dict.fromkeys(row[1] for row in table)]


def elementwise_rules(op, which, dtype, mode):
    rules = [f"{prefix(op)}-VALUE"]
    if which == "values":
        return (rules + ["STATE-SATURATION"] * (dtype == "half")
                + ["ARITH-NAN"] * (mode == "ieee"))
    computes = op not in ("Max", "Maxs", "Min", "Mins", "Relu") + OPEN
    if dtype in INTEGERS:
        return rules + [f"{prefix(op)}-INTEGER-OVERFLOW", "STATE-SATURATION"] * computes
    if op not in OPEN or mode == "ieee" or which != "nan":
        rules += general_rules(which, dtype)
    return list(set(rules + rules_of_nodes(which, dtype, mode) * computes))


def accumulation(op, which, table, dtype, mode, machine):
    """A call that reads dst; of Axpy a step for each scalar."""
    number, _, factor, term = ON_DST[op]
    table = [row for row in table if row[column(mode)] != "?"]
    groups = [table] if factor != "scalar" else [
        [row for row in table if row[1] == scalar]
        for scalar in dict.fromkeys(row[1] for row in table)]
    first = "src" if factor == "scalar" else "src0"
    steps, regions, expected, at = [], [], [], 0
    for group in groups:
        size = len(group) * (2 if dtype == "half" else 4)
        places = {first: at, "src1": at + 1024, "dst": at + 2048}
        values = {first: 0, factor: 1, term: 2}
        step = {"op": op, "dtype": dtype}
        for name in (name for name in ("dst", first, "src1") if name in values):
            position = "VECOUT" if name == "dst" else "VECIN"
            step[name] = {"position": position, "at": places[name], "bytes": size}
            regions.append(region(places[name], dtype,
                                  [value(row[values[name]], dtype) for row in group]))
        if factor == "scalar":
            step["scalar"] = value(group[0][1], dtype)
        steps.append(step | {"count": len(group)})
        expected.append(region(places["dst"], dtype, results(group, dtype, mode)))
        at += (size + 31) // 32 * 32
    rules = {f"{prefix(op)}-VALUE", *general_rules(which, dtype), *rules_of_nodes(which, dtype, mode)}
    return case(prefix(op).lower(), (which, dtype, mode, machine), f"{number} ({op})",
                sorted(regions, key=lambda one: one["at"]), steps, expected, rules,
                [f"{prefix(op)}-CLOBBERS-MASK"], of(machine))


def comparison(op, dtype, mode, machine):
    """A step for each mode, and for each scalar: 256 bytes with its rows in turn."""
    lanes = 128 if dtype == "half" else 64
    groups = {}
    for comparing, left, right, bit in comparisons(dtype):
        scalar = right if op == "CompareScalar" else None
        if (comparing, scalar, dtype, mode) == ("NE", "nan", "half", "saturating"):
            continue
        groups.setdefault((comparing, scalar), []).append((left, right, bit))
    steps, expected, sources = [], [], {}
    for at, ((comparing, scalar), group) in zip(range(0, 1024, 32), groups.items()):
        turn = [group[i % len(group)] for i in range(lanes)]
        operand = lambda position, at, size: {"position": position, "at": at, "bytes": size}
        step = {"op": op, "dtype": dtype,
                "dst": operand("VECOUT", at, lanes // 8) | {"dtype": "uint8"}}
        values = [[value(row[i], dtype) for row in turn] for i in range(1 if scalar else 2)]
        for i, source in enumerate(values):
            place = sources.setdefault(str(source), (2048 + 256 * len(sources), source))[0]
            step[f"src{i}"] = operand("VECIN", place, 256)
        steps.append(step | ({"src1Scalar": value(scalar, dtype)} if scalar else {})
                     | {"cmpMode": comparing, "count": lanes})
        bits = "".join(row[2] for row in turn)
        packed = bytes(int(bits[i:i + 8][::-1], 2) for i in range(0, lanes, 8))
        expected.append({"at": at, "hex": packed.hex()})
    rules = [f"{prefix(op)}-VALUE"]
    return case(prefix(op).lower(), ("values", dtype, mode, machine), f"{COMPARING[op]} ({op})",
                [region(at, dtype, source) for at, source in sources.values()], steps, expected,
                rules, [f"{prefix(op)}-CLOBBERS-MASK"], of(machine))


def column(mode):
    return -1 if mode == "saturating" else -2


def results(table, dtype, mode):
    return [value(row[column(mode)], dtype) for row in table]


def product(which, table, dtype, mode, order, machine):
    """Both factors meet directly in each order: columns 0 and `lanes`, the rest 1."""
    if mode == "saturating" and order != "documented":
        # The left factor meets a 1 first, which replaces NaN and infinity.
        table = [row for row in table if row[0] not in ("nan", "inf", "-inf")]
    lanes = 128 if dtype == "half" else 64
    size = len(table) * 512
    ones = {"value": 1, "count": lanes - 1}
    values = [v for row in table for v in (value(row[0], dtype), ones, value(row[1], dtype), ones)]
    tile = lambda at, rows, cols, valid, layout: {
        "position": "UB", "at": at, "rows": rows, "cols": cols,
        "validRow": len(table), "validCol": valid, "layout": layout}
    wide = lambda at: tile(at, len(table), 2 * lanes, 2 * lanes, "ND")
    step = {"op": "TROWPROD", "dtype": dtype, "dst": tile(0, 16, 1, 1, "DN"),
            "src": wide(1024), "tmp": wide(1024 + size), "order": order}
    rules = general_rules(which, dtype) + rules_of_nodes(which, dtype, mode)
    rules += ["TRP-SATURATE"] * (dtype == "half" and which != "zero")
    return case("product", (which, dtype, mode, machine), "11 (Mul)", [region(1024, dtype, values)], [step],
                [region(0, dtype, results(table, dtype, mode))], rules, ends=f"-{order}{of(machine)}",
                more=f", by TROWPROD in the order {order}: the factors are columns 0 and {lanes}, all others are 1")


def repeat(cell, dtype):
    lanes = 128 if dtype == "half" else 64
    if "..." in cell:
        return [{"value": 1, "count": lanes - 1}, value(cell.split("...")[1], dtype)]
    turn = [value(word, dtype) for word in cell.split(",")]
    if len(turn) == 1:
        return [{"value": turn[0], "count": lanes}]
    return [turn[i % len(turn)] for i in range(lanes)]


def total(which, table, dtype, mode):
    """By RepeatReduceSum."""
    step = {"repeat": len(table), "elemsInOneRepeat": 128 if dtype == "half" else 64,
            "dstBlkStride": 0}
    return sum_of_repeats("RepeatReduceSum", step, which, table, dtype, mode, "atlas-a2",
                          "sum", ["RRS-PREFER-WHOLE-REDUCE-SUM"])


def whole_total(which, table, dtype, mode, machine):
    """By WholeReduceSum; on atlas-a3 with a mask of bits."""
    lanes, ones = (128, "0x" + 16 * "f") if dtype == "half" else (64, "0x0")
    mask = lanes if machine == "atlas-a2" else ["0x" + 16 * "f", ones]
    step = {"mask": mask, "repeatTimes": len(table)}
    return sum_of_repeats("WholeReduceSum", step, which, table, dtype, mode, machine,
                          "whole-sum", [])


def sum_of_repeats(op, fields, which, table, dtype, mode, machine, name, notes):
    size = 2 if dtype == "half" else 4
    step = {"op": op, "dtype": dtype,
            "dst": {"position": "VECOUT", "at": 0, "bytes": len(table) * size},
            "src": {"position": "VECIN", "at": 1024, "bytes": len(table) * 256},
            "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8} | fields
    prefix = {"RepeatReduceSum": "RRS", "WholeReduceSum": "WRS"}[op]
    rules = general_rules(which, dtype) + rules_of_nodes(which, dtype, mode)
    if mode == "saturating" and which in ("infinity", "nan"):
        rules += [prefix + "-TREE"] + ["ARITH-ROUND"] * (which == "infinity")
    if mode == "saturating" and which != "zero":
        rules += [prefix + "-SATURATE"]
    return case(name, (which, dtype, mode, machine), "38 (the sum of one repeat)",
                [region(1024, dtype, [v for row in table for v in repeat(row[0], dtype)])], [step],
                [region(0, dtype, results(table, dtype, mode))], rules, notes, of(machine))


def of_kind(table, which):
    return [row for row in rows(table) if kind(row) == which]


def elementwise_cases(op):
    """On atlas-a2 with the operands exchanged, too, where the table has one order only."""
    _, floats, integers = ELEMENTWISE[op]
    tables = {which: of_kind(floats, which) for which in FLOAT_KINDS}
    if op in ONE_SOURCE:
        tables = {"values": list(rows(floats))}
    types = INTEGERS[1:] if op == "Relu" else INTEGERS
    kinds = [(which, table, *form) for which, table in tables.items() for form in MODES]
    kinds += [("integers", list(rows(integers)), dtype, mode)
              for dtype in types for mode in ("saturating", "ieee") if integers]
    ways = [("atlas-a2", False)]
    ways += [("atlas-a2", True)] if op not in ONE_SOURCE + SCALAR + ("Sub", "SubRelu", "Div") else []
    ways += [("atlas-a3", False)] if op != "Min" else []
    return [elementwise(op, *kind, swapped, machine) for kind in kinds for machine, swapped in ways]


def published_cases():
    """All of them, by the name of their file in corpus/published."""
    cases = [case for op in ELEMENTWISE for case in elementwise_cases(op)]
    cases += [accumulation(op, which, [row for row in products(table) if kind(row) == which],
                           dtype, mode, machine)
              for op, (_, table, *_) in ON_DST.items() for which in FLOAT_KINDS
              for dtype, mode in MODES for machine in ("atlas-a2", "atlas-a3")]
    cases += [comparison(op, dtype, mode, machine) for op in COMPARING
              for dtype, mode in MODES + (("int32", "ieee"), ("int32", "saturating"))
              for machine in ("atlas-a2", "atlas-a3")]
    for which in FLOAT_KINDS:
        for dtype, mode in MODES:
            factors = of_kind(PRODUCTS, which)
            cases += [product(which, factors, dtype, mode, order, "atlas-a2") for order in ORDERS]
            cases.append(product(which, factors, dtype, mode, ORDERS[0], "atlas-a3"))
            sums = of_kind(SUMS, which)
            cases.append(total(which, sums, dtype, mode))
            cases += [whole_total(which, sums, dtype, mode, machine)
                      for machine in ("atlas-a2", "atlas-a3")]
    return {c["id"].split("/")[1] + ".json": c for c in cases}
