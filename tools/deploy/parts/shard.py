"""A shard of a run."""

import contextlib
import os
import re
import shutil
import subprocess
import time
from datetime import datetime, timezone
from pathlib import Path

from .plan import MERGE_CORPUS, difference, identity_of
from .work import HOPELESS, Again, Wrong, files_below, lock, log, make_writable, put, remove, run, sum_of, sum_of_text, sums_hold


def make_work(folder, corpus):
    """The folder in which lanediff runs: the corpus is `corpus` there."""
    remove(folder)
    folder.mkdir(parents=True)
    (folder / "corpus").symlink_to(corpus)
    return folder


def result_of(verb):
    """The main file in a folder of results."""
    return "audit/audit.json" if verb == "audit" else f"{verb}.json"


def is_incomplete(path):
    return re.search(r'"complete": *false|"notFinished": *[1-9]', path.read_text(errors="replace"))


def report_options(verb):
    """Of a run of one shard."""
    if verb == "audit":
        return ["--out", "merged/audit"]
    return ["--json", f"merged/{verb}.json", "--junit", f"merged/{verb}.xml", "--html", "merged",
            *([] if verb in ("check", "mutants") else ["--out", "merged"]),
            *([] if verb == "mutants" else ["--sarif", f"merged/{verb}.sarif"])]


