"""A program on a machine: legality in three stages, execution, the outcome."""

from .data_copy import DataCopy
from .elementwise import CALLS
from .machine import A2_A3
from .sums import RepeatReduceSum, WholeReduceSum
from .trowprod import Trowprod
from .vec_trans import VecTrans


class StateStep:
    """SetVectorMask, SetSaturation and PipeBarrier."""

    def __init__(self, machine, step):
        self.machine, self.step = machine, step

    def first_stage(self):
        if (self.step["op"] == "SetSaturation" and not self.step["enabled"]
                and self.machine.product not in A2_A3):
            yield "STATE-SATURATION-PRODUCT"

    def second_stage(self):
        return ()

    third_stage = second_stage

    def execute(self):
        step, machine = self.step, self.machine
        if step["op"] == "SetVectorMask":
            machine.mask = step["high"] << 64 | step["low"]
        elif step["op"] == "SetSaturation":
            machine.saturation = step["enabled"]
        else:
            machine.copies = [copy for copy in machine.copies
                              if step["pipe"] not in ("ALL", copy[0])]
        return set()


OPERATIONS = {
    "RepeatReduceSum": RepeatReduceSum, "WholeReduceSum": WholeReduceSum,
    "DataCopy": DataCopy, "TROWPROD": Trowprod, "vec_trans": VecTrans,
    "SetVectorMask": StateStep, "SetSaturation": StateStep, "PipeBarrier": StateStep,
} | CALLS


class Outcome:
    def __init__(self):
        self.rejected_step = None
        self.rules = []
        self.notes = []


def run(machine, program):
    """Runs until a step is rejected; `machine` is left as it then is."""
    outcome, notes = Outcome(), set()
    for index, step in enumerate(program):
        call = OPERATIONS[step["op"]](machine, step)
        rules = (sorted(call.first_stage()) or sorted(call.second_stage())
                 or sorted(call.third_stage()))
        if rules:
            outcome.rejected_step, outcome.rules = index, rules
            break
        notes |= call.execute()
    outcome.notes = sorted(notes)
    return outcome
