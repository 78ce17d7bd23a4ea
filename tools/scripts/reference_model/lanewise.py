"""Calls that combine elements lane by lane, in their three forms."""

import re

from .arithmetic import (FORMATS, add, add_number, converted, divide, exponential, fitted,
                         inverse_root, is_nan, larger, logarithm, multiply, reciprocal,
                         saturated, signed, smaller, square_root, subtract)
from .machine import ALL_LANES, SIZES, VECTOR_POSITIONS, MaskedStep, Operand, lane_address
from .mask import broken_rule

PRODUCTS = ("atlas-training", "atlas-inference-aicore", "atlas-a2", "atlas-200i-500-a2")


def prefix(op):
    """With what the names of its rules begin: LEAKY-RELU of LeakyRelu."""
    return re.sub(r"\B(?=[A-Z])", "-", op).upper()


class Lanewise(MaskedStep):
    """What the calls have in common, with any number of sources. One has what it makes of
    the floating values of a lane (`of_floats`) and of the integers (`of_integers`); a
    scalar is the last of them."""

    products = older_products = PRODUCTS + ("atlas-a3",)
    names = ("dst", "src0", "src1")
    most = 2**31 - 1  # of count
    # 通用地址重叠约束 names the calls that may read from src1 what earlier iterations wrote.
    rereads = ()
    # Whether the formula has dst on its right side, too: the last value of a lane.
    on_dst = False
    furthest = 255  # stride between iterations

    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.rules = prefix(step["op"])
        self.operands = [Operand(machine, step, name) for name in self.names]
        self.count = step.get("count")
        self.strides = step.get("repeatParams", {})

    @staticmethod
    def types(product):
        return ("half", "float", "int32") + (("int16",) if product != "atlas-training" else ())

    def first_stage(self):
        return self.named(self.broken_at_first())

    def broken_at_first(self):
        if self.lacks_product():
            yield "PRODUCT"
        elif self.dtype not in self.types(self.machine.product):
            yield "DTYPE"
        if any(o.dtype != self.dtype for o in self.of_own_type()):
            yield "DTYPE-MATCH"
        if any(o.position not in VECTOR_POSITIONS for o in self.operands):
            yield "POSITION"
        if any(o.at % 32 for o in self.operands):
            yield "ALIGN"
        if self.count is None:
            yield from self.broken_of_masks()
        elif not 0 <= self.count <= self.most:
            yield "COUNT"

    def of_own_type(self):
        """The operands whose type must be the call's."""
        return self.operands

    def broken_of_masks(self):
        if not 0 <= self.step["repeatTimes"] <= 255:
            yield "REPEAT"
        # UnaryRepeatParams has 16 bits for the strides of blocks, so has a call without
        # a source; BinaryRepeatParams has 8.
        wide = 65535 if len(self.strides) < 6 else 255
        if not all(0 <= stride <= (wide if name.endswith("BlkStride") else self.furthest)
                   for name, stride in self.strides.items()):
            yield "STRIDE-RANGE"
        if self.strides["dstBlkStride"] == 0 and self.stride_matters():
            yield "DST-BLK-STRIDE-ZERO"
        yield from broken_rule(self.step["mask"], self.size, self.own_mask)

    def stride_matters(self):
        """Whether a stride of 0 between DataBlocks of dst is refused."""
        return True

    def plan(self):
        """Of each iteration, of each lane, the addresses in dst and the sources."""
        lanes = self.lanes()
        for r in range(self.step["repeatTimes"] if lanes else 0):
            yield [tuple(lane_address(o.at, o.size, self.strides[name + "BlkStride"],
                                      self.strides[name + "RepStride"], r, lane)
                         for o, name in zip(self.operands, self.names))
                   for lane in lanes]

    def second_stage(self):
        ok = all(o.inside for o in self.operands)
        if self.count is not None:
            ok = ok and all(self.count * o.size <= o.bytes for o in self.operands)
        elif ok:
            for lanes in self.plan():
                for o, addresses in zip(self.operands, zip(*lanes)):
                    ok = ok and o.holds(min(addresses), max(addresses) + o.size)
                if not ok:
                    break
        return [] if ok else self.named(["BOUNDS"])

    def third_stage(self):
        if self.count is None:
            return self.named(self.overlaps_of_iterations())
        dst = self.operands[0]
        # To a wider type src may start in dst where no lane is overwritten before it is
        # read: lane i lies behind the end of lane i - 1 of dst.
        apart = all(self.count == 0 or src.at == dst.at and src.size >= dst.size
                    or src.at - dst.at >= self.count * min(src.size, dst.size)
                    and src.size < dst.size
                    or dst.at + self.count * dst.size <= src.at
                    or src.at + self.count * src.size <= dst.at
                    for src in self.operands[1:])
        return [] if apart else self.named(["OVERLAP-COUNT"])

    def overlaps_of_iterations(self):
        size, broken = self.operands[0].size, set()
        sizes = [o.size for o in self.operands]
        ub = len(self.machine.memories["UB"])
        written, read = bytearray(ub), [bytearray(ub) for _ in self.names[1:]]
        exception = (self.dtype in self.rereads
                     and 0 in (self.strides["src1RepStride"], self.strides["dstRepStride"]))
        used = False
        for r, lanes in enumerate(self.plan()):
            mine = bytearray(ub)
            for d, *_ in lanes:
                if self.on_dst and any(written[d:d + size]):
                    broken.add("OVERLAP-DEPENDENCY")
                mine[d:d + size] = b"\1" * size
            for source in range(1, len(self.names)):
                width = sizes[source]
                together = self.together(r, source, lanes)
                if not together and any(any(mine[lane[source]:lane[source] + width])
                                        for lane in lanes):
                    broken.add("OVERLAP-ITERATION")
                if any(any(written[lane[source]:lane[source] + width]) for lane in lanes):
                    if exception and source == 2:
                        used = True
                    else:
                        broken.add("OVERLAP-DEPENDENCY")
            for d, *sources in lanes:
                written[d:d + size] = b"\1" * size
                for marks, at, width in zip(read, sources, sizes[1:]):
                    marks[at:at + width] = b"\1" * width
        if used and int.from_bytes(read[0], "little") & int.from_bytes(read[1], "little"):
            broken.add("OVERLAP-SOURCES")
        return broken

    def together(self, r, source, lanes):
        """Whether dst lies on a source as a whole in iteration `r`."""
        return all(lane[0] == lane[source] for lane in lanes)

    def execute(self):
        if self.count is not None:
            addresses = [tuple(o.at + i * o.size for o in self.operands)
                         for i in range(self.count)]
            self.iteration(addresses)
            if self.count == 0:
                return set(self.named(["NOP"]))
            self.machine.mask = ALL_LANES
            self.machine.counter_mode = False
            return set(self.named(["CLOBBERS-MASK"]))
        for lanes in self.plan():
            self.iteration(lanes)
        nothing = self.step["repeatTimes"] == 0 or not self.lanes()
        if self.own_mask:
            self.machine.mask = self.mask_bits()
        return set(self.named(["NOP"] if nothing else []))

    def iteration(self, lanes):
        results = [(d, self.lane(sources + [d] * self.on_dst), self.taint())
                   for d, *sources in lanes]
        for d, bits, tainted in results:
            self.machine.tainted = tainted
            self.machine.write("UB", d, self.operands[0].size, bits, self.operands[0].dtype)

    def taint(self):
        tainted, self.machine.tainted = self.machine.tainted, False
        return tainted

    def lane(self, addresses):
        """The result for the elements at the addresses of the sources, and of dst."""
        values = [self.machine.read("UB", at, self.size) for at in addresses]
        if "scalar" in self.step:
            values.insert(len(self.names) - 1, self.step["scalar"])
        form, mode = FORMATS.get(self.dtype), self.machine.saturation
        if form is not None:
            return saturated(form, self.of_floats(form, *values), mode)
        return fitted(self.size, self.of_integers(*(signed(self.size, v) for v in values)), mode)


