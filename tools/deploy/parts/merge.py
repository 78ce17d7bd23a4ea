"""Merges the shards of a run."""

import re
import shutil
import subprocess
import time

from .plan import MERGE_CORPUS, difference, identity_of, read_plan
from .shard import holds, is_incomplete, make_work, read_whole, result_of, run_shard
from .work import Again, Wrong, lock, log, make_writable, put, remove, run, state, sum_of, sync


def folder_of(options, number):
    return options.out / f"{number}-of-{options.count}"


def missing_shards(options, whole=holds):
    """Those that are not whole, or not what they were."""
    return [number for number in range(options.count) if not whole(folder_of(options, number))]


def is_hopeless(options, numbers):
    """Whether another try of one of them would fail."""
    return any((folder_of(options, number) / "no-use").is_file() for number in numbers)


def worst_of(statuses):
    """1 beats 3 beats 2 beats others beat 0."""
    return min(statuses, key=lambda status: {1: 0, 3: 1, 2: 2, 0: 4}.get(status, 3), default=0)


def wait_for_shards(options):
    """Until all are whole, --wait is over, or one failed for good; the check names the
    missing ones then."""
    end = time.monotonic() + options.wait
    while missing := missing_shards(options, lambda folder: (folder / "whole.txt").is_file()):
        if time.monotonic() >= end or is_hopeless(options, missing):
            return
        time.sleep(2)


def run_missing(options, make_inputs):
    """Runs lost shards here, one after the other; one that fails for good stays."""
    missing = missing_shards(options)
    for number in [] if is_hopeless(options, missing) else missing:
        log(f"shard {number} is not whole; the merge runs it")
        try:
            run_shard(options, number, options.count, make_inputs)
        except Wrong as error:
            log(error)


def fault_of(options, number):
    """What is wrong with a shard; empty if nothing is."""
    folder, first = folder_of(options, number), folder_of(options, 0)
    if not folder.is_dir():
        return f"is missing: no {folder}"
    if not (folder / "whole.txt").is_file():
        if (folder / "no-use").is_file():
            return f"is not whole, and another try would fail: {(folder / 'no-use').read_text().splitlines()[0]}"
        return f"is not whole: no {folder}/whole.txt; run it again"
    if not holds(folder):
        return f"is damaged: {folder} does not match its whole.txt; run it again, or copy it again"
    ours, theirs = ("\n".join(read_whole(one) or []) for one in (folder, first))
    found = re.search("^shard (.*)", ours, re.M)[1]
    if found != f"{number}/{options.count}":
        return f"is missing: {folder} holds shard {found}, which is there twice"
    differ = theirs and difference(identity_of(ours), identity_of(theirs))
    return f"is of another run: {differ} in {first}" if differ else ""


