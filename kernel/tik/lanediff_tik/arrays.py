"""What is fed and what comes out: numpy's arrays where numpy is there, else
nested lists."""

import math
from fractions import Fraction
from pathlib import Path

from .error import KernelError
from .number import decode, encode, nearest, round_to

try:
    import numpy
except ImportError:
    numpy = None


def to_bytes(tensor, value, site):
    """The bytes of an array, of nested lists, or of bytes themselves."""
    buffer, dtype = tensor.buffer, tensor.type
    if isinstance(value, (bytes, bytearray, memoryview)):
        data = bytes(value)
    elif hasattr(value, "tobytes"):
        if str(value.dtype) != dtype.name:
            raise KernelError(f"{buffer.name} is fed {value.dtype}, the tensor is {dtype.name}", site)
        data = value.tobytes()
    else:
        data = encode(dtype, [_element(dtype, one, buffer.name, site) for one in _flat(value)])
    if len(data) != buffer.bytes:
        raise KernelError(f"{buffer.name} is fed {len(data) // dtype.size} elements, its shape {list(buffer.shape)} has "
                          f"{buffer.bytes // dtype.size}", site)
    return data


def _flat(value):
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _flat(one)
    else:
        yield value


def _element(dtype, value, name, site):
    if isinstance(value, (int, float)) and (dtype.is_float or dtype.low <= value <= dtype.high):
        if dtype.is_float or value == int(value):
            return round_to(dtype, value if dtype.is_float else int(value))
    raise KernelError(f"{name} is fed {value!r}, which is no {dtype.name}", site)


def from_bytes(tensor, data):
    """The tensor's bytes as an array of its shape."""
    shape = tensor.buffer.shape
    if numpy is not None:
        return numpy.frombuffer(data, dtype=tensor.dtype).reshape(shape).copy()
    values = decode(tensor.type, data)
    for length in reversed(shape[1:]):
        values = [values[k:k + length] for k in range(0, len(values), length)]
    return values


def from_word(tensor, word):
    """--feed: FILE, ramp:FROM:STEP or fill:V; numbers are decimal, exact, and
    rounded once."""
    kind, _, rest = word.partition(":")
    count, dtype = math.prod(tensor.buffer.shape), tensor.type
    try:
        if kind == "ramp":
            first, step = (Fraction(one) for one in rest.split(":"))
            return encode(dtype, [nearest(dtype, first + k * step) for k in range(count)])
        if kind == "fill":
            return encode(dtype, [nearest(dtype, Fraction(rest))] * count)
    except ValueError:
        raise KernelError(f"--feed {tensor.name}={word}: not numbers; it may be ramp:FROM:STEP or fill:V") from None
    except KernelError as error:
        raise KernelError(f"--feed {tensor.name}={word}: {error}") from None
    try:
        return Path(word).read_bytes()
    except OSError as error:
        raise KernelError(f"--feed {tensor.name}={word}: {error.strerror}; it may be a file, ramp:FROM:STEP or "
                          "fill:V") from None
