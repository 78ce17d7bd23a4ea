"""DataCopy: routes, lengths and gaps, and the copies under way."""

from .arithmetic import widened
from .machine import A2_A3, SIZES, Operand, Step

BASE = set(SIZES) - {"bfloat16"}
BASE_AND_BFLOAT16 = set(SIZES)
LOCAL = ("VECIN", "VECCALC", "VECOUT")
PIPES = {
    ("GM", "UB"): "MTE2", ("GM", "L1"): "MTE2",
    ("UB", "GM"): "MTE3", ("UB", "L1"): "MTE3", ("L1", "GM"): "MTE3",
    ("UB", "UB"): "V", ("L1", "BT"): "MTE1", ("L1", "FB"): "FIX",
}


def pairs(sources, destinations):
    return {(source, destination) for source in sources for destination in destinations}


def routes(product):
    """Tables 4 to 6: (source, destination) for one type, and the types."""
    through_ub = {("VECIN", "VECCALC"), ("VECCALC", "VECOUT")}
    if product == "atlas-training":
        return pairs(["GM"], ["VECIN", "A1", "B1"]) | through_ub | {("VECOUT", "GM")}, BASE
    if product == "atlas-inference-aicore":
        return (pairs(["GM"], ["VECIN", "A1", "B1"]) | through_ub
                | pairs(LOCAL, ["A1", "B1"]) | pairs(["VECOUT", "CO2"], ["GM"])), BASE
    if product == "atlas-inference-vectorcore":
        return {("GM", "VECIN"), ("VECOUT", "GM")}, BASE
    if product == "atlas-200i-500-a2":
        return {("GM", "VECIN"), ("VECOUT", "GM")}, BASE_AND_BFLOAT16
    if product in A2_A3:
        return (pairs(["GM"], ["VECIN", "A1", "B1", "C1"]) | through_ub
                | pairs(LOCAL, ["TSCM"]) | pairs(["A1", "B1", "C1"], ["C2PIPE2GM"])
                | {("C1", "C2")} | pairs(["VECOUT", "A1", "B1"], ["GM"])), BASE_AND_BFLOAT16
    return set(), set()


class DataCopy(Step):
    rules = "DC"  # with what the names of those begin that other copies have

    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.dst, self.src = Operand(machine, step, "dst"), Operand(machine, step, "src")
        self.mixed = self.dst.dtype != self.src.dtype
        self.params, self.count = step.get("params"), step.get("count")
        self.route = (self.src.position, self.dst.position)
        self.example = (self.route == ("VECIN", "VECOUT")
                        and ("VECIN", "VECCALC") in routes(machine.product)[0])

    def first_stage(self):
        yield from self.what_the_product_copies()
        for name, o in (("DC-DST-ALIGN", self.dst), ("DC-SRC-ALIGN", self.src)):
            unit = 32
            if o.position == "GM":
                unit = o.size
            elif o is self.dst:
                unit = {"C2": 64, "C2PIPE2GM": 128}.get(o.position, 32)
            if o.at % unit:
                yield name
        if self.params is None:
            if not 0 <= self.count < 2**32:
                yield "DC-COUNT"
            return
        least = 1 if self.machine.edition == "2024" else 0
        if not least <= self.params["blockCount"] <= 4095:
            yield "DC-BLOCK-COUNT"
        if not least <= self.params["blockLen"] <= 65535:
            yield "DC-BLOCK-LEN"
        if not all(0 <= self.params[name] <= 65535 for name in ("srcGap", "dstGap")):
            yield "DC-GAP"

    def what_the_product_copies(self):
        product = self.machine.product
        if self.mixed:
            if product not in A2_A3:
                yield "DC-PRODUCT"
            elif (self.route != ("C1", "C2") or self.params is None
                  or (self.src.dtype, self.dst.dtype) != ("half", "float")):
                yield "DC-MIXED"
            return
        known, types = routes(product)
        if product == "atlas-200-300-500":
            yield "DC-PRODUCT"
        elif self.route not in known and not self.example:
            yield "DC-ROUTE"
        elif self.src.dtype not in types:
            yield "DC-DTYPE"

    def blocks(self):
        """(source, bytes read, destination, bytes written) of each block."""
        if self.params is None:
            length = self.count * self.src.size // 32 * 32
            if length:
                yield self.src.at, length, self.dst.at, length
            return
        unit = {"C2": 64, "C2PIPE2GM": 128}.get(self.dst.position, 32)
        read = self.params["blockLen"] * unit
        if not read:
            return
        written = read * (2 if self.mixed else 1)
        for i in range(self.params["blockCount"]):
            yield (self.src.at + i * (read + self.params["srcGap"] * 32), read,
                   self.dst.at + i * (written + self.params["dstGap"] * unit), written)

    def second_stage(self):
        ok = self.dst.inside and self.src.inside
        for source, read, destination, written in self.blocks() if ok else ():
            ok = (self.src.holds(source, source + read)
                  and self.dst.holds(destination, destination + written))
            if not ok:
                break
        if not ok:
            yield f"{self.rules}-BOUNDS"

    def pipe(self):
        return PIPES[self.src.memory, self.dst.memory]

    def marks(self):
        """A bit for each destination byte."""
        bits = bytearray(len(self.machine.memories[self.dst.memory]))
        for _, _, destination, written in self.blocks():
            bits[destination:destination + written] = b"\1" * written
        return bits

    def third_stage(self):
        written = self.marks()
        together = all((a, n) == (b, m) for a, n, b, m in self.blocks())
        if self.src.memory == self.dst.memory and not together:
            if any(any(written[a:a + n]) for a, n, _, _ in self.blocks()):
                yield "DC-OVERLAP"
        mine = int.from_bytes(written, "little")
        if any(pipe == self.pipe() and memory == self.dst.memory and mine & other
               for pipe, _, memory, other in self.machine.copies):
            yield f"{self.rules}-BARRIER"

    def execute(self):
        blocks = list(self.blocks())
        source, marks = (kept[self.src.memory] for kept in
                         (self.machine.memories, self.machine.unspecified))
        taken = [(bytes(source[a:a + n]), bytes(marks[a:a + n])) for a, n, _, _ in blocks]
        for (data, unspecified), (_, _, destination, written) in zip(taken, blocks):
            data, unspecified = self.arriving(data, unspecified, destination)
            self.machine.memories[self.dst.memory][destination:destination + written] = data
            self.machine.wrote(self.dst.memory, destination, self.dst.dtype, unspecified)
        if blocks:
            marks = int.from_bytes(self.marks(), "little")
            self.machine.copies.append((self.pipe(), self.machine.order.starts(),
                                        self.dst.memory, marks))
        return set(self.notes())

    def arriving(self, data, unspecified, destination):
        """What is written of a block, and the marks of its unspecified bytes."""
        if self.mixed:
            data = b"".join(widened(int.from_bytes(data[i:i + 2], "little")).to_bytes(4, "little")
                            for i in range(0, len(data), 2))
            unspecified = b"".join(bytes([any(unspecified[i:i + 2])]) * 4
                                   for i in range(0, len(unspecified), 2))
        return data, unspecified

    def notes(self):
        if self.example:
            yield "DC-ROUTE-EXAMPLE"
        if self.params is None:
            length = self.count * self.src.size
            if length % 32:
                yield "DC-COUNT-FLOOR"
            if length < 32:
                yield "DC-COUNT-EMPTY"
        elif 0 in (self.params["blockCount"], self.params["blockLen"]):
            yield "DC-BLOCK-EMPTY"
