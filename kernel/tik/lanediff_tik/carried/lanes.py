"""Lanes of vector calls: an iteration covers eight blocks of 32 bytes of its
widest operand. TIK, General Definition of the mask: a number of elements, or
[mask_h, mask_l], bits of the lanes 64 to 127 and 0 to 63."""

import functools

from ..error import KernelError, RefusedError
from ..expr import integer

BLOCK, ITERATION = 32, 256
# Both ends; of vec_* and v* alike.
REPEAT = (0, 255)
STRIDE = (0, 255)
# Elements of a call in counter mode; no local memory has more, and what goes
# beyond it is rejected.
MOST = 1 << 18


@functools.lru_cache(maxsize=4096)
def runs_of(size, block_stride, lanes):
    """(offset, bytes) of the lanes, neighbours joined; `lanes` is a tuple."""
    per_block, runs = BLOCK // size, []
    for lane in lanes:
        at = BLOCK * (lane // per_block) * block_stride + lane % per_block * size
        if runs and runs[-1][0] + runs[-1][1] == at:
            runs[-1] = (runs[-1][0], runs[-1][1] + size)
        else:
            runs.append((at, size))
    return tuple(runs)


def shifted(runs, at):
    return [(at + offset, count) for offset, count in runs]


@functools.lru_cache(maxsize=256)
def lanes_of(bits, count):
    return tuple(lane for lane in range(count) if bits >> lane & 1)


class Iterations:
    """What mask and repeat_times come to: lanes() of each iteration."""

    def __init__(self, step, run, site, mask, repeat_times, size, mask_mode="normal"):
        self.count = ITERATION // size
        if mask_mode not in ("normal", "counter"):
            raise KernelError(f"mask_mode is {mask_mode!r}; it may be 'normal' or 'counter'", site)
        repeat = step.parameter("repeat_times", repeat_times, *REPEAT)
        self.repeat, self._bits, self._left = repeat, None, None
        if mask_mode == "counter":
            step.word("mask_mode", mask_mode)
            self._left = min(step.parameter("mask", mask, 1, (1 << 32) - 1), MOST)
            self.elements = self._left
            self.repeat = -(-self._left // self.count)
        elif isinstance(mask, (list, tuple)):
            high, low = self._halves(run, site, mask)
            step.word("mask_h", hex(high))
            step.word("mask_l", hex(low))
            self._bits = high << 64 | low
        else:
            self._bits = (1 << step.parameter("mask", mask, 1, self.count)) - 1

    @staticmethod
    def _halves(run, site, mask):
        if len(mask) != 2:
            raise KernelError(f"mask has {len(mask)} members; it may be a number or [mask_h, mask_l]", site)
        return [integer(one, run, name, site) & ((1 << 64) - 1) for one, name in zip(mask, ("mask_h", "mask_l"))]

    def lanes(self, iteration):
        if self._left is None:
            return lanes_of(self._bits, self.count)
        return tuple(range(min(self.count, self._left - iteration * self.count)))


class Strides:
    """An operand's window and strides, in blocks."""

    def __init__(self, window, block_stride, repeat_stride):
        self.window, self.block_stride, self.repeat_stride = window, block_stride, repeat_stride

    @classmethod
    def of(cls, step, which, window, block_stride, repeat_stride):
        """Those of the operand `which`, as parameters of the step."""
        return cls(window, step.parameter(f"{which}_blk_stride", block_stride, *STRIDE),
                   step.parameter(f"{which}_rep_stride", repeat_stride, *STRIDE))

    def runs(self, lanes, iteration):
        return shifted(runs_of(self.window.dtype.size, self.block_stride, lanes),
                       self.window.at + iteration * self.repeat_stride * BLOCK)


def repeat_params(operands):
    """repeatParams of a call of Ascend C: the strides of `operands` by the names of TIK's."""
    return {f"{which}{case}Stride": f"{which}_{kind}_stride" for kind, case in (("blk", "Blk"), ("rep", "Rep"))
            for which in operands}


def plain(site, stride_unit):
    """stride_unit other than 0 counts differently: refused."""
    if stride_unit != 0:
        raise RefusedError(f"stride_unit {stride_unit}", "0 is supported", site)
