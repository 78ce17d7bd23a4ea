"""TROWPROD: tiles, and four orders of multiplication."""

from .arithmetic import (FLOAT, FORMATS, HALF, fitted, multiply, narrowed, saturated, signed,
                         widened)
from .machine import A2_A3, SIZES, Step


class Tile:
    def __init__(self, step, name):
        self.__dict__.update(step[name])
        self.dtype = step[name].get("dtype", step["dtype"])
        self.size = SIZES[step["dtype"]]
        self.bytes = self.rows * self.cols * self.size

    def well_formed(self):
        line = self.cols if self.layout == "ND" else self.rows
        return (self.rows >= 1 and self.cols >= 1 and line * self.size % 32 == 0
                and 0 <= self.validRow <= self.rows and 0 <= self.validCol <= self.cols)

    def address(self, row, column):
        index = row * self.cols + column if self.layout == "ND" else column * self.rows + row
        return self.at + index * self.size

    def shares(self, other):
        return self.at < other.at + other.bytes and other.at < self.at + self.bytes


class Trowprod(Step):
    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.dst, self.src, self.tmp = self.tiles = [Tile(step, n) for n in ("dst", "src", "tmp")]

    def first_stage(self):
        dst, src, tmp = self.tiles
        if self.machine.product not in A2_A3:
            yield "TRP-PRODUCT"
        older = self.machine.edition == "2024"
        if self.dtype not in ("half", "float") + (() if older else ("int32", "int16")):
            yield "TRP-DTYPE"
        if any(tile.dtype != self.dtype for tile in self.tiles):
            yield "TRP-DTYPE-MATCH"
        if any(tile.position != "UB" for tile in self.tiles):
            yield "TRP-LOCATION"
        if src.layout != "ND":
            yield "TRP-SRC-LAYOUT"
        if dst.layout == "DN" and dst.cols != 1:
            yield "TRP-DST-LAYOUT"
        if src.validRow == 0 or src.validCol == 0:
            yield "TRP-VALID-ZERO"
        if dst.validRow != src.validRow:
            yield "TRP-VALID-ROWS"
        if (tmp.rows, tmp.cols) != (src.rows, src.cols) if older else (
                tmp.rows < 1 or tmp.cols * tmp.size < 32):
            yield "TRP-TMP-SHAPE"
        if not all(tile.well_formed() for tile in self.tiles):
            yield "TRP-TILE"
        if any(tile.at % 32 for tile in self.tiles):
            yield "TRP-ALIGN"

    def second_stage(self):
        ub = len(self.machine.memories["UB"])
        if any(tile.at < 0 or tile.at + tile.bytes > ub for tile in self.tiles):
            yield "TRP-BOUNDS"

    def third_stage(self):
        dst, src, tmp = self.tiles
        if dst.shares(src) or dst.shares(tmp) or src.shares(tmp):
            yield "TRP-OVERLAP"

    def execute(self):
        machine, size, dst, src = self.machine, self.src.size, self.dst, self.src
        tmp = self.tmp
        machine.unspecified["UB"][tmp.at:tmp.at + tmp.bytes] = b"\1" * tmp.bytes
        products = (Products(FORMATS[self.dtype], machine.saturation)
                    if self.dtype in FORMATS else Integers(size, machine.saturation))
        order = {"documented": products.documented, "block-lanes": products.block_lanes,
                 "register-lanes": products.register_lanes,
                 "left-fold": products.left_fold}[self.step.get("order", "documented")]
        for row in range(src.validRow):
            factors = [machine.read("UB", src.address(row, j), size)
                       for j in range(src.validCol)]
            machine.write("UB", dst.address(row, 0), size, order(factors), self.dtype)
        deprecated = machine.edition == "2024" and dst.layout == "ND"
        return {"TRP-DST-ND-DEPRECATED"} if deprecated else set()


class Products:
    """The product of a row, in each order; all take and give bits."""

    def __init__(self, form, mode):
        self.form, self.mode = form, mode
        self.lanes = 256 // form.size
        self.one = 0x3C00 if form is HALF else 0x3F800000

    def times(self, a, b):
        return saturated(self.form, multiply(self.form, a, b), self.mode)

    def by_lane(self, a, b):
        """Lane by lane; the lanes that b lacks keep what a has."""
        return [self.times(x, y) for x, y in zip(a, b)] + a[len(b):]

    def halves(self, lanes):
        while len(lanes) > 1:
            middle = len(lanes) // 2
            lanes = self.by_lane(lanes[:middle], lanes[middle:])
        return lanes[0]

    def documented(self, row):
        whole = len(row) // self.lanes
        repeats = [row[k * self.lanes:(k + 1) * self.lanes] for k in range(whole)]
        tail = row[whole * self.lanes:]
        tmp = [self.by_lane(a, b) for a, b in zip(repeats[::2], repeats[1::2])]
        tmp = tmp or [[self.one] * self.lanes]
        if whole % 2:
            tmp[0] = self.by_lane(tmp[0], repeats[-1])
        tmp[0] = self.by_lane(tmp[0], tail)
        while len(tmp) > 1:
            unpaired = tmp[-1:] if len(tmp) % 2 else []
            tmp = [self.by_lane(a, b) for a, b in zip(tmp[::2], tmp[1::2])] + unpaired
        return self.halves(tmp[0])

    def accumulated(self, row, lanes):
        sums = [self.one] * lanes
        for j, factor in enumerate(row):
            sums[j % lanes] = self.times(sums[j % lanes], factor)
        return sums

    def register_lanes(self, row):
        return self.halves(self.accumulated(row, self.lanes))

    def left_fold(self, row):
        return self.accumulated(row, 1)[0]

    def block_lanes(self, row):
        lanes = self.accumulated(row, 32 // self.form.size)
        if self.form is FLOAT:
            return Products.chain(lanes)
        chain = Products.chain([widened(bits) for bits in lanes])
        return saturated(HALF, narrowed(chain), self.mode)

    @staticmethod
    def chain(floats):
        total = floats[0]
        for factor in floats[1:]:
            total = multiply(FLOAT, total, factor)
        return total


class Integers(Products):
    """The same of int16 and int32 (TRP-INTEGER-OVERFLOW)."""

    def __init__(self, size, mode):
        self.size, self.mode = size, mode
        self.lanes, self.one = 256 // size, 1

    def times(self, a, b):
        return fitted(self.size, signed(self.size, a) * signed(self.size, b), self.mode)

    def block_lanes(self, row):
        first, *others = self.accumulated(row, 32 // self.size)
        for factor in others:
            first = self.times(first, factor)
        return first
