"""TIK kernels on the host: what `tik` and its names in `tbe` and `te` are."""

from .expr import All as all  # noqa: A001
from .product import Dprofile
from .recorder import Tik
from .session import install
from .tensor import Scalar, Tensor

scope_gm, scope_ubuf, scope_cbuf, scope_cbuf_out = "gm", "ubuf", "cbuf", "cbuf_out"
scope_ca, scope_cb, scope_cc = "ca", "cb", "cc"

__all__ = ["Dprofile", "Scalar", "Tensor", "Tik", "all", "scope_gm", "scope_ubuf", "scope_cbuf", "scope_cbuf_out",
           "scope_ca", "scope_cb", "scope_cc"]

install()
