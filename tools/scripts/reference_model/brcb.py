"""Brcb: each of eight elements an iteration fills a DataBlock."""

from .machine import A2_A3, ALL_LANES, Operand, Step, VECTOR_POSITIONS


class Brcb(Step):
    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.dst, self.src = Operand(machine, step, "dst"), Operand(machine, step, "src")
        self.repeat = step["repeatTime"]
        self.strides = step["repeatParams"]

    def first_stage(self):
        product, dtype, operands = self.machine.product, self.dtype, (self.dst, self.src)
        if product not in A2_A3 + ("atlas-inference-aicore",):
            yield "BRCB-PRODUCT"
        if (dtype not in ("int16", "uint16", "half", "bfloat16", "int32", "uint32", "float")
                or (dtype == "bfloat16" and product == "atlas-inference-aicore")):
            yield "BRCB-DTYPE"
        if any(o.dtype != dtype for o in operands):
            yield "BRCB-DTYPE-MATCH"
        if any(o.position not in VECTOR_POSITIONS for o in operands):
            yield "BRCB-POSITION"
        if any(o.at % 32 for o in operands):
            yield "BRCB-ALIGN"
        if not 0 <= self.repeat <= 255:
            yield "BRCB-REPEAT"
        if not all(0 <= self.strides[name] < 1 << 16 for name in ("dstBlkStride", "dstRepStride")):
            yield "BRCB-STRIDE-RANGE"
        if self.strides["dstBlkStride"] == 0:
            yield "BRCB-DST-BLK-STRIDE-ZERO"

    def pieces(self):
        """(element of src, DataBlock of dst) one after the other."""
        size, blocks = self.src.size, self.strides
        for r in range(self.repeat):
            for j in range(8):
                yield (self.src.at + (8 * r + j) * size,
                       self.dst.at + 32 * (r * blocks["dstRepStride"] + j * blocks["dstBlkStride"]))

    def second_stage(self):
        size, pieces = self.src.size, list(self.pieces())
        if not (self.src.inside and self.dst.inside
                and all(self.src.holds(source, source + size)
                        and self.dst.holds(block, block + 32) for source, block in pieces)):
            yield "BRCB-BOUNDS"

    def third_stage(self):
        written = {byte for _, block in self.pieces() for byte in range(block, block + 32)}
        size = self.src.size
        if any(byte in written for source, _ in self.pieces()
               for byte in range(source, source + size)):
            yield "BRCB-OVERLAP"

    def execute(self):
        ub, marks = self.machine.memories["UB"], self.machine.unspecified["UB"]
        size = self.src.size
        for source, block in self.pieces():
            ub[block:block + 32] = ub[source:source + size] * (32 // size)
            unspecified = any(marks[source:source + size])
            self.machine.wrote("UB", block, self.dtype, bytes([unspecified]) * 32)
        self.machine.mask = ALL_LANES
        return {"BRCB-CLOBBERS-MASK"} | ({"BRCB-REPEAT-ZERO"} if self.repeat == 0 else set())
