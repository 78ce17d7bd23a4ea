"""Calls that work lane by lane: lanes, strides, masks, values."""

import math
import unittest

from support import TestCase, half, word

INF, NAN = math.inf, math.nan
LANES = "float16", [float(n) for n in range(256)]


class Elementwise(TestCase):

    def test_values(self):
        self.gives("add rounds once to even and saturates", "vec_add(128, dst, a, b, 1, 8, 8, 8)",
                   {"dst": [2048, 2052, 65504, -65504, 3, 0]}, a=half(2048, 2050, 65504, -65504, 1),
                   b=half(1, 1, 65504, -16, 2), dst=half())
        self.gives("saturation off keeps infinities", "vec_add(128, dst, a, b, 1, 8, 8, 8)", {"dst": [INF, NAN]},
                   " --saturation off", "atlas-a2", a=half(65504, INF), b=half(65504, -INF), dst=half())
        self.gives("NaN becomes zero in half and stays in float",
                   "vec_add(128, h, a, b, 1, 8, 8, 8); vec_add(64, f, c, d, 1, 8, 8, 8)", {"h": [0], "f": [NAN]},
                   a=half(INF), b=half(-INF), h=half(7), c=word(INF), d=word(-INF), f=word(7.0))
        self.gives("float is rounded to 24 bits", "vec_mul(64, dst, a, b, 1, 8, 8, 8)", {"dst": [16777216.0, 1.0]},
                   a=word(16777216.0, 3.0), b=word(1.0, 1 / 3), dst=word())
        self.gives("sub, max, min",
                   "vec_sub(128, s, a, b, 1, 8, 8, 8); vec_max(128, x, a, b, 1, 8, 8, 8); vec_min(3, n, a, b, 1, 8, 8, 8)",
                   {"s": [-1, -0.0, 0, 1], "x": [2, 0, 0, -3], "n": [1, -0.0, 0, 9]},
                   a=half(1, -0.0, NAN, -3), b=half(2, 0.0, 1, -4), s=half(), x=half(), n=half(rest=9))
        for options, value in (("", 32767), (" --saturation off", -32768)):
            self.gives("integers" + options, "vec_add(128, dst, a, b, 1, 8, 8, 8)", {"dst": [value] * 128}, options,
                       "atlas-a2", a=("int16", [32767] * 128), b=("int16", [1] * 128), dst=("int16", [0] * 128))
        self.gives("vmul, vadds, vmuls", "vmul(2, m, x, y, 1, 1, 1, 1, 8, 8, 8); vadds(2, a, x, 0.5, 1, 1, 1, 8, 8)\n"
                   "vmuls(2, s, x, -2, 1, 1, 1, 8, 8)", {"m": [21, 55, 0], "a": [3.5, 5.5, 0], "s": [-6, -10, 0]},
                   x=half(3, 5), y=half(7, 11), m=half(), a=half(), s=half())
        # With 0.1 itself 3 times it would be 0.300048828125.
        self.gives("a scalar is rounded to the elements' type", "third = Scalar('float16', init_value=1 / 3)\n"
                   "vec_muls(2, a, x, 0.1, 1, 8, 8); vec_muls(1, s, x, third, 1, 8, 8)",
                   {"a": [0.0999755859375, 0.2998046875], "s": [0.333251953125]}, x=half(1, 3), a=half(), s=half())
        self.gives("dup", "vec_dup(16, u, -1, 2, 3); vec_dup(128, h, 65504, 1, 8)",
                   {"u": [65535] * 16 + [3] * 32 + [65535] * 16 + [3] * 192, "h": [65504] * 128},
                   u=("uint16", [3] * 256), h=half(rest=1))
        self.gives("and", "vec_and([0, (1 << 64) - 1], dst, a, b, 1, 8, 8, 8)", {"dst": [0x0f03] * 64 + [9] * 64},
                   a=("uint16", [0xff0f] * 128), b=("uint16", [0x0ff3] * 128), dst=("uint16", [9] * 128))
        self.gives("quotients", "vec_rec(3, r, a, 1, 8, 8); vdiv(3, d, b, a, 1, 1, 1, 1, 8, 8, 8)",
                   {"r": [0.333251953125, 65504, -0.5], "d": [0.333251953125, 0, -3]},
                   a=half(3, 0.0, -2), b=half(1, 0.0, 6), r=half(), d=half())
        self.gives("vaxpy adds to dst", "vaxpy(3, dst, a, 0.5, 1, 1, 1, 8, 8)", {"dst": [10.5, 21, 31.5, 40]},
                   a=half(1, 2, 3), dst=half(10, 20, 30, 40))
        self.gives("one source", "vabs(3, p, a, 1, 1, 1, 8, 8); vec_relu(3, r, a, 1, 8, 8); vnot(2, n, i, 1, 1, 1, 8, 8)",
                   {"p": [2, 0, 3, 7], "r": [0, 0, 3, 7], "n": [-1, 0, 7]}, a=half(-2, -0.0, 3), p=half(rest=7),
                   r=half(rest=7), i=("int16", [0, -1] + [0] * 126), n=("int16", [7] * 128))
        self.gives("two sources with block strides", "vsub(3, s, a, b, 1, 1, 1, 1, 8, 8, 8); vmax(3, x, a, b, 1, 1, 1, 1, 8, 8, 8)\n"
                   "vmin(3, n, a, b, 1, 1, 1, 1, 8, 8, 8); vor(2, o, i, i, 1, 1, 1, 1, 8, 8, 8)",
                   {"s": [-1, 1, 0, 9], "x": [2, 3, 5, 9], "n": [1, 2, 5, 9], "o": [6, 1, 9]}, a=half(1, 3, 5),
                   b=half(2, 2, 5), s=half(rest=9), x=half(rest=9), n=half(rest=9), i=("uint16", [6, 1] + [0] * 126),
                   o=("uint16", [9] * 128))
        self.gives("a negative slope", "vec_lrelu(3, r, a, 0.5, 1, 8, 8)", {"r": [-1, 0, 3, 7]}, a=half(-2, 0, 3),
                   r=half(rest=7))
        self.gives("vector_dup", "vector_dup(32, u, 5, 2, 1, 1)", {"u": [5] * 48 + [3] * 80},
                   u=("uint16", [3] * 128))
        self.gives("powers and roots", "vexp(4, e, a, 1, 1, 1, 8, 8); vec_ln(3, l, b, 1, 8, 8); vsqrt(3, s, b, 1, 1, 1, 8, 8)\n"
                   "vrsqrt(3, r, b, 1, 1, 1, 8, 8); vrec(3, q, b, 1, 1, 1, 8, 8)",
                   {"e": [1, 2.7182817459106445, INF, 0], "l": [-INF, 0, NAN], "s": [0, 1, NAN], "r": [INF, 1, NAN], "q": [INF, 1, -0.25]},
                   product="atlas-a2", a=word(0, 1, 1000, -1000), b=word(0, 1, -4), e=word(), l=word(), s=word(), r=word(), q=word())
        self.gives("products and sums", "vmla(2, m, a, b, 1, 1, 1, 1, 8, 8, 8); vec_madd(2, d, a, b, 1, 8, 8, 8)",
                   {"m": [12, 13, 10], "d": [22, 33, 10]}, a=half(2, 3), b=half(1, 1), m=half(10, 10, rest=10),
                   d=half(10.5, 32 / 3, rest=10))
        self.gives("in place it reads before it writes", "vec_add(128, a, a, a, 1, 8, 8, 8)",
                   {"a": [2 * n for n in range(128)]}, a=half(*range(128)))

    def test_lanes(self):
        strided, blocks = [-5.0] * 256, [-5.0] * 256
        for lane in range(16):
            for r in range(3):
                strided[32 * r + lane] = 48 * r + lane + 1
        for lane in range(32):
            blocks[48 * (lane // 16) + lane % 16] = 32 * (lane // 16) + lane % 16 + 1
        for name, call, expected in (
            ("a mask as a number leaves the other lanes", "vec_add(5, dst, a, b, 1, 8, 8, 8)", [1, 2, 3, 4, 5] + [-5] * 251),
            ("a mask as bits", "vec_add([1 << 63, 5], dst, a, b, 1, 8, 8, 8)", [1, -5, 3] + [-5] * 124 + [128] + [-5] * 128),
            ("repeat strides count blocks", "vec_add(16, dst, a, b, 3, 2, 3, 0)", strided),
            ("block strides", "vadd(32, dst, a, b, 1, 3, 2, 0, 8, 8, 8)", blocks),
            ("counter mode counts elements", "vec_adds(130, dst, a, 1, 1, 8, 8, mask_mode='counter')",
             [n + 1 for n in range(130)] + [-5] * 126)):
            self.gives(name, call, {"dst": expected}, a=LANES, b=half(rest=1), dst=half(rest=-5, size=256))

    def test_refused(self):
        for text, call in (("must be alike", "vec_add(8, a, a, b, 1, 8, 8, 8)"),
                           ("vec_add (of int8", "vec_add(8, i, i, i, 1, 8, 8, 8)"),
                           ("stride_unit 1", "vec_adds(8, a, a, 1, 1, 8, 8, 1)"),
                           ("'other'", "vec_adds(8, a, a, 1, 1, 8, 8, 0, 'other')"),
                           ("3 members", "vec_adds([1, 2, 3], a, a, 1, 1, 8, 8)")):
            self.rejects(text, call, a=half(), b=word(), i=("int8", [0] * 32))


if __name__ == "__main__":
    unittest.main()
