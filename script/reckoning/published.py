"""What the vendor published for atlas-a2 and atlas-a3, as cases.

Typed from Memory矢量计算接口边界值汇总: tables 11 (Mul), 14 (Min) and 38 (the sum
of one repeat). Nothing here is computed: a case expects what its rows print. max
and lowest are the largest finite value of the type and its negative. `ieee` holds
with saturation mode off, and for float always; `saturating` is half's with the
mode on.
"""

TITLE = "Memory矢量计算接口边界值汇总"

# src0, src1, ieee, saturating; either order of the operands gives the same.
MINIMA = """
lowest lowest lowest lowest
lowest max    lowest lowest
lowest 0      lowest lowest
lowest -0     lowest lowest
lowest inf    lowest lowest
lowest nan    nan    0
lowest -inf   -inf   lowest
max    max    max    max
max    inf    max    max
max    0      0      0
max    -0     -0     -0
max    nan    nan    0
max    -inf   -inf   lowest
0      0      0      0
0      inf    0      0
0      -0     -0     -0
0      nan    nan    0
0      -inf   -inf   lowest
-0     -0     -0     -0
-0     inf    -0     -0
-0     nan    nan    0
-0     -inf   -inf   lowest
nan    nan    nan    0
nan    inf    nan    0
nan    -inf   nan    0
inf    inf    inf    max
inf    -inf   -inf   lowest
-inf   -inf   -inf   lowest
"""

# left, right, ieee, saturating
PRODUCTS = """
lowest lowest inf  max
lowest max    -inf lowest
lowest 0      -0   -0
lowest -0     0    0
lowest nan    nan  0
lowest inf    -inf lowest
lowest -inf   inf  max
max    max    inf  max
max    0      0    0
max    -0     -0   -0
max    nan    nan  0
max    inf    inf  max
max    -inf   -inf lowest
0      0      0    0
0      -0     -0   -0
0      nan    nan  0
0      inf    nan  0
0      -inf   nan  0
-0     -0     0    0
-0     nan    nan  0
-0     inf    nan  0
-0     -inf   nan  0
nan    nan    nan  0
nan    inf    nan  0
nan    -inf   nan  0
inf    inf    inf  max
inf    -inf   -inf lowest
-inf   -inf   inf  max
"""

# Elements of a full repeat: these in turn, or all 1 but the last; ieee, saturating.
SUMS = """
lowest       -inf lowest
max          inf  max
0            0    0
-0           -0   -0
nan          nan  0
inf          inf  max
-inf         -inf lowest
inf,-inf,nan nan  0
inf,-inf     nan  0
inf,nan      nan  0
-inf,nan     nan  0
1...inf      inf  max
1...-inf     -inf -65376
1...nan      nan  126
"""

ORDERS = ("documented", "block-lanes", "register-lanes", "left-fold")
# Type, mode, whether the case sets it.
MODES = (("half", "saturating"), ("half", "ieee"), ("float", "ieee"))


def rows(table):
    return [line.split() for line in table.split("\n") if line]


def value(word, dtype):
    large = {"half": 65504, "float": "0x7f7fffff"}
    small = {"half": -65504, "float": "0xff7fffff"}
    words = {"max": large[dtype], "lowest": small[dtype], "0": 0, "1": 1}
    if word in words:
        return words[word]
    return word if word in ("nan", "inf", "-inf", "-0") else int(word)


def kind(row):
    """What a row is about; cases of one kind tell a rule from its neighbours."""
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
}


def mode_steps(dtype, mode):
    return [{"op": "SetSaturation", "enabled": mode == "saturating"}] if dtype == "half" else []


def case(name, note, regions, program, at, values, dtype, notes, rules, machine="atlas-a2"):
    return {
        "format": "lanediff-case/1",
        "id": "published/" + name,
        "note": note,
        "product": machine,
        "memory": {"UB": {"fill": "a5", "regions": regions}},
        "program": program,
        "expect": {
            "outcome": "executed",
            "notes": notes,
            "memory": {"UB": [{"at": at, "dtype": dtype, "values": values}]},
        },
        "origin": {"tool": "published"},
        "requirement": sorted(rules),
    }


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


