"""What the engines of tools/scripts/test-engine share: the promises of a sharded run, which
each of them is held to."""

import glob
import os
import re
import signal
import subprocess
import time

TREE = os.path.realpath(f"{os.path.dirname(__file__)}/../../..")
SECONDS = "2"  # of fuzzing


class Unfit(Exception):
    """The test could not run: one line."""


class Wrong(Exception):
    """The test failed: one line."""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


def output(*command):
    done = run(*command)
    if done.returncode != 0:
        raise Unfit(f"{' '.join(map(str, command[:3]))}: {((done.stderr or done.stdout).strip().splitlines() or ['no output'])[-1]}")
    return done.stdout


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def excerpt(log):
    """The first and last lines of an output."""
    lines = read(log).strip().splitlines()
    return " / ".join([*lines[:1], *lines[1:][-2:]]) or "no output"


def report(text):
    print(f"test-engine: {text}", flush=True)


def wait_for(seconds, what, condition):
    """The first result of a condition that is not false."""
    end = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > end:
            raise Wrong(f"no {what}")
        time.sleep(0.05)
    return result


def children(pid):
    return [int(child) for task in (os.listdir(f"/proc/{pid}/task") if os.path.isdir(f"/proc/{pid}/task") else [])
            for child in read(f"/proc/{pid}/task/{task}/children").split()]


def tree_of(pid):
    """The process and all that it has started."""
    return [pid, *(one for child in children(pid) for one in tree_of(child))]


