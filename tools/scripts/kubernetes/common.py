"""How all parts call programs, and what they end with."""

import os
import subprocess

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
JOB_NAME = "batch.kubernetes.io/job-name"


class Unfit(Exception):
    """It could not be tried: one line."""


class Wrong(Exception):
    """It came out wrong: one line."""


def say(text):
    print(f"test-kubernetes: {text}", flush=True)


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def output(*command):
    done = run(*command)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no output"]
        raise Unfit(f"{' '.join(command[:3])}: {lines[-1]}")
    return done.stdout
