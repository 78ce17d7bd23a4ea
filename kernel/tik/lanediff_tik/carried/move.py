"""data_move, pipe_barrier."""

from ..error import KernelError, RefusedError
from ..tensor import check_is_tensor
from .form import call, refuse
from .lanes import BLOCK
from .step import CarriedStep

_PIPES = {("GM", "UB"): "MTE2", ("UB", "GM"): "MTE3", ("UB", "UB"): "V"}
_BARRIERS = ("V", "MTE1", "MTE2", "MTE3", "M", "ALL")


@call("data_move")
def data_move(run, site, dst, src, sid, nburst, burst, src_stride, dst_stride):
    """nburst pieces of burst blocks of 32 bytes; the strides count blocks from
    the end of a piece to the next."""
    # The pipe follows from the operands, which only the step resolves.
    route = tuple(run.window(check_is_tensor(view, name, site), site).memory
                  for name, view in (("src", src), ("dst", dst)))
    if route not in _PIPES:
        raise RefusedError("data_move", "within GM; between UB and GM, and within UB, is supported", site)
    step = CarriedStep(run, "data_move", _PIPES[route], site)
    to, of = step.operand("dst", dst), step.operand("src", src)
    if to.dtype is not of.dtype:
        raise KernelError(f"data_move: dst is {to.dtype.name}, src {of.dtype.name}; they must be alike", site)
    step.parameter("sid", sid, 0, 15)
    pieces = step.parameter("nburst", nburst, 1, 4095)
    count = step.parameter("burst", burst, 1, 65535) * BLOCK
    gaps = [step.parameter(name, value, 0, 65535) * BLOCK
            for name, value in (("src_stride", src_stride), ("dst_stride", dst_stride))]
    if "GM" in route:
        step.judged("DataCopy", to.dtype, params={"blockCount": "nburst", "blockLen": "burst", "srcGap": "src_stride",
                                                  "dstGap": "dst_stride"})
    for k in range(pieces):
        data = step.read(of, [(of.at + k * (count + gaps[0]), count)], k)
        step.write(to, [(to.at + k * (count + gaps[1]), count)], data, k)
    step.emit()


@call("pipe_barrier")
def pipe_barrier(run, site, pipe):
    word = pipe.removeprefix("PIPE_") if isinstance(pipe, str) else pipe
    if word not in _BARRIERS:
        raise KernelError(f"pipe is {pipe!r}; it may be {', '.join('PIPE_' + one for one in _BARRIERS)}", site)
    run.emit({"op": "PipeBarrier", "pipe": word}, site)


refuse("matmul", "cube")