class Arithmetic(Lanewise):
    rereads = ("half", "int32", "float")


class Min(Arithmetic):
    older_products = PRODUCTS

    def of_floats(self, form, a, b):
        return smaller(form, a, b)

    def of_integers(self, a, b):
        return min(a, b)


class Max(Arithmetic):
    def of_floats(self, form, a, b):
        return larger(form, a, b)

    def of_integers(self, a, b):
        return max(a, b)


class Add(Arithmetic):
    def of_floats(self, form, a, b):
        return add(form, a, b)

    def of_integers(self, a, b):
        return a + b


class Sub(Arithmetic):
    def of_floats(self, form, a, b):
        return subtract(form, a, b)

    def of_integers(self, a, b):
        return a - b


class Mul(Arithmetic):
    def of_floats(self, form, a, b):
        return multiply(form, a, b)

    def of_integers(self, a, b):
        return a * b


class Abs(Lanewise):
    names = ("dst", "src")

    @staticmethod
    def types(product):
        return ("half", "float") + (("int16",) if product == "atlas-200i-500-a2" else ())

    def of_floats(self, form, a):
        return form.nan if is_nan(form, a) else a & ~form.sign

    def of_integers(self, a):
        return abs(a)


class Adds(Lanewise):
    names = ("dst", "src")
    of_floats, of_integers = Add.of_floats, Add.of_integers

    @staticmethod
    def types(product):
        return ("half", "float") + (("int16", "int32") if product != "atlas-training" else ())


