"""Scripts as they are run: status, feeds, products, what the command answers."""

import struct
import unittest

from support import HERE, REPLAY, TestCase, flat, script, tik
from lanediff_tik import error

SAMPLE = HERE / "samples" / "vec_trans_1.py"
HEAD = "from tbe import tik\n"
COPY = """
t = tik.Tik({profile})
src = t.Tensor("{dtype}", (16,), tik.scope_gm, "src")
ub = t.Tensor("{dtype}", (16,), tik.scope_ubuf, "ub")
dst = t.Tensor("{dtype}", (16,), tik.scope_gm, "dst")
t.data_move(ub, src, 0, 1, ub.size * ub.type.size // 32, 0, 0)
t.data_move(dst, ub, 0, 1, ub.size * ub.type.size // 32, 0, 0)
{more}
t.BuildCCE("copy", [src], [dst])
"""
START = 'print(t.tikdb.start_debug(feed_dict={"src": [1] * 16}, interactive=False)[0][:2])\n'


def copy(profile="", dtype="int32", more="", head=HEAD):
    return head + COPY.format(profile=profile, dtype=dtype, more=more)


class Scripts(TestCase):

    def run_text(self, text, *words, alone=False, **how):
        path = self.folder / "kernel.py"
        path.write_text(text)
        return script(path, *words, **(dict(how, entry=()) if alone else how))

    def ends(self, done, status, *lines):
        """With that status, and one line on stderr that has all of `lines`."""
        self.assertEqual(done.returncode, status, done.stderr)
        lines_of_stderr = done.stderr.splitlines()
        self.assertEqual(len(lines_of_stderr), 1 if lines else 0, done.stderr)
        for text in lines:
            self.assertIn(text, lines_of_stderr[0])

    def test_all_names_of_the_package(self):
        for head in ("from tbe import tik\n", "from te import tik\n", "import tik\n"):
            done = self.run_text(copy(head=head) + START, alone=True)
            self.ends(done, 0)
            self.assertEqual(done.stdout, "[1, 1]\n")

    def test_what_else_the_packages_have_their_user_supplies(self):
        (self.folder / "te").mkdir()
        (self.folder / "te/platform.py").write_text("SIZE = 7\n")
        for alone in (False, True):
            done = self.run_text("from te import platform\nprint(platform.SIZE)\n" + copy(head="from te import tik\n") + START,
                                 alone=alone)
            self.ends(done, 0)
            self.assertEqual(done.stdout, "7\n[1, 1]\n")

    def test_a_script_that_starts_nothing(self):
        self.ends(self.run_text(copy(), alone=True), 0)
        self.ends(self.run_text(copy()), 2, "calls no start_debug")

    def test_findings_make_the_script_end_with_1(self):
        for alone in (True, False):
            # Memories may differ then: a rejected call is not executed there.
            done = self.run_text(copy() + START, alone=alone, options="--found --spoil")
            self.ends(done, 1)
            self.assertEqual(done.stdout, "[1, 1]\n")

    def test_findings_beat_a_script_that_fails(self):
        for status, options in ((1, "--found"), (3, "")):
            done = self.run_text(copy() + START + "raise ValueError(1)\n", alone=True, options=options)
            self.assertEqual(done.returncode, status)
            self.assertIn("ValueError", done.stderr)
        done = self.run_text(copy() + START + "import sys\nsys.exit(5)\n")
        self.assertEqual(done.returncode, 3)

    def test_memories_that_differ(self):
        self.ends(self.run_text(copy() + START, options="--spoil"), 3, "GM byte 0: the script has 0x01, lanediff 0x00; 1 byte differs in all")

    def test_a_command_that_answers_nothing(self):
        self.ends(self.run_text(copy() + START, options="--garbage"), 3, "answered nothing")
        self.ends(self.run_text(copy() + START, lanediff="/nowhere/lanediff"), 2, "no program /nowhere/lanediff")

    def test_a_command_whose_path_has_a_space(self):
        path = self.folder / "a program"
        path.write_text(f'#!/bin/sh\nexec {REPLAY} "$@"\n')
        path.chmod(0o755)
        self.ends(self.run_text(copy() + START, lanediff=str(path)), 0)

    def test_feeds(self):
        self.ends(script(SAMPLE, "--feed", "src_gm=ramp:0:0.5"), 0)
        path = self.folder / "data"
        path.write_bytes(struct.pack("<256e", *range(256)))
        self.ends(script(SAMPLE, "--feed", f"src_gm={path}"), 0)
        path.write_bytes(path.read_bytes() + b"x" * 2)
        self.ends(script(SAMPLE, "--feed", f"src_gm={path}"), 2, "src_gm is fed 257 elements", "256")
        for word, text in (("src=fill:1", "the inputs of vec_trans are src_gm"), ("src_gm=fill:x", "not numbers"),
                           ("src_gm=ramp:1", "not numbers"), ("src_gm=fill:65520", "too large for float16"),
                           ("src_gm=/nowhere", "may be a file"), ("src_gm", "--feed is NAME=")):
            self.ends(script(SAMPLE, "--feed", word), 2, text)

    def test_words_of_the_command_line(self):
        self.ends(script("/nowhere.py"), 2, "no such file")
        self.ends(script(), 2, "usage")
        self.ends(script(SAMPLE, "--fed"), 2, "--fed")
        done = self.run_text("import sys\nprint(sys.argv[1:])\n" + copy() + START, "--", "--feed", "x")
        self.ends(done, 0)
        self.assertEqual(done.stdout, "['--feed', 'x']\n[1, 1]\n")

    def test_products(self):
        mini = copy('tik.Dprofile("v100", "mini")', more="print(t.product, tik.Dprofile('v100', 'mini').get_aicore_num())")
        self.assertEqual(self.run_text(mini, alone=True).stdout, "atlas-200-300-500 2\n")
        cloud = copy('tik.Dprofile("v100", "cloud")', more="print(t.product)")
        self.assertEqual(self.run_text(cloud, alone=True).stdout, "atlas-training\n")
        other = copy('tik.Dprofile("v200", "aic")', more="print(t.product, tik.Dprofile('v200', 'aic').get_unified_buffer_size())")
        self.ends(self.run_text(other, alone=True), 2, "kernel.py:3:", "names no product")
        self.assertEqual(self.run_text(other, alone=True, options="--product=atlas-inference-aicore").stdout,
                         "atlas-inference-aicore 262144\n")
        self.ends(self.run_text(mini, alone=True, options="--product atlas-a2"), 2, "is atlas-200-300-500, --product atlas-a2")
        none = copy("tik.Dprofile()", more="tik.Dprofile().get_aicore_num()")
        self.ends(self.run_text(none, alone=True), 2, "not documented for atlas-a2")

    def test_a_refused_call(self):
        done = self.run_text(copy(more="t.matmul(ub, ub, ub, 16, 16, 16)") + START, alone=True)
        self.ends(done, 2, "kernel.py:9: refused: matmul (cube)")

    def test_an_unknown_call_is_pythons(self):
        done = self.run_text(copy(more="t.vec_frobnicate(1)"), alone=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("no attribute 'vec_frobnicate'", done.stderr)


class Array:
    """What is looked at of numpy's arrays."""

    def __init__(self, dtype, data):
        self.dtype, self._data = dtype, data

    def tobytes(self):
        return self._data


class Feeds(TestCase):

    @staticmethod
    def start(feed, dtype="float16", shape=(2, 8)):
        t = tik.Tik()
        src, ub = t.Tensor(dtype, shape, tik.scope_gm, "src"), t.Tensor(dtype, shape, tik.scope_ubuf, "ub")
        dst = t.Tensor(dtype, shape, tik.scope_gm, "dst")
        t.data_move(ub, src, 0, 1, ub.size * ub.type.size // 32, 0, 0)
        t.data_move(dst, ub, 0, 1, ub.size * ub.type.size // 32, 0, 0)
        t.BuildCCE("copy", [src], [dst])
        return t.tikdb.start_debug(feed_dict=feed)

    def test_what_may_be_fed(self):
        data = struct.pack("<16e", *range(16))
        for value in (data, Array("float16", data), list(range(16)), [list(range(8)), tuple(range(8, 16))]):
            out, = self.start({"src": value})
            self.assertEqual((len(out), flat(out)), (2, list(range(16))))

    def test_what_may_not(self):
        for text, *given in (("is fed float64, the tensor is float16", {"src": Array("float64", b"")}),
                             ("fed 15 elements, its shape [2, 8] has 16", {"src": [0] * 15}), ("has no src", {}),
                             ("has 'x'; the inputs are src", {"src": [0] * 16, "x": []}),
                             ("fed 256, which is no uint8", {"src": [256] * 32}, "uint8", (32,)),
                             ("fed 0.5, which is no uint8", {"src": [0.5] * 32}, "uint8", (32,))):
            self.refuses(text, lambda given=given: self.start(*given))

    def test_before_the_kernel_is_built(self):
        self.refuses("comes before BuildCCE", lambda: tik.Tik().tikdb.start_debug({}))
        self.refuses("are Tensors in scope_gm", lambda: tik.Tik().BuildCCE("x", ["src"], []))

    def test_an_accumulated_output_starts_at_zero_and_another_counts_as_unwritten(self):
        t = tik.Tik()
        out = t.Tensor("int8", (32,), tik.scope_gm, "out", is_atomic_add=True)
        t.Tensor("int8", (32,), tik.scope_gm, "other", is_workspace=True)
        t.BuildCCE("zeros", [], [out])
        (values,), document = self.document(lambda: t.tikdb.start_debug({}))
        self.assertEqual(flat(values), [0] * 32)
        self.assertEqual(document["memory"]["GM"]["regions"], [{"at": 0, "hex": "00" * 32}])

    def test_the_worst_status_stays(self):
        for statuses, worst in (((0, 2), 2), ((2, 3), 3), ((3, 1), 1), ((1, 2, 3, 0), 1), ((-11,), 3)):
            outcome = error.Outcome()
            for status in statuses:
                outcome.note(status)
            self.assertEqual(outcome.status, worst)


if __name__ == "__main__":
    unittest.main()
