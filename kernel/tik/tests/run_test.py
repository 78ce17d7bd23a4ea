"""`lanediff run SCRIPT.py` with the real program: one run, one report, however
the script ends."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from support import HERE, PROGRAM

KERNEL = """
import os, signal, sys, time
from tbe import tik
def run(more="", name="k", cloud=False):
    t = tik.Tik(tik.Dprofile("v100", "cloud" if cloud else "mini"))
    src, dst = (t.Tensor("float16", (256,), tik.scope_gm, one) for one in ("src", "dst"))
    a, b = (t.Tensor("float16", (256,), tik.scope_ubuf, one) for one in ("a", "b"))
    if more != "unset":
        t.data_move(a, src, 0, 1, 17 if more == "long" else 16, 0, 0)
    t.vec_trans(b, a, 1, 1, 1)
    if more == "refused":
        t.matmul(a, b, b, 16, 16, 16)
    t.data_move(dst, b, 0, 1, 8 if more == "half" else 16, 0, 0)
    t.BuildCCE(name, [src], [dst])
    return t.tikdb.start_debug(feed_dict={"src": list(range(256))}, interactive=False)
"""
# 40 of 64 lanes are copied in, all are compared and selected.
TAIL = """
from tbe import tik
t = tik.Tik()
src, dst = (t.Tensor("float32", (64,), tik.scope_gm, one) for one in ("src", "dst"))
x, y, z = (t.Tensor("float32", (64,), tik.scope_ubuf, one) for one in "xyz")
bits = t.Tensor("uint8", (32,), tik.scope_ubuf, "bits")
t.data_move(x, src, 0, 1, 5, 0, 0)
t.vec_dup(64, z, 0.0, 1, 8)
t.{compare}
t.vec_sel(64, {mode}, y, bits, x, z, 1, 8, 8, 8)
t.data_move(dst, y, 0, 1, {blocks}, 0, 0)
t.BuildCCE("tail", [src], [dst])
t.tikdb.start_debug(feed_dict={{"src": list(range(64))}}, interactive=False)
"""
# Calls that have the meaning of calls of Ascend C, each once.
CALLS = """
from tbe import tik
t = tik.Tik()
src, dst = (t.Tensor("float16", (128,), tik.scope_gm, one) for one in ("src", "dst"))
a, b = (t.Tensor("float16", (128,), tik.scope_ubuf, one) for one in "ab")
n = t.Tensor("int32", (128,), tik.scope_ubuf, "n")
t.data_move(a, src, 0, 1, 8, 0, 0)
t.vector_dup({mask}, b, 3.0, 1, 1, 8)
t.vadd(128, b, b, a, 1, 1, 1, 1, 8, 8, 8)
t.vec_muls([1, 5], b, b, 0.1, 1, 8, 8)
t.vabs(128, b, b, 1, 1, 1, 8, 8)
t.vec_conv(64, "floor", n, b, 2, 8, 4)
t.vcmax(128, b, b, 1, 1, 1, 8)
t.data_move(dst, b, 0, 1, 8, 0, 0)
t.BuildCCE("calls", [src], [dst])
t.tikdb.start_debug(feed_dict={{"src": [float(k) for k in range(128)]}}, interactive=False)
"""
# Lines of KERNEL.
MOVE_IN, MOVE_OUT, START, BEHIND = 9, 13, 15, 16


class Runs(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def lanediff(self, *words, **how):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, check=False, **how)

    def run_text(self, text, *words, alone=False):
        """Runs KERNEL and `text`: status, report, JSON."""
        self.write("k.py", KERNEL + text)
        words += "--json", "out.json"
        if alone:
            environment = dict(os.environ, PYTHONPATH=str(HERE.parent), LANEDIFF=PROGRAM, LANEDIFF_OPTIONS=" ".join(words))
            done = subprocess.run([sys.executable, "k.py"], cwd=self.folder, env=environment, capture_output=True,
                                  text=True, check=False)
        else:
            done = self.lanediff("run", "k.py", *words)
        report = self.folder / "out.json"
        return done.returncode, done.stderr, json.loads(report.read_text()) if report.exists() else None

    def ends(self, text, status, *expected, words=(), alone=False, returned=None):
        """With `status` in the summary and every file, and a report that has
        `expected`, once."""
        code, err, report = self.run_text(text, *words, alone=alone)
        self.assertEqual(code, status if returned is None else returned, err)
        self.assertEqual(err.count("SUMMARY "), 1, err)
        self.assertTrue(err.endswith(f" status={status}\n"), err)
        self.assertEqual(report["summary"]["status"], status)
        for one in expected:
            self.assertEqual(err.count(one), 1, err)
        return report

    def test_a_rounded_tail_is_followed_lane_by_lane(self):
        for compare, mode in (("vec_cmpv_gt(bits, x, z, 1, 8, 8)", 0), ("vcmpv_ge(bits, x, z, 1, 1, 1, 8, 8)", 2)):
            for blocks, status in ((5, 0), (6, 1)):
                self.write("tail.py", TAIL.format(compare=compare, mode=mode, blocks=blocks))
                done = self.lanediff("run", "tail.py", "--product", "atlas-a2")
                self.assertEqual(done.returncode, status, done.stderr)
                if status == 1:
                    self.assertIn("32 of which, UB [416,448), vec_sel", done.stderr)

    def test_calls_that_ascend_c_has_are_checked_against_the_oracle(self):
        self.write("calls.py", CALLS.format(mask=128))
        done = self.lanediff("run", "calls.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" audited=8 legality=8 values=8 carried=0 ", done.stderr)
        self.write("calls.py", CALLS.format(mask=129))
        done = self.lanediff("run", "calls.py")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("calls.py:8: paramcheck DUPLICATE-MASK-CONTIGUOUS: ", done.stderr)
        # On this product the scalar calls of Ascend C have no int32.
        self.write("calls.py", CALLS.format(mask=128).replace("t.vec_muls([1, 5], b, b, 0.1", "t.vec_muls(1, n, n, 3"))
        done = self.lanediff("run", "calls.py", "--product", "atlas-training")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" audited=7 legality=7 values=7 carried=1 ", done.stderr)

    def test_all_kernels_of_a_script_are_in_each_file(self):
        report = self.ends("run('unset'); run()", 1, "launches=2 blocks=2 audited=2 ", "INIT-READ",
                           words=("--sarif", "out.sarif", "--junit", "out.xml", "--html", "page"))
        self.assertEqual([one["rule"] for one in report["findings"]], ["INIT-READ"])
        self.assertEqual((report["program"], report["counts"]["launches"]), ("k.py", 2))
        for name in ("out.sarif", "out.xml", "page/index.html"):
            self.assertIn("INIT-READ", (self.folder / name).read_text(), name)

    def test_each_finding_keeps_its_case(self):
        report = self.ends("run('unset'); run('long')", 1, "launches=2 ")
        cases = {one["case"]: one["rule"] for one in report["findings"]}
        self.assertEqual(len(cases), len(report["findings"]))
        self.assertEqual(set(cases.values()), {"INIT-READ", "KRN-BOUNDS"})
        for path, rule in cases.items():
            self.assertIn(rule, self.lanediff("check", path).stdout)

    def test_lists_are_held_against_all_kernels_at_once(self):
        self.write("list", f"finding INIT-READ k.py:{MOVE_OUT}\n")
        self.ends("run('unset'); run()", 0, words=("--expect", "list"))
        self.write("list", json.dumps({"format": "lanediff-suppressions/1", "suppressions": [
            {"rule": "INIT-READ", "file": "k.py", "line": MOVE_OUT, "reason": "known", "expires": "9999-01-01"}]}))
        self.ends("run('unset'); run()", 0, words=("--known-issues", "list"))
        self.ends("run()", 1, "met nothing", words=("--known-issues", "list"))

    def test_a_script_that_fails(self):
        place = f" behind launch 0, after k.py:{MOVE_OUT}"
        for text, expected in (("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV" + place),
                               ("os._exit(0 if len(sys.argv) > 9 else 4)", "ended by os._exit(4)" + place),
                               ("raise ValueError('no')", f"the script raised ValueError at k.py:{BEHIND}"),
                               ("sys.exit(5)", "the script ended with status 5"),
                               ("sys.exit('no')", "the script ended with status 1")):
            with self.subTest(text):
                self.ends(f"run(); {text}", 3, "launches=1 ", expected)
                self.ends(f"run('unset'); {text}", 1, "launches=1 ", expected)
        self.ends("run(); sys.exit(0)", 0)

    def test_seconds_end_a_script(self):
        self.ends("time.sleep(100)", 3, "ended after 1 seconds (--seconds)\n", "nothing was checked", words=("--seconds", "1"))
        # It has done its work long before, on any machine.
        self.ends("run(); time.sleep(100)", 3, "ended after 8 seconds (--seconds) behind launch 0", words=("--seconds", "8"))

    def test_a_process_that_the_script_forks(self):
        text = """
