"""RepeatReduceSum."""

from .arithmetic import FORMATS, add, saturated
from .machine import Operand, SIZES, VECTOR_POSITIONS, lane_address


def within(value, low, high):
    return low <= value <= high


class RepeatReduceSum:
    def __init__(self, machine, step):
        self.machine, self.step = machine, step
        self.dst, self.src = Operand(machine, step, "dst"), Operand(machine, step, "src")
        self.dtype = step["dtype"]
        self.size = SIZES[self.dtype]
        self.own_mask = step.get("isSetMask", True)

    def lanes(self):
        if self.own_mask:
            return list(range(self.step["elemsInOneRepeat"]))
        return self.machine.lanes_of_register(self.size)

    def first_stage(self):
        s, product, size = self.step, self.machine.product, self.size
        if product not in ("atlas-training", "atlas-inference-aicore", "atlas-a2"):
            yield "RRS-PRODUCT"
        if self.dtype not in ("half", "float"):
            yield "RRS-DTYPE"
        if not self.dst.dtype == self.src.dtype == self.dtype:
            yield "RRS-DTYPE-MATCH"
        if not {self.dst.position, self.src.position} <= set(VECTOR_POSITIONS):
            yield "RRS-POSITION"
        if self.dst.at % size:
            yield "RRS-DST-ALIGN"
        if self.src.at % 32:
            yield "RRS-SRC-ALIGN"
        if not within(s["repeat"], 0, 255):
            yield "RRS-REPEAT"
        elems = s["elemsInOneRepeat"]
        if self.own_mask and size in (2, 4) and not within(elems, 1, 256 // size):
            yield "RRS-ELEMS"
        if not self.own_mask and elems != 0:
            yield "RRS-PLACEHOLDER"
        strides = ("srcBlkStride", "dstRepStride", "srcRepStride")
        if (not all(within(s[name], 0, 65535) for name in strides)
                or not within(s["dstBlkStride"], -2**31, 2**31 - 1)):
            yield "RRS-STRIDE-RANGE"
        if product == "atlas-training" and s["dstRepStride"] == 0:
            yield "RRS-DST-REP-STRIDE-ZERO"

    def plan(self):
        """Of each iteration the addresses of its lanes and of its element."""
        s, lanes = self.step, self.lanes()
        for r in range(s["repeat"] if lanes else 0):
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
        if not ok:
            yield "RRS-BOUNDS"

    def third_stage(self):
        size = self.size
        written = bytearray(len(self.machine.memories["UB"]))
        broken = set()
        for reads, element in self.plan():
            apart = all(abs(a - element) >= size for _, a in reads)
            if not apart and reads[0][1] != element:
                broken.add("RRS-OVERLAP-ITERATION")
            if any(any(written[a:a + size]) for _, a in reads):
                broken.add("RRS-OVERLAP-DEPENDENCY")
            written[element:element + size] = b"\1" * size
        yield from broken

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
        notes = {"RRS-PREFER-WHOLE-REDUCE-SUM"}
        if self.step["repeat"] == 0:
            notes.add("RRS-REPEAT-ZERO")
        if not self.lanes():
            notes.add("RRS-MASK-EMPTY")
        if self.own_mask:
            machine.mask = (1 << self.step["elemsInOneRepeat"]) - 1
        return notes

    def node(self, a, b):
        if a is None or b is None:
            return b if a is None else a
        form = FORMATS[self.dtype]
        return saturated(form, add(form, a, b), self.machine.saturation)