def read_whole(folder):
    """The lines of a shard's whole.txt, if it is there to its last line."""
    try:
        text = (folder / "whole.txt").read_text(errors="surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return None
    body, _, last = text.rstrip("\n").rpartition("\n")
    return body.splitlines() if last == f"whole {sum_of_text(body)}" else None


def holds(folder):
    """Whether a shard is whole, and all files that merge reads are unchanged."""
    lines = read_whole(folder)
    return lines is not None and sums_hold(folder, lines)


def reset_findings(fuzz):
    """Moves the findings of an ended try of fuzzing back to its artifacts. The next try
    confirms and reports them again."""
    for own in fuzz.glob("lanediff-fuzz*"):
        for file in [file for folder in ("findings", "unconfirmed") if (fuzz / folder).is_dir() for file in sorted((fuzz / folder).iterdir())]:
            if file.suffix == ".input":
                # Of the program that its case names, made again; without a case, of the reader.
                case = file.with_suffix(".json")
                tool = re.search('"tool": *"lanediff-fuzz-([^"]*)"', case.read_text()) if case.exists() else None
                to, suffix = own / f"artifacts/{tool[1] if tool else 'case_json'}@{file.name}", ""
                case.unlink(missing_ok=True)
            elif not file.exists():
                continue
            elif "@" in file.name:
                to, suffix = own / "artifacts" / file.name, ""
            else:
                to, suffix = own / "raw" / file.name.removesuffix(".json"), ".json"
            names = (Path(f"{to}{number}{suffix}") for number in ["", *(f"-{n}" for n in range(1, 1000000))])
            file.rename(next(name for name in names if not name.exists()))


class Shard:
    def __init__(self, options, number, count):
        self.options, self.count = options, count
        self.part = f"{number}/{count}"
        self.document = f"{number}-of-{count}.json"
        self.folder = options.out / f"{number}-of-{count}"

    def run(self, inputs):
        """Does what is not done yet."""
        inputs.load_plan()
        ours = inputs.identity()
        make_writable(self.folder)
        self.lock = lock(self.folder / "lock", f"another try of shard {self.part}")
        (self.folder / "no-use").unlink(missing_ok=True)
        record = self.folder / "run.txt"
        if not record.exists():
            put(record, "\n".join([*ours, f"date {datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}", ""]))
        elif differ := difference(identity_of(record.read_text()), ours):
            raise Wrong(f"{self.folder}: of another run: {differ}; another --out, or an empty folder, is allowed")
        whole = self.folder / "whole.txt"
        if whole.exists():
            if holds(self.folder):
                log(f"shard {self.part} is whole already")
                return
            log(f"{self.folder}: shard {self.part} is damaged; its damaged stages are run again")
            whole.unlink()
        for stage in inputs.stages:
            self.run_stage(stage, inputs)
        shutil.rmtree(self.folder / "work", ignore_errors=True)
        dones = [(self.folder / f"{stage.name}.done").read_text() for stage in inputs.stages]
        body = "\n".join(["lanediff-sharded-run/1", f"shard {self.part}", (record.read_text() + "".join(dones)).rstrip("\n")])
        put(whole, f"{body}\nwhole {sum_of_text(body)}\n")
        log(f"shard {self.part} is whole: {self.folder}")

    def is_done(self, name):
        try:
            lines = (self.folder / f"{name}.done").read_text(errors="surrogateescape").splitlines()
        except FileNotFoundError:
            return False
        return any(re.fullmatch(rf"stage {name} \d+ \d+( unfinished)?", line) for line in lines) and sums_hold(self.folder, lines)

    def sums(self, name):
        """The files of a stage that merge reads, with their sums."""
        skipped = re.compile(rf"{name}/(lanediff-fuzz|exhaust/)")
        names = [os.path.relpath(path, self.folder) for path in files_below(self.folder / name)] + [f"{name}.txt"]
        return [f"{sum_of(self.folder / one)}  {one}" for one in names if not skipped.match(one)]

    def run_stage(self, stage, inputs):
        name, verb, start = stage.name, stage.verb, time.monotonic()
        results, done = self.folder / name, self.folder / f"{name}.done"
        document = results / f"{verb}.{self.document}"
        if self.is_done(name):
            log(f"{name} is done already")
            return
        # Only `exhaust` and `fuzz` continue an earlier try. A stage that was done is damaged
        # here, and a continued one would not write its findings again.
        if verb not in ("exhaust", "fuzz") or done.exists():
            remove(results)
        done.unlink(missing_ok=True)
        results.mkdir(exist_ok=True)
        work = make_work(self.folder / "work", inputs.corpus)
        command = [inputs.lanediff, *inputs.command(stage, self.part, self.options.jobs)]
        if self.count == 1:
            document = results / result_of(verb)
            (work / "merged").symlink_to(results)
            command += report_options(verb)
        else:
            command += ["--out", results]
        if verb == "fuzz":
            reset_findings(results)
            if self.options.keep and subprocess.run([MERGE_CORPUS, "--copy", self.options.keep, results / "fuzz-corpus"], check=False).returncode:
                raise Again(f"{self.options.keep}: can't be copied")
        if verb not in ("mutants", "fuzz"):  # these end by themselves
            command = ["timeout", "--foreground", "--preserve-status", "-k", "60", str(self.options.share), *command]
        document.unlink(missing_ok=True)
        log(f"{name} of shard {self.part}")
        status = run(name, command, self.folder / f"{name}.txt", self.lock, cwd=work)
        took = int(time.monotonic() - start)
        if status > 3:
            raise Again(f"{name} ended with status {status} after {took} s")
        if not document.exists():
            if status == 2:
                raise Wrong(f"{name} can't be run as {self.options.plan} specifies: lanediff {' '.join(inputs.command(stage, self.part, self.options.jobs))}")
            raise Again(f"{name} left no result")
        left = ""
        if verb == "mutants":  # the result counts the mutants that the cap skipped
            left = " unfinished" if is_incomplete(document) else ""
        elif re.search('^  "complete": *false', document.read_text(errors="replace"), re.M):
            raise Again(f"{name} is not complete after {took} s (a stage has --share {self.options.share} s in each try)")
        for seeds in results.glob("lanediff-fuzz*/seeds"):  # the corpus once more, and it is the same in every shard
            shutil.rmtree(seeds)
        put(done, "\n".join([f"stage {name} {status} {took}{left}", *self.sums(name), ""]))


def run_shard(options, number, count, make_inputs):
    """Runs a shard; where another try would fail, its folder has the reason."""
    shard = Shard(options, number, count)
    try:
        shard.run(make_inputs())
    except (Wrong, OSError) as error:
        if isinstance(error, Wrong) or error.errno in HOPELESS:
            with contextlib.suppress(OSError):  # the status is the same
                make_writable(shard.folder)
                (shard.folder / "no-use").write_text(f"{error}\n")
        raise
