"""Three simulated weeks: the runs of each day, and their expected history."""

import datetime
import json
import random
import shutil

from .common import lanediff

FIRST = datetime.date(2027, 2, 1)
DAYS = range(1, 22)
MISSED = 10  # no run at all
UNFINISHED = 9  # sweeps interrupted, a shard lost
# Planted bugs: instruction, and the days on which the target has them.
MIN, RRS, COPY, KNOWN = "min-mask-high-word-accepted", "rrs", "copy", "known"  # the last three: the first that is found
BUGS = {
    MIN: ("min", [*range(3, 9), *range(15, 18), 20, 21]),
    RRS: ("repeat_reduce_sum", [*range(6, 22)]),
    COPY: ("data_copy", [*range(5, 9)]),
}
# Days on which fuzzing meets a finding of its own; on day 11 it hardly ran.
FUZZED, SHORT = (4, 5, 7), 11
# Days with two more runs of fuzzing, of hardly any cases: seconds that sum up in binary
# only by their order, and another number of bins.
SUMMED = (4, 14)


def date(day):
    return (FIRST + datetime.timedelta(days=day - 1)).isoformat()


def stamp(day):
    return date(day) + "T02:00:00Z"


def as_model(text, target):
    return text.replace(f'"{target}"', '"model"').replace(f"--target {target}", "--target model")


