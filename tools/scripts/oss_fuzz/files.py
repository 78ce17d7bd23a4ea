"""What the files of OUT are, without running one."""

import os
import re
import subprocess

from .out import BESIDE, ENTRY, tool

NAME = re.compile(r"[a-zA-Z0-9@_.-]+")

# In every image: the C library, and what compilers bring.
LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2",
             "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
MACHINES = {"x86_64": "Advanced Micro Devices X86-64", "aarch64": "AArch64"}

# What bad_build_check requires: fewer calls are a program without the sanitizer, more
# one with another, too.
LEAST_CALLS = {"address": {"asan": 1000}, "undefined": {"ubsan": 168}, "none": {}}
MOST_CALLS = {"address": {"ubsan": 200, "msan": 3}, "undefined": {"asan": 0, "msan": 3},
              "none": {"asan": 0, "ubsan": 200, "msan": 3}}


def targets_of(out):
    """The fuzz programs, by what ClusterFuzz takes for one; objects to other files."""
    found = []
    names = sorted(os.listdir(out.path))
    for name in names:
        path = os.path.join(out.path, name)
        if name.endswith(BESIDE) or name == "llvm-symbolizer":
            continue
        if os.path.islink(path) or not os.path.isfile(path):
            out.object("targets", name, "no regular file; it has to be copied as it is")
        elif not os.access(path, os.X_OK) or ENTRY not in open(path, "rb").read():
            out.object("targets", name, f"not taken for a fuzz program: {ENTRY.decode()} is not in it, or it can't be run")
        elif not NAME.fullmatch(name) or "." in name:
            out.object("targets", name, "the name of a fuzz program has letters, digits, @, _ and -")
        else:
            found.append(name)
    for name in names:
        for ending in BESIDE:
            if name.endswith(ending) and name.removesuffix(ending) not in found:
                out.object("targets", name, "belongs to no fuzz program")
    if not found:
        out.object("targets", "OUT", "no fuzz program is in it")
    return found


def check_targets(out, program):
    for ending in BESIDE:
        if not os.path.exists(out.beside(program, ending)):
            out.object("targets", program, f"{program}{ending} is missing")


def check_binary(out, program):
    path = os.path.join(out.path, program)
    try:
        header = tool("readelf", "-h", path)
        dynamic = tool("readelf", "-d", path)
    except RuntimeError as error:
        return out.object("binary", program, str(error))
    machine = MACHINES.get(os.uname().machine, os.uname().machine)
    if machine not in header:
        out.object("binary", program, f"is not for {machine}")
    for line in dynamic.splitlines():
        if re.search(r"\((RPATH|RUNPATH)\)", line):
            out.object("binary", program, f"looks for libraries where it was built: {line.split(')', 1)[1].strip()}")
        needed = re.search(r"\(NEEDED\).*\[(.*)\]", line)
        if needed and needed[1] not in LIBRARIES | out.also:
            out.object("binary", program, f"needs {needed[1]}, which is in no image")
    for line in tool("ldd", path).splitlines():
        if "not found" in line:
            out.object("binary", program, f"a library is missing: {line.strip()}")


def check_calls(out, program):
    counts = {"asan": 0, "ubsan": 0, "msan": 0}
    path = os.path.join(out.path, program)
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", path], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL) as process:
        for line in process.stdout:
            at = line.find(" <__")
            if at >= 0 and ("call" in line or "\tbl\t" in line):
                name = line[at + 4:].split("_", 1)[0]
                if name in counts:
                    counts[name] += 1
    for name, least in LEAST_CALLS[out.sanitizer].items():
        if counts[name] < least:
            out.object("calls", program, f"{counts[name]} calls of {name}; {least} are expected: it is not instrumented")
    for name, most in MOST_CALLS[out.sanitizer].items():
        if counts[name] > most:
            out.object("calls", program, f"{counts[name]} calls of {name}; at most {most} are expected: "
                                         "it is instrumented for another sanitizer, too")
    return "calls " + " ".join(f"{name} {count}" for name, count in counts.items() if count)
