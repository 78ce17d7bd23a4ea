"""Builds exported TIK snippets on the stand-in for tbe.tik and prints what they
fill UB with and what they call. Arguments: files."""

import importlib.util
import sys

from tbe import tik


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % (1 << 64)
    return value


for path in sys.argv[1:]:
    spec = importlib.util.spec_from_file_location("snippet", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    print("case", path)
    if hasattr(module, "fill_ub"):
        print(f"{fnv(module.fill_ub()):x}")
    else:
        print("no UB")
    tik.calls.clear()
    try:
        module.build()
        print("\n".join(tik.calls))
    except AttributeError as error:
        print("refused", error)
