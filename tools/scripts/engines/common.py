"""What the engines of tools/scripts/test-engine share."""

import os
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


def one_run(options, place, plan, more=()):
    """The plan as a run of one shard, unless --one has it; its folder and verdict."""
    out = options.one or f"{place}/one"
    for arguments in [] if options.one else (["shard", "0/1", "--plan", plan, "--seconds", SECONDS], ["merge", "1"]):
        done = run(f"{TREE}/tools/deploy/sharded-run", *arguments, *more, "--out", out)
        if done.returncode not in (0, 1):
            raise Wrong(f"one run ends with {done.returncode}: {done.stderr.strip()[-300:]}")
    return out, int((read(f"{out}/merged/shards.txt").split() or [-1])[-1])
