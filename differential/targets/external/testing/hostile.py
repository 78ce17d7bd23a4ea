#!/usr/bin/env python3
"""A program that speaks lanediff-target/1, does Min of int16 rightly, and what its
argument names wherever a case's id holds "trigger": the tests' worst target."""

import ctypes
import json
import os
import select
import signal
import struct
import sys
import time
import zlib

DOES = sys.argv[1] if len(sys.argv) > 1 else "well"
# What it does has nothing to do with a case.
WELL = ("well", "shuffles", "stateful", "ignores-eof", "ignores-sigterm", "ends-badly")
CAPABILITIES = {"instructions": ["Min"], "dtypes": ["int16"], "memory": "sparse",
                "window": int(os.environ.get("LANEDIFF_TEST_WINDOW", "1"))}


def send(document):
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


def byte_at(memory, at):
    for region in memory["regions"]:
        if region["at"] <= at < region["at"] + len(region["hex"]) // 2:
            i = 2 * (at - region["at"])
            return int(region["hex"][i : i + 2], 16)
    return int(memory["fill"], 16)


def elements(memory, operand, count):
    data = bytes(byte_at(memory, operand["at"] + i) for i in range(2 * count))
    return struct.unpack(f"<{count}h", data)


def answer(case):
    changed = []
    for step in case["program"]:
        if step["op"] != "Min" or "count" not in step:
            return {"outcome": "unsupported"}
        count, memory = step["count"], case["memory"]["UB"]
        if count > 1 << 20:  # no memory holds as much
            return {"outcome": "unsupported"}
        a, b = (elements(memory, step[name], count) for name in ("src0", "src1"))
        low = struct.pack(f"<{count}h", *map(min, a, b))
        changed.append({"at": step["dst"]["at"], "hex": low.hex()})
    return {"outcome": "executed", "memory": {"UB": changed}}


def misbehave(request):
    if DOES == "exits":
        sys.stderr.write("the last words\n")
        sys.exit(5)
    if DOES == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    if DOES == "hangs":
        time.sleep(1000)
    if DOES == "half":
        sys.stdout.write('{"id": 1, "outc')
        sys.stdout.flush()
        time.sleep(1000)
    if DOES == "half-and-exit":
        sys.stdout.write('{"id": 1, "outc')
        sys.stdout.flush()
        os._exit(0)
    if DOES == "long":
        for _ in range(100):
            sys.stdout.write("x" * (1 << 20))
        sys.stdout.write("\n")
        sys.stdout.flush()
    if DOES == "unknown-id":
        send({"id": request["id"] + 7, "outcome": answer(request["case"])})
    if DOES == "twice":
        reply = json.dumps({"id": request["id"], "outcome": answer(request["case"])})
        os.write(1, (reply + "\n" + reply + "\n").encode())
    if DOES == "after-death":
        if os.fork() == 0:
            time.sleep(5)  # it is ended before
            send({"id": request["id"], "outcome": answer(request["case"])})
        os._exit(0)
    if DOES == "no-json":
        sys.stdout.write("hello, world\n")
        sys.stdout.flush()
    if DOES == "closes-output":
        os.close(1)
        time.sleep(1000)
    if DOES == "eats":
        hoard = []
        while True:
            hoard.append(b"x" * (16 << 20))
    if DOES == "children-eat":  # no process too much
        for _ in range(4):
            if os.fork() == 0:
                hoard = b"x" * (100 << 20)
                time.sleep(1000)
        time.sleep(1000)
    if DOES == "stops-its-parent":
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(1000)
    if DOES == "traces-its-parent":
        PTRACE_ATTACH = 16
        ctypes.CDLL(None).ptrace(PTRACE_ATTACH, os.getppid(), 0, 0)
        time.sleep(1000)
    if DOES == "is-traced":  # its end is seen by what it has started first
        PTRACE_SEIZE = 0x4206
        if os.fork() == 0:
            os.setsid()
            ctypes.CDLL(None).ptrace(PTRACE_SEIZE, os.getppid(), 0, 0)
        time.sleep(1000)
    if DOES == "stops-all-above":
        above, pid = [], os.getppid()
        while True:
            with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
                name, _, rest = stat.read().rpartition(")")
            if not name.endswith("(lanediff"):
                break
            above.append(pid)
            pid = int(rest.split()[1])
        for pid in above:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(1000)
    if DOES == "error":
        send({"id": request["id"], "error": "out of registers"})
    if DOES == "forks":
        for _ in range(3):
            if os.fork() == 0:
                os.setsid()
                time.sleep(1000)
        os._exit(1)
    if DOES == "wrong":
        outcome = answer(request["case"])
        outcome["memory"]["UB"][0]["at"] += 2
        send({"id": request["id"], "outcome": outcome})


if DOES == "early":
    sys.stdout.write("Welcome!\n")
    sys.stdout.flush()
if DOES == "ignores-sigterm":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)



def lines():
    """The requests as they come; a program that shuffles reverses those that come
    together."""
    if DOES != "shuffles" and "LANEDIFF_TEST_SHUFFLES" not in os.environ:
        yield from sys.stdin
        return
    rest, waiting = b"", []
    while True:
        if waiting and not select.select([0], [], [], 0.05)[0]:
            yield from reversed(waiting)
            waiting = []
        more = os.read(0, 1 << 16)
        if not more:
            return
        *whole, rest = (rest + more).split(b"\n")
        waiting += whole


requests = 0
for line in lines():
    request = json.loads(line)
    if request["lanediff"] == "hello":
        send({"hello": {"protocol": 1, "name": "hostile", "version": DOES, "capabilities": CAPABILITIES}})
        continue
    requests += 1
    if DOES == "stateful" and requests > 2:
        outcome = answer(request["case"])
        outcome["memory"]["UB"] = []
        send({"id": request["id"], "outcome": outcome})
    elif DOES == "rarely":
        # Leaves out its result always, and fails in one case of sixteen.
        text = json.dumps(request["case"]["program"][-1], sort_keys=True)
        outcome = answer(request["case"])
        fails = outcome["outcome"] == "executed" and zlib.crc32(text.encode()) % 16 == 0
        if outcome["outcome"] == "executed":
            outcome["memory"]["UB"] = []
        send({"id": request["id"], "error": "a rare one"} if fails else
            {"id": request["id"], "outcome": outcome})
    elif DOES == "unsupported":
        send({"id": request["id"], "outcome": {"outcome": "unsupported"}})
    elif "trigger" in request["case"]["id"] and DOES not in WELL:
        misbehave(request)
    else:
        send({"id": request["id"], "outcome": answer(request["case"])})
if DOES == "ignores-eof":
    time.sleep(1000)
if DOES == "ends-badly":
    sys.exit(4)
