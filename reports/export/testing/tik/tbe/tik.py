"""The shapes of TIK that exported snippets use: they write down how they are
called."""

scope_gm = "gm"
scope_ubuf = "ubuf"
scope_cbuf = "cbuf"

calls = []

SIZES = {"float16": 2, "float32": 4, "float64": 8, "bfloat16": 2}


def size_of(dtype):
    return SIZES.get(dtype) or int(dtype.lstrip("uint")) // 8


class Tensor:

    def __init__(self, dtype, name, scope, at=0):
        self.dtype, self.name, self.scope, self.at = dtype, name, scope, at

    def __getitem__(self, index):
        at = self.at + index * size_of(self.dtype)
        return Tensor(self.dtype, self.name, self.scope, at)

    def reinterpret_cast_to(self, dtype):
        return Tensor(dtype, self.name, self.scope, self.at)

    def __str__(self):
        return f"{self.scope}:{self.at}:{self.dtype}"


class Tik:

    def __init__(self, disable_debug):
        assert disable_debug is False

    def Tensor(self, dtype, shape, name, scope):
        assert len(shape) == 1
        return Tensor(dtype, name, scope)

    def data_move(self, dst, src, sid, nburst, burst, src_stride, dst_stride):
        assert (sid, nburst, src_stride, dst_stride) == (0, 1, 0, 0)
        calls.append(f"data_move {dst} {src} {burst}")

    def vec_trans(self, dst, src, repeat_times, dst_rep_stride, src_rep_stride):
        calls.append(f"vec_trans {dst} {src} {repeat_times} {dst_rep_stride} "
                     f"{src_rep_stride}")

    def BuildCCE(self, kernel_name, inputs, outputs):
        assert kernel_name.isidentifier() and len(inputs) == len(outputs)
