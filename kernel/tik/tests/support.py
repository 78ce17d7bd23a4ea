"""Kernels of tests: run in this process, replayed by replay.py."""

import os
import pathlib
import subprocess
import sys
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


class TestCase(unittest.TestCase):

    def setUp(self):
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


class Kernel:
    """Tensors of one dimension in UB, fed from GM: `bench.NAME`. Those of `out`
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

    def run(self):
        outputs = []
        for name in self._out:
            ub = getattr(self, name)
            gm = self.tik.Tensor(ub.dtype, ub.shape, tik.scope_gm, name + "_out")
            self.tik.data_move(gm, ub, 0, 1, ub.size * ub.type.size // 32, 0, 0)
            outputs.append(gm)
        self.tik.BuildCCE("kernel", self._inputs, outputs)
        results = [flat(one) for one in self.tik.tikdb.start_debug(feed_dict=self._feed, interactive=False)]
        assert error.outcome.status == 0, "the replay differs"
        return results[0] if len(results) == 1 else results


def script(*words, options="", lanediff=REPLAY, entry=("-m", "lanediff_tik")):
    """Runs python3 on `words`: the finished process, its texts captured."""
    environment = dict(os.environ, PYTHONPATH=str(HERE.parent), LANEDIFF=lanediff, LANEDIFF_OPTIONS=options)
    return subprocess.run([sys.executable, *entry, *map(str, words)], env=environment, capture_output=True, text=True,
                          check=False)
