"""How a program starts, and what it makes of what lies beside it."""

import configparser
import os
import re
import zipfile

from .out import LIBFUZZER, last_line

# What bad_build_check requires: fewer are a program that is instrumented in part.
LEAST_EDGES = 100
MOST_WORD_BYTES = 64


def edges_in(output):
    loaded = re.search(r"INFO: Loaded \d+ modules?\s+\((\d+) inline 8-bit counters\)", output)
    return int(loaded[1]) if loaded else 0


def check_start(out, program):
    output, status = out.run(program, "-seed=1337", "-runs=4", *LIBFUZZER)
    if status != 0 or "Done 4 runs" not in output:
        return out.object("start", program, f"status {status} at the start: {last_line(output)}")
    edges = edges_in(output)
    if out.sanitizer == "coverage":
        if edges > 0:
            out.object("start", program, "counts edges; in a build for coverage that is in the way")
    elif edges < LEAST_EDGES:
        out.object("start", program, f"looks at {edges} edges; {LEAST_EDGES} is the least: it is not instrumented")
    return f"{edges} edges"


def flags_of(out, program):
    output, _ = out.run(program, "-help=1")
    return {line.split()[0] for line in output.splitlines() if re.match(r"\s+[a-z_]+\s+\d", line)}


def sanitizer_flags(out, program, variable):
    output, _ = out.run(program, "-runs=0", environment={variable: "help=1"})
    return set(re.findall(r"^\t([a-z_]+)$", output, re.M))


def options_of(out, program):
    options = configparser.ConfigParser()
    options.read(out.beside(program, ".options"))
    return options


def check_options(out, program):
    try:
        options = options_of(out, program)
    except configparser.Error as error:
        return out.object("options", program, f"can't be read: {last_line(str(error))}")
    known = {"libfuzzer": lambda: flags_of(out, program),
             "asan": lambda: sanitizer_flags(out, program, "ASAN_OPTIONS"),
             "ubsan": lambda: sanitizer_flags(out, program, "UBSAN_OPTIONS")}
    if not options.sections():
        out.object("options", program, "no section")
    for section in options.sections():
        if section not in known:
            out.object("options", program, f"section [{section}]; {', '.join(known)} are allowed")
            continue
        sanitizer = {"asan": "address", "ubsan": "undefined"}.get(section, out.sanitizer)
        if sanitizer != out.sanitizer:
            continue  # checked where the program knows it
        flags = known[section]()
        for key, value in options[section].items():
            if key not in flags:
                out.object("options", program, f"[{section}] {key}: no such option")
            elif section == "libfuzzer" and not re.fullmatch(r"-?\d+", value):
                out.object("options", program, f"[{section}] {key} = {value}: a number is expected")


def words_in(out, program):
    """The words of the dictionary; None, after an objection, where a line is none."""
    words = []
    for number, line in enumerate(open(out.beside(program, ".dict"), errors="replace"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if not re.fullmatch(r'(\w+=)?"(\\\\|\\"|\\x[0-9a-fA-F]{2}|[^\\"])+"', line):
            out.object("dict", program, f"line {number}: found {line[:40]}; one quoted word is expected")
            return None
        word = re.sub(r"\\(x..|.)", ".", line.split('"', 1)[1][:-1])
        if len(word) > MOST_WORD_BYTES:
            out.object("dict", program, f"line {number}: {len(word)} bytes; libFuzzer leaves out more than {MOST_WORD_BYTES}")
            return None
        words.append(line)
    return words


def check_dict(out, program):
    words = words_in(out, program)
    if words is None:
        return None
    output, status = out.run(program, "-runs=0", "-dict=" + out.beside(program, ".dict"), *LIBFUZZER)
    read = re.search(r"Dictionary: (\d+) entries", output)
    if status != 0 or not read:
        return out.object("dict", program, f"libFuzzer does not read it: {last_line(output)}")
    if not words or int(read[1]) != len(words):
        out.object("dict", program, f"{len(words)} words, of which libFuzzer has {read[1]}")
    return f"{len(words)} words"


def reach(output):
    """Edges and features after the inputs that were given, (0, 0) without any."""
    best = (0, 0)
    for covered, features in re.findall(r"^#\d+\s+(?:INITED|DONE|NEW|pulse)\s+cov: (\d+) ft: (\d+)", output, re.M):
        best = max(best, (int(covered), int(features)))
    return best


def check_seeds(out, program):
    try:
        seeds = out.seeds(program)
    except (OSError, zipfile.BadZipFile) as error:
        return out.object("seeds", program, f"can't be unpacked: {error}")
    files = [os.path.join(root, name) for root, _, names in os.walk(seeds) for name in names]
    longest = max(map(os.path.getsize, files), default=0)
    most = options_of(out, program).getint("libfuzzer", "max_len", fallback=1 << 20)
    if longest > most:
        out.object("seeds", program, f"one has {longest} bytes; max_len is {most}")
    output, status = out.run(program, "-runs=0", f"-max_len={most}", *LIBFUZZER, seeds)
    if status != 0:
        errors = [line for line in output.splitlines() if re.search("ERROR|ASSERTION|runtime error", line)]
        return out.object("seeds", program, f"status {status} with its seeds: {(errors or [last_line(output)])[0]}")
    if out.sanitizer == "coverage":
        return f"{len(files)} seeds"
    nothing, _ = out.run(program, "-runs=0", *LIBFUZZER, out.scratch())
    if reach(output) <= reach(nothing):
        out.object("seeds", program, f"{len(files)} seeds reach {reach(output)[0]} edges, nothing {reach(nothing)[0]}")
    return f"{len(files)} seeds reach {reach(output)[0]} edges"
