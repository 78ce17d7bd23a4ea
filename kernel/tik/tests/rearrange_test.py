"""Copies, conversions, comparisons, reductions."""

import math
import unittest

from support import TestCase, half, word

INF, NAN = math.inf, math.nan


class Copies(TestCase):

    def test_bursts_and_gaps(self):
        expected = [-1] * 128
        for burst in range(3):
            expected[40 * burst:40 * burst + 16] = range(24 * burst, 24 * burst + 16)
        self.gives("bursts", "data_move(dst, a, 0, 3, 2, 1, 3)", {"dst": expected}, a=("int32", list(range(128))),
                   dst=("int32", [-1] * 128))

    def test_refused_routes(self):
        for text, call in (("within GM", "gm = Tensor('int32', (8,), 'gm', 'other'); data_move(gm, gm, 0, 1, 1, 0, 0)"),
                           ("must be alike", "data_move(a, b, 0, 1, 1, 0, 0)")):
            self.rejects(text, call, a=("int32", [0] * 8), b=("float32", [0] * 8))


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
                self.gives(f"{dtype} {dst} {mode}", f"vec_conv(6, '{mode}', dst, a, 1, 8, {rep})", {"dst": expected + [9]},
                           a=(dtype, values + [0] * 122), dst=(dst, [9] * 128))

    def test_values(self):
        blocks = [-1.0] * 128
        for lane in range(24):
            blocks[16 * (lane // 8) + lane % 8] = 48 * (lane // 16) + lane % 16
        for name, call, expected, a, dst in (
            ("lanes follow both sizes", "vec_conv(64, 'none', dst, a, 2, 8, 4)", range(128), half(*range(128)),
             word(size=128)),
            ("lanes are those of the wider type", "vec_conv([1, 2], 'none', dst, a, 1, 8, 4)", [0, 2] + [0] * 126,
             half(*range(1, 129)), word(size=128)),
            ("float to half rounds and saturates", "vec_conv(64, '', dst, a, 1, 4, 8)", [2048, 65504, -65504, 0],
             word(2049.0, 70000.0, -INF, NAN), half()),
            ("int8 saturates", "vec_conv(128, '', dst, a, 1, 4, 8)", [127, -128, 127, 0], half(300, -300, INF, NAN),
             ("int8", [1] * 128)),
            ("uint8 saturates", "vec_conv(128, '', dst, a, 1, 4, 8)", [255, 0, 255, 0], half(300, -300, INF, NAN),
             ("uint8", [1] * 128)),
            ("int32 to half takes deqscale", "vec_conv(64, '', dst, a, 1, 4, 8, 0.5)", [1.5, -2.5, 49984, 1024],
             word(3, -5, 100000, 2049, dtype="int32", rest=0), half()),
            ("float to float rounds to whole numbers", "vec_conv(64, 'round', dst, a, 1, 8, 8)", [0, 2, 0, -2],
             word(0.5, 1.5, -0.5, -2.5), word()),
            ("vconv has block strides", "vconv(24, '', dst, a, 1, 2, 3, 8, 4)", blocks, half(*range(128)),
             word(size=128, rest=-1.0))):
            self.gives(name, call, {"dst": expected}, a=a, dst=dst)

    def test_refused(self):
        for text, mode, src, dst in (("from uint16 to int32", "", "uint16", "int32"),
                                     ("round_mode 'up'", "up", "float16", "int32"),
                                     ("round_mode 'floor'", "floor", "float16", "float32"),
                                     ("has no deqscale", "", "int32", "float16")):
            self.rejects(text, f"vec_conv(8, '{mode}', dst, a, 1, 8, 8)", dst=(dst, [0] * 128), a=(src, [0] * 128))
        self.rejects("ldst_high_half", "vec_conv(8, 'floor', dst, a, 1, 8, 8, None, True)", dst=("int32", [0] * 128),
                     a=half())


class Comparisons(TestCase):

    def test_a_bit_for_each_lane(self):
        values = [float((7 * n) % 13 - 6) for n in range(256)]
        for name, strides, size, dtype, bits in (
            ("vec_cmpv_gt", "8, 8", 128, "float16", [v > 0 for v in values]),
            ("vec_cmpv_lt", "8, 8", 128, "float16", [v < 0 for v in values]),
            ("vcmpv_ge", "1, 1, 8, 8", 128, "float16", [v >= 0 for v in values]),
            ("vcmpv_le", "1, 1, 8, 8", 64, "float32", [v <= 0 for v in values[:128]]),
            ("vec_cmpv_eq", "8, 8", 128, "float16", [v == 0 for v in values]),
            ("vcmpv_ne", "1, 1, 8, 8", 128, "float16", [v != 0 for v in values]),
            ("vec_cmpv_lt", "8, 8", 64, "float32", [v < 0 for v in values[:128]])):
            words = [sum(bit << n for n, bit in enumerate(bits[at:at + 16])) for at in range(0, 2 * size, 16)]
            self.gives(f"{name} {dtype}", f"{name}(dst, a, b, 2, {strides})", {"dst": words + [0] * (32 - len(words))},
                       a=(dtype, values[:2 * size]), b=(dtype, [0.0] * (2 * size)), dst=("uint16", [0] * 32))

    def test_selections(self):
        for mode, second in ((0, [1.0, 2.0] * 50), (2, ([1.0] * 4 + [2.0] * 12) * 6 + [1.0] * 4)):
            self.gives(f"from two, mode {mode}", f"vec_sel(100, {mode}, dst, sel, a, b, 2, 8, 8, 8)",
                       {"dst": [1.0, 2.0] * 50 + [3.0] * 28 + second + [3.0] * 28}, a=half(size=256, rest=1),
                       b=half(size=256, rest=2), dst=half(size=256, rest=3), sel=("uint16", [0x5555] * 8 + [0x000f] * 8))
        self.gives("with block strides", "vsel(128, 2, dst, sel, a, b, 1, 1, 0, 1, 8, 8, 8)",
                   {"dst": [0.0, 2.0] * 64}, a=half(rest=0), b=half(rest=2), dst=half(rest=3), sel=("uint16", [0x5555] * 8 + [0] * 8))
        self.gives("with a scalar", "vec_sel([0, 0xff], 1, dst, sel, a, 0.25, 1, 8, 8)",
                   {"dst": [0.25] * 4 + [1.0] * 4 + [3.0] * 120}, a=half(rest=1), dst=half(rest=3),
                   sel=("uint16", [0xfff0] * 16))


class Reductions(TestCase):

    def test_smallest_and_its_index(self):
        values = [float(n % 7) for n in range(1, 257)]
        values[40] = values[50] = -3.0
        # The integer 40 in the bits of a half.
        self.gives("vcmin", "vcmin(64, dst, a, 2, 1, 1, 8)", {"dst": [-3, 40 * 2.0**-24, min(values[128:192])]},
                   a=half(*values, size=256), dst=half(size=16))

    def test_sums_and_the_largest(self):
        values = [float(n % 7) for n in range(256)]
        values[70] = values[75] = 9.0
        for call, expected in (("vcadd(128, dst, a, 2, 1, 1, 8)", [sum(values[:128]), sum(values[128:]), -1]),
                               ("vcmax(128, dst, a, 1, 1, 1, 8)", [9, 70 * 2.0**-24, -1]),
                               ("vcgadd(128, dst, a, 2, 1, 1, 8)", [sum(values[n:n + 16]) for n in range(0, 256, 16)]),
                               ("vcgmax(48, dst, a, 2, 1, 1, 4)", [6, 6, 6, -1, -1, -1, -1, -1, 9, 6, 6, -1]),
                               ("vcgmin([0, 6], dst, a, 1, 1, 1, 8)", [1, -1]),
                               ("vcpadd(3, dst, a, 1, 1, 1, 8)", [1, 2, -1])):
            self.gives(call, call, {"dst": expected}, a=half(*values, size=256), dst=half(size=128, rest=-1))
        self.gives("each sum saturates", "vcadd(4, dst, a, 1, 1, 1, 8)", {"dst": [0]}, a=half(60000, 60000, -60000, -60000),
                   dst=half(rest=1))

    def test_patterns_of_vreduce(self):
        for pattern, (period, first) in {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3)}.items():
            chosen = [n for n in range(256) if n % period == first]
            self.gives(f"pattern {pattern}", "count = Scalar('uint32')\n"
                       f"vreduce(128, dst, a, {pattern}, 2, 1, 8, 0, 0, count); counted[0].set_as(count)",
                       {"dst": chosen + [-1] * (256 - len(chosen)), "counted": [len(chosen)]},
                       a=half(*range(256), size=256), dst=half(size=256, rest=-1), counted=("uint32", [0] * 8))

    def test_vreduce_by_bits_and_by_count(self):
        self.gives("vreduce", "vreduce(128, dst, a, bits, 1, 1, 8, 0); vreduce(10, c, a, 2, 2, 1, 3, 0, 0, None, 'counter')",
                   {"dst": [n for m in range(8) for n in (16 * m, 16 * m + 1)],
                    "c": [1, 3, 5, 7, 9, 49, 51, 53, 55, 57, -1]},
                   a=half(*range(256), size=256), bits=("uint16", [3] * 16), dst=half(rest=-1), c=half(rest=-1))

    def test_vnchwconv(self):
        for name, dtype, row, high, rest, expected in (
            ("of 16 bits", "float16", 16, 0, "1, 3, 3", [16 * (n % 16) + n // 16 for n in range(256)] + [-1]),
            ("of 32 bits", "int32", 8, 0, "1, 3, 3", [8 * (n % 16) + n // 16 for n in range(128)] + [-1]),
            ("of 8 bits, to the upper half", "uint8", 32, 1, "1, 3, 3",
             [255] * 16 + [32 * (n % 4) for n in range(16)] + [255] * 16 + [32 * (n % 4) + 1 for n in range(16)]),
            ("in two iterations", "uint16", 32, 0, "2, 1, 1",
             [32 * (n % 16) + n // 32 + 16 * (n // 16 % 2) for n in range(512)])):
            values = [n % 128 if dtype == "uint8" else n for n in range(512)]
            self.gives(name, f"rows = range(0, {16 * row}, {row})\nvnchwconv({high}, 0, list(map(dst.__getitem__, rows)), "
                       f"list(map(a.__getitem__, rows)), {rest})", {"dst": expected}, a=(dtype, values),
                       dst=(dtype, [255 if dtype == "uint8" else -1 if dtype != "uint16" else 0] * 512))
        self.rejects("a list of 16 Tensors", "vnchwconv(False, False, [dst], [a], 1, 0, 0)", a=half(), dst=half())

    def test_vextract(self):
        self.gives("vextract", "vextract(dst, a, 2, 3)", {"dst": [8 * n + 3 for n in range(32)]},
                   a=half(*range(256), size=256), dst=half(size=32, rest=-1))


if __name__ == "__main__":
    unittest.main()
