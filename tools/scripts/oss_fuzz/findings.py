"""That a wrong target ends a program, and by what ClusterFuzz knows that crash."""

import os
import re
import shutil
import zipfile

from .out import ENTRY, LIBFUZZER, last_line

# Programs, each with a wrong target, and those that run none.
WRONG = {"lanediff-fuzz-add": "mutant:add-half-nan-dropped",
         "lanediff-fuzz-data_copy": "mutant:dc-last-block-skipped",
         "lanediff-fuzz-max": "mutant:max-half-nan-dropped",
         "lanediff-fuzz-min": "mutant:min-half-nan-dropped",
         "lanediff-fuzz-mul": "mutant:mul-half-nan-dropped",
         "lanediff-fuzz-program": "mutant:min-half-nan-dropped",
         "lanediff-fuzz-repeat_reduce_sum": "mutant:rrs-left-fold",
         "lanediff-fuzz-sub": "mutant:sub-half-nan-dropped",
         "lanediff-fuzz-trowprod": "mutant:trp-last-row-skipped",
         "lanediff-fuzz-vec_trans": "mutant:vt-loses-minus-zero",
         "lanediff-fuzz-whole_reduce_sum": "mutant:wrs-left-fold"}
WITHOUT_TARGET = {"lanediff-fuzz-case_json", "lanediff-fuzz-lint"}
# What a finding is known by.
SIGNATURE = re.compile(r"[a-z-]+(/[A-Za-z0-9_-]+){3,4}")
MOST_STATE_CHARS = 80


def state_of(output):
    """How ClusterFuzz identifies a crash: its type, and up to three lines."""
    kind, state = "", []
    for line in output.splitlines():
        if "SUMMARY:" in line:
            continue
        failed = re.match(r"(?:.*\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx):.*)?\s*ASSERT(?:ION)? FAIL(?:URE|ED): (.*)", line, re.I)
        frame = re.match(r"\s*#\d+\s+0x[0-9a-f]+\s+in (\S+)(?:.*? (\S+?):\d+(?::\d+)?)?", line)
        if failed:
            kind, state = "ASSERT", [failed[1][:MOST_STATE_CHARS]]
        elif not kind and "ERROR: libFuzzer: deadly signal" in line:
            kind = "Fatal-signal"
        elif not kind and re.search("ERROR: [A-Za-z]*Sanitizer: ", line):
            kind = line.split("Sanitizer: ")[1].split()[0]
        elif kind and frame and len(state) < 3:
            function, file = frame[1], frame[2]
            if function == ENTRY.decode() and file:
                state.append(os.path.basename(file))  # its place in the sources
            elif function in ("raise", "pthread_kill") and not file:
                continue
            elif not re.match(r"abort|gsignal|__|_start|fuzzer::|main|LLVMFuzzerTestOneInput", function):
                state.append(re.split(r"[(\[]", function)[0])
    return kind, tuple(state)


def crash_on(out, program, target, *inputs, folder=None, options=None):
    output, status = out.run(program, *LIBFUZZER, f"-artifact_prefix={out.scratch()}/", *inputs, out=folder,
                           environment={"LANEDIFF_FUZZ_TARGET": target, **(options or {})})
    kept = re.search(r"Test unit written to (\S+)", output)
    return output, status, kept[1] if kept else None


def check_findings(out, program):
    if program in WITHOUT_TARGET:
        return None
    target = WRONG.get(program)
    if not target:
        return out.object("findings", program, "no wrong target is known for it; WRONG in tools/scripts/oss_fuzz/findings.py names one")
    try:
        seeds = out.seeds(program)
    except (OSError, zipfile.BadZipFile) as error:
        return out.object("findings", program, f"no seeds: {error}")
    output, status, kept = crash_on(out, program, target, "-runs=0", seeds)
    if status == 0 or not kept:
        return out.object("findings", program, f"{target} does not end it as a crash: status {status}, {last_line(output)}")
    kind, state = state_of(output)
    signature = state[0].removeprefix("FuzzerHash=") if state else ""
    if kind != "ASSERT" or not state[0].startswith("FuzzerHash=") or not SIGNATURE.fullmatch(signature):
        return out.object("findings", program, f"{target}: known by {kind} {' | '.join(state)}, not by its signature")
    if len(state) > 1:
        out.object("findings", program, f"{target}: known by the stack of the harness, too: {' | '.join(state[1:])}")
    elsewhere = os.path.join(out.scratch(), "elsewhere")
    os.mkdir(elsewhere)
    renamed = "renamed-program"
    shutil.copy(os.path.join(out.path, program), os.path.join(elsewhere, renamed))
    # By the sanitizer's handler of signals, and by libFuzzer's.
    for options in ({}, {"ASAN_OPTIONS": "handle_sigill=0", "UBSAN_OPTIONS": "handle_sigill=0"}):
        again, status, _ = crash_on(out, renamed, target, kept, folder=elsewhere, options=options)
        if status == 0 or state_of(again) != (kind, state):
            out.object("findings", program, f"{target}: run again elsewhere, status {status}, {' | '.join(state_of(again)[1])}")
    quiet, status, _ = crash_on(out, renamed, "emulator", kept, folder=elsewhere)
    if status != 0:
        out.object("findings", program, f"the same input ends the emulator, too: {last_line(quiet)}")
    return f"{target} is {signature}"
