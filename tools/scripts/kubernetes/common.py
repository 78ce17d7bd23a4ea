"""Calls of programs, and errors."""

import os
import subprocess

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
JOB_NAME = "batch.kubernetes.io/job-name"


class Unfit(Exception):
    """The test could not run: one line."""


class Wrong(Exception):
    """The test failed: one line."""


def report(text):
    print(f"test-kubernetes: {text}", flush=True)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def output(*command):
    done = run(*command)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no output"]
        raise Unfit(f"{' '.join(command[:3])}: {lines[-1]}")
    return done.stdout