pid = os.fork() if len(sys.argv) == 1 else 0
if pid == 0:
    run('unset')
    sys.exit(0)
print(os.waitpid(pid, 0)[1] >> 8)
run()
"""
        self.ends("run()\n" + text, 2, "launches=2 ", "start_debug in a process that the script forked",
                  "refused: start_debug (in a process that the script forked)")

    def test_what_a_script_catches_is_reported(self):
        def caught(text):
            return f"run()\ntry:\n    {text}\nexcept BaseException as error:\n    print(error)\n"

        self.ends(caught("run('refused')"), 2, "launches=1 ", "k.py:12: refused: matmul (cube)\n")
        self.ends(caught("tik.Tik().tikdb.start_debug({})"), 2, "start_debug comes before BuildCCE")
        self.ends(caught("run(cloud=True)"), 2, "a run is of one product")
        self.ends(caught("raise ValueError(1)"), 0, "launches=1 ")

    def test_a_session_that_the_script_closes_or_misuses(self):
        sockets = ("for one in os.listdir('/proc/self/fd'):\n"
                   "    if os.path.exists('/proc/self/fd/' + one) and os.readlink('/proc/self/fd/' + one).startswith('socket:'):\n"
                   "        ")
        self.ends(f"run()\n{sockets}os.close(int(one))", 3, "launches=1 ")
        self.ends("run(); os._exit(0)", 3, "launches=1 ", "ended by os._exit(0)")
        self.ends(f"run()\n{sockets}os.write(int(one), b'\\xff nonsense\\n'); break", 3, "launches=1 ",
                  "a message of the session is malformed")
        self.ends(f"run()\n{sockets}os.write(int(one), b'{{' * 9); break\nos._exit(0)", 3, "launches=1 ")

    def test_programs_and_scripts_that_a_script_starts_are_in_its_report(self):
        self.write("inner.py", KERNEL + "run('unset')\n")
        inner = "subprocess.run([sys.executable, '-c', 'import runpy; runpy.run_path(\"inner.py\")'], env={**os.environ, **%s})"
        for environment in ("{}", "{'LANEDIFF_HANDOVER': ''}"):
            code, err, report = self.run_text(f"import subprocess\nrun()\n{inner % environment}")
            self.assertEqual((code, report["counts"]["launches"]), (1, 2), err)
            # That of the inner run is marked.
            self.assertEqual((err.count("kernel: SUMMARY "), err.count("\nSUMMARY ")), (1, 1), err)
            self.assertEqual([one["rule"] for one in report["findings"]], ["INIT-READ"])

    def test_a_script_that_python_runs(self):
        self.ends("run(); run()", 0, "launches=2 ", alone=True)
        self.ends("run('unset'); run()", 1, "launches=2 ", alone=True)
        self.ends("run(); raise ValueError(1)", 3, "the script raised ValueError", alone=True)
        # Then the script can't be made to end otherwise.
        self.ends("run(); os.kill(os.getpid(), signal.SIGSEGV)", 3, "the script was killed", alone=True,
                  returned=-signal.SIGSEGV)

    def test_seconds_end_a_script_that_python_runs(self):
        self.ends("run(); time.sleep(100)", 3, "ended after 2 seconds", words=("--seconds", "2"), alone=True,
                  returned=-signal.SIGKILL)

    def test_refusals_and_errors_are_in_the_report(self):
        self.ends("run(); run('refused')", 2, "k.py:12: refused: matmul (cube)\n", "refused=1 ", "launches=1 ")
        self.ends("run(); tik.Tik().tikdb.start_debug({})", 2, f"k.py:{BEHIND}: start_debug comes before BuildCCE")
        self.ends("run(); run(cloud=True)", 2,
                  f"k.py:{START}: tik/k is of atlas-training, what ran before of atlas-200-300-500; a run is of one product")
        self.ends("pass", 2, "k.py ran no kernel")

    def test_errors_of_a_feed_name_the_feed(self):
        self.write("short", "x" * 6)
        text = KERNEL.replace("return", "return lambda:")
        for word, expected in (("src=short", "--feed src=short: src is fed 3 elements, its shape [256] has 256"),
                               ("dst=short", "--feed dst: the inputs of k are src")):
            self.write("k.py", text + "run()\n")
            done = self.lanediff("run", "k.py", "--feed", word)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"lanediff run: {expected}\n", done.stderr)
        done = self.lanediff("run", "k.py", "--feed", "src=ramp:0:1")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_tensor_beyond_its_memory_is_named(self):
        self.write("k.py", KERNEL.replace('"float16", (256,), tik.scope_ubuf', '"float16", (131073,), tik.scope_ubuf') + "run()")
        done = self.lanediff("run", "k.py")
        self.assertEqual(done.returncode, 1)
        self.assertIn("KRN-UB-CAPACITY: LocalTensor is a tensor of 262146 bytes", done.stderr)

    def test_poison_both(self):
        two = ("--poison", "both")
        self.ends("run(); run('half')", 0, "launches=4 blocks=4 ", words=two)
        report = self.ends("run('unset')", 1, "launches=2 ", words=two)
        self.assertEqual([one["later"]["op"] for one in report["findings"]], ["data_move", "k"])
        self.assertEqual(report["findings"][1]["bytes"], {"memory": "GM", "at": 512, "bytes": 512})
        self.assertEqual(report["findings"][1]["later"]["site"]["line"], START)

    def test_max_errors_ends_the_script(self):
        self.ends("run('unset'); open('on', 'w')", 1, "stopped at 1 findings (--max-errors 1)", words=("--max-errors", "1"))
        self.assertFalse((self.folder / "on").exists())

    def test_every_place_is_one_of_the_script(self):
        report = self.ends("run(); run()", 0, words=("--html", "page"))
        for row in report["sites"]:
            self.assertEqual(row["site"]["file"], "k.py")
            self.assertGreater(row["site"]["line"], 0)
        self.assertNotIn("can't be read", (self.folder / "page/index.html").read_text())

    def test_order_is_checked_where_no_compiler_synchronizes(self):
        source, memory = {"file": "k.py", "line": 1}, {"size": 64, "initialised": True}

        def move(pipe, src, dst):
            return {"op": "Carried", "name": "data_move", "pipe": pipe, "source": source, "parameters": {},
                    "operands": {"dst": {"position": dst, "at": 0, "bytes": 32, "dtype": "half"},
                                 "src": {"position": src, "at": 0, "bytes": 32, "dtype": "half"}},
                    "reads": [{"memory": src, "at": 0, "bytes": 32}],
                    "writes": [{"memory": dst, "at": 0, "hex": "00" * 32}]}

        document = {"format": "lanediff-case/2", "id": "k", "product": "atlas-200-300-500", "sync": {"auto": True},
                    "start": {"mask": "ones"}, "init": "propagate", "memory": {"GM": memory},
                    "program": [{"op": "Resource", "name": "SetAtomic", "arguments": {"operation": "none"}},
                                move("MTE2", "GM", "UB"), move("MTE3", "UB", "GM")]}
        for tool, found in (("tik", 0), ("other", 2)):
            done = self.lanediff("run", "--program", "-", input=json.dumps({**document, "origin": {"tool": tool}}, indent=1))
            self.assertEqual(done.returncode, min(found, 1), done.stderr)
            self.assertIn(f" racecheck={found} ", done.stderr)
            self.assertEqual(" sync-auto=2" in done.stderr, not found)
            self.assertEqual(json.loads(done.stdout)["found"], bool(found))

    def test_what_is_no_program_is_one_line(self):
        for text, status, expected in (("{}", 2, 'the field "format" is missing'), ("{", 2, "standard input: "),
                                       ("words", 3, "words: no word of a session")):
            done = self.lanediff("run", "--program", "-", input=text)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (status, 1), done.stderr)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
