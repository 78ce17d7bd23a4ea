"""A kernel of the size of people's: two blocks, two threads, coordinates that
are transposed, scaled, rounded and looked at one by one."""

import os
import random
import struct
import unittest

from support import TestCase, flat, tik

ROIS, HEIGHT, WIDTH, C0, BLOCKS, SCALE = 32, 12, 20, 16, 2, 0.25


class Kernel:

    def __init__(self):
        os.environ["LANEDIFF_OPTIONS"] = "--product atlas-200-300-500"
        self.t = t = tik.Tik(tik.Dprofile("v100", "mini"), disable_debug=False)
        self.rois = t.Tensor("float16", (ROIS, 16), name="rois", scope=tik.scope_gm)
        self.features = t.Tensor("float16", (HEIGHT, WIDTH, C0), name="features", scope=tik.scope_gm)
        self.pooled = t.Tensor("float16", (ROIS, C0), name="pooled", scope=tik.scope_gm)
        self.counts = t.Tensor("int32", (BLOCKS, 8), name="counts", scope=tik.scope_gm)
        with t.for_range(0, BLOCKS, block_num=BLOCKS) as block:
            self.one_block(block)
        t.BuildCCE("roi_mean", [self.rois, self.features], [self.pooled, self.counts])

    def ub(self, dtype, *shape):
        return self.t.Tensor(dtype, shape, tik.scope_ubuf, "ub")

    def one_block(self, block):
        t, each = self.t, ROIS // BLOCKS
        rows, columns = self.ub("float16", 16, 16), self.ub("float16", 16, 16)
        with t.for_range(0, each) as i:
            t.data_move(rows[i, 0], self.rois[block * each + i, 0], 0, 1, 1, 0, 0)
        t.vec_trans(columns, rows, 1, 1, 1)
        corners = [self.corner(columns[k, 0]) for k in range(4)]
        sizes = [self.at_least_one(corners[2 + k], corners[k]) for k in range(2)]
        starts = []
        for corner in corners[:2]:
            start = self.ub("int32", 16)
            with t.new_stmt_scope():
                small = self.ub("float16", 16)
                t.vec_conv(16, "none", small, corner, 1, 4, 8)
                t.vec_conv(16, "floor", start, small, 1, 8, 4)
            starts.append(start)
        inside = t.Scalar("int32", init_value=0)
        with t.for_range(0, each, thread_num=2) as i:
            self.one_roi(block * each + i, starts[0][i], starts[1][i], sizes[0][i], sizes[1][i], inside)
        count = self.ub("int32", 8)
        t.vec_dup(8, count, inside, 1, 8)
        t.data_move(self.counts[block, 0], count, 0, 1, 1, 0, 0)

    def corner(self, coordinates):
        scaled = self.ub("float32", 16)
        self.t.vec_conv(16, "", scaled, coordinates, 1, 8, 4)
        self.t.vec_muls(16, scaled, scaled, SCALE, 1, 8, 8)
        return scaled

    def at_least_one(self, end, begin):
        t = self.t
        size, one, less = self.ub("float16", 128), self.ub("float16", 128), self.ub("uint16", 8)
        t.vec_dup(128, size, 0.0, 1, 8)
        t.vec_dup(128, one, 1.0, 1, 8)
        with t.new_stmt_scope():
            wide = self.ub("float32", 16)
            t.vec_sub(16, wide, end, begin, 1, 8, 8, 8)
            t.vec_conv(16, "", size, wide, 1, 4, 8)
        t.vec_cmpv_lt(less, size, one, 1, 8, 8)
        t.vec_sel(128, 0, size, less, one, size, 1, 8, 8, 8)
        return size

    def one_roi(self, roi, x, y, width, height, inside):
        t = self.t
        left, top = t.Scalar("int32", init_value=x), t.Scalar("int32", init_value=y)
        total, pixel = self.ub("float16", C0), self.ub("float16", C0)
        t.vec_dup(C0, total, 0, 1, 1)
        area = t.Scalar("float16")
        area.set_as(width * height)
        with t.if_scope(tik.all(left >= 0, left < WIDTH - 1, top >= 0, top < HEIGHT - 1)):
            inside.set_as(inside + 1)
            with t.for_range(0, 2) as dy:
                with t.for_range(0, 2) as dx:
                    t.data_move(pixel, self.features[top + dy, left + dx, 0], 0, 1, 1, 0, 0)
                    t.vec_muls(C0, pixel, pixel, area, 1, 1, 1)
                    t.vec_add(C0, total, total, pixel, 1, 1, 1, 1)
            t.vec_muls(C0, total, total, 0.25, 1, 1, 1)
        with t.else_scope():
            t.vec_adds(C0, total, total, -1.0, 1, 1, 1)
        t.data_move(self.pooled[roi, 0], total, 0, 1, 1, 0, 0)


def half(x):
    return struct.unpack("e", struct.pack("e", x))[0]


def expected(rois, features):
    pooled, counts = [], [0, 0]
    for n, (x0, y0, x1, y1, *_) in enumerate(rois):
        left, top = int(half(x0 * SCALE) // 1), int(half(y0 * SCALE) // 1)
        area = half(max(1, half(x1 * SCALE - x0 * SCALE)) * max(1, half(y1 * SCALE - y0 * SCALE)))
        total = [0.0] * C0
        if 0 <= left < WIDTH - 1 and 0 <= top < HEIGHT - 1:
            counts[n // (ROIS // BLOCKS)] += 1
            for dy in range(2):
                for dx in range(2):
                    total = [half(t + half(f * area)) for t, f in zip(total, features[top + dy][left + dx])]
            total = [half(t * 0.25) for t in total]
        else:
            total = [-1.0] * C0
        pooled += total
    return pooled, [count for count in counts for _ in range(8)]


class Roi(TestCase):

    def test_every_value(self):
        some = random.Random(7)
        rois = [[half(some.uniform(-9, 90)), half(some.uniform(-9, 50)), half(some.uniform(0, 99)),
                 half(some.uniform(0, 60))] + [0.0] * 12 for _ in range(ROIS)]
        features = [[[half(some.uniform(-4, 4)) for _ in range(C0)] for _ in range(WIDTH)] for _ in range(HEIGHT)]
        kernel = Kernel()
        pooled, counts = kernel.t.tikdb.start_debug(feed_dict={"rois": rois, "features": features}, interactive=False)
        want_pooled, want_counts = expected(rois, features)
        self.assertEqual(flat(counts), want_counts)
        self.assertEqual(flat(pooled), want_pooled)
        # Both branches were taken, in both blocks.
        self.assertTrue(all(0 < count < ROIS // BLOCKS for count in want_counts))


if __name__ == "__main__":
    unittest.main()
