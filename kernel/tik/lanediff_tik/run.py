"""Unrolls a tree with data: executes it, block after block, and notes the steps
that lanediff judges."""

import contextlib

from .carried.step import CarriedStep, Left
from .error import KernelError, RefusedError
from .memory import Memory
from .number import clamp, decode, encode, round_to
from .tensor import SCOPES

# Tensors lie in order of declaration at multiples of so many bytes: General
# Restrictions (TIK), of UB.
ALIGN = 32


def _aligned(at):
    return -(-at // ALIGN) * ALIGN


class Window:
    """From a tensor's first byte to the end of its allocation."""

    def __init__(self, memory, at, bytes_, dtype):
        self.memory, self.at, self.bytes, self.dtype = memory, at, bytes_, dtype

    def operand(self):
        return {"position": self.memory, "at": self.at, "bytes": self.bytes, "dtype": self.dtype.word}


class Run:

    def __init__(self, recorder, gm, site, saturation=True, fill=0, listed=()):
        """`site` starts it; `fill` is in what nothing has written; `listed`: see session.listed."""
        self.root, self.gm, self.saturation = recorder.root, Memory(gm, fill), saturation
        self._start, self._fill, self._listed = site, fill, listed
        self.gm_written = []  # (at, bytes)
        self.gm_at, self.gm_bytes = layout(recorder.buffers)
        self.steps = []
        self.blocks, self.block = 1, 0

    def run(self):
        """Executes all; `blocks` is known once block 0 has come to its loop."""
        while self.block < self.blocks:
            self._begin_block()
            self.root.run(self)
            self.block += 1
        file, line = self._start
        self.steps.insert(0, {"op": "Resource", "name": "Launch", "arguments": {"blocks": self.blocks},
                              "source": {"file": file, "line": line}})

    def _begin_block(self):
        self.variables, self.scalars, self.site = {}, {}, None
        self.ub, self._top, self._turn = Memory(b"", self._fill), 0, (1, 0)
        self._live, self._reported = {}, set()
        self.emit({"op": "Resource", "name": "Block", "arguments": {"block": self.block}}, self._start)
        # Nothing carried here turns atomic mode on.
        self.emit({"op": "Resource", "name": "SetAtomic", "arguments": {"operation": "none"}}, self._start)

    def lists(self, *what):
        return what in self._listed or (what[0], None) in self._listed

    def set_blocks(self, blocks, site):
        if blocks != self.blocks and self.block > 0:
            raise KernelError(f"block_num is {blocks}, it was {self.blocks} before", site)
        self.blocks = blocks

    # ---- Memory ----

    def declare(self, buffer):
        """Takes the next place in UB; two where thread_num is 2, in turn."""
        number, turn = self._turn
        bytes_ = _aligned(buffer.bytes)
        at = self._top + turn * bytes_
        self._top += number * bytes_
        self._live[buffer] = at
        if buffer.scope in SCOPES and (buffer, at) not in self._reported:
            self._reported.add((buffer, at))
            self.emit({"op": "Resource", "name": "LocalTensor",
                       "arguments": {"position": "UB", "at": at, "bytes": buffer.bytes}}, buffer.site)

    @contextlib.contextmanager
    def scope(self):
        top, live = self._top, dict(self._live)
        yield
        self._top, self._live = top, live

    @contextlib.contextmanager
    def turn(self, number, k):
        before = self._turn
        if number > 1:
            self._turn = number, k
        yield
        self._turn = before

    def window(self, view, site):
        if view.scope not in SCOPES:
            raise RefusedError(view.name, f"in scope_{view.scope}; scope_gm and scope_ubuf are supported", site)
        places = self.gm_at if view.scope == "gm" else self._live
        if view.buffer not in places:
            raise KernelError(f"{view.name} is used after its scope ended", site)
        at = view.at if isinstance(view.at, int) else view.at.evaluate(self)
        buffer_at = places[view.buffer]
        return Window(SCOPES[view.scope], buffer_at + at, view.buffer.bytes - at, view.type)

    def memory(self, name):
        return self.gm if name == "GM" else self.ub

    # ---- Elements: set_as ----

    def load(self, view, site):
        step = CarriedStep(self, "set_as", "S", site)
        src = step.operand("src", view, align=lambda dtype: dtype.size)
        try:
            value = decode(view.type, step.read(src, [(src.at, view.type.size)]))[0]
        except Left:
            value = decode(view.type, bytes(view.type.size))[0]
        step.emit()
        return value

    def store(self, view, value, site):
        step = CarriedStep(self, "set_as", "S", site)
        dst = step.operand("dst", view, align=lambda dtype: dtype.size)
        if isinstance(value, float) and not view.type.is_float:
            value = clamp(view.type, int(value)) if value == value else 0
        with contextlib.suppress(Left):
            step.write(dst, [(dst.at, view.type.size)], encode(view.type, [round_to(view.type, value)]))
        step.emit()

    def assign(self, scalar, value):
        self.scalars[scalar] = round_to(scalar.type, value.evaluate(self))

    def refuse(self, name, why, site):
        raise RefusedError(name, why, site)

    def emit(self, step, site):
        step["source"] = {"file": site[0], "line": site[1], "block": self.block}
        self.steps.append(step)


def layout(buffers):
    """Where each tensor of GM lies, and where the last one ends."""
    places, top = {}, 0
    for buffer in buffers:
        places[buffer] = _aligned(top)
        top = places[buffer] + buffer.bytes
    return places, top
