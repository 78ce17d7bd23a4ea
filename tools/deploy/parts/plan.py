"""The inputs of a run: program, corpus, fuzz programs, plan, and what is equal in all shards."""

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .work import Again, Wrong, files_below, sum_of, sum_of_text

STAGES = {"replay": "check", "sweep": "sweep", "exhaust": "exhaust", "mutants": "mutants", "fuzz": "fuzz", "audit": "audit"}
OWN = "--shard --out --json --junit --sarif --html --baseline --state --seconds --seed --jobs --fuzzers".split()
CODE = re.compile(r"\.(py[cz]?|[cm]?js|ts|lua|R|jl|pl|rb|sh|tcl|php|jar|class|wasm|so(\.[0-9]+)*)$")
HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent if (HERE.parent / "corpus").is_dir() else HERE.parent.parent  # of the package or image; of the source tree
MERGE_CORPUS = HERE.parent / "scripts/merge-corpus"


@dataclass
class Stage:
    name: str
    verb: str
    arguments: list

    def __str__(self):
        return shlex.join([self.name, self.verb, *self.arguments])


def read_plan(text, source, without=()):
    stages = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            name, verb, *arguments = shlex.split(line)
        except ValueError:
            name = verb = None
        if verb is None or STAGES.get(name) != verb or name in [stage.name for stage in stages]:
            raise Wrong(f'{source}: line {number}: found "{line}"; NAME VERB ARGUMENTS... is allowed, each of '
                        + ", ".join(f'"{one} {of}"' for one, of in STAGES.items()) + " once")
        for word in arguments:
            if word.split("=")[0] in OWN:
                raise Wrong(f"{source}: line {number}: found {word}, which sharded-run itself sets or omits")
        stages.append(Stage(name, verb, arguments))
    stages = [stage for stage in stages if stage.name not in without]
    if not stages:
        raise Wrong(f"{source}: no stage; a line NAME VERB ARGUMENTS... is allowed")
    return stages


def find(variable, paths, fits):
    """The first path that fits; only that of the variable is tried, if it is set."""
    paths = [os.environ[variable]] if os.environ.get(variable) else paths
    return next((Path(path).resolve() for path in paths if path and fits(Path(path))), None)


class Inputs:
    def __init__(self, options):
        self.options = options
        self.lanediff = find("LANEDIFF", [ROOT / "build/release/bin/lanediff", HERE.parents[2] / "bin/lanediff", shutil.which("lanediff")],
                             lambda path: os.access(path, os.X_OK))
        if not self.lanediff:
            at = os.environ.get("LANEDIFF")
            raise Wrong(f"no program lanediff{f' at {at}' if at else ''}; LANEDIFF names it")
        try:
            done = subprocess.run([self.lanediff, "--version"], stdout=subprocess.PIPE, text=True, check=False)
        except OSError as error:
            raise Wrong(f"{self.lanediff}: {error.strerror}; fix: LANEDIFF names another program") from error
        if done.returncode < 0 or done.returncode > 128:
            raise Again(f"{self.lanediff} --version was ended")
        if done.returncode:
            raise Wrong(f"{self.lanediff}: prints no version; fix: LANEDIFF names another program")
        self.version = done.stdout.strip()
        self.corpus = Path(os.environ.get("LANEDIFF_CORPUS") or ROOT / "corpus").resolve()
        self.fuzzers = None
        self.stages = []

    def find_fuzzers(self):
        self.fuzzers = find("LANEDIFF_FUZZERS", [ROOT / "build/fuzz/bin", self.lanediff.parent], lambda path: any(path.glob("lanediff-fuzz-*")))
        if not self.fuzzers:
            at = os.environ.get("LANEDIFF_FUZZERS")
            raise Wrong(f"no fuzz programs{f' in {at}' if at else ''}; LANEDIFF_FUZZERS names their folder, --without fuzz goes without")

    def load_plan(self):
        plan, without = self.options.plan, self.options.without
        if not os.path.isfile(plan) or not os.access(plan, os.R_OK):
            raise Wrong(f"{plan}: no plan that can be read; --plan names one")
        self.stages = read_plan(Path(plan).read_text(), plan, without)
        if any(stage.verb == "fuzz" for stage in self.stages):
            self.find_fuzzers()
        if not self.corpus.is_dir():
            raise Wrong(f"{self.corpus}: no corpus; LANEDIFF_CORPUS names its folder")

    def target_files(self):
        """The files that targets name: a plugin, and of a command the programs (by mode or
        ending) and read-only files; no log."""
        for word in (word for stage in self.stages for word in stage.arguments):
            kind, _, rest = word.removeprefix("--target=").partition(":")
            if kind == "plugin":
                yield rest
            elif kind == "exec":
                try:
                    words = shlex.split(rest)
                except ValueError:
                    continue
                yield from (one for one in words if os.access(one, os.X_OK) or not os.access(one, os.W_OK) or CODE.search(one))

    def identity(self):
        """The lines that are equal in all shards of a run."""
        def sum_over(lines):
            return sum_of_text("\n".join(lines))
        options = self.options
        lines = [f"version {self.version}", *(f"plan {stage}" for stage in self.stages),
                 f"options seconds {options.seconds} share {options.share} seed {options.seed}",
                 f"corpus {sum_over(f'{os.path.relpath(path, self.corpus)} {sum_of(path)}' for path in files_below(self.corpus))}"]
        if self.fuzzers:
            names = sorted(self.fuzzers.glob("lanediff-fuzz-*"))  # most are names of one program
            lines.append(f"fuzzers {sum_over([*(path.name for path in names), *(sum_of(path) for path in sorted({path.resolve() for path in names}))])}")
        for path in sorted({path for path in self.target_files() if path.startswith("/") and os.path.isfile(path)}):
            lines.append(f"target {path} {sum_of(path)}")
        return lines

    def command(self, stage, part, jobs):
        """Of a stage, without where its results go."""
        options = self.options
        more = {"mutants": ["--seconds", options.share],
                "fuzz": ["--seconds", options.seconds, "--seed", options.seed, "--fuzzers", self.fuzzers]}.get(stage.verb, [])
        return [stage.verb, *stage.arguments, "--jobs", str(jobs), "--shard", part, *map(str, more)]


def identity_of(text):
    """The identity in run.txt or whole.txt."""
    return [line for line in text.splitlines() if re.match("(version|plan|options|corpus|fuzzers|target) ", line)]


def difference(ours, theirs):
    """The first one; empty if they are equal."""
    if ours == theirs:
        return ""
    here, there = (next((f'"{line}"' for line in one if line not in other), "nothing") for one, other in ((ours, theirs), (theirs, ours)))
    return f"{here} here, but {there}"
