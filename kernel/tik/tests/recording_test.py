"""The program tree: loops, branches, Scalars, places of tensors, views."""

import json
import os
import tempfile
import unittest

from support import Kernel, TestCase, tik


class Recording(TestCase):

    def document(self, kernel):
        """The kernel's result and the document that was sent."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "document.json")
            os.environ["LANEDIFF_OPTIONS"] += f" --keep {path}"
            out = kernel.run()
            with open(path, encoding="utf-8") as file:
                return out, json.load(file)

    def test_bodies_run_once_in_python_and_often_in_the_kernel(self):
        k, times = Kernel("dst", dst=("int32", [0] * 16)), []
        with k.tik.for_range(2, 7) as i:
            times.append(i)
            k.dst[i].set_as(i * i - 1)
        self.assertEqual(k.run(), [0, 0] + [n * n - 1 for n in range(2, 7)] + [0] * 9)
        self.assertEqual(len(times), 1)

    def test_scalars_are_read_when_the_kernel_runs(self):
        k = Kernel("dst", a=("int32", [5, 1, 4] + [0] * 5), dst=("int32", [0] * 8))
        total, last = k.tik.Scalar("int32", init_value=0), k.tik.Scalar("int32")
        twice = total * 2
        with k.tik.for_range(0, 3) as i:
            last.set_as(k.a[i])
            total.set_as(total + last)
            k.dst[i].set_as(twice)
        self.assertEqual(k.run(), [10, 12, 20, 0, 0, 0, 0, 0])

    def test_branches_follow_the_data(self):
        k = Kernel("dst", a=("int32", [5, 1, 4, 0, 9, 2, 7, 3]), dst=("int32", [0] * 8))
        with k.tik.for_range(0, 8) as i:
            with k.tik.if_scope(tik.all(k.a[i] > 2, i != 4)):
                k.dst[i] = 1
            with k.tik.else_scope():
                with k.tik.if_scope(k.a[i] == 2):
                    k.dst[i] = 2
                with k.tik.else_scope():
                    k.dst[i] = 3
        self.assertEqual(k.run(), [1, 3, 1, 3, 3, 2, 1, 1])

    def test_loops_end_where_the_data_says(self):
        k = Kernel("dst", a=("int32", [2, 6] + [0] * 6), dst=("int32", [0] * 8))
        begin, end = k.tik.Scalar("int32", init_value=k.a[0]), k.tik.Scalar("int64", init_value=k.a[1])
        with k.tik.for_range(begin, end - 1) as i:
            k.dst[i] = 1
        self.assertEqual(k.run(), [0, 0, 1, 1, 1, 0, 0, 0])

    def test_arithmetic_of_integers(self):
        k = Kernel("dst", dst=("int32", [0] * 16))
        s = k.tik.Scalar("int32", init_value=-7)
        for n, expr in enumerate((s + 1, 1 - s, s * 3, s // 2, s / 2, s % 4, -s, (s + 10) << 2, (s + 9) >> 1,
                                  (s + 10) & 1, (s + 10) | 4, (s + 10) ^ 1, s < 0, s >= 0)):
            k.dst[n] = expr
        self.assertEqual(k.run()[:14], [-6, 8, -21, -4, -3, 1, 7, 12, 1, 1, 7, 2, 1, 0])

    def test_arithmetic_of_floats_rounds_each_operation(self):
        k = Kernel("f h", f=("float32", [0.0] * 8), h=("float16", [0.0] * 16))
        f, h = k.tik.Scalar("float32", init_value=0.1), k.tik.Scalar("float16", init_value=2048)
        k.f[0] = f + 0.2
        k.h[0] = h + 1 + 1
        k.h[1] = h + f
        k.f[1] = h + f
        k.f[2] = k.tik.Scalar("float32", init_value=9) * 0.1  # 0.1 in float32
        out_f, out_h = k.run()
        self.assertEqual(out_f[0], 0.30000001192092896)
        self.assertEqual(out_h[:2], [2048, 2048])
        self.assertEqual(out_f[1], 2048.10009765625)
        self.assertEqual(out_f[2], 0.9000000357627869)

    def test_integers_wrap_when_they_are_stored(self):
        k = Kernel("dst", dst=("int32", [0] * 8))
        s = k.tik.Scalar("uint8", init_value=300)
        k.dst[0] = s
        k.dst[1] = s * 0 + (1 << 31)
        self.assertEqual(k.run()[:2], [44, -(1 << 31)])

    def test_places_follow_the_order_of_declaration_and_end_with_the_scope(self):
        k = Kernel("", a=("float16", [0.0] * 16))
        make = k.tik.Tensor
        make("int8", (40,), tik.scope_ubuf, "b")
        with k.tik.new_stmt_scope():
            make("int8", (100,), tik.scope_ubuf, "c")
        make("int8", (1,), tik.scope_ubuf, "d")
        with k.tik.if_scope(True):
            make("int8", (1,), tik.scope_ubuf, "e")
        make("int8", (1,), tik.scope_ubuf, "f")
        _, document = self.document(k)
        places = [step["arguments"] for step in document["program"] if step.get("name") == "LocalTensor"]
        self.assertEqual([(one["at"], one["bytes"]) for one in places],
                         [(0, 32), (32, 40), (96, 100), (96, 1), (128, 1), (128, 1)])

    def test_two_threads_have_two_buffers_in_turn(self):
        k = Kernel("", a=("float16", [0.0] * 16))
        with k.tik.for_range(0, 5, thread_num=2):
            k.tik.Tensor("int8", (40,), tik.scope_ubuf, "b")
            c = k.tik.Tensor("int8", (32,), tik.scope_ubuf, "c")
            k.tik.data_move(c, c, 0, 1, 1, 0, 0)
        _, document = self.document(k)
        moves = [step["operands"]["dst"]["at"] for step in document["program"] if step.get("name") == "data_move"]
        self.assertEqual(moves[1:], [160, 192, 160, 192, 160])

    def test_blocks_run_all_of_the_kernel_each_with_its_number(self):
        k = Kernel("", product="atlas-200-300-500", a=("int32", [3] + [0] * 7))
        out = k.tik.Tensor("int32", (32,), tik.scope_gm, "out")
        n = k.tik.Scalar("int32", init_value=k.a[0])
        with k.tik.for_range(0, n, block_num=n) as block:
            ub = k.tik.Tensor("int32", (8,), tik.scope_ubuf, "ub")
            k.tik.vec_dup(8, ub, block + 10, 1, 8)
            k.tik.data_move(out[8 * block], ub, 0, 1, 1, 0, 0)
        k.tik.BuildCCE("kernel", k._inputs, [out])
        k.run = lambda: k.tik.tikdb.start_debug(k._feed)
        (values,), document = self.document(k)
        self.assertEqual(list(values), [10] * 8 + [11] * 8 + [12] * 8 + [0] * 8)
        moved = [write["at"] for step in document["program"] for write in step.get("writes", []) if write["memory"] == "GM"]
        self.assertEqual(moved, [32, 64, 96])
        resources = [(step["name"], step["arguments"]) for step in document["program"] if step["op"] == "Resource"]
        self.assertEqual(resources[0], ("Launch", {"blocks": 3}))
        self.assertEqual([arguments["block"] for name, arguments in resources if name == "Block"], [0, 1, 2])
        self.assertEqual(document["product"], "atlas-200-300-500")

    def test_each_block_has_a_local_memory_of_its_own(self):
        k = Kernel("", a=("int32", [7] * 8))
        out, ub = k.tik.Tensor("int32", (16,), tik.scope_gm, "out"), k.tik.Tensor("int32", (8,), tik.scope_ubuf, "ub")
        with k.tik.for_range(0, 2, block_num=2) as block:
            with k.tik.if_scope(block == 0):
                k.tik.vec_dup(8, ub, 5, 1, 8)
            k.tik.data_move(out[8 * block], ub, 0, 1, 1, 0, 0)
        k.tik.BuildCCE("kernel", k._inputs, [out])
        values, = k.tik.tikdb.start_debug(k._feed)
        self.assertEqual(list(values), [5] * 8 + [0] * 8)

    def test_views(self):
        k = Kernel("dst", a=("int32", list(range(64))), dst=("int32", [0] * 16))
        cube = k.a.reshape((2, 4, 8))
        self.assertEqual((cube.shape, cube[1].shape, cube[:, 1:3].shape, cube.size), ((2, 4, 8), (4, 8), (2, 2, 8), 64))
        bytes_ = k.a[1:3].reinterpret_cast_to("uint8")
        self.assertEqual((bytes_.shape, bytes_.dtype), ((8,), "uint8"))
        self.assertEqual(k.a[3].reinterpret_cast_to("uint64").shape, (1,))
        self.assertEqual(k.tik.Tensor("int8", (True, 8), "gm", "x").shape, (1, 8))
        halves = cube.reinterpret_cast_to("uint16")
        self.assertEqual(halves.shape, (2, 4, 16))
        for n, view in enumerate((cube[1, 2, 3], cube[1][2][3], cube[1, 2], cube[:, 1:3][1, 1, 2], bytes_[4], halves[1, 0, 4],
                                  k.a[10:][3])):
            k.dst[n] = view
        self.assertEqual(k.run()[:7], [51, 51, 48, 50, 2, 34, 13])

    def test_windows_reach_to_the_end_of_the_allocation(self):
        k = Kernel("dst", a=("int32", list(range(64))), dst=("int32", [0] * 16))
        k.tik.data_move(k.dst, k.a[40:48], 0, 1, 2, 0, 0)
        out, document = self.document(k)
        self.assertEqual(out, list(range(40, 56)))
        move = [step for step in document["program"] if step.get("name") == "data_move"][2]
        self.assertEqual(move["operands"]["src"], {"position": "UB", "at": 160, "bytes": 96, "dtype": "int32"})
        self.assertEqual((move["pipe"], move["reads"]), ("V", [{"memory": "UB", "at": 160, "bytes": 64}]))
        self.assertEqual(os.path.basename(move["source"]["file"]), "recording_test.py")

    def test_a_call_out_of_its_range_names_the_range(self):
        k = Kernel("", a=("float16", [0.0] * 128))
        k.tik.vec_adds(129, k.a, k.a, 1, 256, 8, 8)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "document.json")
            os.environ["LANEDIFF_OPTIONS"] += f" --status 1 --keep {path}"
            k.tik.BuildCCE("kernel", k._inputs, [])
            k.tik.tikdb.start_debug(k._feed)
            with open(path, encoding="utf-8") as file:
                adds = json.load(file)["program"][-1]
        self.assertEqual(adds["parameters"]["mask"], {"value": 129, "low": 1, "high": 128})
        self.assertEqual(adds["parameters"]["repeat_times"], {"value": 256, "low": 0, "high": 255})
        # What leaves the window is the last that is noted.
        self.assertEqual([one.get("iteration", 0) for one in adds["reads"]], [0, 1])
        self.assertEqual(adds["reads"][1], {"memory": "UB", "at": 256, "bytes": 32, "iteration": 1})
        self.assertEqual(len(adds["writes"]), 1)

    def test_a_call_far_out_of_bounds_notes_no_more_than_its_beginning(self):
        k = Kernel("a", a=("float16", [0.0] * 128))
        k.tik.data_move(k.a, k._inputs[0], 0, 4095, 65535, 0, 0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "document.json")
            os.environ["LANEDIFF_OPTIONS"] += f" --status 1 --found --keep {path}"
            k.tik.BuildCCE("kernel", k._inputs, [])
            k.tik.tikdb.start_debug(k._feed)
            with open(path, encoding="utf-8") as file:
                move = json.load(file)["program"][-1]
        self.assertEqual((move["reads"], move["writes"]), ([{"memory": "GM", "at": 0, "bytes": 288}], []))

    def test_values_of_a_host_are_marked(self):
        k = Kernel("a", a=("float16", [1.0] * 128), b=("int32", [1] * 64))
        k.tik.vec_rec(128, k.a, k.a, 1, 8, 8)
        k.tik.vdiv(128, k.a, k.a, k.a, 1, 1, 1, 1, 8, 8, 8)
        k.tik.vaxpy(128, k.a, k.a, 2.0, 1, 1, 1, 8, 8)
        k.tik.vec_conv(64, "", k.a, k.b, 1, 4, 8, 0.5)
        k.tik.vec_conv(64, "", k.a, k.b, 1, 4, 8, 1.0)
        k.tik.vec_adds(128, k.a, k.a, 1, 1, 8, 8)
        _, document = self.document(k)
        steps = [one for one in document["program"] if one["op"] == "Carried" and one["name"] != "data_move"]
        self.assertEqual(["approximate" in one["parameters"] for one in steps], [True] * 4 + [False] * 2)

    def test_pipe_barrier(self):
        k = Kernel("a", a=("float16", [0.0] * 16))
        k.tik.pipe_barrier("PIPE_MTE3")
        _, document = self.document(k)
        self.assertIn("MTE3", [step["pipe"] for step in document["program"] if step["op"] == "PipeBarrier"])
        k = Kernel("a", a=("float16", [0.0] * 16))
        k.tik.pipe_barrier("PIPE_X")
        self.refuses("'PIPE_X'", k.run)


class Mistakes(TestCase):

    def test_each_has_a_line(self):
        k = Kernel("a", a=("float16", [0.0] * 16), i=("int32", [0] * 8))
        line = self.refuses("use if_scope", lambda: 1 if k.a[0] > 1 else 0)
        self.assertIn("recording_test.py:", line)
        self.refuses("dtype is 'half'", lambda: k.tik.Tensor("half", (1,), "gm", "x"))
        self.refuses("scope is 'ub'", lambda: k.tik.Tensor("int8", (1,), "ub", "x"))
        self.refuses("a dimension of the shape is 0", lambda: k.tik.Tensor("int8", (4, 0), "gm", "x"))
        self.refuses("a dimension of the shape is 4.0", lambda: k.tik.Tensor("int8", (4.0,), "gm", "x"))
        self.refuses("a_gm in GM already", lambda: k.tik.Tensor("int8", (1,), "gm", "a_gm"))
        self.refuses("thread_num is 3", lambda: k.tik.for_range(0, 1, thread_num=3))
        self.refuses("block_num is 65536", lambda: k.tik.for_range(0, 65536, block_num=65536))
        self.refuses("stands behind no if_scope", lambda: k.tik.else_scope())
        self.refuses("has 1 dimensions", lambda: k.a[0, 0])
        self.refuses("the step 2", lambda: k.a[0:4:2])
        self.refuses("the new shape [3] 3", lambda: k.a.reshape((3,)))
        self.refuses("dst is int; it must be a Tensor", self.once(lambda t, k: t.data_move(3, k.a, 0, 1, 1, 0, 0)))
        self.refuses("missing a required argument: 'src_stride'", lambda: k.tik.data_move(k.a, k.a, 0, 1, 1))
        self.refuses("'x' is no number", lambda: k.a[0].set_as("x"))

    @staticmethod
    def once(action):
        def run():
            k = Kernel("a", a=("float16", [0.0] * 16))
            action(k.tik, k)
            k.run()
        return run

    def test_each_that_shows_when_the_kernel_runs(self):
        def ended(t, k):
            with t.new_stmt_scope():
                b = t.Tensor("float16", (16,), "ubuf", "b")
            t.data_move(b, k.a, 0, 1, 1, 0, 0)

        def blocks(t, k):
            with t.for_range(0, 3, block_num=2):
                pass

        self.refuses("b is used after its scope ended", self.once(ended))
        self.refuses("it must go from 0 to block_num", self.once(blocks))
        self.refuses("Scalar s is read before it is set",
                     self.once(lambda t, k: k.a[0].set_as(t.Scalar("int32", "s") + 1)))
        self.refuses("/ 0", self.once(lambda t, k: t.Scalar(init_value=t.Scalar(init_value=1) / 0)))
        self.refuses("repeat_times is 1.5", self.once(lambda t, k: t.vec_adds(8, k.a, k.a, 1, 1.5, 8, 8)))
        self.refuses("refused: matmul (cube)", self.once(lambda t, k: t.matmul(k.a, k.a, k.a, 16, 16, 16)))
        self.refuses("refused: l1 (in scope_cbuf", self.once(
            lambda t, k: t.data_move(t.Tensor("float16", (16,), tik.scope_cbuf, "l1"), k.a, 0, 1, 1, 0, 0)))

    def test_a_refused_call_in_a_branch_that_is_not_taken_is_none(self):
        def untaken(t, k):
            with t.if_scope(k.a[0] > 1):
                t.matmul(k.a, k.a, k.a, 16, 16, 16)

        self.once(untaken)()


if __name__ == "__main__":
    unittest.main()
