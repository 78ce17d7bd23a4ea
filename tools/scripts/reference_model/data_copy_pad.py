"""DataCopyPad: blocks of bytes, which begin with a DataBlock in UB, and what pads them there."""

from .data_copy import DataCopy
from .machine import A2_A3


class DataCopyPad(DataCopy):
    rules = "DCP"

    def __init__(self, machine, step):
        super().__init__(machine, step)
        self.params, self.pad = step["dataCopyParams"], step.get("padParams")
        self.left = self.right = 0
        if self.pad is not None:
            self.left = self.pad["leftPadding"] * self.size
            self.right = self.pad["rightPadding"] * self.size
        # Of a block in UB, with what pads it.
        self.whole = -(-(self.left + self.params["blockLen"] + self.right) // 32) * 32

    def first_stage(self):
        newer, product = A2_A3 + ("atlas-200i-500-a2",), self.machine.product
        if product not in newer:
            yield "DCP-PRODUCT"
        if product == newer[-1] and self.dtype in ("int64", "uint64", "double"):
            yield "DCP-DTYPE"
        if self.dst.dtype != self.dtype or self.src.dtype != self.dtype:
            yield "DCP-DTYPE-MATCH"
        into_ub = self.pad is not None
        gm, local = (self.src, self.dst) if into_ub else (self.dst, self.src)
        if gm.position != "GM" or local.position not in ("VECIN", "VECOUT"):
            yield "DCP-ROUTE"
        if local.at % 32:
            yield "DCP-DST-ALIGN" if into_ub else "DCP-SRC-ALIGN"
        length = self.params["blockLen"]
        if not 0 <= self.params["blockCount"] <= 4095:
            yield "DCP-BLOCK-COUNT"
        if not 0 <= length <= 2097151 or length % self.size:
            yield "DCP-BLOCK-LEN"
        if not all(0 <= self.params[name] < 2**32 for name in ("srcStride", "dstStride")):
            yield "DCP-GAP"
        if not (0 <= self.left <= 32 and 0 <= self.right <= 32):
            yield "DCP-PADDING"
        if into_ub and self.size == 8 and self.pad["paddingValue"] != 0:
            yield "DCP-PADDING-VALUE"

    def blocks(self):
        length, gap = self.params["blockLen"], self.params["srcStride"]
        other = self.params["dstStride"]
        for i in range(self.params["blockCount"] if length else 0):
            if self.pad is not None:
                yield (self.src.at + i * (length + gap), length,
                       self.dst.at + i * (self.whole + other * 32), self.whole)
            else:
                yield (self.src.at + i * (self.whole + gap * 32), length,
                       self.dst.at + i * (length + other), length)

    def arriving(self, data, unspecified, destination):
        if self.pad is None:
            return data, unspecified
        end = self.left + len(data)
        behind = self.whole - end
        if not self.left and not self.right:
            value, marks = data[:self.size], unspecified[:self.size]
        elif self.pad["isPad"]:
            value, marks = self.pad["paddingValue"].to_bytes(self.size, "little"), bytes(self.size)
        else:  # random: the bytes stay as they are
            before = self.machine.memories["UB"][destination:destination + self.whole]
            return (before[:self.left] + data + before[end:],
                    b"\1" * self.left + unspecified + b"\1" * behind)
        return tuple(part * (self.left // self.size) + middle + part * (behind // self.size)
                     for part, middle in ((value, data), (marks, unspecified)))

    def notes(self):
        if 0 in (self.params["blockCount"], self.params["blockLen"]):
            yield "DCP-BLOCK-EMPTY"
