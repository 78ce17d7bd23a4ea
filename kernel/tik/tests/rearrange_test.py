"""Copies, conversions, comparisons, reductions."""

import math
import unittest

from support import Kernel, TestCase

INF, NAN = math.inf, math.nan


def half(values, size=128):
    return "float16", list(values) + [0.0] * (size - len(list(values)))


class Copies(TestCase):

    def test_bursts_and_gaps(self):
        k = Kernel("dst", a=("int32", list(range(128))), dst=("int32", [-1] * 128))
        k.tik.data_move(k.dst, k.a, 0, 3, 2, 1, 3)
        out, expected = k.run(), [-1] * 128
        for burst in range(3):
            expected[40 * burst:40 * burst + 16] = range(24 * burst, 24 * burst + 16)
        self.assertEqual(out, expected)

    def test_refused_routes(self):
        k = Kernel("a", a=("int32", [0] * 8), b=("float32", [0] * 8))
        gm = k.tik.Tensor("int32", (8,), "gm", "other")
        k.tik.data_move(gm, gm, 0, 1, 1, 0, 0)
        self.refuses("within GM", k.run)
        k = Kernel("a", a=("int32", [0] * 8), b=("float32", [0] * 8))
        k.tik.data_move(k.a, k.b, 0, 1, 1, 0, 0)
        self.refuses("must be alike", k.run)