class Muls(Lanewise):
    names = ("dst", "src")
    types = staticmethod(Adds.types)
    of_floats, of_integers = Mul.of_floats, Mul.of_integers


class Maxs(Lanewise):
    products = older_products = PRODUCTS[1:] + ("atlas-a3",)
    names = ("dst", "src")
    of_floats, of_integers = Max.of_floats, Max.of_integers


class Mins(Lanewise):
    products = older_products = Maxs.products
    names = ("dst", "src")
    of_floats, of_integers = Min.of_floats, Min.of_integers


class Relu(Lanewise):
    names = ("dst", "src")

    @staticmethod
    def types(product):
        return ("half",) + (("float", "int32") if product != "atlas-training" else ())

    def of_floats(self, form, a):
        return larger(form, a, 0)

    def of_integers(self, a):
        return max(a, 0)


class LeakyRelu(Lanewise):
    products = older_products = Maxs.products
    names = ("dst", "src")

    @staticmethod
    def types(product):
        return ("half", "float")

    def of_floats(self, form, a, b):
        # 表19 multiplies -0 as it does negative values.
        return multiply(form, a, b) if a & form.sign or is_nan(form, a) else a


class ThenRelu:
    """Relu of the result, which saturation mode has changed before."""

    products = older_products = Maxs.products

    @staticmethod
    def types(product):
        return ("half", "float") + (("int16",) if product != "atlas-200i-500-a2" else ())

    def lane(self, addresses):
        bits, form = super().lane(addresses), FORMATS.get(self.dtype)
        return larger(form, bits, 0) if form else max(signed(self.size, bits), 0)


class AddRelu(ThenRelu, Arithmetic):
    of_floats, of_integers = Add.of_floats, Add.of_integers


class SubRelu(ThenRelu, Arithmetic):
    of_floats, of_integers = Sub.of_floats, Sub.of_integers


class And(Lanewise):
    @staticmethod
    def types(product):
        return ("int16", "uint16")

    def of_integers(self, a, b):
        return a & b


class Or(Lanewise):
    types = staticmethod(And.types)

    def of_integers(self, a, b):
        return a | b


class Not(Lanewise):
    names = ("dst", "src")
    types = staticmethod(And.types)

    def of_integers(self, a):
        return ~a


