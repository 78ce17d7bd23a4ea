"""Reductions: RepeatReduceSum, WholeReduce…, BlockReduce…, PairReduceSum."""

from .arithmetic import FORMATS, add, is_nan, larger, saturated, smaller
from .machine import VECTOR_POSITIONS, MaskedStep, Operand, lane_address
from .mask import bits_of, broken_rule


def within(value, low, high):
    return low <= value <= high


class Sum(MaskedStep):
    """What they have in common; one of them has `repeat` and rules on its parameters."""

    join, saturates_nodes = staticmethod(lambda *of: add(*of)), True
    filling = None  # half and float: what a result of no lane is on atlas-200i-500-a2
    types_of_training = ("half", "float")

    def lanes_of_result(self):
        return 256 // self.size

    def alignment(self):
        return self.size

    def fills(self):
        return self.filling is not None and self.machine.product == "atlas-200i-500-a2"

    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.dst, self.src = Operand(machine, step, "dst"), Operand(machine, step, "src")

    def first_stage(self):
        return self.named([*self.broken_of_operands(), *self.broken_of_parameters()])

    def broken_of_operands(self):
        if self.lacks_product():
            yield "PRODUCT"
        if (self.dtype not in ("half", "float") or self.machine.product == "atlas-training"
                and self.dtype not in self.types_of_training):
            yield "DTYPE"
        if not self.dst.dtype == self.src.dtype == self.dtype:
            yield "DTYPE-MATCH"
        if not {self.dst.position, self.src.position} <= set(VECTOR_POSITIONS):
            yield "POSITION"
        if self.dst.at % self.alignment():
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
        """Of each iteration the addresses of its lanes and of its results, by their numbers."""
        s, lanes = self.step, self.lanes()
        written = self.written(lanes)
        for r in range(self.repeat if lanes else 0):
            first = self.dst.at + r * s["dstRepStride"] * self.bytes_of_results()
            yield ([(k, lane_address(self.src.at, self.size, s["srcBlkStride"],
                                     s["srcRepStride"], r, k)) for k in lanes],
                   {i: first + i * self.size for i in written})

    def bytes_of_results(self):
        return 256 // self.lanes_of_result()

    def written(self, lanes):
        """The numbers of the results that an iteration writes."""
        return [i for i in range(self.bytes_of_results() // self.size) if self.fills()
                or any(k // self.lanes_of_result() == i for k in lanes)]

    def second_stage(self):
        ok = self.dst.inside and self.src.inside
        for reads, elements in self.plan() if ok else ():
            ok = (self.dst.holds(min(elements.values()), max(elements.values()) + self.size)
                  and self.src.holds(min(a for _, a in reads),
                                     max(a for _, a in reads) + self.size))
            if not ok:
                break
        return [] if ok else self.named(["BOUNDS"])

    def third_stage(self):
        size = self.size
        written = bytearray(len(self.machine.memories["UB"]))
        broken = set()
        for reads, elements in self.plan():
            apart = all(abs(a - one) >= size for _, a in reads for one in elements.values())
            if not apart and reads[0][1] != min(elements.values()):
                broken.add("OVERLAP-ITERATION")
            if any(any(written[a:a + size]) for _, a in reads):
                broken.add("OVERLAP-DEPENDENCY")
            for one in elements.values():
                written[one:one + size] = b"\1" * size
        return self.named(broken)

    def execute(self):
        """Returns the notes."""
        form, machine = FORMATS[self.dtype], self.machine
        for reads, elements in self.plan():
            results = {i: self.result(i, reads) for i in elements}
            for i, (value, tainted) in results.items():
                machine.tainted = tainted
                value = self.filling[self.size == 4] if value is None else value
                total = saturated(form, value, machine.saturation)
                machine.write("UB", elements[i], self.size, total, self.dtype)
        notes = {"REPEAT-ZERO"} if self.repeat == 0 else set()
        if not self.lanes():
            notes.add("MASK-EMPTY")
        if self.own_mask:
            machine.mask = self.mask_bits()
        return set(self.named(notes))

    def result(self, number, reads):
        """What becomes of the lanes of one result, none if there is none, and whether an
        unspecified byte was among them."""
        machine, each = self.machine, self.lanes_of_result()
        machine.tainted = False
        nodes = [None] * each
        for lane, address in reads:
            if lane // each == number:
                nodes[lane % each] = machine.read("UB", address, self.size)
        return self.tree(nodes), machine.tainted

    def tree(self, nodes):
        while len(nodes) > 1:
            nodes = [self.node(a, b) for a, b in zip(nodes[::2], nodes[1::2])]
        return nodes[0]

    def node(self, a, b):
        if a is None or b is None:
            return b if a is None else a
        form = FORMATS[self.dtype]
        return saturated(form, self.join(form, a, b),
                         self.machine.saturation and self.saturates_nodes)


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


class BlockReduceSum(WholeReduceSum):
    rules = "BRS"
    filling, types_of_training = (0, 0), ("half",)

    @property
    def repeat(self):
        return self.step["repeatTime"]

    def lanes_of_result(self):
        return 32 // self.size

    def alignment(self):
        return 16 if self.size <= 2 else 32


class BlockReduceMax(BlockReduceSum):
    rules = "BRMAX"
    join, saturates_nodes = staticmethod(lambda *of: larger(*of)), False
    filling = (0xfbff, 0xff800000)  # -65504 and -inf


class BlockReduceMin(BlockReduceSum):
    rules = "BRMIN"
    join, saturates_nodes = staticmethod(lambda *of: smaller(*of)), False
    filling = (0x7bff, 0x7f800000)


class PairReduceSum(BlockReduceSum):
    rules = "PRS"

    def lanes_of_result(self):
        return 2

    def alignment(self):
        return 32


class WholeReduceMax(WholeReduceSum):
    rules = "WRMAX"
    join, saturates_nodes = staticmethod(lambda *of: larger(*of)), False
    types_of_training = ("half",)
    orders = {  # by product, ORDER_VALUE_INDEX on all
        "atlas-inference-aicore": ("ORDER_INDEX_VALUE",),
        "atlas-200i-500-a2": ("ORDER_ONLY_VALUE",),
    } | dict.fromkeys(("atlas-a2", "atlas-a3"),
                      ("ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE", "ORDER_ONLY_INDEX"))

    @property
    def repeat(self):
        return self.step["repeatTime"]

    def bytes_of_results(self):
        return {"ORDER_ONLY_VALUE": self.size, "ORDER_ONLY_INDEX": 4}.get(
            self.step["order"], 2 * self.size)

    def alignment(self):
        return self.bytes_of_results()

    def broken_of_parameters(self):
        yield from super().broken_of_parameters()
        product, order = self.machine.product, self.step["order"]
        if (not self.lacks_product() and order != "ORDER_VALUE_INDEX"
                and order not in self.orders.get(product, ())):
            yield "REDUCE-ORDER"

    def written(self, lanes):
        return range(self.bytes_of_results() // self.size)

    def result(self, number, reads):
        """Element `number` of what an iteration writes; above an index of 32 bits 0."""
        value, tainted = super().result(0, reads)
        words = [word for word in self.step["order"].split("_") if word in ("VALUE", "INDEX")]
        if words[number:number + 1] == ["INDEX"]:
            value = self.index(value, reads)
        elif number >= len(words):
            value = 0
        return value, tainted

    def index(self, value, reads):
        """The lowest lane with the bits of the value; of NaN the lowest NaN."""
        form, machine = FORMATS[self.dtype], self.machine
        elements = [(lane, machine.read("UB", address, self.size)) for lane, address in reads]
        return min((lane for lane, bits in elements
                    if bits == value or is_nan(form, bits) and is_nan(form, value)), default=0)


class WholeReduceMin(WholeReduceMax):
    rules = "WRMIN"
    join = staticmethod(lambda *of: smaller(*of))
