"""Works an expectation out and compares it with the one that a case has."""

from .arithmetic import FORMATS, is_nan
from .case import CaseError, edition_of, images_of, put, read, words
from .machine import MEMORIES, Machine
from .run import run


def work_out(case):
    """(outcome, machine after the run) of a document."""
    machine = Machine(case["product"], images_of(case), edition_of(case))
    return run(machine, [words(step) for step in case["program"]]), machine


def differing(a, b):
    """Ascending places where two byte strings of one length differ."""
    if a == b:
        return
    for start in range(0, len(a), 256):
        x, y = a[start:start + 256], b[start:start + 256]
        if x != y:
            yield from (start + i for i in range(len(x)) if x[i] != y[i])


def same_nan(machine, name, at, expected):
    """Whether both hold a NaN of the floating type that was written at `at`."""
    for size, dtype in ((2, "half"), (4, "float")):
        start = at - at % size
        if machine.types[name].get(start) == dtype:
            found = machine.read(name, start, size)
            wanted = int.from_bytes(expected[start:start + size], "little")
            return is_nan(FORMATS[dtype], found) and is_nan(FORMATS[dtype], wanted)
    return False


def memory_objections(case, machine):
    images = images_of(case)
    for name in MEMORIES:
        regions = case["expect"]["memory"].get(name, [])
        if name not in machine.memories and not regions:
            continue  # no step named it
        found = machine.memories[name]
        expected = images.get(name, bytearray(len(found)))
        put(expected, regions)
        for at in differing(found, expected):
            if not machine.unspecified[name][at] and not same_nan(machine, name, at, expected):
                yield (f"{name} byte {at}: the case expects {expected[at]:02x}, "
                       f"worked out {found[at]:02x}")
                break


def objections(case):
    """What of the expectation differs from what is worked out, a line each."""
    expect = case.get("expect")
    if expect is None:
        yield "has no expectation"
        return
    outcome, machine = work_out(case)
    if outcome.unsupported_step is not None:
        yield f"step {outcome.unsupported_step} has a mask in counter mode: nothing is worked out"
        return
    mine = "executed" if outcome.rejected_step is None else "rejected"
    if expect["outcome"] != mine:
        yield (f"the case expects {expect['outcome']}, worked out {mine} "
               f"{' '.join(outcome.rules)}".rstrip())
        return
    for name, found in (("step", outcome.rejected_step), ("rules", outcome.rules)):
        if mine == "rejected" and expect[name] != found:
            yield f"{name}: the case expects {expect[name]}, worked out {found}"
    if "notes" in expect and expect["notes"] != outcome.notes:
        yield f"notes: the case expects {expect['notes']}, worked out {outcome.notes}"
    if "memory" in expect and not (mine == "executed" and expect["memory"] == "any"):
        yield from memory_objections(case, machine)


def expectation(case):
    """What a case should expect, as its document states it; memory in hex."""
    outcome, machine = work_out(case)
    if outcome.unsupported_step is not None:
        raise CaseError(f"step {outcome.unsupported_step} has a mask in counter mode")
    expect = {"outcome": "executed"}
    if outcome.rejected_step is not None:
        expect = {"outcome": "rejected", "step": outcome.rejected_step, "rules": outcome.rules}
    images = images_of(case)
    memory = {}
    for name in MEMORIES:
        if name not in machine.memories:
            continue
        found = machine.memories[name]
        before = images.get(name, bytearray(len(found)))
        runs = []
        for at in differing(found, before):
            if machine.unspecified[name][at]:
                continue
            if not runs or runs[-1][1] != at:
                runs.append([at, at])
            runs[-1][1] = at + 1
        if runs:
            memory[name] = [{"at": a, "hex": found[a:b].hex()} for a, b in runs]
    return expect | {"notes": outcome.notes, "memory": memory}


def published_objections(path, tables):
    """Whether the file has what the vendor's tables have."""
    case, table = read(path), tables[path.name]
    for name in ("id", "origin", "requirement"):
        if case.get(name) != table[name]:
            yield f"its {name} is {case.get(name)}, the table's {table[name]}"
    if edition_of(case) != edition_of(table):
        yield "its edition is not the table's"
    if case["product"] != table["product"] or images_of(case) != images_of(table):
        yield "its memory is not the table's"
    if [words(s) for s in case["program"]] != [words(s) for s in table["program"]]:
        yield "its program is not the table's"
    mine, theirs = case["expect"], table["expect"]
    image = bytearray(len(images_of(table)["UB"]))
    wanted = bytearray(image)
    put(wanted, theirs["memory"]["UB"])
    if isinstance(mine.get("memory"), dict):
        put(image, mine["memory"].get("UB", []))
    if mine["outcome"] != "executed" or set(mine.get("memory", ())) != {"UB"} or image != wanted:
        yield "its expectation is not what the table prints"
