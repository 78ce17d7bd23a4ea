"""tikdb.start_debug: unrolls the kernel, has lanediff judge and execute it, and
compares both memories."""

import re
import sys

from . import product, session
from .arrays import from_bytes, to_bytes
from .error import FAILED, KernelError, outcome
from .memory import Memory
from .run import Run, layout
from .site import here

# What bytes hold that nothing has written; the second run of --poison both.
_FILLS = 0x00, 0x5a


class Debug:

    def __init__(self, recorder):
        self._recorder = recorder
        self.started = False

    def start_debug(self, feed_dict, interactive=False):
        """Feeds the inputs by name; the outputs, in the order of BuildCCE."""
        site = here()
        if interactive:
            print("lanediff: interactive=True: runs to the end, there is no prompt", file=sys.stderr)
        return self.start(feed_dict, site)

    def start(self, feed_dict, site):
        """The same, located at `site`."""
        recorder, self.started = self._recorder, True
        if recorder.kernel is None:
            raise KernelError("start_debug comes before BuildCCE, which names inputs and outputs", site)
        name, _, outputs = recorder.kernel
        run, final = _launch(recorder, feed_dict, site, _FILLS[0])
        if product.option("poison") == "both":
            again, _ = _launch(recorder, feed_dict, site, _FILLS[1])
            differing = _differing(run, again)
            if differing:
                session.current(site).poison(name, *differing, site)
        return [from_bytes(one, final.read(run.gm_at[one.buffer], one.buffer.bytes)) for one in outputs]


def _launch(recorder, feed_dict, site, fill):
    """Runs the kernel here and there: the run, and what GM holds there."""
    name, inputs, _ = recorder.kernel
    image, regions = _image(recorder, inputs, feed_dict, site, fill)
    run = Run(recorder, image, site, product.option("saturation") != "off", fill, session.listed(recorder.product))
    run.run()
    answer = session.current(site).run(_document(recorder, name, run, regions, fill), site)
    final = _apply(Memory(image, fill), answer["memory"].get("GM", []))
    if not answer["found"]:  # a rejected call is not executed there
        _compare("GM", run.gm, final)
        if run.blocks == 1:  # of several blocks the local memories are several
            _compare("UB", run.ub, _apply(Memory(b"", fill), answer["memory"].get("UB", [])))
    return run, final


def _differing(one, other):
    """(at, bytes) of the first run of bytes that both left different in GM, and
    that were written."""
    written = bytearray(one.gm_bytes)
    for at, count in one.gm_written + other.gm_written:
        written[at:at + count] = b"\1" * len(written[at:at + count])
    a, b = one.gm.read(0, one.gm_bytes), other.gm.read(0, one.gm_bytes)
    differ = [k for k in range(one.gm_bytes) if written[k] and a[k] != b[k]] if a != b else []
    if not differ:
        return None
    count = 1
    while count < len(differ) and differ[count] == differ[0] + count:
        count += 1
    return differ[0], count


def _image(recorder, inputs, feed, site, fill):
    """The bytes of GM, and the regions of it that are given."""
    places, size = layout(recorder.buffers)
    names = {one.name: one for one in inputs}
    for name in feed:
        if name not in names:
            raise KernelError(f"feed_dict has {name!r}; the inputs are {', '.join(names)}", site)
    image, regions = bytearray([fill]) * size, []
    for buffer in recorder.buffers:
        tensor = names.get(buffer.name)
        if tensor is not None:
            if buffer.name not in feed:
                raise KernelError(f"feed_dict has no {buffer.name}, which is an input", site)
            data = to_bytes(tensor, feed[buffer.name], site)
        elif buffer.is_zero:
            data = bytes(buffer.bytes)
        else:
            continue
        image[places[buffer]:places[buffer] + len(data)] = data
        regions.append({"at": places[buffer], "hex": data.hex()})
    return bytes(image), regions


def _document(recorder, name, run, regions, fill):
    """lanediff-case/2; TIK's compiler synchronizes, and each call brings its own
    mask."""
    unwritten = {"fill": f"{fill:02x}", "initialised": False}
    memory = {"UB": unwritten}
    if run.gm_bytes:
        memory["GM"] = {**unwritten, "size": run.gm_bytes, "regions": regions}
    return {
        "format": "lanediff-case/2", "id": "tik/" + (re.sub("[^a-z0-9._-]", "-", name.lower()) or "kernel"),
        "product": recorder.product, "sync": {"auto": True}, "start": {"mask": "ones"}, "init": "propagate",
        "memory": memory, "origin": {"tool": "tik"}, "program": run.steps
    }


def _apply(memory, regions):
    for one in regions:
        memory.write(one["at"], bytes.fromhex(one["hex"]))
    return memory


def _compare(name, own, other):
    count = max(len(own), len(other))
    a, b = own.read(0, count), other.read(0, count)
    differing = [k for k in range(count) if a[k] != b[k]] if a != b else []
    if differing:
        first = differing[0]
        outcome.note(
            FAILED, text=f"{name} byte {first}: the script has 0x{a[first]:02x}, lanediff 0x{b[first]:02x}; "
            f"{len(differing)} byte{'s differ' if len(differing) > 1 else ' differs'} in all")