class Duplicate(Lanewise):
    """Bits of any type, moved."""

    names = ("dst",)

    def __init__(self, machine, step):
        # The page has names of its own for what others have, too.
        strides = {"dstBlkStride": step.get("dstBlockStride"),
                   "dstRepStride": step.get("dstRepeatStride")}
        super().__init__(machine, step | {"repeatTimes": step.get("repeatTime"),
                                          "repeatParams": strides})

    @staticmethod
    def types(product):
        return ("int16", "uint16", "half", "bfloat16", "int32", "uint32", "float")

    def lane(self, addresses):
        return self.step["scalarValue"]


class Copy(Lanewise):
    """Bits of any type, moved from a position to another one. 表4 has 12 bits for the
    strides between iterations."""

    products = older_products = PRODUCTS[2:] + ("atlas-a3",)
    names = ("dst", "src")
    types = staticmethod(Duplicate.types)
    furthest = 4095

    def __init__(self, machine, step):
        fields = step["repeatParams"]
        super().__init__(machine, step | {
            "repeatTimes": step["repeatTime"],
            "repeatParams": {"dstBlkStride": fields["dstStride"],
                             "srcBlkStride": fields["srcStride"],
                             "dstRepStride": fields["dstRepeatSize"],
                             "srcRepStride": fields["srcRepeatSize"]}})

    def broken_at_first(self):
        yield from super().broken_at_first()
        if len({o.position for o in self.operands}) == 1:
            yield "ROUTE"

    def stride_matters(self):
        mask, lanes = self.step["mask"], 32 // self.size
        if self.own_mask and not isinstance(mask, list):
            return mask > lanes
        return any(lane >= lanes for lane in self.lanes())

    def lane(self, addresses):
        return self.machine.read("UB", addresses[0], self.size)


class CreateVecIndex(Lanewise):
    """firstValue and the number of the lane, which goes on in each iteration."""

    products = older_products = Maxs.products
    names = ("dst",)
    most = 2**32 - 1

    def __init__(self, machine, step):
        strides = {name: step.get(name) for name in ("dstBlkStride", "dstRepStride")}
        super().__init__(machine, step | {"repeatTimes": step.get("repeatTime"),
                                          "repeatParams": strides})

    def numbers(self):
        """Of the lanes that are written, in their order."""
        if self.count is not None:
            return range(self.count)
        each = 256 // self.size
        return (each * r + lane for r in range(self.step["repeatTimes"])
                for lane in self.lanes())

    def execute(self):
        self.next = iter(self.numbers())
        return super().execute()

    def lane(self, addresses):
        number, first = next(self.next), self.step["firstValue"]
        form, mode = FORMATS.get(self.dtype), self.machine.saturation
        if form is None:
            return fitted(self.size, signed(self.size, first) + number, mode)
        return saturated(form, add_number(form, first, number), mode)


