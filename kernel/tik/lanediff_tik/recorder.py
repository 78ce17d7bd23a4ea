"""tik.Tik: what a script calls is written down as a tree."""

import contextlib

from . import product
from .carried.form import FORMS
from .debug import Debug
from .error import KernelError, RefusedError
from .expr import Variable, as_expr
from .number import dtype_of
from .site import here
from .tensor import OTHER_SCOPES, SCOPES, Buffer, Scalar, Tensor, shape_of, strides_of
from .tree import Do, For, If, Scope

# The last kernel that BuildCCE built: what `lanediff run SCRIPT.py` feeds.
last_built = []


class Tik:

    def __init__(self, profiling=None, disable_debug=True, err_msg_level=0):
        self.product = product.chosen(profiling, here())
        self.tikdb = Debug(self)
        self.buffers = []  # in GM
        self.root = Scope()
        self._open = [self.root.body]
        self.kernel = None  # (name, inputs, outputs)
        self.built = None  # where

    # ---- Memory ----

    def Tensor(self, dtype, shape, scope=None, name=None, enable_buffer_reuse=False, no_reuse_list=None,
               reuse_list=None, is_workspace=False, is_atomic_add=False, max_mem_size=None, init_value=None):
        """`is_atomic_add`: zeros where nothing is fed. The four before
        `is_workspace` and `max_mem_size` steer the vendor's allocator."""
        site = here()
        if scope not in SCOPES and scope not in OTHER_SCOPES:
            raise KernelError(f"scope is {scope!r}; it may be scope_gm or scope_ubuf", site)
        if init_value is not None:
            raise RefusedError("Tensor", "with init_value", site)
        shape = shape_of(shape, site)
        buffer = Buffer(dtype_of(dtype, site), shape, scope, name or "tensor", is_atomic_add, site)
        if scope == "gm":
            if any(one.name == buffer.name for one in self.buffers):
                raise KernelError(f"there is a tensor {buffer.name} in GM already", site)
            self.buffers.append(buffer)
        else:
            self._do(site, lambda run: run.declare(buffer))
        return Tensor(self, buffer, buffer.dtype, 0, shape, strides_of(shape))

    def Scalar(self, dtype="int64", name="reg_buf", init_value=None):
        return Scalar(self, dtype, name, init_value)

    def assign(self, scalar, value):
        value = as_expr(value)
        self._do(here(), lambda run: run.assign(scalar, value))

    def store(self, view, value):
        value, site = as_expr(value), here()
        self._do(site, lambda run: run.store(view, value.evaluate(run), site))

    # ---- Scopes ----

    def _emit(self, node):
        self._open[-1].append(node)

    def _do(self, site, action):
        self._emit(Do(site, action))

    @contextlib.contextmanager
    def _inside(self, node, value=None):
        self._open.append(node.body)
        try:
            yield value
        finally:
            self._open.pop()

    def for_range(self, begint, endt, name="i", thread_num=1, thread_type="whole", block_num=1, dtype="int32",
                  for_type="serial"):
        site = here()
        if thread_num not in (1, 2):
            raise KernelError(f"thread_num is {thread_num}; it may be 1 or 2", site)
        if isinstance(block_num, int) and not 1 <= block_num <= 65535:
            raise KernelError(f"block_num is {block_num}; it may be 1 to 65535", site)
        variable = Variable(name)
        node = For(variable, begint, endt, thread_num, block_num, site)
        self._emit(node)
        return self._inside(node, variable)

    def if_scope(self, cond):
        node = If(as_expr(cond), here())
        self._emit(node)
        return self._inside(node)

    def else_scope(self):
        before = self._open[-1][-1] if self._open[-1] else None
        if not isinstance(before, If) or before.otherwise is not None:
            raise KernelError("else_scope stands behind no if_scope", here())
        before.otherwise = Scope(here())
        return self._inside(before.otherwise)

    def new_stmt_scope(self, disable_sync=False):
        node = Scope(here())
        self._emit(node)
        return self._inside(node)

    # ---- The end ----

    def BuildCCE(self, kernel_name, inputs, outputs, output_files_path=None, enable_l2=False, config=None,
                 flowtable=None, evaluates=None, extend_params=None):
        """Remembers the kernel; builds nothing."""
        inputs, outputs = list(inputs) + list(flowtable or []), list(outputs)
        for tensor in inputs + outputs:
            if not isinstance(tensor, Tensor) or tensor.scope != "gm":
                raise KernelError("inputs, outputs and flowtable are Tensors in scope_gm", here())
        self.kernel, self.built = (kernel_name, inputs, outputs), here()
        last_built[:] = [self]


def _method(form):

    def method(self, *args, **kwargs):
        site = here()
        if form.refused:
            self._do(site, lambda run: run.refuse(form.name, form.refused, site))
            return
        try:
            bound = form.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise KernelError(f"{form.name}: {error}; it takes {form.signature}", site) from None
        bound.apply_defaults()
        self._do(site, lambda run: form.function(run, site, **bound.arguments))

    method.__name__ = form.name
    method.__doc__ = form.function.__doc__ if form.function else None
    return method


for _form in FORMS.values():
    setattr(Tik, _form.name, _method(_form))