class Merge:
    def __init__(self, options, inputs):
        self.options, self.inputs = options, inputs
        self.folders = [folder_of(options, number) for number in range(options.count)]
        self.new = options.out / ".merged.new"
        self.merged = self.new / "merged"
        self.statuses = []

    def check_shards(self):
        """All are there, once each, and of one run."""
        wrong = False
        for folder in sorted(self.options.out.glob("*-of-*")):
            found = re.fullmatch(r"(0|[1-9]\d*)-of-([1-9]\d*)", folder.name)
            if found and folder.is_dir() and (int(found[2]) != self.options.count or int(found[1]) >= self.options.count):
                log(f"{folder}: is there, but {self.options.count} shards are to be merged")
                wrong = True
        for number in range(self.options.count):
            if fault := fault_of(self.options, number):
                log(f"shard {number}/{self.options.count} {fault}")
                wrong = True
        if wrong:
            raise Wrong("nothing is merged")
        self.wholes = [read_whole(folder) for folder in self.folders]
        theirs = self.lines(0, "version")[0]
        if theirs != self.inputs.version:
            raise Wrong(f"the shards are of {theirs}, but {self.inputs.lanediff} of {self.inputs.version}; nothing is merged")

    def lines(self, number, word):
        """The lines of a shard that begin with a word, without it."""
        return [line[len(word) + 1:] for line in self.wholes[number] if line.startswith(f"{word} ")]

    def stage_line(self, number, name):
        """Status and seconds of a shard's stage."""
        return next([int(one) for one in line.split()[1:3]] for line in self.lines(number, "stage") if line.split()[0] == name)

    def write_stage(self, name, status, seconds, left=""):
        self.statuses.append(status)
        with open(self.merged / "stages.txt", "a") as file:
            print(f"stage {name} {status} {int(seconds)}{left}", file=file)

    def lay_out(self, name, verb, results):
        """Moves the results of a stage to where script/nightly writes them."""
        for suffix in ("json", "xml", "sarif"):
            if (results / f"{verb}.{suffix}").exists():
                (results / f"{verb}.{suffix}").rename(self.merged / f"{name}.{suffix}")
        for path in [*results.glob("lanediff-fuzz*"), results / "fuzz-corpus", results / "exhaust"]:
            shutil.rmtree(path, ignore_errors=True)
        for folder in ("findings", "unconfirmed"):
            if (results / folder).is_dir():
                shutil.copytree(results / folder, self.merged / folder, dirs_exist_ok=True)
                shutil.rmtree(results / folder)
        results = results / "audit" if verb == "audit" else results
        if any(results.iterdir()):
            results.rename(self.merged / name)

    def merge_stage(self, stage):
        name, verb, start = stage.name, stage.verb, time.monotonic()
        work = make_work(self.new / "work", self.inputs.corpus)
        results = work / "merged"
        if self.options.count == 1:
            shutil.copytree(self.folders[0] / name, results, symlinks=True)
            shutil.copy(self.folders[0] / f"{name}.txt", self.merged / f"{name}.txt")
            status = self.stage_line(0, name)[0]
        else:
            if verb == "audit":
                results.mkdir()
            status = run(name, [self.inputs.lanediff, "merge", *(folder / name for folder in self.folders), "--verb", verb,
                                "--out", "merged/audit" if verb == "audit" else "merged"], self.merged / f"{name}.txt", self.lock, cwd=work)
            if status > 3:
                raise Again(f"{name} ended with status {status}")
            if not (results / result_of(verb)).is_file():
                raise Wrong(f"{name} can't be merged; nothing is")
        left = " unfinished" if is_incomplete(results / result_of(verb)) else ""
        seconds = sum(self.stage_line(number, name)[1] for number in range(self.options.count))
        self.lay_out(name, verb, results)
        self.write_stage(name, 2 if left and status == 0 else status, seconds + time.monotonic() - start, left)

    def merge_inputs(self):
        """A pass that was interrupted goes on if inputs are the same, by name, size and time."""
        start, log_file = time.monotonic(), self.merged / "inputs.txt"
        fresh = self.new / "fresh"
        fresh.mkdir()
        for folder in self.folders:
            if (folder / "fuzz/fuzz-corpus").is_dir():
                shutil.copytree(folder / "fuzz/fuzz-corpus", fresh, dirs_exist_ok=True)
        accept = ["--accept-shrinking"] if self.options.accept_shrinking else []
        status = run("inputs", ["bash", "-c", 'exec "$@" 2>&1', "bash", MERGE_CORPUS, "--fuzzers", self.inputs.fuzzers, *accept, self.options.keep, fresh],
                     log_file, self.lock)
        if status > 3:
            raise Again(f"inputs ended with status {status}: {log_file.read_text(errors='replace').rstrip().rpartition(chr(10))[2]}")
        self.write_stage("inputs", status, time.monotonic() - start)

    def done_before(self, sums):
        """The verdict of results of these shards."""
        try:
            *lines, last = (self.options.out / "merged/shards.txt").read_text().splitlines()
        except FileNotFoundError:
            return None
        return int(last.split()[1]) if lines == sums else None

    def run(self):
        out = self.options.out
        self.lock = lock(out / ".merged.lock", "another merge")
        merged, old = out / "merged", out / ".merged.old"
        if not merged.exists() and old.exists():  # killed between the two renames below
            old.rename(merged)
        self.check_shards()
        sums = [f"{sum_of(folder / 'whole.txt')}  {folder.name}/whole.txt" for folder in self.folders]
        verdict = self.done_before(sums)
        if verdict is not None and not self.options.accept_shrinking:
            log(f"{merged} is of these shards already; verdict {verdict}")
            return verdict
        if merged.exists() and verdict is None and not self.options.replace:
            raise Wrong(f"{merged}: is there, of other shards; --replace puts these in its place")
        remove(self.new)
        self.merged.mkdir(parents=True)
        try:
            return self.build(merged, old, sums)
        finally:
            shutil.rmtree(self.new, ignore_errors=True)

    def build(self, merged, old, sums):
        stages = read_plan("\n".join(self.lines(0, "plan")), self.folders[0] / "whole.txt")
        keep = self.options.keep and any(stage.verb == "fuzz" for stage in stages)
        if keep:
            self.inputs.find_fuzzers()
        # Of 1.0.0+COMMIT, or 1.0.0+COMMIT.changed.SUM.
        commit = re.search(r"\+([^.]*)", self.inputs.version)
        (self.merged / "stages.txt").write_text(f"date {min(self.lines(number, 'date')[0] for number in range(self.options.count))}\n"
                                                + (f"commit {commit[1]}\n" if commit else ""))
        for stage in stages:
            self.merge_stage(stage)
        if keep:
            self.merge_inputs()
        shutil.rmtree(self.new / "work", ignore_errors=True)
        done = subprocess.run([self.inputs.lanediff, "index", "merged"], cwd=self.new, stdout=subprocess.DEVNULL, check=False).returncode
        if not 0 <= done <= 3 or not (self.merged / "index.html").is_file():
            raise Again("no page could be made")
        self.statuses.append(done)
        verdict = worst_of(self.statuses)
        put(self.merged / "shards.txt", "\n".join([*sums, f"verdict {verdict}", ""]))
        state.busy = True  # the rest is done in any case
        shutil.rmtree(old, ignore_errors=True)
        if merged.exists():
            merged.rename(old)
        self.merged.rename(merged)
        sync(self.options.out)
        shutil.rmtree(old, ignore_errors=True)
        print((merged / "stages.txt").read_text(), end="", flush=True)
        log(f"verdict {verdict}; {merged}/index.html leads to the rest")
        return verdict


def run_merge(options, make_inputs):
    """The verdict of a run."""
    make_writable(options.out)  # before it waits
    wait_for_shards(options)
    if options.rerun:
        run_missing(options, make_inputs)
    return Merge(options, make_inputs()).run()
