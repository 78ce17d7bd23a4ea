"""Kernels of tests: run in this process, replayed by replay.py."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from lanediff_tik import error, session  # noqa: E402
from tbe import tik  # noqa: E402

REPLAY = f"{sys.executable} {HERE / 'replay.py'}"
PROGRAM = os.environ.get("LANEDIFF_PROGRAM", "lanediff")


def flat(value):
    if not isinstance(value, list):
        value = value.tolist() if hasattr(value, "tolist") else [value]
    return [leaf for one in value for leaf in (flat(one) if isinstance(one, list) else [one])]


def half(*values, size=128, rest=0.0):
    return "float16", [*values] + [rest] * (size - len(values))


def word(*values, size=64, rest=0.0, dtype="float32"):
    return dtype, [*values] + [rest] * (size - len(values))


class TestCase(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self._before = dict(os.environ)
        os.environ["LANEDIFF"] = REPLAY
        os.environ.pop("LANEDIFF_OPTIONS", None)
        error.outcome.__init__()

    def tearDown(self):
        session.close()
        os.environ.clear()
        os.environ.update(self._before)
        error.outcome.__init__()

    def refuses(self, text, action, status=2):
        """`action` ends with one line that has `text` and names this file."""
        with self.assertRaises(error.KernelError) as caught:
            action()
        self.assertIn(text, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(caught.exception.status, status)
        return str(caught.exception)

    def gives(self, name, calls, expected, options="", product="atlas-training", **tensors):
        """A kernel of the calls leaves each tensor in `expected` with these first elements, to
        the sign of a zero."""
        with self.subTest(name):
            error.outcome.__init__()
            kernel = Kernel(" ".join(expected), product, **tensors)
            os.environ["LANEDIFF_OPTIONS"] += options
            kernel.call(calls)
            for (of, values), found in zip(expected.items(), kernel.outputs()):
                self.assertEqual([str(float(one)) for one in found[:len(values)]], [str(float(one)) for one in values], of)

    def rejects(self, text, calls, **tensors):
        """A kernel of the calls ends with such a line."""

        def run():
            kernel = Kernel(" ".join(list(tensors)[:1]), **tensors)
            kernel.call(calls)
            kernel.run()

        with self.subTest(text):
            self.refuses(text, run)

    def document(self, run, options=""):
        """What `run` returns, and the document that was sent."""
        path = self.folder / "document.json"
        os.environ["LANEDIFF_OPTIONS"] = os.environ.get("LANEDIFF_OPTIONS", "") + f"{options} --keep {path}"
        return run(), json.loads(path.read_text(encoding="utf-8"))


class Names(dict):
    """The calls of TIK by name, beside those that it is given."""

    def __init__(self, recorder, **names):
        super().__init__(names)
        self._recorder = recorder

    def __missing__(self, name):
        if not hasattr(self._recorder, name):
            raise KeyError(name)  # of Python's own
        return getattr(self._recorder, name)


class Kernel:
    """Tensors of one dimension in UB, fed from GM: `kernel.NAME`. Those of `out`
    come out again, with what was fed where nothing was written."""

    def __init__(self, out, product="atlas-training", **tensors):
        os.environ["LANEDIFF_OPTIONS"] = f"--product {product}"
        self.tik, self._feed, self._inputs, self._out = tik.Tik(), {}, [], out.split()
        for name, (dtype, values) in tensors.items():
            gm = self.tik.Tensor(dtype, (len(values),), tik.scope_gm, name + "_gm")
            ub = self.tik.Tensor(dtype, (len(values),), tik.scope_ubuf, name)
            self.tik.data_move(ub, gm, 0, 1, len(values) * ub.type.size // 32, 0, 0)
            self._feed[name + "_gm"] = values
            self._inputs.append(gm)
            setattr(self, name, ub)

    def call(self, calls):
        """Statements in which calls and tensors stand by their names."""
        exec(calls, {}, Names(self.tik, **(vars(self) | {"tik": tik})))

    def build(self, outputs):
        self.tik.BuildCCE("kernel", self._inputs, outputs)
        return self.tik.tikdb.start_debug(feed_dict=self._feed, interactive=False)

    def run(self):
        results = self.outputs()
        return results[0] if len(results) == 1 else results

    def outputs(self):
        outputs = []
        for name in self._out:
            ub = getattr(self, name)
            gm = self.tik.Tensor(ub.dtype, ub.shape, tik.scope_gm, name + "_out")
            self.tik.data_move(gm, ub, 0, 1, ub.size * ub.type.size // 32, 0, 0)
            outputs.append(gm)
        results = [flat(one) for one in self.build(outputs)]
        assert error.outcome.status == 0, "the replay differs"
        return results


def script(*words, options="", lanediff=REPLAY, entry=("-m", "lanediff_tik")):
    """Runs python3 on `words`: the finished process, its texts captured."""
    environment = dict(os.environ, PYTHONPATH=str(HERE.parent), LANEDIFF=lanediff, LANEDIFF_OPTIONS=options)
    return subprocess.run([sys.executable, *entry, *map(str, words)], env=environment, capture_output=True, text=True,
                          check=False)