def minimum(which, table, dtype, mode, swapped):
    size = len(table) * (2 if dtype == "half" else 4)
    operand = lambda position, at: {"position": position, "at": at, "bytes": size}
    strides = dict.fromkeys(("dstBlkStride", "src0BlkStride", "src1BlkStride"), 1)
    strides |= dict.fromkeys(("dstRepStride", "src0RepStride", "src1RepStride"), 8)
    step = {"op": "Min", "dtype": dtype, "dst": operand("VECOUT", 1024),
            "src0": operand("VECIN", 0), "src1": operand("VECIN", 512),
            "mask": len(table), "repeatTimes": 1, "repeatParams": strides}
    places = (512, 0) if swapped else (0, 512)
    regions = [region(at, dtype, [value(row[i], dtype) for row in table])
               for i, at in sorted(enumerate(places), key=lambda pair: pair[1])]
    name = f"min-{which}-{dtype}-{mode}" + ("-swapped" if swapped else "")
    note = f"{TITLE} · 表14 (Min), {KINDS[which]}, {mode}" + (", operands exchanged." if swapped else ".")
    return case(name, note, regions, mode_steps(dtype, mode) + [step], 1024,
                results(table, dtype, mode), dtype, [],
                general_rules(which, dtype) + ["MIN-VALUE"])


def results(table, dtype, mode):
    return [value(row[-1 if mode == "saturating" else -2], dtype) for row in table]


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
    name = f"product-{which}-{dtype}-{mode}-{order}" + ("-a3" if machine == "atlas-a3" else "")
    return case(name,
                f"{TITLE} · 表11 (Mul), {KINDS[which]}, {mode}, by TROWPROD in the order {order}: "
                "the factors are columns 0 and " + f"{lanes}, all others are 1.",
                [region(1024, dtype, values)], mode_steps(dtype, mode) + [step], 0,
                results(table, dtype, mode), dtype, [], rules, machine)


def repeat(cell, dtype):
    lanes = 128 if dtype == "half" else 64
    if "..." in cell:
        return [{"value": 1, "count": lanes - 1}, value(cell.split("...")[1], dtype)]
    turn = [value(word, dtype) for word in cell.split(",")]
    if len(turn) == 1:
        return [{"value": turn[0], "count": lanes}]
    return [turn[i % len(turn)] for i in range(lanes)]


def total(which, table, dtype, mode):
    size = 2 if dtype == "half" else 4
    step = {"op": "RepeatReduceSum", "dtype": dtype,
            "dst": {"position": "VECOUT", "at": 0, "bytes": len(table) * size},
            "src": {"position": "VECIN", "at": 1024, "bytes": len(table) * 256},
            "repeat": len(table), "elemsInOneRepeat": 256 // size, "dstBlkStride": 0,
            "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8}
    rules = general_rules(which, dtype) + rules_of_nodes(which, dtype, mode)
    if mode == "saturating" and which in ("infinity", "nan"):
        rules += ["RRS-TREE"] + ["ARITH-ROUND"] * (which == "infinity")
    if mode == "saturating" and which != "zero":
        rules += ["RRS-SATURATE"]
    return case(f"sum-{which}-{dtype}-{mode}",
                f"{TITLE} · 表38 (the sum of one repeat), {KINDS[which]}, {mode}.",
                [region(1024, dtype, [v for row in table for v in repeat(row[0], dtype)])],
                mode_steps(dtype, mode) + [step], 0, results(table, dtype, mode), dtype,
                ["RRS-PREFER-WHOLE-REDUCE-SUM"], rules)


def of_kind(table, which):
    return [row for row in rows(table) if kind(row) == which]


def published_cases():
    """All of them, by the name of their file in corpus/published."""
    cases = []
    for which in KINDS:
        for dtype, mode in MODES:
            minima = of_kind(MINIMA, which)
            cases += [minimum(which, minima, dtype, mode, swapped) for swapped in (False, True)]
            factors = of_kind(PRODUCTS, which)
            cases += [product(which, factors, dtype, mode, order, "atlas-a2") for order in ORDERS]
            # Of the three calls atlas-a3 has this one only.
            cases.append(product(which, factors, dtype, mode, ORDERS[0], "atlas-a3"))
            cases.append(total(which, of_kind(SUMS, which), dtype, mode))
    return {c["id"].split("/")[1] + ".json": c for c in cases}
