"""RepeatReduceSum and WholeReduceSum."""

from .arithmetic import FORMATS, add, saturated
from .machine import VECTOR_POSITIONS, MaskedStep, Operand, lane_address
from .mask import bits_of, broken_rule


def within(value, low, high):
    return low <= value <= high


class Sum(MaskedStep):
    """What they have in common; one of them has `repeat` and rules on its parameters."""

    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.dst, self.src = Operand(machine, step, "dst"), Operand(machine, step, "src")

    def first_stage(self):
        return self.named([*self.broken_of_operands(), *self.broken_of_parameters()])

    def broken_of_operands(self):
        if self.lacks_product():
            yield "PRODUCT"
        if self.dtype not in ("half", "float"):
            yield "DTYPE"
        if not self.dst.dtype == self.src.dtype == self.dtype:
            yield "DTYPE-MATCH"
        if not {self.dst.position, self.src.position} <= set(VECTOR_POSITIONS):
            yield "POSITION"
        if self.dst.at % self.size:
            yield "DST-ALIGN"
        if self.src.at % 32:
            yield "SRC-ALIGN"
        if not within(self.repeat, 0, 255):
            yield "REPEAT"
        if self.machine.product == "atlas-training" and self.step["dstRepStride"] == 0:
            yield "DST-REP-STRIDE-ZERO"

    def strides_in_range(self):
        return all(within(self.step[name], 0, 65535)
                   for name in ("srcBlkStride", "dstRepStride", "srcRepStride"))

    def plan(self):
        """Of each iteration the addresses of its lanes and of its element."""
        s, lanes = self.step, self.lanes()
        for r in range(self.repeat if lanes else 0):
            yield ([(k, lane_address(self.src.at, self.size, s["srcBlkStride"],
                                     s["srcRepStride"], r, k)) for k in lanes],
                   self.dst.at + r * s["dstRepStride"] * self.size)

    def second_stage(self):
        ok = self.dst.inside and self.src.inside
        for reads, element in self.plan() if ok else ():
            ok = (self.dst.holds(element, element + self.size)
                  and self.src.holds(min(a for _, a in reads),
                                     max(a for _, a in reads) + self.size))
            if not ok:
                break
        return [] if ok else self.named(["BOUNDS"])

    def third_stage(self):
        size = self.size
        written = bytearray(len(self.machine.memories["UB"]))
        broken = set()
        for reads, element in self.plan():
            apart = all(abs(a - element) >= size for _, a in reads)
            if not apart and reads[0][1] != element:
                broken.add("OVERLAP-ITERATION")
            if any(any(written[a:a + size]) for _, a in reads):
                broken.add("OVERLAP-DEPENDENCY")
            written[element:element + size] = b"\1" * size
        return self.named(broken)

    def execute(self):
        """Returns the notes."""
        form, machine = FORMATS[self.dtype], self.machine
        leaves = 256 // self.size
        for reads, element in self.plan():
            nodes = [None] * leaves
            for lane, address in reads:
                nodes[lane] = machine.read("UB", address, self.size)
            while len(nodes) > 1:
                nodes = [self.node(a, b) for a, b in zip(nodes[::2], nodes[1::2])]
            total = saturated(form, nodes[0], machine.saturation)
            machine.write("UB", element, self.size, total, self.dtype)
        notes = {"REPEAT-ZERO"} if self.repeat == 0 else set()
        if not self.lanes():
            notes.add("MASK-EMPTY")
        if self.own_mask:
            machine.mask = self.mask_bits()
        return set(self.named(notes))

    def node(self, a, b):
        if a is None or b is None:
            return b if a is None else a
        form = FORMATS[self.dtype]
        return saturated(form, add(form, a, b), self.machine.saturation)


class RepeatReduceSum(Sum):
    rules = "RRS"
    older_products = ("atlas-training", "atlas-inference-aicore", "atlas-a2")
    products = older_products + ("atlas-a3", "atlas-200i-500-a2")  # as ReduceRepeat

    @property
    def repeat(self):
        return self.step["repeat"]

    def mask_bits(self):
        return bits_of(self.step["elemsInOneRepeat"])

    def broken_of_parameters(self):
        elems = self.step["elemsInOneRepeat"]
        if self.own_mask and self.size in (2, 4) and not within(elems, 1, 256 // self.size):
            yield "ELEMS"
        if not self.own_mask and elems != 0:
            yield "PLACEHOLDER"
        if not self.strides_in_range() or not within(self.step["dstBlkStride"], -2**31, 2**31 - 1):
            yield "STRIDE-RANGE"

    def execute(self):
        return super().execute() | {"RRS-PREFER-WHOLE-REDUCE-SUM"}


class WholeReduceSum(Sum):
    rules = "WRS"
    products = older_products = ("atlas-training", "atlas-inference-aicore", "atlas-a2",
                                 "atlas-a3", "atlas-200i-500-a2")

    @property
    def repeat(self):
        return self.step["repeatTimes"]

    def broken_of_parameters(self):
        if not self.strides_in_range():
            yield "STRIDE-RANGE"
        yield from broken_rule(self.step["mask"], self.size, self.own_mask)
