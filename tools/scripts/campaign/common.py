"""The programs that are run, and what was found wrong."""

import collections
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
LANEDIFF = str(Path(os.environ.get("LANEDIFF", ROOT / "build/release/bin/lanediff")).resolve())
FUZZERS = Path(os.environ.get("LANEDIFF_FUZZERS", ROOT / "build/fuzz/bin")).resolve()

counts = collections.Counter()  # FAILED, NOT TESTED


def expect(what, found, wanted):
    if found != wanted:
        counts["FAILED"] += 1
        print(f"FAILED: {what}:\n  found    {found}\n  expected {wanted}")


def lanediff(*arguments, cwd, allowed=(0,)):
    done = subprocess.run([LANEDIFF, *map(str, arguments)], cwd=cwd, capture_output=True, text=True)
    if done.returncode not in allowed:
        print(f"test-campaign: lanediff {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")
        sys.exit(1)
    return done


def report(campaign, to):
    lanediff("campaign", "report", "--campaign", campaign, "--json", to / "campaign.json", "--html", to / "page", cwd=to)
    return (to / "campaign.json").read_text(), (to / "page/index.html").read_text()


def add(campaign, folders, arguments, cwd, allowed=(0,)):
    return lanediff("campaign", "add", *folders, *arguments, "--campaign", campaign, cwd=cwd, allowed=allowed)
