"""vec_trans, which is audited, and vextract."""

from ..expr import integer
from ..tensor import check_is_tensor
from .form import call
from .elementwise import check_types
from .lanes import REPEAT
from .step import CarriedStep

# Bytes of a block of 16 x 16 elements of two bytes; both strides count these.
SQUARE, SIDE = 512, 16


@call("vec_trans")
def vec_trans(run, site, dst, src, repeat_times, dst_rep_stride, src_rep_stride):
    """Element (i, j) of each block goes to (j, i); lanediff checks the call."""
    windows = [run.window(check_is_tensor(view, name, site), site) for name, view in (("dst", dst), ("src", src))]
    numbers = [integer(value, run, name, site) for name, value in
               (("repeat_times", repeat_times), ("dst_rep_stride", dst_rep_stride),
                ("src_rep_stride", src_rep_stride))]
    to, of = windows
    # Beyond its range the call is rejected: nothing of it is executed.
    for k in range(numbers[0] if 1 <= numbers[0] <= 4095 else 0):
        data = run.memory(of.memory).read(of.at + k * numbers[2] * SQUARE, SQUARE)
        moved = b"".join(data[2 * (SIDE * i + j):2 * (SIDE * i + j) + 2] for j in range(SIDE) for i in range(SIDE))
        run.memory(to.memory).write(to.at + k * numbers[1] * SQUARE, moved)
    operand_of = [window.operand() for window in windows]
    del operand_of[0]["dtype"]
    if of.dtype is to.dtype:
        del operand_of[1]["dtype"]
    run.emit({"op": "vec_trans", "dtype": to.dtype.word, "dst": operand_of[0], "src": operand_of[1],
              "repeat_times": numbers[0], "dst_rep_stride": numbers[1], "src_rep_stride": numbers[2]}, site)


@call("vextract")
def vextract(run, site, dst, src, repeat_times, mode_number):
    """Member mode_number (x1, y1, x2, y2, score, label) of 16 proposals of eight
    elements each, in every iteration."""
    step = CarriedStep(run, "vextract", "V", site)
    to, of = step.operand("dst", dst), step.operand("src", src)
    size = check_types("vextract", (to, of), ("half", "float"), site).size
    repeat = step.parameter("repeat_times", repeat_times, *REPEAT)
    member = step.parameter("mode_number", mode_number, 0, 5)
    for k in range(repeat):
        runs = [(of.at + (8 * (16 * k + j) + member) * size, size) for j in range(16)]
        step.write(to, [(to.at + 16 * k * size, 16 * size)], step.read(of, runs, k), k)
    step.emit()
