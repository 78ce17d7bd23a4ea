"""Rounding, saturation, and numbers that are fed."""

import math
import unittest
from fractions import Fraction

from support import TestCase
from lanediff_tik.number import DTYPES, clamp, decode, encode, nearest, round_to, saturate

HALF, FLOAT, INT16, UINT16 = (DTYPES[name] for name in ("float16", "float32", "int16", "uint16"))


class Numbers(TestCase):

    def test_half_is_rounded_to_even(self):
        for value, expected in ((2049.0, 2048.0), (2051.0, 2052.0), (2.0**-25, 0.0), (1.5 * 2.0**-24, 2.0**-23),
                                # Both sides of the largest half.
                                (65519.99, 65504.0), (65520.0, math.inf)):
            self.assertEqual(round_to(HALF, value), expected, value)
        self.assertEqual(round_to(FLOAT, -3.5e38), -math.inf)

    def test_saturation_governs_half_alone(self):
        for value, expected in ((70000.0, 65504.0), (-math.inf, -65504.0), (math.nan, 0.0)):
            self.assertEqual(saturate(HALF, value), expected, value)
        self.assertEqual(saturate(HALF, math.inf, saturation=False), math.inf)
        self.assertEqual(saturate(FLOAT, math.inf), math.inf)

    def test_integers_keep_low_bits_or_the_nearest(self):
        self.assertEqual(round_to(INT16, 32768), -32768)
        self.assertEqual(round_to(UINT16, -1), 65535)
        self.assertEqual(clamp(INT16, 32768), 32767)

    def test_bytes(self):
        self.assertEqual(encode(HALF, [1.0, -2.0]).hex(), "003c00c0")
        self.assertEqual(decode(UINT16, b"\x01\x00\xff\xff"), [1, 65535])

    def test_exact_numbers_are_rounded_once(self):
        # Just above the tie between 1 and 1 + 2^-10, and a tie in double.
        tie = 1 + Fraction(1, 1 << 11)
        self.assertEqual(nearest(HALF, tie), 1.0)
        self.assertEqual(nearest(HALF, tie + Fraction(1, 1 << 80)), 1 + 2.0**-10)
        self.assertEqual(nearest(HALF, tie - Fraction(1, 1 << 80)), 1.0)
        with self.assertRaises(Exception):
            nearest(INT16, Fraction(1, 2))
        with self.assertRaises(Exception):
            nearest(HALF, Fraction(65520))


if __name__ == "__main__":
    unittest.main()
