"""Products, memories, and what outlives a step (common.md's model of a machine)."""

from .mask import bits_of, lanes_of
from .order import Order

PRODUCTS = (
    "atlas-training", "atlas-inference-aicore", "atlas-inference-vectorcore",
    "atlas-a2", "atlas-a3", "atlas-200i-500-a2", "atlas-200-300-500",
)
A2_A3 = ("atlas-a2", "atlas-a3")
EDITIONS = ("2024", "2026")  # of the documents; a case that names none is of the newest
MEMORIES = ("GM", "UB", "L1", "L0C", "BT", "FB")
SIZES = {
    "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4,
    "int64": 8, "uint64": 8, "half": 2, "bfloat16": 2, "float": 4, "double": 8,
}
VECTOR_POSITIONS = ("VECIN", "VECCALC", "VECOUT")
POSITIONS = VECTOR_POSITIONS + (
    "GM", "UB", "A1", "B1", "TSCM", "C1", "C2", "C2PIPE2GM", "CO2",
)
ALL_LANES = (1 << 128) - 1


def capacity(product, memory):
    """Bytes of a memory; of GM None, because the case states it."""
    newer = product in A2_A3
    return {
        "GM": None,
        "UB": 192 * 1024 if newer else 256 * 1024,
        "L1": 512 * 1024 if newer else 1024 * 1024,
        "L0C": 128 * 1024 if newer or product == "atlas-200i-500-a2" else 256 * 1024,
        "BT": 1024,
        "FB": 7 * 1024,
    }[memory]


def memory_of(product, position):
    if position in ("GM", "UB"):
        return position
    if position in VECTOR_POSITIONS:
        return "UB"
    if position in ("A1", "B1", "TSCM"):
        return "L1"
    if position == "C1":
        return "L1" if product in A2_A3 else "UB"
    if position == "C2":
        return "BT" if product in A2_A3 + ("atlas-200i-500-a2",) else "L0C"
    if position == "C2PIPE2GM":
        return "FB"
    if position == "CO2":
        return "UB" if product in ("atlas-inference-aicore", "atlas-training") else "GM"
    raise ValueError(position)


class Made(dict):
    """A dict that makes a missing value."""

    def __init__(self, make):
        super().__init__()
        self.make = make

    def __missing__(self, key):
        self[key] = self.make(key)
        return self[key]


class Machine:
    def __init__(self, product, images, edition=EDITIONS[-1]):
        """`images`: bytearray by name; a memory that has none is all zero."""
        self.product = product
        self.edition = edition
        self.memories = Made(lambda name: images[name] if name in images
                             else bytearray(capacity(product, name) or 0))
        self.mask = ALL_LANES
        self.saturation = True
        self.counter_mode = False
        self.copies = []  # (pipe, time, memory, marks of destination bytes) under way
        self.order = Order(product)
        self.types = Made(lambda name: {})  # written type by address
        # Marks of what a TROWPROD left in its tmp or a DataCopyPad padded with no value, or
        # was computed from that, and nothing wrote since.
        self.unspecified = Made(lambda name: bytearray(len(self.memories[name])))
        self.tainted = False  # whether such a byte was read for what is computed now

    def forget_copies(self):
        """Those that ended before the next one on their pipe starts."""
        self.copies = [copy for copy in self.copies
                       if not self.order.is_before(copy[0], copy[1], copy[0])]

    def memory(self, position):
        return memory_of(self.product, position)

    def is_reserved(self, position, end):
        """STATE-UB-RESERVED: whether what ends at `end` reaches into UB's last 8 KiB."""
        return (self.edition != "2024" and self.product in A2_A3
                and self.memory(position) == "UB"
                and end > capacity(self.product, "UB") - 8192)

    def read(self, memory, at, size):
        if memory in self.unspecified and any(self.unspecified[memory][at:at + size]):
            self.tainted = True
        return int.from_bytes(self.memories[memory][at:at + size], "little")

    def write(self, memory, at, size, bits, dtype):
        """Writes an element that was computed from what was read since the last one."""
        self.memories[memory][at:at + size] = bits.to_bytes(size, "little")
        self.wrote(memory, at, dtype, bytes([self.tainted]) * size)
        self.tainted = False

    def wrote(self, memory, at, dtype, marks):
        """Books elements of `dtype` as written; `marks` marks which bytes are unspecified."""
        size = len(marks)
        if memory in self.unspecified or any(marks):
            self.unspecified[memory][at:at + size] = marks
        if dtype in ("half", "float"):
            for element in range(at, at + size, SIZES[dtype]):
                self.types[memory][element] = dtype
        else:
            for byte in range(at, at + size):
                self.types[memory].pop(byte, None)

    def lanes_of_register(self, size):
        """Lanes of elements of `size` bytes that the mask register lets take part."""
        return lanes_of(self.mask, size)


class Operand:
    """A window of one memory, and the type of its elements."""

    def __init__(self, machine, step, name):
        field = step[name]
        self.position = field["position"]
        self.at = field["at"]
        self.bytes = field["bytes"]
        self.dtype = field.get("dtype", step["dtype"])
        self.size = SIZES[self.dtype]
        self.memory = machine.memory(self.position)
        self.inside = (self.at >= 0 and self.bytes >= 0
                       and self.at + self.bytes <= len(machine.memories[self.memory]))

    def holds(self, first, end):
        return self.at <= first and end <= self.at + self.bytes


class Step:
    """A step of a program. Its stages give the rules that it breaks, `execute` gives notes."""

    def __init__(self, machine, step):
        self.machine, self.step = machine, step
        self.dtype = step.get("dtype")
        self.size = SIZES.get(self.dtype)

    def first_stage(self):
        return ()

    def second_stage(self):
        return ()

    def third_stage(self):
        return ()

    def execute(self):
        return set()


class MaskedStep(Step):
    """A step with a mask of its own or that of the register; one has `rules`, with which their
    names begin, the products that have it, and `mask_bits`."""

    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.own_mask = step.get("isSetMask", True)

    def named(self, ends):
        """The names of rules: RRS-PRODUCT of "PRODUCT"."""
        return [f"{self.rules}-{end}" for end in ends]

    def lanes(self):
        if self.own_mask:
            return lanes_of(self.mask_bits(), self.size)
        return self.machine.lanes_of_register(self.size)

    def mask_bits(self):
        return bits_of(self.step["mask"])

    def lacks_product(self):
        older = self.machine.edition == "2024"
        return self.machine.product not in (self.older_products if older else self.products)


def lane_address(at, size, block_stride, repeat_stride, iteration, lane):
    """Vector addressing: a DataBlock is 32 bytes, an iteration covers 8 of them."""
    in_block = 32 // size
    return (at + 32 * (iteration * repeat_stride + lane // in_block * block_stride)
            + lane % in_block * size)
