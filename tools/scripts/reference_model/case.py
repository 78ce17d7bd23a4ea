"""Reads lanediff-case/1 and /2 (docs/case-format.md), as far as a run needs it."""

import json
from fractions import Fraction

from .arithmetic import FORMATS, from_fraction
from .machine import EDITIONS, MEMORIES, POSITIONS, PRODUCTS, SIZES, capacity
from .order import EVENTS, QUEUES
from .run import OPERATIONS


class CaseError(Exception):
    """What is wrong with a file, in one line."""


class Text(str):
    """A number as it is written: one with a fraction or an exponent, or -0."""


FORMATS_READ = ("lanediff-case/1", "lanediff-case/2")
MOST_DIGITS = 5000  # of an exponent's reach: more than double's range, and bounded
MOST_GM = 2**30


def number(item):
    if isinstance(item, Text):
        mantissa, _, exponent = item.lower().partition("e")
        if len(mantissa) > MOST_DIGITS or len(exponent) > 6 or abs(int(exponent or 0)) > MOST_DIGITS:
            raise CaseError(f"the number {item[:40]} is out of reach")
        return Fraction(str(item))
    if isinstance(item, bool) or not isinstance(item, int):
        raise CaseError(f"found {json.dumps(item)[:60]} where a number is allowed")
    return Fraction(item)


def encoded(item, dtype):
    """Bits of one value that is no run."""
    size = SIZES[dtype]
    form = FORMATS.get(dtype)
    if isinstance(item, str) and not isinstance(item, Text):
        if item.startswith("0x"):
            bits = int(item, 16)
            if bits >> 8 * size:
                raise CaseError(f"{item} has more bits than {dtype}")
            return bits
        if form and item in ("inf", "-inf", "nan"):
            return {"inf": form.infinity, "-inf": form.sign | form.infinity, "nan": form.nan}[item]
        item = Text(item) if item == "-0" else int(item)
    value = number(item)
    if form and value == 0:
        return form.sign if str(item).startswith("-") else 0
    return of_number(value, dtype)


def of_number(value, dtype):
    """Bits of an exact number; zero is plus zero."""
    form, size = FORMATS.get(dtype), SIZES[dtype]
    if form:
        bits = from_fraction(form, value) if value else 0
        if bits & (form.sign - 1) == form.infinity:
            raise CaseError(f"a value is beyond {dtype}")
        return bits
    low = 0 if dtype.startswith("u") else -(1 << (8 * size - 1))
    if value.denominator != 1 or not low <= value < low + (1 << 8 * size):
        raise CaseError(f"a value is not of {dtype}")
    return int(value) & ((1 << 8 * size) - 1)


def data_of(region, limit):
    """The bytes of a region, of which at most `limit` are allowed."""
    if "hex" in region:
        return bytes.fromhex(region["hex"])
    dtype = region["dtype"]
    size = SIZES[dtype]
    out = bytearray()
    for item in region["values"]:
        run = isinstance(item, dict)
        count = item["count"] if run else 1
        if count < 1 or len(out) + count * size > limit:
            raise CaseError(f"a region at {region['at']} leaves its memory, or has a run of {count}")
        if not run or "value" in item:
            value = item["value"] if run else item
            out += encoded(value, dtype).to_bytes(size, "little") * count
        else:
            first, step = number(item["from"]), number(item["step"])
            for i in range(count):
                out += of_number(first + i * step, dtype).to_bytes(size, "little")
    return bytes(out)


def put(image, regions):
    for region in regions:
        at = region["at"]
        data = getattr(region, "data", None)
        if data is None:
            data = data_of(region, len(image) - at) if at >= 0 else b""
            if isinstance(region, Object):
                region.data = data
        if at < 0 or at + len(data) > len(image):
            raise CaseError(f"a region at {at} leaves its memory")
        image[at:at + len(data)] = data


def images_of(case):
    images = {}
    for name, memory in case["memory"].items():
        if name not in MEMORIES:
            raise CaseError(f"found memory {name[:20]!r}; {', '.join(MEMORIES)} are allowed")
        most = capacity(case["product"], name)
        size = memory.get("size", most)
        if size is None or not 0 <= size <= (most or MOST_GM):
            raise CaseError(f"the size of {name} is {size}; at most {most or MOST_GM} is allowed")
        images[name] = bytearray(bytes.fromhex(memory.get("fill", "00")) * size)
        put(images[name], memory.get("regions", []))
    return images


def words(step):
    """The step with its hex words, a value and scalars as integers."""
    step = dict(step)
    for name in ("high", "low"):
        if name in step:
            step[name] = int(step[name], 16)
    if isinstance(step.get("mask"), list):
        step["mask"] = [int(word, 16) for word in step["mask"]]
    for name in ("value", "scalar", "scalarValue", "firstValue",
                 "src1Scalar"):
        if name in step:
            step[name] = encoded(step[name], step["dtype"])
    if "padParams" in step:
        value = encoded(step["padParams"]["paddingValue"], step["dtype"])
        step["padParams"] = step["padParams"] | {"paddingValue": value}
    return step


class Object(dict):
    """An object of a document; of a region also its bytes, once they were read."""

    data = None


def unique(pairs):
    fields = Object(pairs)
    if len(fields) != len(pairs):
        raise CaseError("a field is repeated")
    return fields


def edition_of(case):
    return case.get("edition", EDITIONS[-1])


def parse(text):
    try:
        case = json.loads(text, parse_float=Text, object_pairs_hook=unique,
                          parse_int=lambda s: Text(s) if s == "-0" else int(s))
    except RecursionError:
        raise CaseError("nested too deeply") from None
    if not isinstance(case, dict) or case.get("format") not in FORMATS_READ:
        raise CaseError(f"found no object whose format is {' or '.join(FORMATS_READ)}")
    if case["product"] not in PRODUCTS:
        raise CaseError(f"found product {json.dumps(case['product'])[:40]}")
    if edition_of(case) not in EDITIONS:
        raise CaseError(f"found edition {json.dumps(case['edition'])[:40]}")
    if not case["program"]:
        raise CaseError("the program is empty")
    for step in case["program"]:
        if step["op"] not in OPERATIONS:
            raise CaseError(f"found op {json.dumps(step['op'])[:40]}")
        if "pipe" in step and step["pipe"] not in QUEUES + ("ALL",):
            raise CaseError(f"found pipe {json.dumps(step['pipe'])[:40]}")
        if "event" in step and step["event"] not in EVENTS:
            raise CaseError(f"found event {json.dumps(step['event'])[:40]}")
        for operand in step.values():
            if isinstance(operand, dict) and operand.get("position", "UB") not in POSITIONS:
                raise CaseError(f"found position {json.dumps(operand['position'])[:40]}")
    return case


def read(path):
    """The document of a file. Raises CaseError, OSError, and what malformed() takes."""
    with open(path, encoding="utf-8") as file:
        return parse(file.read())


MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError,
             MemoryError)


def malformed(error):
    """One of MALFORMED in words."""
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno} column {error.colno}: {error.msg}"
    if isinstance(error, UnicodeDecodeError):
        return f"no UTF-8 at byte {error.start}"
    if isinstance(error, KeyError):
        return f"the field or word {error} is missing or unknown"
    return f"a field has the wrong type or value: {error}"
