"""The program tree: loops, branches, Scalars, places of tensors, views."""

import os
import unittest

from support import Kernel, TestCase, half, tik, word


class Recording(TestCase):

    def test_bodies_run_once_in_python_and_often_in_the_kernel(self):
        k, times = Kernel("dst", dst=("int32", [0] * 16)), []
        with k.tik.for_range(2, 7) as i:
            times.append(i)
            k.dst[i].set_as(i * i - 1)
        self.assertEqual(k.run(), [0, 0] + [n * n - 1 for n in range(2, 7)] + [0] * 9)
        self.assertEqual(len(times), 1)

    def test_programs(self):
        ints = "int32", [0] * 8
        self.gives("scalars are read when the kernel runs", """
total, last = Scalar("int32", init_value=0), Scalar("int32")
twice = total * 2
with for_range(0, 3) as i:
    last.set_as(a[i])
    total.set_as(total + last)
    dst[i].set_as(twice)
""", {"dst": [10, 12, 20, 0, 0, 0, 0, 0]}, a=("int32", [5, 1, 4] + [0] * 5), dst=ints)
        self.gives("branches follow the data", """
with for_range(0, 8) as i:
    with if_scope(tik.all(a[i] > 2, i != 4)):
        dst[i] = 1
    with else_scope():
        with if_scope(a[i] == 2):
            dst[i] = 2
        with else_scope():
            dst[i] = 3
""", {"dst": [1, 3, 1, 3, 3, 2, 1, 1]}, a=("int32", [5, 1, 4, 0, 9, 2, 7, 3]), dst=ints)
        self.gives("loops end where the data states", """
begin, end = Scalar("int32", init_value=a[0]), Scalar("int64", init_value=a[1])
with for_range(begin, end - 1) as i:
    dst[i] = 1
""", {"dst": [0, 0, 1, 1, 1, 0, 0, 0]}, a=("int32", [2, 6] + [0] * 6), dst=ints)
        self.gives("arithmetic of integers", """
s = Scalar("int32", init_value=-7)
for n, expr in enumerate((s + 1, 1 - s, s * 3, s // 2, s / 2, s % 4, -s, (s + 10) << 2, (s + 9) >> 1, (s + 10) & 1,
                          (s + 10) | 4, (s + 10) ^ 1, s < 0, s >= 0)):
    dst[n] = expr
""", {"dst": [-6, 8, -21, -4, -3, 1, 7, 12, 1, 1, 7, 2, 1, 0]}, dst=("int32", [0] * 16))
        self.gives("arithmetic of floats rounds each operation", """
s, t = Scalar("float32", init_value=0.1), Scalar("float16", init_value=2048)
f[0] = s + 0.2
h[0] = t + 1 + 1
h[1] = t + s
f[1] = t + s
f[2] = Scalar("float32", init_value=9) * 0.1  # 0.1 in float32
""", {"f": [0.30000001192092896, 2048.10009765625, 0.9000000357627869], "h": [2048, 2048]}, f=word(size=8), h=half(size=16))
        self.gives("integers wrap when they are stored", """
s = Scalar("uint8", init_value=300)
dst[0] = s
dst[1] = s * 0 + (1 << 31)
""", {"dst": [44, -(1 << 31)]}, dst=ints)

    def test_places_follow_the_order_of_declaration_and_end_with_the_scope(self):
        k = Kernel("", a=half(size=16))
        make = k.tik.Tensor
        make("int8", (40,), tik.scope_ubuf, "b")
        with k.tik.new_stmt_scope():
            make("int8", (100,), tik.scope_ubuf, "c")
        make("int8", (1,), tik.scope_ubuf, "d")
        with k.tik.if_scope(True):
            make("int8", (1,), tik.scope_ubuf, "e")
        make("int8", (1,), tik.scope_ubuf, "f")
        _, document = self.document(k.run)
        places = [step["arguments"] for step in document["program"] if step.get("name") == "LocalTensor"]
        self.assertEqual([(one["at"], one["bytes"]) for one in places],
                         [(0, 32), (32, 40), (96, 100), (96, 1), (128, 1), (128, 1)])

    def test_two_threads_have_two_buffers_in_turn(self):
        k = Kernel("", a=half(size=16))
        with k.tik.for_range(0, 5, thread_num=2):
            k.tik.Tensor("int8", (40,), tik.scope_ubuf, "b")
            c = k.tik.Tensor("int8", (32,), tik.scope_ubuf, "c")
            k.tik.data_move(c, c, 0, 1, 1, 0, 0)
        _, document = self.document(k.run)
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
        (values,), document = self.document(lambda: k.build([out]))
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
        values, = k.build([out])
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
        out, document = self.document(k.run)
        self.assertEqual(out, list(range(40, 56)))
        move = [step for step in document["program"] if step.get("name") == "data_move"][2]
        self.assertEqual(move["operands"]["src"], {"position": "UB", "at": 160, "bytes": 96, "dtype": "int32"})
        self.assertEqual((move["pipe"], move["reads"]), ("V", [{"memory": "UB", "at": 160, "bytes": 64}]))
        self.assertEqual(os.path.basename(move["source"]["file"]), "recording_test.py")

    def test_a_call_out_of_its_range_names_the_range(self):
        k = Kernel("", a=half())
        k.tik.vec_adds(129, k.a, k.a, 1, 256, 8, 8)
        adds = self.document(lambda: k.build([]))[1]["program"][-1]
        self.assertEqual(adds["parameters"]["mask"], {"value": 129, "low": 1, "high": 128})
        self.assertEqual(adds["parameters"]["repeat_times"], {"value": 256, "low": 0, "high": 255})
        # What leaves the window is the last that is noted.
        self.assertEqual([one.get("iteration", 0) for one in adds["reads"]], [0, 1])
        self.assertEqual(adds["reads"][1], {"memory": "UB", "at": 256, "bytes": 32, "iteration": 1})
        self.assertEqual(len(adds["writes"]), 1)

    def test_a_call_far_out_of_bounds_notes_no_more_than_its_beginning(self):
        k = Kernel("a", a=half())
        k.tik.data_move(k.a, k._inputs[0], 0, 4095, 65535, 0, 0)
        move = self.document(lambda: k.build([]), " --found")[1]["program"][-1]
        self.assertEqual((move["reads"], move["writes"]), ([{"memory": "GM", "at": 0, "bytes": 288}], []))

    def test_values_of_a_host_are_marked(self):
        k = Kernel("a", a=half(rest=1.0), b=("int32", [1] * 64))
        k.call("""
vec_rec(128, a, a, 1, 8, 8)
vdiv(128, a, a, a, 1, 1, 1, 1, 8, 8, 8)
vaxpy(128, a, a, 2.0, 1, 1, 1, 8, 8)
vec_conv(64, "", a, b, 1, 4, 8, 0.5)
vec_conv(64, "", a, b, 1, 4, 8, 1.0)
vec_adds(128, a, a, 1, 1, 8, 8)
""")
        _, document = self.document(k.run)
        steps = [one for one in document["program"] if one["op"] == "Carried" and one["name"] != "data_move"]
        self.assertEqual(["approximate" in one["parameters"] for one in steps], [True] * 4 + [False] * 2)

    def test_pipe_barrier(self):
        k = Kernel("a", a=half(size=16))
        k.tik.pipe_barrier("PIPE_MTE3")
        _, document = self.document(k.run)
        self.assertIn("MTE3", [step["pipe"] for step in document["program"] if step["op"] == "PipeBarrier"])
        self.rejects("'PIPE_X'", "pipe_barrier('PIPE_X')", a=half(size=16))


