#!/usr/bin/env python3
"""Min of Ascend C, form count, of int16 and int32: a target to begin with.

lanediff target check "exec:python3 model.py"
lanediff sweep --instruction min --legal-only --target "exec:python3 model.py" --out out

lanediff requests only what the capabilities list: extend them with the model.
"""

import json
import struct
import sys

CODES = {"int16": "h", "int32": "i"}
SELF = {"protocol": 1, "name": "model.py", "version": "1", "capabilities": {
    "instructions": ["Min"], "dtypes": list(CODES), "forms": ["count"],
    "memory": "sparse", "window": 16}}
# Steps that change no byte, and nothing that the form count depends on.
STATE = {"SetVectorMask", "SetMaskCount", "SetMaskNorm", "ResetMask", "SetSaturation",
         "PipeBarrier", "SetFlag", "WaitFlag", "GetValue"}


def load(memory):
    data = bytearray(bytes.fromhex(memory["fill"]) * memory["size"])
    for region in memory["regions"]:
        content = bytes.fromhex(region["hex"])
        data[region["at"]:region["at"] + len(content)] = content
    return data


def execute(step, ub):
    """Executes a step on `ub`. Returns the bytes it wrote, [begin, end), or None."""
    if step["op"] in STATE:
        return 0, 0
    code = CODES.get(step.get("dtype"))
    if code is None:
        return None
    size = struct.calcsize(f"<{code}")
    if step["op"] == "SetValue":
        begin = step["dst"]["at"] + step["index"] * size
        if not 0 <= begin <= len(ub) - size:
            return None
        struct.pack_into(f"<{code}", ub, begin, step["value"])
        return begin, begin + size
    if step["op"] != "Min" or "count" not in step:
        return None
    count = max(step["count"], 0)
    size *= count
    begins = [step[name]["at"] for name in ("src0", "src1", "dst")]
    if not all(0 <= begin <= len(ub) - size for begin in begins):
        return None  # operands may lie anywhere
    layout = f"<{count}{code}"
    a, b = (struct.unpack_from(layout, ub, begin) for begin in begins[:2])
    struct.pack_into(layout, ub, begins[2], *map(min, a, b))
    return begins[2], begins[2] + size


def run(case):
    ub = load(case["memory"].get("UB", {"size": 0, "fill": "00", "regions": []}))
    spans = []
    for index, step in enumerate(case["program"]):
        spans.append(execute(step, ub))
        if spans[-1] is None:
            return {"outcome": "unsupported", "step": index}
    # No byte may be reported twice: one range from the first to the last that changed.
    begin, end = min((s[0] for s in spans if s[1]), default=0), max(s[1] for s in spans)
    ranges = [{"at": begin, "hex": ub[begin:end].hex()}] if end else []
    return {"outcome": "executed", "memory": {"UB": ranges}}


for line in sys.stdin:
    request = json.loads(line)
    hello = request["lanediff"] == "hello"
    reply = {"hello": SELF} if hello else {"id": request["id"], "outcome": run(request["case"])}
    print(json.dumps(reply), flush=True)
