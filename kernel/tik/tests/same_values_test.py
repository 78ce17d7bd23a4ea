"""TIK's calls and Ascend C's of the same instruction have one meaning: the lines
that corpus/kernels/values/of-tik.cpp prints, of the same inputs."""

import math
import pathlib
import unittest

from support import Kernel, TestCase

from lanediff_tik.number import DTYPES, encode

LINES = pathlib.Path(__file__).resolve().parents[3] / "corpus/kernels/values/of-tik.out"
INF, NAN = math.inf, math.nan
FLOATS = (("float16", 60000.0), ("float32", 3e38))
INTEGERS = (("int16", 32767), ("int32", 2147483647))


def lines(name, dtype, call, count, *inputs, out=None):
    """NAME TYPE: bits of what the call leaves in its first operand."""
    size = 256 // DTYPES[dtype].size
    tensors = {"dst": (out or dtype, [0] * (256 // DTYPES[out or dtype].size))}
    for key, values in zip("abc", inputs):
        tensors[key] = (dtype, list(values) + [1] * (size - len(values)))
    kernel = Kernel("dst", product="atlas-a2", **tensors)
    call(kernel)
    data = encode(DTYPES[out or dtype], kernel.run()[:count])
    width = len(data) // count
    bits = (data[k:k + width][::-1].hex() for k in range(0, len(data), width))
    return f"{name} {out or dtype}: {' '.join(bits)}"


class SameValues(TestCase):

    def printed(self):
        for dtype, big in FLOATS:
            # dst = a * 2 + dst
            yield lines("axpy", dtype, lambda k: (k.tik.vec_muls(64, k.dst, k.b, 1.0, 1, 8, 8), k.tik.vaxpy(
                64, k.dst, k.a, 2.0, 1, 1, 1, 8, 8)), 5, (big, 3, 1, 0, -INF), (-big, 1, 0, -0.0, 65504))
            for values, lanes in (((1, NAN, -0.0, 3), 64), ((1, 0.0, -0.0, 3), 64), ((INF,) * 4, 4)):
                yield lines("min", dtype, lambda k: k.tik.vcmin(lanes, k.dst, k.a, 1, 1, 1, 8), 2, values)
            a, b = (INF, -0.0, 65504, NAN, 3), (-INF, 0.0, 65504, 1, -4)
            for name, call in (("add", "vec_add"), ("max", "vec_max"), ("min2", "vec_min")):
                yield lines(name, dtype, lambda k: getattr(k.tik, call)(64, k.dst, k.a, k.b, 1, 8, 8, 8), 5, a, b)
            yield lines("muls", dtype, lambda k: k.tik.vec_muls(64, k.dst, k.a, 2.0, 1, 8, 8), 5, a)
            yield lines("sub", dtype, lambda k: k.tik.vsub(64, k.dst, k.a, k.b, 1, 1, 1, 1, 8, 8, 8), 5, a, b)
            yield lines("abs", dtype, lambda k: k.tik.vec_abs(64, k.dst, k.a, 1, 8, 8), 5, a)
            yield lines("relu", dtype, lambda k: k.tik.vrelu(64, k.dst, k.a, 1, 1, 1, 8, 8), 5, a)
            yield lines("lrelu", dtype, lambda k: k.tik.vec_lrelu(64, k.dst, k.b, -2.0, 1, 8, 8), 5, a, b)
            for name, call, lanes, count, values in (
                ("sum", "vcadd", 5, 1, b), ("sum", "vcadd", 1, 1, a), ("largest", "vcmax", 64, 2, a),
                ("largest", "vcmax", 64, 2, b), ("pairs", "vcpadd", 5, 3, a), ("blocks", "vcgmin", 64, 2, b),
                ("sums", "vcgadd", 3, 1, b)):
                yield lines(name, dtype, lambda k: getattr(k.tik, call)(lanes, k.dst, k.a, 1, 1, 1, 8), count, values)
        for dtype, most in INTEGERS:
            a = (most, -most, most - 2)
            yield lines("add", dtype, lambda k: k.tik.vec_add(64, k.dst, k.a, k.a, 1, 8, 8, 8), 4, a)
            yield lines("adds", dtype, lambda k: k.tik.vec_adds(64, k.dst, k.a, 3, 1, 8, 8), 4, a)
            yield lines("muls", dtype, lambda k: k.tik.vec_muls(64, k.dst, k.a, -2, 1, 8, 8), 4, a)
        values = (-0.0, -0.25, 2.5, NAN, -INF, 70000)
        for out, mode, dst_stride in (("float32", "round", 8), ("float16", "none", 4), ("int32", "round", 8)):
            yield lines("conv", "float32", lambda k: k.tik.vec_conv(64, mode, k.dst, k.a, 1, dst_stride, 8), 6, values,
                        out=out)

    def test_every_line(self):
        self.assertEqual(list(self.printed()), LINES.read_text().splitlines())


if __name__ == "__main__":
    unittest.main()