class Compare(Lanewise):
    """A bit of each lane. mask参数说明: on most products a mask is without effect; 调用示例: the
    bits of iterations lie side by side."""

    most = 2**32 - 1
    of_bits = ("int8", "uint8")

    def types(self, product):
        return ("half", "float") + (("int32",) if product in ("atlas-a2", "atlas-a3") else ())

    def broken_at_first(self):
        product = self.machine.product
        yield from super().broken_at_first()
        if self.operands[0].dtype not in self.of_bits or "dtype" not in self.step["dst"]:
            yield "DTYPE-MATCH"
        if (not self.lacks_product() and self.dtype in self.types(product)
                and self.dtype == "int32" and product != "atlas-200i-500-a2"
                and self.step["cmpMode"] != "EQ"):
            yield "CMP-MODE"
        if self.count is not None and 0 <= self.count <= self.most and self.count % self.each():
            yield "COUNT-LENGTH"

    def each(self):
        """Lanes of 256 bytes."""
        return 256 // self.size

    def of_own_type(self):
        return self.operands[1:]

    def stride_matters(self):
        return False

    def lanes(self):
        if self.machine.product != "atlas-200i-500-a2":
            return list(range(self.each()))
        return super().lanes()

    def plan(self):
        """The places of iterations: of the bytes of bits, and of lanes in the sources."""
        each, size = self.each(), self.size
        if self.count is not None:
            for r in range(self.count // each):
                yield ([self.operands[0].at + r * each // 8 + i for i in range(each // 8)],
                       {k: [o.at + (r * each + k) * size for o in self.operands[1:]]
                        for k in range(each)})
            return
        lanes = self.lanes()
        for r in range(self.step["repeatTimes"] if lanes else 0):
            yield ([self.operands[0].at + r * each // 8 + i for i in range(each // 8)],
                   {k: [lane_address(o.at, size, self.strides[name + "BlkStride"],
                                     self.strides[name + "RepStride"], r, k)
                        for o, name in zip(self.operands[1:], self.stride_names)]
                    for k in lanes})

    stride_names = ("src0", "src1")

    def second_stage(self):
        dst, *sources = self.operands
        ok = all(o.inside for o in self.operands)
        if self.count is not None:
            ok = ok and all(self.count * o.size <= o.bytes for o in sources)
            ok = ok and self.count <= 8 * dst.bytes
        elif ok:
            for bits, lanes in self.plan():
                ok = ok and dst.holds(bits[0], bits[-1] + 1)
                for i, o in enumerate(sources):
                    ok = ok and all(o.holds(at[i], at[i] + o.size) for at in lanes.values())
                if not ok:
                    break
        return [] if ok else self.named(["BOUNDS"])

    def third_stage(self):
        dst, *sources = self.operands
        if self.count is not None:
            apart = all(not self.count or o.at == dst.at or dst.at + self.count // 8 <= o.at
                        or o.at + self.count * o.size <= dst.at for o in sources)
            return [] if apart else self.named(["OVERLAP-COUNT"])
        broken, written = set(), set()
        starts = [self.strides[name + "RepStride"] for name in self.stride_names]
        for r, (bits, lanes) in enumerate(self.plan()):
            for i, o in enumerate(sources):
                read = {at[i] + byte for at in lanes.values() for byte in range(o.size)}
                if o.at + 32 * r * starts[i] != bits[0] and read & set(bits):
                    broken.add("OVERLAP-ITERATION")
                if read & written:
                    broken.add("OVERLAP-DEPENDENCY")
            written |= set(bits)
        return self.named(broken)

    def execute(self):
        nothing = True
        for bits, lanes in self.plan():
            nothing = False
            found = dict.fromkeys(bits, 0)
            for k, at in lanes.items():
                found[bits[k // 8]] |= self.holds(at) << k % 8
            tainted = self.taint()
            for byte, value in found.items():
                self.machine.tainted = tainted
                self.machine.write("UB", byte, 1, value, self.operands[0].dtype)
        self.machine.tainted = False
        if self.count:
            self.machine.mask = ALL_LANES
            self.machine.counter_mode = False
            return set(self.named(["CLOBBERS-MASK"]))
        if self.count is None and self.own_mask:
            self.machine.mask = self.mask_bits()
        return set(self.named(["NOP"] if nothing else []))

    def holds(self, addresses):
        values = [self.machine.read("UB", at, self.size) for at in addresses]
        values += [self.step["src1Scalar"]] if "src1Scalar" in self.step else []
        form = FORMATS.get(self.dtype)
        if form and any(is_nan(form, v) for v in values):
            return False  # 表30: 0 of each mode
        if form:  # sign and magnitude, of which -0 and +0 are one number
            a, b = ((-1 if v & form.sign else 1) * (v & ~form.sign) for v in values)
        else:
            unsigned = self.dtype.startswith("u")
            a, b = (v if unsigned else signed(self.size, v) for v in values)
        return {"LT": a < b, "GT": a > b, "EQ": a == b, "LE": a <= b, "GE": a >= b,
                "NE": a != b}[self.step["cmpMode"]]


class CompareScalar(Compare):
    products = older_products = PRODUCTS[1:] + ("atlas-a3",)
    names = ("dst", "src0")
    of_bits = ("uint8",)
    stride_names = ("src",)

    def types(self, product):
        if product == "atlas-200i-500-a2":
            return ("half", "float", "int32", "int16", "uint16", "uint32")
        return super().types(product)


class Shift(Lanewise):
    """scalarValue取值说明: from 0 to the bits of an element."""

    products = older_products = PRODUCTS[2:] + ("atlas-a3",)
    names = ("dst", "src")

    @staticmethod
    def types(product):
        return ("int16", "uint16", "int32", "uint32")

    def number(self, bits):
        return bits if self.dtype.startswith("u") else signed(self.size, bits)

    def broken_at_first(self):
        yield from super().broken_at_first()
        if self.dtype in self.types(None) and not 0 <= self.number(
                self.step["scalar"]) <= 8 * self.size:
            yield "RANGE"
        if self.step.get("roundEn") and self.machine.product == "atlas-200i-500-a2":
            yield "ROUND-EN"

    def lane(self, addresses):
        return self.moved(self.machine.read("UB", addresses[0], self.size), self.step["scalar"])


class ShiftLeft(Shift):
    def moved(self, bits, by):
        digits = f"{bits:0{8 * self.size}b}"
        # 次高位被丢弃: of signed types the first digit isn't moved.
        kept = 0 if self.dtype.startswith("u") else 1
        rest = (digits[kept:] + "0" * by)[-(len(digits) - kept):]
        return int(digits[:kept] + rest, 2)


class ShiftRight(Shift):
    def moved(self, bits, by):
        exact = self.number(bits)
        # 第5位为1, of a shift by five: the last bit that goes counts.
        rounds = self.step.get("roundEn") and by and not self.dtype.startswith("u")
        last = exact >> (by - 1) & 1 if rounds else 0
        return ((exact >> by) + last) % (1 << 8 * self.size)


class Rounded(Lanewise):
    """Correctly rounded: what is no special value is as far from it as no document states."""

    names = ("dst", "src")

    @staticmethod
    def types(product):
        return ("half", "float")

    def of_floats(self, form, a):
        return self.function(form, a)


class Div(Rounded):
    names = Lanewise.names

    def of_floats(self, form, a, b):
        return divide(form, a, b)


class Exp(Rounded):
    function = staticmethod(exponential)


class Ln(Rounded):
    function = staticmethod(logarithm)


class Reciprocal(Rounded):
    function = staticmethod(reciprocal)


class Rsqrt(Rounded):
    function = staticmethod(inverse_root)


class Sqrt(Rounded):
    function = staticmethod(square_root)


class OnDst(Lanewise):
    """A product and a sum, which are computed one after the other: 中间阶段 of 表20 to 22
    is what saturation mode makes of the product."""

    products = older_products = PRODUCTS[1:] + ("atlas-a3",)
    on_dst = True

    @staticmethod
    def types(product):
        return ("half", "float")

    def both(self, form, a, b, c):
        return add(form, saturated(form, multiply(form, a, b), self.machine.saturation), c)


class MulAddDst(OnDst):
    @staticmethod
    def types(product):
        integers = ("int16", "uint16", "int32", "uint32")
        return ("half", "float") + (integers if product == "atlas-200i-500-a2" else ())

    def of_floats(self, form, a, b, c):
        return self.both(form, a, b, c)

    def lane(self, addresses):
        if self.dtype in FORMATS:
            return super().lane(addresses)
        unsigned, mode = self.dtype.startswith("u"), self.machine.saturation
        a, b, c = (bits if unsigned else signed(self.size, bits) for bits in
                   (self.machine.read("UB", at, self.size) for at in addresses))
        product = fitted(self.size, a * b, mode, unsigned)
        product = product if unsigned else signed(self.size, product)
        return fitted(self.size, product + c, mode, unsigned)


class FusedMulAdd(OnDst):
    def of_floats(self, form, a, b, c):
        return self.both(form, a, c, b)


class MulAddRelu(FusedMulAdd):
    def lane(self, addresses):
        form = FORMATS[self.dtype]
        return larger(form, super().lane(addresses), 0)


class Select(Lanewise):
    """An element of src0 where the lane's bit of selMask is 1, else of src1 or the scalar."""

    most = 2**32 - 1

    def __init__(self, machine, step):
        self.scalar = step["selMode"] == "VSEL_TENSOR_SCALAR_MODE"
        self.same = step["selMode"] == "VSEL_CMPMASK_SPR"
        self.names = ("dst", "src0") if self.scalar else Lanewise.names
        super().__init__(machine, step | {"repeatTimes": step.get("repeatTime")})
        self.sel = Operand(machine, step | {"dtype": "uint8"}, "selMask")

    @staticmethod
    def types(product):
        return ("half", "float")

    def first_stage(self):
        return sorted(set(super().first_stage()))

    def broken_at_first(self):
        yield from super().broken_at_first()
        if self.machine.product == "atlas-training" and not self.same:
            yield "SEL-MODE"
        if self.sel.dtype not in ("uint8", "uint16", "uint32", "uint64"):
            yield "DTYPE-MATCH"
        if self.sel.position not in VECTOR_POSITIONS:
            yield "POSITION"
        if self.sel.at % 32:
            yield "ALIGN"

    def bits(self):
        """Of each lane, one iteration after the other: a byte's address and the bit."""
        each = 256 // self.size
        if self.count is not None:
            numbers = (i % each if self.same else i for i in range(self.count))
        else:
            numbers = (lane + each * r * (not self.same)
                       for r in range(self.step["repeatTimes"]) for lane in self.lanes())
        return ((self.sel.at + n // 8, n % 8) for n in numbers)

    def second_stage(self):
        broken = super().second_stage()
        if broken:
            return broken
        most = self.count
        if most is not None and self.same:
            most = min(most, 256 // self.size)
        if most is None:
            bytes_of_bits = [at for at, _ in self.bits()]
            ok = not bytes_of_bits or self.sel.holds(min(bytes_of_bits), max(bytes_of_bits) + 1)
        else:
            ok = (most + 7) // 8 <= self.sel.bytes
        return [] if ok and self.sel.inside else self.named(["BOUNDS"])

    def third_stage(self):
        dst = self.operands[0]
        if self.count is not None:
            written = range(dst.at, dst.at + self.count * dst.size)
        else:
            written = {at + i for lanes in self.plan() for at, *_ in lanes
                       for i in range(dst.size)}
        on_bits = any(at in written for at, _ in self.bits())
        return sorted(set(super().third_stage()) | set(self.named(["OVERLAP"] * on_bits)))

    def execute(self):
        self.next = self.bits()
        return super().execute()

    def next_bit(self):
        at, bit = next(self.next)
        return self.machine.read("UB", at, 1) >> bit & 1

    def lane(self, addresses):
        chosen = self.next_bit()
        if not chosen and self.scalar:
            return self.step["scalar"]
        return self.machine.read("UB", addresses[0 if chosen else 1], self.size)


class Axpy(OnDst):
    products = older_products = Lanewise.products
    names = ("dst", "src")

    def of_floats(self, form, a, b, c):
        return self.both(form, a, b, c)


class Cast(Lanewise):
    """Elements of the type of src as elements of the type of dst."""

    names = ("dst", "src")
    most = 2**32 - 1

    def __init__(self, machine, step):
        super().__init__(machine, step)
        # Lanes are as wide as the wider type.
        self.size = max(self.operands[0].size, SIZES[self.dtype])

    def broken_at_first(self):
        pairs = self.pairs(self.machine.product)
        modes = pairs.get((self.dtype, self.operands[0].dtype))
        for end in super().broken_at_first():
            if end != "DTYPE":
                yield end
        if self.lacks_product():
            return
        if modes is None:
            yield "DTYPE"
        elif self.step["roundMode"] not in modes + ("CAST_NONE",):
            yield "ROUND-MODE"

    @staticmethod
    def pairs(product):
        """The modes by the types of src and dst (数据类型)."""
        five = ("CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC")
        older = product in ("atlas-training", "atlas-inference-aicore")
        pairs = {("int8", "half"): (), ("uint8", "half"): (), ("half", "float"): (),
                 ("int16", "half"): () if older else five,
                 ("half", "int8"): five[1:] if older else five,
                 ("half", "uint8"): five[1:] if older else five,
                 ("half", "int32"): five, ("float", "int64"): five,
                 ("int32", "float"): () if older else five,
                 ("float", "half"): ("CAST_ODD",) + (() if older else five)}
        if product == "atlas-inference-aicore":
            pairs |= {("half", "int16"): five[:1], ("int32", "int16"): ()}
        if not older:
            pairs |= {("half", "int16"): five, ("int16", "float"): (),
                      ("bfloat16", "int32"): five, ("bfloat16", "float"): (),
                      ("int32", "int16"): (), ("int32", "int64"): (),
                      ("float", "int16"): five, ("float", "bfloat16"): five,
                      ("float", "int32"): five, ("float", "float"): five,
                      ("int64", "int32"): (), ("int64", "float"): five}
        if product == "atlas-200i-500-a2":
            pairs["int32", "half"] = ()  # on others only with SetDeqScale
        return pairs

    def of_own_type(self):
        return self.operands[1:]

    def together(self, r, source, lanes):
        dst, src = self.operands[0], self.operands[source]
        if dst.size == src.size:
            return super().together(r, source, lanes)
        starts = [o.at + 32 * r * self.strides[name + "RepStride"]
                  for o, name in ((dst, self.names[0]), (src, self.names[source]))]
        return dst.size < src.size and starts[0] == starts[1]

    def lane(self, addresses):
        dst, src = self.operands
        bits = self.machine.read("UB", addresses[0], src.size)
        return converted(src.dtype, dst.dtype, self.step["roundMode"], bits,
                         self.machine.saturation)


class CastOfTwo(Cast):
    """What two elements make, as elements of the type of dst: 中间阶段 of 表26 to 28 is
    of the type of the sources; where the tables have both modes results are the same,
    and those of NaN are 0."""

    products = older_products = PRODUCTS[1:] + ("atlas-a3",)
    names = Lanewise.names

    def broken_at_first(self):
        for end in super(Cast, self).broken_at_first():
            if end != "DTYPE":
                yield end
        pair = self.dtype, self.operands[0].dtype
        if not self.lacks_product() and pair not in self.pairs(self.machine.product):
            yield "DTYPE"

    @staticmethod
    def pairs(product):
        pairs = [("half", "int8"), ("float", "half")]
        return pairs + ([("int16", "int8")] if product != "atlas-200i-500-a2" else [])

    def lane(self, addresses):
        bits = self.of_two(*(self.machine.read("UB", at, SIZES[self.dtype])
                             for at in addresses))
        return converted(self.dtype, self.operands[0].dtype, "CAST_RINT", bits,
                         self.machine.saturation)

    def of_two(self, a, b):
        form, size = FORMATS.get(self.dtype), SIZES[self.dtype]
        if form is None:
            return fitted(size, self.of_integers(signed(size, a), signed(size, b)), True)
        bits = self.of_floats(form, a, b)
        return 0 if is_nan(form, bits) else bits


class AddReluCast(CastOfTwo):
    def of_floats(self, form, a, b):
        return larger(form, Add.of_floats(self, form, a, b), 0)

    def of_integers(self, a, b):
        return max(Add.of_integers(self, a, b), 0)


class SubReluCast(CastOfTwo):
    def of_floats(self, form, a, b):
        return larger(form, Sub.of_floats(self, form, a, b), 0)

    def of_integers(self, a, b):
        return max(Sub.of_integers(self, a, b), 0)


class MulCast(CastOfTwo):
    @staticmethod
    def pairs(product):
        return [("half", "int8"), ("half", "uint8")]

    def of_floats(self, form, a, b):
        return multiply(form, a, b)


# One class above is all that a call of the family needs here.
GROUPS = (Lanewise, Arithmetic, Compare, Shift, OnDst, Rounded, FusedMulAdd, CastOfTwo)
CALLS = {call.__name__: call for base in GROUPS for call in base.__subclasses__()
         if call not in (Arithmetic, Shift, OnDst, Rounded)}
