"""Min, in its three forms."""

from .arithmetic import FORMATS, saturated, smaller
from .machine import ALL_LANES, Operand, SIZES, VECTOR_POSITIONS, lane_address

PRODUCTS = ("atlas-training", "atlas-inference-aicore", "atlas-a2", "atlas-200i-500-a2")


class Min:
    def __init__(self, machine, step):
        self.machine, self.step = machine, step
        self.dtype = step["dtype"]
        self.size = SIZES[self.dtype]
        self.names = ("dst", "src0", "src1")
        self.operands = [Operand(machine, step, name) for name in self.names]
        self.count = step.get("count")
        self.own_mask = step.get("isSetMask", True)
        self.strides = step.get("repeatParams", {})

    def mask(self):
        """The call's own mask as bits."""
        mask = self.step["mask"]
        if isinstance(mask, list):
            return mask[1] << 64 | mask[0]
        return (1 << mask) - 1

    def lanes(self):
        if not self.own_mask:
            return self.machine.lanes_of_register(self.size)
        mask = self.mask()
        return [lane for lane in range(256 // self.size) if mask >> lane & 1]

    def first_stage(self):
        product = self.machine.product
        if product not in PRODUCTS:
            yield "MIN-PRODUCT"
        elif self.dtype not in ("half", "float", "int32"):
            if self.dtype != "int16" or product == "atlas-training":
                yield "MIN-DTYPE"
        if any(o.dtype != self.dtype for o in self.operands):
            yield "MIN-DTYPE-MATCH"
        if any(o.position not in VECTOR_POSITIONS for o in self.operands):
            yield "MIN-POSITION"
        if any(o.at % 32 for o in self.operands):
            yield "MIN-ALIGN"
        if self.count is not None:
            if not 0 <= self.count < 2**31:
                yield "MIN-COUNT"
        else:
            yield from self.first_stage_of_masks()

    def first_stage_of_masks(self):
        if not 0 <= self.step["repeatTimes"] <= 255:
            yield "MIN-REPEAT"
        if not all(0 <= stride <= 255 for stride in self.strides.values()):
            yield "MIN-STRIDE-RANGE"
        if self.strides["dstBlkStride"] == 0:
            yield "MIN-DST-BLK-STRIDE-ZERO"
        mask = self.step["mask"]
        if not self.own_mask:
            if mask != 0 and mask != [0, 0]:
                yield "MIN-PLACEHOLDER"
        elif isinstance(mask, list):
            ok = {1: True, 2: mask != [0, 0],
                  4: mask[1] == 0 and mask[0] != 0,
                  8: mask[1] == 0 and 1 <= mask[0] < 2**32}[self.size]
            if not ok:
                yield "MIN-MASK-BITS"
        elif self.size > 1 and not 1 <= mask <= 256 // self.size:
            yield "MIN-MASK-CONTIGUOUS"

    def plan(self):
        """Of each iteration, of each lane, the addresses in dst, src0 and src1."""
        lanes = self.lanes()
        for r in range(self.step["repeatTimes"] if lanes else 0):
            yield [tuple(lane_address(o.at, self.size, self.strides[name + "BlkStride"],
                                      self.strides[name + "RepStride"], r, lane)
                         for o, name in zip(self.operands, self.names))
                   for lane in lanes]

    def second_stage(self):
        ok = all(o.inside for o in self.operands)
        if self.count is not None:
            ok = ok and all(self.count * self.size <= o.bytes for o in self.operands)
        elif ok:
            for lanes in self.plan():
                for o, addresses in zip(self.operands, zip(*lanes)):
                    ok = ok and o.holds(min(addresses), max(addresses) + self.size)
                if not ok:
                    break
        if not ok:
            yield "MIN-BOUNDS"

    def third_stage(self):
        if self.count is None:
            yield from self.overlaps_of_iterations()
            return
        length = self.count * self.size
        dst = self.operands[0]
        if any(0 < abs(dst.at - src.at) < length for src in self.operands[1:]):
            yield "MIN-OVERLAP-COUNT"

    def overlaps_of_iterations(self):
        size, broken = self.size, set()
        ub = len(self.machine.memories["UB"])
        written, read0, read1 = bytearray(ub), bytearray(ub), bytearray(ub)
        exception = (self.dtype in ("half", "int32", "float")
                     and 0 in (self.strides["src1RepStride"], self.strides["dstRepStride"]))
        used = False
        for lanes in self.plan():
            mine = bytearray(ub)
            for d, _, _ in lanes:
                mine[d:d + size] = b"\1" * size
            for source in (1, 2):
                together = all(lane[0] == lane[source] for lane in lanes)
                if not together and any(any(mine[lane[source]:lane[source] + size])
                                        for lane in lanes):
                    broken.add("MIN-OVERLAP-ITERATION")
            if any(any(written[a:a + size]) for _, a, _ in lanes):
                broken.add("MIN-OVERLAP-DEPENDENCY")
            if any(any(written[b:b + size]) for _, _, b in lanes):
                used = exception
                if not exception:
                    broken.add("MIN-OVERLAP-DEPENDENCY")
            for d, a, b in lanes:
                written[d:d + size] = read0[a:a + size] = read1[b:b + size] = b"\1" * size
        if used and int.from_bytes(read0, "little") & int.from_bytes(read1, "little"):
            broken.add("MIN-OVERLAP-SOURCES")
        yield from broken

    def execute(self):
        if self.count is not None:
            addresses = [tuple(o.at + i * self.size for o in self.operands)
                         for i in range(self.count)]
            self.iteration(addresses)
            if self.count == 0:
                return {"MIN-NOP"}
            self.machine.mask = ALL_LANES
            return {"MIN-CLOBBERS-MASK"}
        for lanes in self.plan():
            self.iteration(lanes)
        nothing = self.step["repeatTimes"] == 0 or not self.lanes()
        if self.own_mask:
            self.machine.mask = self.mask()
        return {"MIN-NOP"} if nothing else set()

    def iteration(self, lanes):
        results = [(d, self.lane(a, b), self.taint()) for d, a, b in lanes]
        for d, bits, tainted in results:
            self.machine.tainted = tainted
            self.machine.write("UB", d, self.size, bits, self.dtype)

    def taint(self):
        tainted, self.machine.tainted = self.machine.tainted, False
        return tainted

    def lane(self, a, b):
        a, b = (self.machine.read("UB", at, self.size) for at in (a, b))
        form = FORMATS.get(self.dtype)
        if form is None:
            flip = 1 << (8 * self.size - 1)  # two's complement, in order
            return min(a, b, key=lambda bits: bits ^ flip)
        return saturated(form, smaller(form, a, b), self.machine.saturation)
