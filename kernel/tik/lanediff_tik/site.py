"""Where the script calls: the innermost frame outside of these packages."""

import os
import sys

_OURS = (os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep)
_PACKAGES = tuple(_OURS + name for name in ("lanediff_tik" + os.sep, "tbe" + os.sep, "te" + os.sep, "tik.py"))
_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep + "contextlib.py"


def here():
    """(file, line); the file as Python was given it."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        path = os.path.abspath(frame.f_code.co_filename)
        if not path.startswith(_PACKAGES) and path != _LIBRARY:
            break
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
