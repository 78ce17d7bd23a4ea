"""vec_trans, which is audited, vnchwconv and vextract."""

from ..error import KernelError
from ..expr import integer
from ..tensor import check_is_tensor
from .form import call
from .elementwise import check_types
from .lanes import BLOCK, REPEAT
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


@call("vnchwconv")
def vnchwconv(run, site, dst_high_half, src_high_half, dst_list, src_list, repeat_times, dst_rep_stride,
              src_rep_stride):
    """Rows of src_list become columns of dst_list. Of 8 bits a row is the lower or upper half
    of its block; of 32 bits it has eight elements, and a column takes two of dst_list. A
    single iteration has no strides. As TransDataTo5HD of Ascend C."""
    step = CarriedStep(run, "vnchwconv", "V", site)
    windows = []
    for which, views in (("dst", dst_list), ("src", src_list)):
        if not isinstance(views, (list, tuple)) or len(views) != SIDE:
            raise KernelError(f"vnchwconv: {which}_list must be a list of {SIDE} Tensors", site)
        # The operand that reports name is the first.
        windows.append([run.window(check_is_tensor(view, f"{which}_list", site), site) for view in views])
        step.operand(which, views[0])
    dtype = check_types("vnchwconv", windows[0] + windows[1], ("int8", "uint8", "half", "int16", "uint16", "float",
                                                               "int32", "uint32"), site)
    repeat = step.parameter("repeat_times", repeat_times, 1, REPEAT[1])
    strides = [step.parameter(f"{which}_rep_stride", value, 0, 65535) * BLOCK * (repeat > 1)
               for which, value in (("dst", dst_rep_stride), ("src", src_rep_stride))]
    high = [step.parameter(f"{which}_high_half", int(value), 0, 1) * SIDE * (dtype.size == 1)
            for which, value in (("dst", dst_high_half), ("src", src_high_half))]
    size, columns = dtype.size, min(SIDE, BLOCK // dtype.size)
    for k in range(repeat):
        rows = [step.read(one, [(one.at + high[1] + k * strides[1], columns * size)], k) for one in windows[1]]
        for n, one in enumerate(windows[0]):
            column, first = (n, 0) if size < 4 else (n // 2, n % 2 * columns)
            data = b"".join(row[column * size:column * size + size] for row in rows[first:first + columns])
            step.write(one, [(one.at + high[0] + k * strides[0], columns * size)], data, k)
    step.emit()


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
