"""A program on a machine: legality in three stages, execution, the outcome."""

from .brcb import Brcb
from .data_copy import DataCopy
from .data_copy_pad import DataCopyPad
from .lanewise import CALLS
from .kernel import Carried, Resource
from .machine import A2_A3, ALL_LANES, SIZES, Step
from .scalar import GetValue, SetValue
from .sums import (BlockReduceMax, BlockReduceMin, BlockReduceSum, PairReduceSum,
                   RepeatReduceSum, Sum, WholeReduceMax, WholeReduceMin, WholeReduceSum)
from .trowprod import Trowprod
from .vec_trans import VecTrans


MASK_STEPS = ("SetMaskCount", "SetMaskNorm", "ResetMask")


class StateStep(Step):
    """What sets machine state, barriers and flags among it."""

    def first_stage(self):
        if (self.step["op"] == "SetSaturation" and not self.step["enabled"]
                and self.machine.product not in A2_A3):
            yield "STATE-SATURATION-PRODUCT"
        if self.step["op"] in MASK_STEPS and self.machine.product not in A2_A3 + (
                "atlas-inference-aicore", "atlas-200i-500-a2"):
            yield "STATE-MASK-PRODUCT"

    def execute(self):
        step, machine = self.step, self.machine
        if step["op"] == "SetVectorMask":
            machine.mask = step["high"] << 64 | step["low"]
        elif step["op"] == "SetSaturation":
            machine.saturation = step["enabled"]
        elif step["op"] == "ResetMask":
            machine.mask = ALL_LANES
        elif step["op"] in MASK_STEPS:
            machine.counter_mode = step["op"] == "SetMaskCount"
        else:
            return self.order()
        return set()

    def order(self):
        step, order = self.step, self.machine.order
        if step["op"] == "PipeBarrier":
            order.barrier(step["pipe"])
        elif step["op"] == "SetFlag":
            order.set((step["event"], step["id"]))
        else:
            order.wait((step["event"], step["id"]))
        self.machine.forget_copies()
        reserved = order.ids == 8 and step.get("id") in (6, 7)
        return {"SYNC-FLAG-RESERVED"} if reserved else set()


OPERATIONS = {
    "RepeatReduceSum": RepeatReduceSum, "WholeReduceSum": WholeReduceSum,
    "WholeReduceMax": WholeReduceMax, "WholeReduceMin": WholeReduceMin,
    "BlockReduceMax": BlockReduceMax, "BlockReduceMin": BlockReduceMin,
    "BlockReduceSum": BlockReduceSum, "PairReduceSum": PairReduceSum,
    "DataCopy": DataCopy, "DataCopyPad": DataCopyPad, "TROWPROD": Trowprod, "vec_trans": VecTrans,
    "Brcb": Brcb,
    "GetValue": GetValue, "SetValue": SetValue, "Carried": Carried, "Resource": Resource,
} | CALLS | dict.fromkeys(("SetVectorMask", "SetSaturation", "PipeBarrier", "SetFlag",
                           "WaitFlag") + MASK_STEPS, StateStep)
# Of these the form with count has no mask.
MASKED = {name for name, call in OPERATIONS.items() if issubclass(call, Sum)} | CALLS.keys()


def ends_of(step):
    """Position and end of each window of a step that is not empty."""
    for field in step.values():
        if not isinstance(field, dict) or "at" not in field:
            continue
        size = field.get("bytes")
        if size is None:
            size = field["rows"] * field["cols"] * SIZES[step["dtype"]]
        if size > 0:
            yield field["position"], field["at"] + size


class Outcome:
    def __init__(self):
        self.rejected_step = self.unsupported_step = None
        self.rules = []
        self.notes = []


def run(machine, program):
    """Runs until a step is rejected; `machine` is left as it then is."""
    outcome, notes = Outcome(), set()
    for index, step in enumerate(program):
        if machine.counter_mode and step["op"] in MASKED and "count" not in step:
            outcome.unsupported_step = index
            break
        call = OPERATIONS[step["op"]](machine, step)
        rules = (sorted(call.first_stage()) or sorted(call.second_stage())
                 or sorted(call.third_stage()))
        if rules:
            outcome.rejected_step, outcome.rules = index, rules
            break
        notes |= call.execute()
        if step["op"] not in ("Carried", "Resource") and any(
                machine.is_reserved(position, end) for position, end in ends_of(step)):
            notes.add("STATE-UB-RESERVED")
    outcome.notes = sorted(notes)
    return outcome
