"""Real runs, the base of the simulated days."""

import json
import shutil
import subprocess
import sys

from .common import FUZZERS, LANEDIFF, ROOT, counts, lanediff


def mutants(instruction):
    lines = subprocess.run([LANEDIFF, "list", "mutants"], capture_output=True, text=True).stdout.splitlines()
    return [line.split()[0] for line in lines if line.split()[1] == instruction]


class Runs:
    """Real runs, made once: of the emulator and of planted bugs."""

    def __init__(self, work):
        self.work = work

    def sweep(self, instruction, target):
        name = f"sweep-{instruction}-{target.replace(':', '-')}"
        if not (self.work / f"{name}.json").exists():
            lanediff("sweep", "--instruction", instruction, "--max-cases", 3, "--sample", "--target", target,
                     "--out", name, "--json", f"{name}.json", cwd=self.work, allowed=(0, 1))
        return self.work / f"{name}.json", self.work / name

    def shards(self, instruction, target, count):
        name = f"shards-{instruction}-{target.replace(':', '-')}"
        for i in range(count):
            if not (self.work / name / f"sweep.{i}-of-{count}.json").exists():
                lanediff("sweep", "--instruction", instruction, "--max-cases", 3, "--sample", "--target", target,
                         "--shard", f"{i}/{count}", "--out", name, cwd=self.work, allowed=(0, 1, 2))
        return self.work / name

    def fuzz(self, instruction, target):
        """A document with findings, and the folder of their cases."""
        name = f"fuzz-{instruction}-{target.replace(':', '-')}"
        document, folder, seconds = self.work / f"{name}.json", self.work / name, 3
        # How far a seed gets in that time depends on who else uses the processors.
        while not document.exists() or not json.loads(document.read_text())["cases"]:
            if seconds > 48:
                print(f"test-campaign: {seconds // 2} seconds of fuzzing found nothing on {target}")
                sys.exit(1 if counts["FAILED"] else 2)
            shutil.rmtree(folder, ignore_errors=True)
            lanediff("fuzz", "--fuzzers", FUZZERS, "--corpus", ROOT / "corpus", "--instruction", instruction, "--seconds", seconds,
                     "--seed", 1, "--target", target, "--out", name, "--json", document, cwd=self.work, allowed=(0, 1))
            seconds *= 2
        return document, folder

    def exhaust(self):
        target, name = "mutant:rrs-saturation-missing", "exhaust"
        lanediff("exhaust", "sum-half-saturating", "--range", "8158188..8158192", "--target", target,
                 "--out", name, "--json", f"{name}.json", cwd=self.work, allowed=(1,))
        return self.work / f"{name}.json", self.work / name, target

    def bug(self, instruction):
        """A planted bug that the small sweep finds."""
        for name in mutants(instruction):
            document, _ = self.sweep(instruction, "mutant:" + name)
            if json.loads(document.read_text())["cases"]:
                return name
        sys.exit(2)
