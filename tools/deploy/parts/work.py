"""What shards and merge share: ends, signals, processes, files that outlive a kill."""

import errno
import fcntl
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace


class Wrong(Exception):
    """Another try would fail, too: status 2."""


# Of OSError: another try would fail, too.
HOPELESS = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST, errno.E2BIG)


class Again(Exception):
    """Another try may succeed: status 75."""


def log(text):
    print(f"sharded-run: {text}", file=sys.stderr, flush=True)


# `busy`: a signal must not raise here. `delays`: seconds to the next step against `child`.
state = SimpleNamespace(child=None, busy=False, interrupted=False, delays=[15, 25])


def on_signal(number, _frame):
    """Passes a signal on to the child. Engines wait for a minute: after 15 s fuzzing, which
    confirms its findings first, gets a second signal; 25 s later all processes are killed."""
    first, state.interrupted = not state.interrupted, True
    if not state.busy:
        state.busy = True  # a second one must not interrupt how this one ends
        raise Again("interrupted")
    if state.child:
        if number == signal.SIGALRM and not state.delays:
            end(state.child.pid)
        else:
            os.kill(state.child.pid, signal.SIGTERM)
        if state.delays and (first or number == signal.SIGALRM):
            signal.alarm(state.delays.pop(0))


def handle_signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, on_signal)


def end(pid):
    """Kills a process and its descendants."""
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for one in (task / "children").read_text().split():
                end(int(one))
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def run(what, command, output, lock, **options):
    """Runs a command whose output goes to a file; its status. Lines of its errors are passed
    on; a failed write, for which lanediff has no status of its own, is one of them."""
    full = False
    with open(output, "wb") as file:
        state.busy = True
        state.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, pass_fds=[lock], **options)
        if state.interrupted:
            os.kill(state.child.pid, signal.SIGTERM)
            signal.alarm(state.delays.pop(0))
        for line in state.child.stderr:
            full = full or re.search(rb"can't be (written|made)", line)
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()
        status = state.child.wait()
        state.child, state.busy = None, False
        signal.alarm(0)
    if state.interrupted:
        raise Again(f"interrupted in {what}")
    if full:
        raise Again(f"{what} could not write")
    return status if status >= 0 else 128 - status


def make_writable(folder):
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


def sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL or not os.path.isdir(path):  # some file systems sync files only
            raise
    finally:
        os.close(descriptor)


def put(path, text):
    """Replaces a file atomically, on disk."""
    new = Path(f"{path}.new")
    new.write_text(text)
    sync(new)
    new.replace(path)
    sync(Path(path).parent)


def lock(path, what):
    """A lock that is held until this process and all that it started have ended."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    for _ in range(30):  # processes of a killed try may end a moment later
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            time.sleep(0.1)
    raise Again(f"{what} is at work in {Path(path).parent}")


def sum_of(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def sum_of_text(text):
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


def files_below(folder):
    def fail(error):
        raise error
    paths = (os.path.join(at, name) for at, _, names in os.walk(folder, onerror=fail, followlinks=True) for name in names)
    return sorted(path for path in paths if os.path.isfile(path))


def remove(folder):
    """A folder and all below it, if it is there."""
    if folder.exists():
        shutil.rmtree(folder)


def sums_hold(folder, lines):
    """Whether the files of lines "SUM  FILE" are there as they were."""
    try:
        return all(sum_of(folder / line[66:]) == line[:64] for line in lines if re.match("[0-9a-f]{64}  ", line))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return False