def kill(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def check_same(one, other):
    done = run(f"{TREE}/tools/scripts/compare-runs", one, other)
    if done.returncode != 0:
        raise Wrong(f"{other} is not as one run: {(done.stdout + done.stderr).strip()}")
    report(done.stdout.strip().splitlines()[-1])


class Engine:
    """Jobs of numbers 0 to N, of which the last one merges, as processes: those that a matrix of
    a workflow starts by the variables SHARD and SHARDS. Other engines start, repeat and end
    jobs in another way. `strikes` are what it can do to the job of a shard."""

    shards, strikes, more, keep = 3, ["kill", "term"], (), None
    # What holds for results in whose folder something is done: command, arguments of
    # sharded-run, status and text. `{one}` and `{last}` are shards, `{n}` is their number.
    promises = [
        ("rerun", "", "shard {one}/{n}", 0, "is whole already"),
        ("merged again", "", "merge {n}", None, "of these shards already"),
        ("another plan", "", "shard {one}/{n} --seed 9", 2, "of another run: "),
        ("another build", "other", "merge {n}", 2, "nothing is merged"),
        ("another number of shards", "", "merge {last}", 2, "shards are to be merged"),
        ("damaged", "echo >>{one}-of-{n}/replay.txt", "merge {n} --replace", 2, "shard {one}/{n} is damaged"),
        ("damaged, run again", "", "shard {one}/{n}", 0, "its damaged stages are run again"),
        ("twice", "mv {last}-of-{n} kept; cp -r {one}-of-{n} {last}-of-{n}", "merge {n} --replace", 2, "which is there twice"),
        ("lost", "rm -r {last}-of-{n}", "merge {n} --replace", 2, "shard {last}/{n} is missing"),
        ("lost, brought back", "mv kept {last}-of-{n}", "merge {n} --replace", None, "verdict"),
    ]

    def __init__(self, options, place, plan):
        self.options, self.place, self.plan = options, place, plan
        self.shards = options.shards or self.shards
        self.strikes = options.only or self.strikes
        self.out, self.hit = f"{place}/out", {}
        self.deploy, self.user = options.deploy, []  # of commands beside the jobs

    def start(self, number):
        """The process of a job, and where its output goes."""
        log = f"{self.place}/{number}.log"
        with open(log, "a") as file:
            return subprocess.Popen([f"{self.options.deploy}/sharded-run", "job", "--wait", "300", "--out", self.out, "--plan", self.plan,
                                     "--seconds", SECONDS, *self.more], env={**os.environ, "SHARD": str(number), "SHARDS": str(self.shards)},
                                    stdin=subprocess.DEVNULL, stdout=file, stderr=file), log

    def again(self, number, status):
        return status == 75 and len(self.statuses[number]) < 6

    def begin(self):
        self.statuses = [[] for _ in range(self.shards + 1)]
        self.jobs = [self.start(number) for number in range(self.shards + 1)]

    def step(self):
        """Repeats jobs that failed; whether all have ended."""
        for number, (process, _) in enumerate(self.jobs):
            if process and process.poll() is not None:
                self.statuses[number].append(process.returncode)
                again = process.returncode != 0 and self.again(number, process.returncode)
                if process.returncode != 0 and not again and number < self.shards:
                    raise Wrong(f"shard {number}: statuses {self.statuses[number]}: {excerpt(self.log(number))}")
                self.jobs[number] = self.start(number) if again else (None, self.log(number))
        return not any(process for process, _ in self.jobs)

    def strike(self, name, shard, pid):
        """Does something to a shard whose lanediff is a process; whether it hit."""
        process = self.jobs[shard][0]
        if name == "kill":
            kill([pid], signal.SIGKILL)
        else:
            kill([self.main(process)], signal.SIGTERM)
        return True

    def main(self, process):
        """The process of sharded-run."""
        return process.pid

    def verdict(self):
        return self.statuses[-1][-1]

    def log(self, shard):
        return self.jobs[self.shards if shard == "merge" else shard][1]

    def stop(self):
        for process, _ in getattr(self, "jobs", []):
            if process and process.poll() is None:
                kill(tree_of(process.pid), signal.SIGKILL)

    def pick(self, name):
        """A shard in the middle of exhaust that was not disturbed yet, and its lanediff. The last
        one is for "kill": its task of an array has the id of the whole array."""
        if self.step():
            raise Wrong(f'all jobs ended before "{name}": {excerpt(self.log(0))}')
        for shard in [self.shards - 1] if name == "kill" else range(self.shards - 1):
            folder = f"{self.out}/{shard}-of-{self.shards}"
            if shard not in self.hit.values() and not os.path.exists(f"{folder}/exhaust.done") and glob.glob(f"{folder}/exhaust/exhaust/*.state.json"):
                for pid in run("pgrep", "-f", "--", rf"lanediff exhaust .* --out [^ ]*/{shard}-of-{self.shards}/exhaust$").stdout.split():
                    if not read(f"/proc/{pid}/comm").startswith("timeout"):
                        return shard, int(pid)
        return None

    def script(self, environment, *arguments):
        return run(*self.user, f"{self.deploy}/sharded-run", arguments[0], "--out", self.out, "--plan", self.plan, "--seconds", SECONDS, *self.more,
                   *arguments[1:], env={**os.environ, **environment})

    def one_run(self):
        """The plan as a run of one shard, unless --one has it; its results and verdict."""
        out = self.options.one or f"{self.place}/one"
        for arguments in [] if self.options.one else (["shard", "0/1"], ["merge", "1"]):
            done = run(f"{TREE}/tools/deploy/sharded-run", *arguments, "--plan", self.plan, "--seconds", SECONDS, *self.more,
                       *(["--keep", self.keep] if self.keep else []), "--out", out)
            if done.returncode not in (0, 1):
                raise Wrong(f"one run ends with {done.returncode}: {done.stderr.strip()[-300:]}")
        return f"{out}/merged", int((read(f"{out}/merged/shards.txt").split() or [-1])[-1])

    def check_early(self):
        done = self.script({}, "merge", self.shards)
        if done.returncode != 2 or os.path.exists(f"{self.out}/merged"):
            raise Wrong(f"a merge before the shards are whole ends with {done.returncode}, or writes: {done.stderr.strip()}")

    def check_shard(self, shard, disturbance):
        """A shard that was ended continued, and did no stage twice."""
        log = self.log(shard)
        if not os.path.isfile(f"{self.out}/{shard}-of-{self.shards}/whole.txt"):
            raise Wrong(f"shard {shard} did not get whole: {excerpt(log)}")
        if disturbance in (None, "daemon"):
            if re.search("is (done|whole) already", read(log)):
                raise Wrong(f"shard {shard} was run again, though nothing had ended it")
        elif not re.search("^sharded-run: replay is done already", read(log), re.M):
            raise Wrong(f"{disturbance}: shard {shard} was not run again")
        elif not re.search("goes on from|was finished at", read(log)):
            raise Wrong(f"{disturbance}: exhaust of shard {shard} did not go on where it was")

    def check_promises(self, one, wanted):
        names = {"one": 0, "last": self.shards - 1, "n": self.shards}
        other = f"{self.place}/other/lanediff"
        os.makedirs(os.path.dirname(other))
        with open(other, "w") as file:
            file.write(f'#!/bin/sh\n[ "$1" != --version ] || {{ echo 1.0.0+other; exit; }}\nexec {self.options.lanediff} "$@"\n')
        os.chmod(other, 0o755)
        for name, command, arguments, status, text in self.promises:
            if command != "other":
                subprocess.run(command.format(**names), shell=True, check=True, cwd=self.out)
            done = self.script({"LANEDIFF": other} if command == "other" else {}, *arguments.format(**names).split())
            if done.returncode != (wanted if status is None else status) or text.format(**names) not in done.stderr:
                raise Wrong(f"{name}: status {done.returncode}: {done.stderr.strip()[-300:]}")
        check_same(one, f"{self.out}/merged")
        report(f"{len(self.promises)} promises hold")

    def check(self):
        one, wanted = self.one_run()
        self.begin()
        self.check_early()
        for name in self.strikes:
            while True:
                shard, pid = wait_for(180, f'shard at work for "{name}"', lambda name=name: self.pick(name))
                if self.strike(name, shard, pid):
                    break
            self.hit[name] = shard
            report(f"{name}: shard {shard}")
        wait_for(600, "end of all jobs", self.step)
        by = {shard: name for name, shard in self.hit.items()}
        for shard in range(self.shards):
            self.check_shard(shard, by.get(shard))
        if not os.path.isfile(f"{self.out}/merged/shards.txt"):
            raise Wrong(f"no merged results: {excerpt(self.log('merge'))}")
        if self.verdict() != wanted:
            raise Wrong(f"verdict {self.verdict()}; one run has {wanted}: {excerpt(self.log('merge'))}")
        check_same(one, f"{self.out}/merged")
        self.check_promises(one, wanted)
