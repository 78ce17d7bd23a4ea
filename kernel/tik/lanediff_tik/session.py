"""The run that all kernels of a script are of, and its one report: lanediff,
which gets their programs and at last the end of the script."""

import atexit
import contextlib
import functools
import json
import os
import shlex
import shutil
import subprocess
import sys
import traceback

from . import product
from .error import FAILED, WRONG, KernelError, RefusedError, outcome

_session = None
_process = os.getpid()
# `lanediff run SCRIPT.py` has the other end of it.
_inherited = os.environ.pop("LANEDIFF_SESSION", None)


def command():
    """LANEDIFF – a program, or words –, else lanediff of PATH."""
    name = os.environ.get("LANEDIFF", "lanediff")
    named = [name] if os.path.isfile(name) else shlex.split(name)
    if not named or shutil.which(named[0]) is None:
        raise KernelError(f"no program {' '.join(named) or 'LANEDIFF'}; put lanediff on PATH or name it in LANEDIFF")
    return named


@functools.cache
def listed(word):
    """(op, type) that the documents of Ascend C list for the product `word`, and (from, to, round
    mode) of Cast; a type of None: any."""
    edition = product.option("edition")
    words = command() + ["list", "instructions", "--json", "-"] + (["--edition", edition] if edition else [])
    environment = {key: value for key, value in os.environ.items() if key != "LANEDIFF_OPTIONS"}
    done = subprocess.run(words, capture_output=True, env=environment, check=False)
    try:
        instructions = json.loads(done.stdout)["instructions"]
        return {(one["op"], type_) for one in instructions for of in one.get("products", ())
                if of["product"] == word for type_ in of.get("types") or [None]} | {
                    (of["from"], of["to"], mode) for one in instructions for of in one.get("conversions", ())
                    if word in of["products"] for mode in of["roundModes"]}
    except (ValueError, KeyError, TypeError):
        raise KernelError(f"{' '.join(words)} answered nothing", None, FAILED) from None


def _line(value):
    """JSON whose texts have a character for each byte: they may hold any."""

    def bytewise(one):
        if isinstance(one, dict):
            return {key: bytewise(value) for key, value in one.items()}
        return os.fsencode(one).decode("latin-1") if isinstance(one, str) else one

    return json.dumps(bytewise(value), separators=(",", ":"))


class Session:
    """`child`: the process, where this script started it."""

    def __init__(self, reader, writer, child=None):
        self._reader, self._writer, self._child = reader, writer, child
        if child is not None:
            self._tell("script", {"program": sys.argv[0], "pid": os.getpid()})

    def run(self, document, site):
        """What is in memory behind the program, and whether anything was
        found."""
        sys.stdout.flush()
        for piece in _pieces(document):
            self._write(piece)
        self._write("\n", flush=True)
        try:
            answer = json.loads(self._reader.readline())
            if "error" in answer:
                raise KernelError(answer["error"], site)
            answer["found"], answer["memory"]
        except (ValueError, KeyError, TypeError):
            raise KernelError("lanediff answered nothing", site, FAILED) from None
        if answer.get("stop"):  # --max-errors: the report states it
            sys.stdout.flush()
            os._exit(close())
        return answer

    def poison(self, kernel, at, count, site):
        self._tell("poison", {"kernel": kernel, "at": at, "bytes": count, "site": _place(site)})

    def refused(self, error):
        self._tell("refusal", {"name": error.name, "why": error.why, "site": _place(error.site), "block": 0})

    def close(self, end):
        """The script ends so; the status of the run, if it ends with this
        script."""
        self._tell("end", end)
        for file in self._writer, self._reader:
            try:
                file.close()
            except BrokenPipeError:
                pass
        return self._child.wait() if self._child is not None else None

    def _tell(self, kind, value):
        self._write(f"{kind} {_line(value)}\n", flush=True)

    def _write(self, text, flush=False):
        try:
            self._writer.write(text)
            if flush:
                self._writer.flush()
        except (BrokenPipeError, ValueError):
            pass  # the reason is on stderr


def _place(site):
    return {"file": site[0], "line": site[1]}


def _pieces(document):
    """The document's text, step by step: programs are long."""
    compact = {"separators": (",", ":")}
    yield json.dumps({**document, "program": []}, **compact).removesuffix("]}")
    for k, step in enumerate(document["program"]):
        yield ("," if k else "") + json.dumps(step, **compact)
    yield "]}"


def current(site=None):
    """The session; the first kernel begins it."""
    global _session
    if os.getpid() != _process:
        _refuse_forked(site)
        raise KernelError("start_debug in a process that the script forked; call it in the one that it began in", site,
                          FAILED)
    if _session is None and _inherited is not None:
        file = int(_inherited)
        os.set_inheritable(file, False)
        _session = Session(open(file, encoding="utf-8", closefd=False), open(os.dup(file), "w", encoding="utf-8"))
    if _session is None:
        environment = {key: value for key, value in os.environ.items() if key != "LANEDIFF_OPTIONS"}
        words = command() + ["run"] + product.options() + ["--program", "-"]
        child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True)
        _session = Session(child.stdout, child.stdin, child)
    return _session


def _refuse_forked(site):
    """Of this process the run reports that alone."""
    file = _session._writer.fileno() if _session is not None else _inherited and int(_inherited)
    if file is None:
        return
    refusal = {"name": "start_debug", "why": "in a process that the script forked", "site": _place(site), "block": 0}
    with contextlib.suppress(OSError):
        os.write(file, f"refusal {_line(refusal)}\n".encode())


def _reported():
    """The session that reports how the script ends, if there is one."""
    if os.getpid() != _process:
        return None
    return current() if _inherited is not None else _session


def close():
    """Ends the run; its status."""
    global _session
    if outcome.status == 0:
        for error in list(outcome.raised):
            report_exception(type(error), error, None)
    session, _session = _reported(), None
    status = session.close(outcome.end) if session is not None else None
    return outcome.status if status is None else status


def _leave():
    """A script that ends well ends with the status of its run."""
    sys.stdout.flush()
    status = close()
    sys.stderr.flush()
    if status:
        os._exit(status)


def report_exception(kind, value, trace):
    """An exception ends the script."""
    if issubclass(kind, RefusedError) and _reported():
        _reported().refused(value)
        outcome.note(value.status, "ended")
        return
    if issubclass(kind, KernelError):
        if not _reported():
            print(value, file=sys.stderr)
        outcome.note(value.status, "not-started" if value.status == WRONG else "crashed", 0, str(value))
        return
    sys.__excepthook__(kind, value, trace)
    last = traceback.extract_tb(trace)[-1] if trace else None
    where = f" at {last.filename}:{last.lineno}" if last else ""
    outcome.note(FAILED, "ended", 1, f"the script raised {kind.__name__}{where}")


def install():
    """For scripts that python3 runs by itself, too."""
    atexit.register(_leave)
    sys.excepthook = report_exception
