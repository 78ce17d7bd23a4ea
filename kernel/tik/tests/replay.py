"""What `lanediff run --program -` answers, for tests without it: checks what a
document must have, replays it and nothing else; its report is the line of the
end. An argument --spoil changes a byte of GM, --found finds something,
--garbage answers no JSON, --stop ends the run behind the first program."""

import json
import sys


def place(document, memories, operand):
    name = operand["position"]
    return memories[name], operand["at"]


def transpose(step, memories):
    (to, dst), (of, src) = (place(None, memories, step[name]) for name in ("dst", "src"))
    for r in range(step["repeat_times"]):
        block = [of[src + r * step["src_rep_stride"] * 512 + 2 * k:][:2] for k in range(256)]
        at = dst + r * step["dst_rep_stride"] * 512
        to[at:at + 512] = b"".join(block[16 * (k % 16) + k // 16] for k in range(256))


def replay(document):
    assert document["format"] == "lanediff-case/2"
    sizes = {"UB": 196608 if document["product"] in ("atlas-a2", "atlas-a3") else 262144,
             "GM": document["memory"].get("GM", {}).get("size", 0)}
    memories = {name: bytearray(size) for name, size in sizes.items()}
    for name, memory in document["memory"].items():
        for region in memory.get("regions", []):
            data = bytes.fromhex(region["hex"])
            memories[name][region["at"]:region["at"] + len(data)] = data
    before = {name: bytes(data) for name, data in memories.items()}
    for step in document["program"]:
        if step["op"] == "vec_trans":
            transpose(step, memories)
        for write in step.get("writes", []):
            data = bytes.fromhex(write["hex"])
            memories[write["memory"]][write["at"]:write["at"] + len(data)] = data
    return {name: [{"at": 0, "hex": data.hex()}] for name, data in memories.items() if data != before[name]}


def answer(document, words):
    if "--keep" in words:
        with open(words[words.index("--keep") + 1], "w") as file:
            json.dump(document, file)
    memory = replay(document)
    if "--spoil" in words:
        region = memory["GM"][0]
        region["hex"] = f"{int(region['hex'][:2], 16) ^ 1:02x}" + region["hex"][2:]
    answer = {"found": "--found" in words, "memory": memory, **({"stop": True} if "--stop" in words else {})}
    return "garbage" if "--garbage" in words else json.dumps(answer)


def main(words):
    if words[0] == "list":  # every call has its bytes, then
        print(json.dumps({"instructions": []}))
        return 0
    assert words[0] == "run" and words[-2:] == ["--program", "-"], words
    status = 0
    for line in sys.stdin:
        if line.startswith("{"):
            print(answer(json.loads(line), words), flush=True)
            continue
        kind, value = line.split(" ", 1)
        value = json.loads(value)
        if kind == "refusal":
            status = 2
            print(f"{value['site']['file']}:{value['site']['line']}: refused: {value['name']} ({value['why']})",
                  file=sys.stderr)
        elif kind == "end":
            if value["how"] != "ended" or value["code"]:
                status = 2 if value["how"] == "not-started" else 3
            if "text" in value:
                print("lanediff run:", value["text"], file=sys.stderr)
        else:
            assert kind in ("script", "poison"), kind
    return 1 if "--found" in words else status


sys.exit(main(sys.argv[1:]))