class Conversions(TestCase):

    # vec_conv (TIK), round_mode; 2.5 and -1.5 are ties.
    TABLE = {
        "round": [2, 0, 2, -1, -2, -2], "floor": [1, 0, 2, -2, -2, -2], "ceil": [2, 1, 3, -1, -1, -1],
        "ceiling": [2, 1, 3, -1, -1, -1], "to-zero": [1, 0, 2, -1, -1, -1], "away-zero": [2, 1, 3, -1, -2, -2]
    }

    def test_every_rounding_from_half_and_float(self):
        values = [1.75, 0.5, 2.5, -1.25, -1.5, -1.75]
        for dtype, dst, rep in (("float16", "int32", 4), ("float32", "int32", 8), ("float16", "int8", 8)):
            for mode, expected in self.TABLE.items():
                with self.subTest(dtype=dtype, mode=mode):
                    k = Kernel("dst", a=(dtype, values + [0] * 122), dst=(dst, [9] * 128))
                    k.tik.vec_conv(6, mode, k.dst, k.a, 1, 8, rep)
                    self.assertEqual(k.run()[:7], expected + [9])

    def test_half_to_float_keeps_the_values_and_lanes_follow_both_sizes(self):
        k = Kernel("dst", a=half(range(128)), dst=("float32", [0.0] * 128))
        k.tik.vec_conv(64, "none", k.dst, k.a, 2, 8, 4)
        self.assertEqual(k.run(), list(range(128)))

    def test_lanes_are_those_of_the_wider_type(self):
        k = Kernel("dst", a=half(range(1, 129)), dst=("float32", [0.0] * 128))
        k.tik.vec_conv([1, 2], "none", k.dst, k.a, 1, 8, 4)
        self.assertEqual(k.run(), [0, 2] + [0] * 126)

    def test_float_to_half_rounds_and_saturates(self):
        k = Kernel("dst", a=("float32", [2049.0, 70000.0, -INF, NAN] + [0.0] * 60), dst=half([], 128))
        k.tik.vec_conv(64, "", k.dst, k.a, 1, 4, 8)
        self.assertEqual(k.run()[:4], [2048, 65504, -65504, 0])

    def test_integers_saturate(self):
        k = Kernel("i u", a=half([300, -300, INF, NAN]), i=("int8", [1] * 128), u=("uint8", [1] * 128))
        k.tik.vec_conv(128, "", k.i, k.a, 1, 4, 8)
        k.tik.vec_conv(128, "", k.u, k.a, 1, 4, 8)
        i, u = k.run()
        self.assertEqual((i[:4], u[:4]), ([127, -128, 127, 0], [255, 0, 255, 0]))

    def test_int32_to_half_takes_deqscale(self):
        k = Kernel("dst", a=("int32", [3, -5, 100000, 2049] + [0] * 60), dst=half([], 128))
        k.tik.vec_conv(64, "", k.dst, k.a, 1, 4, 8, 0.5)
        self.assertEqual(k.run()[:4], [1.5, -2.5, 49984, 1024])

    def test_float_to_float_rounds_to_whole_numbers(self):
        k = Kernel("dst", a=("float32", [0.5, 1.5, -0.5, -2.5] + [0.0] * 60), dst=("float32", [0.0] * 64))
        k.tik.vec_conv(64, "round", k.dst, k.a, 1, 8, 8)
        out = k.run()
        self.assertEqual(out[:4], [0, 2, 0, -2])
        self.assertEqual(math.copysign(1, out[2]), 1)

    def test_vconv_has_block_strides(self):
        k = Kernel("dst", a=half(range(128)), dst=("float32", [-1.0] * 128))
        k.tik.vconv(24, "", k.dst, k.a, 1, 2, 3, 8, 4)
        out, expected = k.run(), [-1.0] * 128
        for lane in range(24):
            expected[16 * (lane // 8) + lane % 8] = 48 * (lane // 16) + lane % 16
        self.assertEqual(out, expected)

    def test_refused(self):
        def conv(*arguments, dst="int32", src="float16"):
            def run():
                k = Kernel("dst", a=(src, [0] * 128), dst=(dst, [0] * 128))
                k.tik.vec_conv(8, arguments[0], k.dst, k.a, 1, 8, 8, *arguments[1:])
                k.run()
            return run

        self.refuses("from uint16 to int32", conv("", src="uint16"))
        self.refuses("round_mode 'up'", conv("up"))
        self.refuses("round_mode 'floor'", conv("floor", dst="float32"))
        self.refuses("has no deqscale", conv("", dst="float16", src="int32"))
        self.refuses("ldst_high_half", conv("floor", None, True))


class Comparisons(TestCase):

    def setUp(self):
        super().setUp()
        self.values = [float((7 * n) % 13 - 6) for n in range(256)]

    def compare(self, name, *strides, size=128, dtype="float16"):
        k = Kernel("dst", a=(dtype, self.values[:2 * size]), b=(dtype, [0.0] * (2 * size)), dst=("uint16", [0] * 32))
        getattr(k.tik, name)(k.dst, k.a, k.b, 2, *strides)
        out = k.run()
        self.assertEqual(out[2 * size // 16:], [0] * (32 - 2 * size // 16))
        return [out[n // 16] >> n % 16 & 1 for n in range(2 * size)]

    def test_a_bit_for_each_lane(self):
        self.assertEqual(self.compare("vec_cmpv_gt", 8, 8), [int(v > 0) for v in self.values])
        self.assertEqual(self.compare("vec_cmpv_lt", 8, 8), [int(v < 0) for v in self.values])
        self.assertEqual(self.compare("vcmpv_ge", 1, 1, 8, 8), [int(v >= 0) for v in self.values])
        self.assertEqual(self.compare("vec_cmpv_lt", 8, 8, size=64, dtype="float32"),
                         [int(v < 0) for v in self.values[:128]])

    def test_select_from_two(self):
        for mode in (0, 2):
            bits = [0x5555] * 8 + [0x000f] * 8
            k = Kernel("dst", a=half([1] * 256, 256), b=half([2] * 256, 256), dst=half([3] * 256, 256),
                       sel=("uint16", bits))
            k.tik.vec_sel(100, mode, k.dst, k.sel, k.a, k.b, 2, 8, 8, 8)
            out = k.run()
            self.assertEqual(out[:128], [1.0, 2.0] * 50 + [3.0] * 28)
            second = [1.0, 2.0] * 50 if mode == 0 else ([1.0] * 4 + [2.0] * 12) * 6 + [1.0] * 4
            self.assertEqual(out[128:], second + [3.0] * 28)

    def test_select_with_a_scalar(self):
        k = Kernel("dst", a=half([1] * 128), dst=half([3] * 128), sel=("uint16", [0xfff0] * 16))
        k.tik.vec_sel([0, 0xff], 1, k.dst, k.sel, k.a, 0.25, 1, 8, 8)
        self.assertEqual(k.run(), [0.25] * 4 + [1.0] * 4 + [3.0] * 120)


class Reductions(TestCase):

    def test_smallest_and_its_index(self):
        values = [float(n % 7) for n in range(1, 257)]
        values[40] = values[50] = -3.0
        k = Kernel("dst", a=half(values, 256), dst=("float16", [0.0] * 16))
        k.tik.vcmin(64, k.dst, k.a, 2, 1, 1, 8)
        pairs = k.tik.Tensor("uint16", (16,), "gm", "pairs")
        k.tik.data_move(pairs, k.dst.reinterpret_cast_to("uint16"), 0, 1, 1, 0, 0)
        out = k.run()
        self.assertEqual(out[0], -3)
        self.assertEqual(out[2], min(values[128:192]))
        self.assertEqual(out[1], 40 * 2.0**-24)  # the integer 40 in the bits of a half

    def test_patterns_of_vreduce(self):
        for pattern, (period, first) in {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3)}.items():
            k = Kernel("dst", a=half(range(256), 256), dst=half([-1] * 256, 256))
            count = k.tik.Scalar("uint32")
            counted = k.tik.Tensor("uint32", (8,), "ubuf", "counted")
            k.tik.vreduce(128, k.dst, k.a, pattern, 2, 1, 8, 0, 0, count)
            counted[0].set_as(count)
            k.counted, k._out = counted, ["dst", "counted"]
            for n in range(1, 8):
                counted[n] = 0
            out, number = k.run()
            chosen = [n for n in range(256) if n % period == first]
            self.assertEqual(out, chosen + [-1] * (256 - len(chosen)))
            self.assertEqual(number[0], len(chosen))

    def test_vreduce_by_bits_and_by_count(self):
        k = Kernel("dst c", a=half(range(256), 256), bits=("uint16", [3] * 16), dst=half([-1] * 128), c=half([-1] * 128))
        k.tik.vreduce(128, k.dst, k.a, k.bits, 1, 1, 8, 0)
        k.tik.vreduce(10, k.c, k.a, 2, 2, 1, 3, 0, 0, None, "counter")
        dst, c = k.run()
        self.assertEqual(dst[:16], [n for m in range(8) for n in (16 * m, 16 * m + 1)])
        self.assertEqual(c[:11], [1, 3, 5, 7, 9, 49, 51, 53, 55, 57, -1])

    def test_vextract(self):
        k = Kernel("dst", a=half(range(256), 256), dst=half([-1] * 32, 32))
        k.tik.vextract(k.dst, k.a, 2, 3)
        self.assertEqual(k.run(), [8 * n + 3 for n in range(32)])


if __name__ == "__main__":
    unittest.main()
