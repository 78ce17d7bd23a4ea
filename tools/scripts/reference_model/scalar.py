"""GetValue and SetValue: one element, read or written by the scalar unit."""

from .machine import VECTOR_POSITIONS, Operand, Step


class Scalar(Step):
    """What they have in common; one of them has the name of its operand (`name`)."""

    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.operand = Operand(machine, step, self.name)
        self.at = self.operand.at + step["index"] * self.size

    def first_stage(self):
        if self.machine.product == "atlas-200-300-500":
            yield "SCALAR-PRODUCT"
        if self.operand.position not in VECTOR_POSITIONS:
            yield "SCALAR-POSITION"
        if self.operand.at % self.size:
            yield "SCALAR-ALIGN"
        if not 0 <= self.step["index"] < 2**32:
            yield "SCALAR-INDEX"

    def second_stage(self):
        if not self.operand.inside or not self.operand.holds(self.at, self.at + self.size):
            yield "SCALAR-BOUNDS"


class GetValue(Scalar):
    name = "src"


class SetValue(Scalar):
    name = "dst"

    def execute(self):
        self.machine.write(self.operand.memory, self.at, self.size, self.step["value"], self.dtype)
        return set()
