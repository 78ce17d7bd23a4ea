"""Steps of kernels: unaudited calls, replayed by their bytes, and resources."""

from .machine import A2_A3, ALL_LANES, SIZES, Step, memory_of

RESULTS = ("dst", "dst1")


class Carried(Step):
    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.operands = step.get("operands", {})

    def multiple(self, name, operand):
        """What the operand's window must start at a multiple of."""
        if "align" in operand:
            return operand["align"]
        if memory_of(self.machine.product, operand["position"]) == "GM":
            return 1
        call, dtype = self.step["name"], operand.get("dtype", "uint8")
        if name in RESULTS and call.startswith(("Whole", "Reduce")):
            return SIZES[dtype]
        return 16 if name in RESULTS and call.startswith("BlockReduce") and dtype == "half" else 32

    def first_stage(self):
        for what in ("product", "dtype"):
            if isinstance(self.step.get("parameters", {}).get("unlisted " + what), str):
                yield "KRN-" + what.upper()
        for value in self.step.get("parameters", {}).values():
            if isinstance(value, dict) and not value["low"] <= value["value"] <= value["high"]:
                yield "KRN-RANGE"
                break
        if any(o["at"] % self.multiple(name, o) for name, o in self.operands.items()):
            yield "KRN-ALIGN"

    def windows(self):
        product = self.machine.product
        for name, operand in self.operands.items():
            exists = operand["position"] != "C2PIPE2GM" or product in A2_A3
            memory = memory_of(product, operand["position"]) if exists else None
            yield name, memory, operand["at"], operand["at"] + operand["bytes"]

    def touched(self):
        for read in self.step.get("reads", []):
            yield read.get("operand"), read["memory"], read["at"], read["bytes"]
        for write in self.step.get("writes", []):
            yield write.get("operand"), write["memory"], write["at"], len(write["hex"]) // 2

    def second_stage(self):
        windows = list(self.windows())
        fit = all(memory and 0 <= at <= end <= len(self.machine.memories[memory])
                  for _, memory, at, end in windows)
        if not fit or not all(
                size == 0 or size > 0 and any(
                    memory == m and first <= at and at + size <= end and whose in (None, name)
                    for name, m, first, end in windows)
                for whose, memory, at, size in self.touched()):
            yield "KRN-BOUNDS"

    def execute(self):
        for write in self.step.get("writes", []):
            data = bytes.fromhex(write["hex"])
            memory, at = write["memory"], write["at"]
            self.machine.memories[memory][at:at + len(data)] = data
            self.machine.wrote(memory, at, "uint8", bytes(len(data)))
        mask = self.step.get("mask", {})
        if mask.get("leaves") == "unknown":
            self.machine.mask = ALL_LANES
        elif "leaves" in mask:
            low, high = (int(word, 16) for word in mask["leaves"])
            self.machine.mask = low | high << 64
        if mask.get("setsNormal"):
            self.machine.counter_mode = False
        return set()


class Resource(Step):
    def execute(self):
        if self.step["name"] in ("TPipe", "InitSocState"):
            self.machine.counter_mode = False
            if self.machine.product in A2_A3:
                self.machine.mask = ALL_LANES
        return set()
