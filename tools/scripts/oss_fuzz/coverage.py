"""That a build for coverage leaves what llvm-cov makes a report of."""

import json
import os
import re

from .out import LLVM, last_line, tool


def show_source(out, program, data, name):
    """Draws a file of the sources, which lie elsewhere than where they were compiled."""
    root = os.path.realpath(out.sources)
    parts = name.split("/")
    below = next(filter(lambda path: os.path.isfile(os.path.join(root, path)),
                        ("/".join(parts[i:]) for i in range(1, len(parts)))), None)
    if not below:
        return out.object("coverage", program, f"{os.path.normpath(name)}: no such source in {root}")
    try:
        page = tool(f"llvm-cov{LLVM}", "show", f"-instr-profile={data}", os.path.join(out.path, program), name,
                    f"-path-equivalence={name.removesuffix(below)},{root}/")
    except RuntimeError as error:
        return out.object("coverage", program, str(error))
    if not re.search(r"^ +\d+\| +[1-9][\d.kM]*\|.*\S", page, re.M):
        out.object("coverage", program, f"the page of {below} has no line that was run")


def check_coverage(out, program):
    work = out.scratch()
    os.mkdir(os.path.join(work, "dummy"), 0o777)
    os.chmod(os.path.join(work, "dummy"), 0o777)
    output, status = out.run(program, "-merge=1", "-timeout=100", os.path.join(work, "dummy"), out.seeds(program), cwd=work,
                           environment={"LLVM_PROFILE_FILE": os.path.join(work, "%1m.profraw")})
    raw = [os.path.join(work, name) for name in os.listdir(work) if name.endswith(".profraw")]
    if status != 0 or not raw:
        return out.object("coverage", program, f"status {status}, {len(raw)} profiles: {last_line(output)}")
    data = os.path.join(work, "profdata")
    try:
        tool(f"llvm-profdata{LLVM}", "merge", "-sparse", *raw, "-o", data)
        summary = json.loads(tool(f"llvm-cov{LLVM}", "export", "-summary-only", f"-instr-profile={data}",
                                  os.path.join(out.path, program)))["data"][0]
    except RuntimeError as error:
        return out.object("coverage", program, str(error))
    lines = summary["totals"]["lines"]
    about = "/sanitizer/" if program.endswith("lint") else "/differential/testcase/" if program.endswith("case_json") else "/emulator/"
    subject = [entry for entry in summary["files"] if about in entry["filename"]]
    covered = sum(entry["summary"]["lines"]["covered"] for entry in subject)
    if covered == 0:
        out.object("coverage", program, f"no line of {about} is covered")
    elif out.sources:
        show_source(out, program, data, max(subject, key=lambda entry: entry["summary"]["lines"]["covered"])["filename"])
    return f"{lines['covered']} of {lines['count']} lines, {covered} of {about.strip('/')}"
