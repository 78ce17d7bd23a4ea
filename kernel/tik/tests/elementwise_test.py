"""Calls that work lane by lane: lanes, strides, masks, values."""

import math
import unittest

from support import Kernel, TestCase

INF, NAN = math.inf, math.nan


def half(*values, size=128, rest=0.0):
    return "float16", list(values) + [rest] * (size - len(values))


def word(*values, size=64, rest=0.0, dtype="float32"):
    return dtype, list(values) + [rest] * (size - len(values))


class Elementwise(TestCase):

    def test_add_rounds_once_to_even_and_saturates(self):
        k = Kernel("dst", a=half(2048, 2050, 65504, -65504, 1), b=half(1, 1, 65504, -16, 2), dst=half())
        k.tik.vec_add(128, k.dst, k.a, k.b, 1, 8, 8, 8)
        self.assertEqual(k.run()[:6], [2048, 2052, 65504, -65504, 3, 0])

    def test_saturation_off_keeps_infinities(self):
        import os
        k = Kernel("dst", product="atlas-a2", a=half(65504, INF), b=half(65504, -INF), dst=half())
        os.environ["LANEDIFF_OPTIONS"] += " --saturation off"
        k.tik.vec_add(128, k.dst, k.a, k.b, 1, 8, 8, 8)
        out = k.run()
        self.assertEqual(out[0], INF)
        self.assertNotEqual(out[1], out[1])

    def test_nan_becomes_zero_in_half_and_stays_in_float(self):
        k = Kernel("h f", a=half(INF), b=half(-INF), h=half(7), c=word(INF), d=word(-INF), f=word(7.0))
        k.tik.vec_add(128, k.h, k.a, k.b, 1, 8, 8, 8)
        k.tik.vec_add(64, k.f, k.c, k.d, 1, 8, 8, 8)
        h, f = k.run()
        self.assertEqual(h[0], 0)
        self.assertNotEqual(f[0], f[0])

    def test_float_is_rounded_to_24_bits(self):
        k = Kernel("dst", a=word(16777216.0, 3.0), b=word(1.0, 1 / 3), dst=word())
        k.tik.vec_mul(64, k.dst, k.a, k.b, 1, 8, 8, 8)
        self.assertEqual(k.run()[:2], [16777216.0, 1.0])

    def test_sub_max_min(self):
        k = Kernel("s x n", a=half(1, -0.0, NAN, -3), b=half(2, 0.0, 1, -4), s=half(), x=half(), n=half(size=128, rest=9))
        k.tik.vec_sub(128, k.s, k.a, k.b, 1, 8, 8, 8)
        k.tik.vec_max(128, k.x, k.a, k.b, 1, 8, 8, 8)
        k.tik.vec_min(3, k.n, k.a, k.b, 1, 8, 8, 8)
        s, x, n = k.run()
        self.assertEqual(s[:4], [-1, 0, 0, 1])
        self.assertEqual(x[:4], [2, 0, 0, -3])
        self.assertEqual(math.copysign(1, x[1]), 1)
        self.assertEqual(n[:4], [1, 0, 0, 9])
        self.assertEqual(math.copysign(1, n[1]), -1)

    def test_integers_saturate(self):
        k = Kernel("dst", a=("int16", [32767] * 128), b=("int16", [1] * 128), dst=("int16", [0] * 128))
        k.tik.vec_add(128, k.dst, k.a, k.b, 1, 8, 8, 8)
        self.assertEqual(k.run(), [32767] * 128)

    def test_integers_keep_their_low_bits_with_saturation_off(self):
        import os
        k = Kernel("dst", product="atlas-a2", a=("int16", [32767] * 128), b=("int16", [1] * 128),
                   dst=("int16", [0] * 128))
        os.environ["LANEDIFF_OPTIONS"] += " --saturation off"
        k.tik.vec_add(128, k.dst, k.a, k.b, 1, 8, 8, 8)
        self.assertEqual(k.run(), [-32768] * 128)

    def test_mask_as_a_number_leaves_the_other_lanes(self):
        k = Kernel("dst", a=half(*range(128)), b=half(rest=1), dst=half(rest=-5))
        k.tik.vec_add(5, k.dst, k.a, k.b, 1, 8, 8, 8)
        self.assertEqual(k.run(), [1, 2, 3, 4, 5] + [-5] * 123)

    def test_mask_as_bits(self):
        k = Kernel("dst", a=half(*range(128)), b=half(rest=1), dst=half(rest=-5))
        k.tik.vec_add([1 << 63, 5], k.dst, k.a, k.b, 1, 8, 8, 8)
        self.assertEqual(k.run(), [1, -5, 3] + [-5] * 124 + [128])

    def test_repeat_strides_count_blocks(self):
        k = Kernel("dst", a=half(*range(256), size=256), b=half(rest=1, size=128), dst=half(rest=-5, size=256))
        k.tik.vec_add(16, k.dst, k.a, k.b, 3, 2, 3, 0)
        out, expected = k.run(), [-5.0] * 256
        for r in range(3):
            for lane in range(16):
                expected[32 * r + lane] = 48 * r + lane + 1
        self.assertEqual(out, expected)

    def test_block_strides(self):
        k = Kernel("dst", a=half(*range(256), size=256), b=half(rest=1, size=128), dst=half(rest=-5, size=256))
        k.tik.vadd(32, k.dst, k.a, k.b, 1, 3, 2, 0, 8, 8, 8)
        out, expected = k.run(), [-5.0] * 256
        for lane in range(32):
            expected[48 * (lane // 16) + lane % 16] = 32 * (lane // 16) + lane % 16 + 1
        self.assertEqual(out, expected)

    def test_vmul_vadds_vmuls(self):
        k = Kernel("m a s", x=half(3, 5), y=half(7, 11), m=half(), a=half(), s=half())
        k.tik.vmul(2, k.m, k.x, k.y, 1, 1, 1, 1, 8, 8, 8)
        k.tik.vadds(2, k.a, k.x, 0.5, 1, 1, 1, 8, 8)
        k.tik.vmuls(2, k.s, k.x, -2, 1, 1, 1, 8, 8)
        m, a, s = k.run()
        self.assertEqual((m[:3], a[:3], s[:3]), ([21, 55, 0], [3.5, 5.5, 0], [-6, -10, 0]))

    def test_a_scalar_is_rounded_to_the_elements_type(self):
        # With 0.1 itself 3 times it would be 0.300048828125.
        k = Kernel("a s", x=half(1, 3), a=half(), s=half())
        third = k.tik.Scalar("float16", init_value=1 / 3)
        k.tik.vec_muls(2, k.a, k.x, 0.1, 1, 8, 8)
        k.tik.vec_muls(1, k.s, k.x, third, 1, 8, 8)
        a, s = k.run()
        self.assertEqual(a[:2], [0.0999755859375, 0.2998046875])
        self.assertEqual(s[:1], [0.333251953125])

    def test_counter_mode_counts_elements(self):
        k = Kernel("dst", a=half(*range(256), size=256), dst=half(rest=-5, size=256))
        k.tik.vec_adds(130, k.dst, k.a, 1, 1, 8, 8, mask_mode="counter")
        self.assertEqual(k.run(), [n + 1 for n in range(130)] + [-5] * 126)

    def test_dup(self):
        k = Kernel("u h", u=("uint16", [3] * 256), h=half(rest=1))
        k.tik.vec_dup(16, k.u, -1, 2, 3)
        k.tik.vec_dup(128, k.h, 65504, 1, 8)
        u, h = k.run()
        self.assertEqual(u, [65535] * 16 + [3] * 32 + [65535] * 16 + [3] * 192)
        self.assertEqual(h, [65504] * 128)

    def test_and(self):
        k = Kernel("dst", a=("uint16", [0xff0f] * 128), b=("uint16", [0x0ff3] * 128), dst=("uint16", [9] * 128))
        k.tik.vec_and([0, (1 << 64) - 1], k.dst, k.a, k.b, 1, 8, 8, 8)
        self.assertEqual(k.run(), [0x0f03] * 64 + [9] * 64)

    def test_quotients(self):
        k = Kernel("r d", a=half(3, 0.0, -2), b=half(1, 0.0, 6), r=half(), d=half())
        k.tik.vec_rec(3, k.r, k.a, 1, 8, 8)
        k.tik.vdiv(3, k.d, k.b, k.a, 1, 1, 1, 1, 8, 8, 8)
        r, d = k.run()
        self.assertEqual(r[:3], [0.333251953125, 65504, -0.5])
        self.assertEqual(d[:3], [0.333251953125, 0, -3])

    def test_vaxpy_adds_to_dst(self):
        k = Kernel("dst", a=half(1, 2, 3), dst=half(10, 20, 30, 40))
        k.tik.vaxpy(3, k.dst, k.a, 0.5, 1, 1, 1, 8, 8)
        self.assertEqual(k.run()[:4], [10.5, 21, 31.5, 40])

    def test_in_place_reads_before_it_writes(self):
        k = Kernel("a", a=half(*range(128)))
        k.tik.vec_add(128, k.a, k.a, k.a, 1, 8, 8, 8)
        self.assertEqual(k.run(), [2 * n for n in range(128)])

    def test_refused(self):
        def one(action):
            def run():
                k = Kernel("a", a=half(), b=word(), i=("int8", [0] * 32))
                action(k)
                k.run()
            return run

        self.refuses("must be alike", one(lambda k: k.tik.vec_add(8, k.a, k.a, k.b, 1, 8, 8, 8)))
        self.refuses("vec_add (of int8", one(lambda k: k.tik.vec_add(8, k.i, k.i, k.i, 1, 8, 8, 8)))
        self.refuses("stride_unit 1", one(lambda k: k.tik.vec_adds(8, k.a, k.a, 1, 1, 8, 8, 1)))
        self.refuses("'other'", one(lambda k: k.tik.vec_adds(8, k.a, k.a, 1, 1, 8, 8, 0, "other")))
        self.refuses("3 members", one(lambda k: k.tik.vec_adds([1, 2, 3], k.a, k.a, 1, 1, 8, 8)))


if __name__ == "__main__":
    unittest.main()
