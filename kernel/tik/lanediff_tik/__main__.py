"""python3 -m lanediff_tik SCRIPT.py [--feed NAME=FILE|ramp:FROM:STEP|fill:V]…
[-- ARGS]: runs the script, and with --feed the last kernel that it built."""

import os
import runpy
import sys

from .arrays import from_word, to_bytes
from .error import FAILED, KernelError, outcome
from .recorder import last_built
from .session import report_exception


def _words(arguments):
    """Script, feeds and the script's own arguments."""
    own = arguments[arguments.index("--") + 1:] if "--" in arguments else []
    arguments = arguments[:arguments.index("--")] if "--" in arguments else arguments
    script, feeds, words = None, {}, iter(arguments)
    for word in words:
        if word == "--feed":
            name, equals, value = next(words, "").partition("=")
            if not equals or not name:
                raise KernelError("--feed is NAME=FILE, NAME=ramp:FROM:STEP or NAME=fill:V")
            feeds[name] = value
        elif word.startswith("-") or script is not None:
            raise KernelError(f"unexpected {word!r}; usage: {__doc__.splitlines()[0]}")
        else:
            script = word
    if script is None:
        raise KernelError(f"no script; usage: {__doc__.splitlines()[0]}")
    return script, feeds, own


def _feed(feeds):
    kernel = last_built[0] if last_built else None
    if kernel is None:
        raise KernelError("the script built no kernel with BuildCCE")
    inputs = {one.name: one for one in kernel.kernel[1]}
    for name in feeds:
        if name not in inputs:
            raise KernelError(f"--feed {name}: the inputs of {kernel.kernel[0]} are {', '.join(inputs)}")
    for name in inputs:
        if name not in feeds:
            raise KernelError(f"--feed {name}=… is missing: it is an input of {kernel.kernel[0]}")
    data = {name: from_word(inputs[name], word) for name, word in feeds.items()}
    for name, value in data.items():
        try:
            to_bytes(inputs[name], value, None)
        except KernelError as error:
            raise KernelError(f"--feed {name}={feeds[name]}: {error}") from None
    kernel.tikdb.start(data, kernel.built)


def _run(script):
    """Runs the script; whether it came to its end."""
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code in (None, 0):
            return True
        code = end.code & 0xff if isinstance(end.code, int) else 1
        if not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
        outcome.note(FAILED, "ended", code, f"the script ended with status {code}")
        return False
    except Exception as error:  # reported without the frames of the runner
        trace = error.__traceback__
        while trace.tb_next is not None and trace.tb_frame.f_code.co_filename != script:
            trace = trace.tb_next
        inside = trace.tb_frame.f_code.co_filename == script
        report_exception(type(error), error.with_traceback(trace) if inside else error, error.__traceback__)
        return False
    return True


def main(arguments):
    script, feeds, own = _words(arguments)
    if not os.path.isfile(script):
        raise KernelError(f"{script}: no such file")
    sys.argv = [script] + own
    # Behind our own modules, which these folders may have, too.
    own_folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    at = sys.path.index(own_folder) + 1 if own_folder in sys.path else 0
    sys.path[at:at] = [os.path.dirname(os.path.abspath(script)), *getattr(sys, "lanediff_script_path", [])]
    if not _run(script):
        return
    if feeds:
        _feed(feeds)
    elif not (last_built and last_built[0].tikdb.started):
        raise KernelError(f"{script} ran no kernel: it calls no start_debug, and there is no --feed NAME=…")


main(sys.argv[1:])
