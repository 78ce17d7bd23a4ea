"""A step `Carried` of a case, and the bytes that the call touches meanwhile."""

from ..expr import integer
from ..tensor import check_is_tensor


# Bytes that are noted of what lies beyond a window: as many as a run of Ascend C
# notes.
_BEYOND = 32


class Left(Exception):
    """The call leaves a window: it is rejected whatever else it would touch."""

    def __init__(self, step):
        super().__init__()
        self.step = step


class CarriedStep:
    """`judged` makes it the step of the same instruction in Ascend C, which the
    oracle checks; what is read and written meanwhile is for the script then."""

    def __init__(self, run, name, pipe, site):
        self._run, self._site, self._judged = run, site, None
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

    def approximate(self):
        """The documents do not determine what it writes."""
        self._step["parameters"]["approximate"] = 1

    def word(self, name, text):
        self._step["parameters"][name] = text

    def operand(self, name, view, align=None):
        """`align` of a dtype: the alignment of `at` in bytes where KRN-ALIGN
        has another."""
        window = self._run.window(check_is_tensor(view, name, self._site), self._site)
        self._step["operands"][name] = window.operand()
        if align is not None:
            self._step["operands"][name]["align"] = align(window.dtype)
        return window

    def read(self, window, runs, iteration=0):
        """The bytes of `runs`: (at, bytes) each, one after another."""
        memory = self._run.memory(window.memory)
        for at, count in runs:
            if self._leaves(window, at, count):
                self._note("reads", window, [{"at": at, "bytes": self._noted(window, at, count)}], iteration)
                raise Left(self)
        self._note("reads", window, [{"at": at, "bytes": count} for at, count in runs], iteration)
        return b"".join(memory.read(at, count) for at, count in runs)

    def write(self, window, runs, data, iteration=0):
        memory, begin, touched = self._run.memory(window.memory), 0, []
        for at, count in runs:
            if self._leaves(window, at, count):
                self._note("writes", window, [{"at": at, "hex": "00" * self._noted(window, at, count)}], iteration)
                raise Left(self)
            piece = data[begin:begin + count]
            begin += count
            memory.write(at, piece)
            if window.memory == "GM":
                self._run.gm_written.append((at, count))
            touched.append({"at": at, "hex": piece.hex()})
        self._note("writes", window, touched, iteration)

    @staticmethod
    def _leaves(window, at, count):
        return count > 0 and (at < window.at or at + count > window.at + window.bytes)

    @staticmethod
    def _noted(window, at, count):
        return min(count, max(window.at + window.bytes, at) - at + _BEYOND)

    def _note(self, what, window, touched, iteration):
        for one in touched:
            self._step[what].append({"memory": window.memory, **one, **({"iteration": iteration} if iteration else {})})

    def judged(self, op, dtype, **fields):
        """`fields` of cases, where a text names the parameter that has the value. Calls in
        counter mode, and of what the documents of Ascend C don't list, remain."""
        given = self._step["parameters"]
        if not self._run.lists(op, dtype.word) or "mask_mode" in given:
            return
        stated = {name: value["value"] if isinstance(value, dict) else value for name, value in given.items()}
        if "mask_h" in stated:
            stated["mask"] = [stated["mask_l"], stated["mask_h"]]

        def value_of(field):
            if isinstance(field, dict):
                return {name: value_of(one) for name, one in field.items()}
            return stated.get(field, field) if isinstance(field, str) else field

        local = {"dst": "VECIN", "src": "VECOUT"} if op == "DataCopy" else {}
        operands = {name: {"position": "GM" if one["position"] == "GM" else local.get(name, "VECCALC"), "at": one["at"],
                           "bytes": one["bytes"]} | ({} if one["dtype"] == dtype.word else {"dtype": one["dtype"]})
                    for name, one in self._step["operands"].items()}
        self._judged = {"op": op, "dtype": dtype.word} | operands | value_of(fields)

    def emit(self):
        self._run.emit(self._judged or self._step, self._site)
