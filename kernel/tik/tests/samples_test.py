"""The samples of vec_trans's page give the values that it prints, and lanediff
finds nothing."""

import os
import runpy
import unittest

from support import HERE, PROGRAM, TestCase, flat, script
from lanediff_tik import session


def outputs(sample, values):
    names = runpy.run_path(str(HERE / "samples" / sample))
    out, = names["tik_instance"].tikdb.start_debug(feed_dict={"src_gm": values}, interactive=False)
    return flat(out)


class Samples(TestCase):

    def setUp(self):
        super().setUp()
        os.environ["LANEDIFF"] = PROGRAM

    def tearDown(self):
        status = session.close()
        super().tearDown()
        self.assertEqual(status, 0)

    def test_one_block(self):
        out = outputs("vec_trans_1.py", [k + 1 for k in range(256)])
        self.assertEqual(out[:4], [1, 17, 33, 49])
        self.assertEqual(out, [1 + 16 * (k % 16) + k // 16 for k in range(256)])

    def test_every_other_block(self):
        out = outputs("vec_trans_2.py", list(range(768)))
        self.assertEqual(out[:3] + out[16:18], [0, 16, 32, 1, 17])
        self.assertEqual(out[256:512], [0] * 256)
        self.assertEqual(out[512:], [256 + 16 * (k % 16) + k // 16 for k in range(256)])

    def test_fed_by_the_command(self):
        done = script(HERE / "samples" / "vec_trans_1.py", "--feed", "src_gm=ramp:1:1", lanediff=PROGRAM)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("\nCHECKED launches=1 blocks=1 audited=3 legality=3 values=3 carried=0 ", done.stderr)
        self.assertIn(" initcheck=0 paramcheck=0 maskcheck=0 valuecheck=0 suppressed=0 notes=0 status=0\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