class Mistakes(TestCase):

    def test_each_has_a_line(self):
        k = Kernel("a", a=half(size=16), i=("int32", [0] * 8))
        line = self.refuses("use if_scope", lambda: 1 if k.a[0] > 1 else 0)
        self.assertIn("recording_test.py:", line)
        for text, call in (("dtype is 'half'", "Tensor('half', (1,), 'gm', 'x')"),
                           ("scope is 'ub'", "Tensor('int8', (1,), 'ub', 'x')"),
                           ("a dimension of the shape is 0", "Tensor('int8', (4, 0), 'gm', 'x')"),
                           ("a dimension of the shape is 4.0", "Tensor('int8', (4.0,), 'gm', 'x')"),
                           ("a_gm in GM already", "Tensor('int8', (1,), 'gm', 'a_gm')"),
                           ("thread_num is 3", "for_range(0, 1, thread_num=3)"),
                           ("block_num is 65536", "for_range(0, 65536, block_num=65536)"),
                           ("stands behind no if_scope", "else_scope()"), ("has 1 dimensions", "a[0, 0]"),
                           ("the step 2", "a[0:4:2]"), ("the new shape [3] 3", "a.reshape((3,))"),
                           ("missing a required argument: 'src_stride'", "data_move(a, a, 0, 1, 1)"),
                           ("'x' is no number", "a[0].set_as('x')")):
            self.refuses(text, lambda call=call: k.call(call))

    def test_each_that_shows_when_the_kernel_runs(self):
        for text, calls in (
            ("b is used after its scope ended",
             "with new_stmt_scope():\n    b = Tensor('float16', (16,), 'ubuf', 'b')\ndata_move(b, a, 0, 1, 1, 0, 0)"),
            ("it must go from 0 to block_num", "with for_range(0, 3, block_num=2):\n    pass"),
            ("Scalar s is read before it is set", "a[0].set_as(Scalar('int32', 's') + 1)"),
            ("/ 0", "Scalar(init_value=Scalar(init_value=1) / 0)"),
            ("dst is int; it must be a Tensor", "data_move(3, a, 0, 1, 1, 0, 0)"),
            ("repeat_times is 1.5", "vec_adds(8, a, a, 1, 1.5, 8, 8)"),
            ("refused: matmul (cube)", "matmul(a, a, a, 16, 16, 16)"),
            ("refused: l1 (in scope_cbuf", "data_move(Tensor('float16', (16,), tik.scope_cbuf, 'l1'), a, 0, 1, 1, 0, 0)")):
            self.rejects(text, calls, a=half(size=16))

    def test_a_refused_call_in_a_branch_that_is_not_taken_is_none(self):
        self.gives("untaken", "with if_scope(a[0] > 1):\n    matmul(a, a, a, 16, 16, 16)", {"a": [0]}, a=half(size=16))


if __name__ == "__main__":
    unittest.main()
