"""Tensors, Scalars: memory that has a place when the kernel runs."""

import operator

from .error import KernelError
from .expr import Expr, Operators, as_expr
from .number import DTYPES, dtype_of
from .site import here

SCOPES = {"gm": "GM", "ubuf": "UB"}
# Known, and where no carried or audited call of TIK goes.
OTHER_SCOPES = ("cbuf", "cbuf_out", "ca", "cb", "cc")


def _product(numbers):
    total = 1
    for number in numbers:
        total *= number
    return total


class Buffer:
    """What one declaration declares; `shape` in elements."""

    def __init__(self, dtype, shape, scope, name, is_zero, site):
        self.dtype, self.shape, self.scope, self.name = dtype, shape, scope, name
        self.is_zero, self.site = is_zero, site
        self.bytes = _product(shape) * dtype.size


class Tensor(Operators):
    """A view of a buffer from `at` (bytes, perhaps an expression) on. `strides`
    in elements; reads as its first element where a number is required."""

    __iter__ = None

    def __init__(self, recorder, buffer, dtype, at, shape, strides):
        self._recorder, self.buffer, self._dtype = recorder, buffer, dtype
        self.at, self.shape, self._strides = at, tuple(shape), tuple(strides)

    @property
    def dtype(self):
        return self._dtype.name

    @property
    def type(self):
        return self._dtype

    @property
    def name(self):
        return self.buffer.name

    @property
    def scope(self):
        return self.buffer.scope

    @property
    def size(self):
        return _product(self.shape)

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        shape, strides = self.shape or (self.size,), self._strides or (1,)
        if len(index) > len(shape):
            raise KernelError(f"{self.name} has {len(shape)} dimensions, the index {len(index)}", here())
        at, new_shape, new_strides = self.at, [], []
        for k, (length, stride) in enumerate(zip(shape, strides)):
            one = index[k] if k < len(index) else slice(None)
            first = one
            if isinstance(one, slice):
                if one.step not in (None, 1):
                    raise KernelError(f"a slice of {self.name} has the step {one.step}; it may be 1", here())
                first = 0 if one.start is None else one.start
                end = length if one.stop is None else one.stop
                new_shape.append(end - first)
                new_strides.append(stride)
            at = at + as_expr(first) * (stride * self._dtype.size) if not isinstance(first, int) else \
                at + first * stride * self._dtype.size
        return Tensor(self._recorder, self.buffer, self._dtype, at, new_shape, new_strides)

    def __setitem__(self, index, value):
        self[index].set_as(value)

    def set_as(self, value):
        """Writes the first element."""
        self._recorder.store(self, value)

    def as_element(self):
        return Element(self)

    def reshape(self, new_shape):
        shape = shape_of(new_shape, here())
        if _product(shape) != self.size:
            raise KernelError(f"{self.name} has {self.size} elements, the new shape {list(shape)} {_product(shape)}",
                              here())
        return Tensor(self._recorder, self.buffer, self._dtype, self.at, shape, strides_of(shape))

    def reinterpret_cast_to(self, dtype):
        """The same bytes as elements of another type: the last dimension
        changes."""
        new = dtype_of(dtype, here())
        shape = list(self.shape) or [1]
        last = shape[-1] * self._dtype.size
        if isinstance(last, int) and last % new.size and len(self.shape) > 0:
            raise KernelError(f"{last} bytes of {self.name} are no whole number of {dtype}", here())
        shape[-1] = last // new.size or 1
        return Tensor(self._recorder, self.buffer, new, self.at, shape, strides_of(shape))


def strides_of(shape):
    strides = [1]
    for length in reversed(shape[1:]):
        strides.insert(0, strides[0] * length)
    return strides if shape else []


def shape_of(shape, site):
    numbers = []
    for one in shape if isinstance(shape, (list, tuple)) else (shape,):
        number = operator.index(one) if hasattr(one, "__index__") else 0
        if number < 1:
            raise KernelError(f"a dimension of the shape is {one!r}; it must be an integer from 1", site)
        numbers.append(number)
    return tuple(numbers)


class Element(Expr):
    """The value of a tensor's first element when it is queried."""

    def __init__(self, view):
        self.view, self.site = view, here()
        self.dtype = view.dtype if view.type.is_float else "int"

    def evaluate(self, run):
        return run.load(self.view, self.site)


class Scalar(Expr):
    """A register of the scalar unit."""

    def __init__(self, recorder, dtype="int64", name="reg_buf", init_value=None):
        self._recorder, self._type, self.name = recorder, dtype_of(dtype, here()), name
        self.dtype = dtype if self._type.is_float else "int"
        if init_value is not None:
            self.set_as(init_value)

    @property
    def type(self):
        return self._type

    def set_as(self, value):
        self._recorder.assign(self, value)

    def evaluate(self, run):
        if self not in run.scalars:
            raise KernelError(f"Scalar {self.name} is read before it is set", run.site)
        return run.scalars[self]


def check_is_tensor(value, what, site):
    if not isinstance(value, Tensor):
        raise KernelError(f"{what} is {type(value).__name__}; it must be a Tensor", site)
    return value


__all__ = ["Buffer", "DTYPES", "Element", "Scalar", "Tensor", "check_is_tensor"]