class Simulation:
    def __init__(self, root, runs):
        self.root, self.runs = root, runs
        self.names = {MIN: MIN, RRS: runs.bug("repeat_reduce_sum"), COPY: runs.bug("data_copy"), KNOWN: runs.bug("max")}
        self.found = {}
        for bug, (instruction, _) in BUGS.items():
            document, _ = runs.sweep(instruction, "mutant:" + self.names[bug])
            sweeps = json.loads(document.read_text())["sweeps"]
            self.found[bug] = sorted({one["signature"] for sweep in sweeps for one in sweep.get("signatures", [])})
        self.known()

    def target(self, bug, day):
        return "mutant:" + self.names[bug] if day in BUGS[bug][1] else "emulator"

    def known(self):
        """A check of cases that a planted bug shows, all of them accepted."""
        target = "mutant:" + self.names[KNOWN]
        document, folder = self.runs.sweep("max", target)
        signatures = sorted({finding["signature"] for case in json.loads(document.read_text())["cases"] for finding in case["findings"]})
        issues = [{"signature": one, "reason": "accepted until the next release", "link": "https://example.org/17",
                   "expires": "2099-12-31"} for one in signatures]
        (self.root / "known.json").write_text(json.dumps({"format": "lanediff-known-issues/1", "issues": issues}))
        lanediff("check", folder / "findings", "--target", target, "--known-issues", self.root / "known.json",
                 "--json", self.root / "known-run.json", cwd=self.root, allowed=(0, 1))
        text = (self.root / "known-run.json").read_text()
        self.known_signatures = sorted({f["signature"] for case in json.loads(text)["cases"] for f in case["findings"]
                                        if not f["signature"].startswith("expectation/")})
        self.replay = as_model(text, target)

    def fuzz(self, day, more=0):
        """A run of fuzzing: figures that grow, and real findings on some days."""
        rng = random.Random(day)
        target = "mutant:" + self.runs.bug("trowprod")
        document, self.fuzzed = self.runs.fuzz("trowprod", target)
        run = json.loads(as_model(document.read_text(), target))
        self.fuzz_signatures = [case["id"] for case in run["cases"]]
        run |= {"fuzzers": [], "coverage": []}
        if day not in FUZZED:
            run |= {"cases": [], "groups": []}
        for i, slug in enumerate(("min", "repeat_reduce_sum", "data_copy", "trowprod")):
            cases = int((900 if day == SHORT else 40000) * (i + 1) * rng.uniform(0.9, 1.1))
            seconds = 75.0 if day != SHORT else 2.0
            slow = 0.45 if slug == "data_copy" and day >= 13 else 1  # a rate that fell
            legal = int(cases * 0.8 * slow)
            run["fuzzers"].append({
                "instruction": slug, "seed": day, "seconds": seconds, "cases": cases, "legal": legal, "nodes": legal * 90,
                "operations": legal * 100, "longRepeats": 10, "findings": 1 if day in FUZZED and slug == "trowprod" else 0, "crashes": 0,
                "rates": [{"instruction": slug, "build": "release", "kind": "legal", "cases": legal, "perSecond": legal / seconds,
                           "oracle": 0.5, "target": 0.2, "harness": 0.2, "fuzzer": 0.1}]})
            bins = 120 + 40 * i + more
            left = [b for b in range(bins) if (b * 7919 + i) % 101 > 60 + 2.2 * day ** 0.8 or rng.random() < 0.01]
            run["coverage"].append({"instruction": slug, "bins": bins, "reached": bins - len(left), "open": len(left),
                                    "holes": [{"bin": f"{slug}.bin-{b}"} for b in left]})
        return run

    def make(self, day):
        """The folders of a day, each with options of `add`."""
        nightly = self.root / f"nightly-{day:02}"
        nightly.mkdir()
        stages = [f"date {stamp(day)}", f"commit c{day:02}0ffee"]
        (nightly / "replay.json").write_text(self.replay)
        (nightly / "fuzz.json").write_text(json.dumps(self.fuzz(day)))
        target = self.target(RRS, day)
        document, findings = self.runs.sweep("repeat_reduce_sum", target)
        (nightly / "sweep.json").write_text(as_model(document.read_text(), target))
        self.copy_cases(findings, nightly)
        self.copy_cases(self.fuzzed, nightly)
        left = " unfinished" if day == UNFINISHED else ""
        stages += ["stage replay 0 4", f"stage sweep 1 31{left}", f"stage fuzz 1 300{left}"]
        (nightly / "stages.txt").write_text("\n".join(stages) + "\n")
        return [(nightly, []), (self.copy(day), self.options(day)), (self.shards(day), self.options(day))]

    def options(self, day):
        return ["--date", stamp(day), "--commit", f"c{day:02}0ffee"]

    def copy_cases(self, findings, to):
        if (findings / "findings").is_dir():
            shutil.copytree(findings / "findings", to / "findings", dirs_exist_ok=True)

    def copy(self, day):
        folder = self.root / f"copy-{day:02}"
        folder.mkdir()
        target = self.target(COPY, day)
        document, findings = self.runs.sweep("data_copy", target)
        run = json.loads(as_model(document.read_text(), target))
        if day == UNFINISHED:
            run |= {"complete": False, "unfinished": "interrupted after 3 of 5 cases"}
        (folder / "sweep.json").write_text(json.dumps(run))
        self.copy_cases(findings, folder)
        if day in SUMMED:
            for number, seconds in enumerate((0.1, 0.7)):
                run = self.fuzz(day, more=number * 4)
                run |= {"cases": [], "groups": []}
                run["fuzzers"] = [one | {"cases": 7 + number, "legal": 3, "seconds": seconds, "findings": 0} for one in run["fuzzers"]]
                (folder / f"fuzz-{number}.json").write_text(json.dumps(run))
        return folder

    def shards(self, day):
        folder = self.root / f"shards-{day:02}"
        target = self.target(MIN, day)
        shutil.copytree(self.runs.shards("min", target, 4), folder)
        for file in folder.glob("sweep.*.json"):
            text = as_model(file.read_text(), target)
            shard = json.loads(text)
            shard |= {"program": f"1.0.0+c{day:02}0ffee", "day": date(day)}
            file.write_text(json.dumps(shard))
        if day == UNFINISHED:
            (folder / "sweep.2-of-4.json").unlink()
        return folder

    def expected(self):
        """By signature: state, verbs, periods as (first seen, last seen, fixed)."""
        rows = {}
        for one in self.found[MIN]:
            # Day 9 lacks a shard, 10 is missing.
            rows[one] = ("came back", ["sweep"], [(3, 8, 11), (15, 17, 18), (20, 21, None)])
        for one in self.found[RRS]:
            rows[one] = ("open", ["sweep"], [(6, 21, None)])
        for one in self.found[COPY]:
            rows[one] = ("fixed", ["sweep"], [(5, 8, 11)])  # day 9 was interrupted
        for one in self.known_signatures:
            rows[one] = ("accepted", ["check"], [(1, 21, None)])
        # One silent day proves nothing, nor an unfinished or a short one: 8, 12, 13 do.
        for one in self.fuzz_signatures:
            rows[one] = ("fixed", ["fuzz"], [(4, 7, 8)])
        return rows
