"""vec_conv and vconv: from one type to another.

Integers saturate, NaN becomes 0, half saturates (vec_conv). From int32 to half
the value is multiplied by deqscale before it is rounded.
"""

import math

from ..error import KernelError, RefusedError
from ..expr import as_expr
from ..number import DTYPES, ROUNDINGS, clamp, decode, encode, round_to, saturate
from .form import call
from .lanes import Iterations, Strides, plain
from .step import CarriedStep

# dst: src types. vec_conv, tables of round_mode (TIK).
_CARRIED = {
    "half": ("float", "int32", "int16", "int8", "uint8"), "float": ("half", "int32", "float", "int16"),
    "int32": ("half", "float"), "int16": ("half", "float"), "int8": ("half",), "uint8": ("half",)
}
# round_mode and what Cast of Ascend C calls it.
_MODES = {"": "CAST_NONE", "none": "CAST_NONE", "round": "CAST_RINT", "floor": "CAST_FLOOR", "ceil": "CAST_CEIL",
          "ceiling": "CAST_CEIL", "to-zero": "CAST_TRUNC", "away-zero": "CAST_ROUND"}


def _converted(dst, src, mode, scale, value, run):
    if not dst.is_float:
        if value != value:
            return 0
        whole = value if math.isinf(value) else ROUNDINGS[mode](value)
        return int(clamp(dst, whole))
    if scale is not None:
        value = value * scale
    if dst is src and math.isfinite(value):
        # An integer: −0 becomes +0 (边界值汇总 · 表32).
        return round_to(dst, ROUNDINGS[mode](value))
    return saturate(dst, value, run.saturation)


def _convert(run, site, name, mask, mode, dst, src, repeat_times, strides, deqscale, ldst_high_half):
    if ldst_high_half:
        raise RefusedError(name, "with ldst_high_half", site)
    step = CarriedStep(run, name, "V", site)
    to, of = step.operand("dst", dst), step.operand("src", src)
    if of.dtype.word not in _CARRIED.get(to.dtype.word, ()):
        raise RefusedError(name, f"from {of.dtype.name} to {to.dtype.name}", site)
    if mode not in ROUNDINGS or (mode not in ("", "none") and to.dtype.is_float and to.dtype is not of.dtype):
        raise RefusedError(name, f"from {of.dtype.name} to {to.dtype.name} with round_mode {mode!r}", site)
    step.word("round_mode", mode)
    scale = None
    if (to.dtype.word, of.dtype.word) == ("half", "int32"):
        if deqscale is None:
            raise KernelError(f"{name} from int32 to float16 has no deqscale; 1.0 keeps the values", site)
        scale = round_to(DTYPES["float16"], as_expr(deqscale).evaluate(run))
        step.word("deqscale", str(scale))
        if scale != 1:
            step.approximate()
    iterations = Iterations(step, run, site, mask, repeat_times, max(to.dtype.size, of.dtype.size))
    vectors = [Strides.of(step, which, window, *own) for which, window, own in zip(("dst", "src"), (to, of), strides)]
    word = _MODES.get(mode, "")
    if scale is None and run.lists(of.dtype.word, to.dtype.word, word):
        step.judged("Cast", of.dtype, roundMode=word, mask="mask", repeatTimes="repeat_times",
                    repeatParams={f"{which}{case}Stride": f"{which}_{kind}_stride" for kind, case in
                                  (("blk", "Blk"), ("rep", "Rep")) for which in ("dst", "src")})
    for k in range(iterations.repeat):
        lanes = iterations.lanes(k)
        values = decode(of.dtype, step.read(of, vectors[1].runs(lanes, k), k))
        results = [_converted(to.dtype, of.dtype, mode, scale, value, run) for value in values]
        step.write(to, vectors[0].runs(lanes, k), encode(to.dtype, results), k)
    step.emit()


@call("vec_conv")
def vec_conv(run, site, mask, round_mode, dst, src, repeat_times, dst_rep_stride, src_rep_stride, deqscale=None,
             ldst_high_half=False):
    _convert(run, site, "vec_conv", mask, round_mode, dst, src, repeat_times,
             [(1, dst_rep_stride), (1, src_rep_stride)], deqscale, ldst_high_half)


@call("vconv")
def vconv(run, site, mask, round_mode, dst, src, repeat_times, dst_blk_stride, src_blk_stride, dst_rep_stride,
          src_rep_stride, deqscale=None, ldst_high_half=False, stride_unit=0):
    plain(site, stride_unit)
    _convert(run, site, "vconv", mask, round_mode, dst, src, repeat_times,
             [(dst_blk_stride, dst_rep_stride), (src_blk_stride, src_rep_stride)], deqscale, ldst_high_half)
