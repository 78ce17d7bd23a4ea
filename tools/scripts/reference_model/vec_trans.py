"""vec_trans: blocks of 16 by 16 elements of 16 bits."""

from .machine import Operand, Step


class VecTrans(Step):
    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.dst, self.src = Operand(machine, step, "dst"), Operand(machine, step, "src")
        self.repeat = step["repeat_times"]

    def first_stage(self):
        step, dtype, operands = self.step, self.dtype, (self.dst, self.src)
        if self.machine.product == "atlas-a3":
            yield "VT-PRODUCT"
        if dtype not in ("int16", "uint16", "half"):
            yield "VT-DTYPE"
        if any(o.dtype != dtype for o in operands):
            yield "VT-DTYPE-MATCH"
        if any(o.position != "UB" for o in operands):
            yield "VT-SCOPE"
        if any(o.at % 32 for o in operands):
            yield "VT-ALIGN"
        if not 1 <= self.repeat <= 4095:
            yield "VT-REPEAT"
        if not 0 <= step["dst_rep_stride"] <= 4095:
            yield "VT-DST-STRIDE"
        if not 0 <= step["src_rep_stride"] <= 4095:
            yield "VT-SRC-STRIDE"

    def blocks(self):
        """(source, destination) of each iteration."""
        return [(self.src.at + r * self.step["src_rep_stride"] * 512,
                 self.dst.at + r * self.step["dst_rep_stride"] * 512)
                for r in range(self.repeat)]

    def second_stage(self):
        source, destination = self.blocks()[-1]
        if not (self.src.inside and self.src.holds(self.src.at, source + 512)
                and self.dst.inside and self.dst.holds(self.dst.at, destination + 512)):
            yield "VT-BOUNDS"

    def third_stage(self):
        blocks = self.blocks()
        if all(source == destination for source, destination in blocks):
            return
        written = bytearray(len(self.machine.memories["UB"]))
        for _, destination in blocks:
            written[destination:destination + 512] = b"\1" * 512
        if any(any(written[source:source + 512]) for source, _ in blocks):
            yield "VT-OVERLAP"

    def execute(self):
        ub, marks = self.machine.memories["UB"], self.machine.unspecified["UB"]
        for source, destination in self.blocks():
            ub[destination:destination + 512] = transposed(ub[source:source + 512])
            if any(marks[source:source + 512]):
                moved = transposed(marks[source:source + 512])
            else:
                moved = bytes(512)
            self.machine.wrote("UB", destination, self.step["dtype"], moved)
        return set()


def transposed(block):
    """Row j of what is written is column j of what was read; elements of 2 bytes."""
    pieces = [bytes(block[at:at + 2]) for at in range(0, 512, 2)]
    return b"".join(pieces[16 * i + j] for j in range(16) for i in range(16))
