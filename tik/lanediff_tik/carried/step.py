"""A step `Carried` of a case, and the bytes that the call touches meanwhile."""

from ..expr import integer
from ..tensor import check_is_tensor


class CarriedStep:

    def __init__(self, run, name, pipe, site):
        self._run, self._site = run, site
        self._step = {"op": "Carried", "name": name, "pipe": pipe, "parameters": {}, "operands": {}, "reads": [],
                      "writes": []}

    def parameter(self, name, value, low=None, high=None):
        """The integer that `value` is; where its page allows low to high, and it
        is neither, the nearest end: the call is rejected."""
        number = integer(value, self._run, name, self._site)
        if low is None:
            self._step["parameters"][name] = number
            return number
        self._step["parameters"][name] = {"value": number, "low": low, "high": high}
        return max(low, min(high, number))

    def word(self, name, text):
        self._step["parameters"][name] = text

    def operand(self, name, view, align=None):
        """`align` of a dtype: of how many bytes `at` is a multiple where it is
        not what KRN-ALIGN asks for."""
        window = self._run.window(check_is_tensor(view, name, self._site), self._site)
        self._step["operands"][name] = window.operand()
        if align is not None:
            self._step["operands"][name]["align"] = align(window.dtype)
        return window

    def read(self, window, runs, iteration=0):
        """The bytes of `runs`: (at, bytes) each, one after another."""
        memory = self._run.memory(window.memory)
        self._note("reads", window, [{"at": at, "bytes": count} for at, count in runs], iteration)
        return b"".join(memory.read(at, count) for at, count in runs)

    def write(self, window, runs, data, iteration=0):
        memory, begin, touched = self._run.memory(window.memory), 0, []
        for at, count in runs:
            piece = data[begin:begin + count]
            begin += count
            memory.write(at, piece)
            touched.append({"at": at, "hex": piece.hex()})
        self._note("writes", window, touched, iteration)

    def _note(self, what, window, touched, iteration):
        for one in touched:
            self._step[what].append({"memory": window.memory, **one, **({"iteration": iteration} if iteration else {})})

    def emit(self):
        self._run.emit(self._step, self._site)
