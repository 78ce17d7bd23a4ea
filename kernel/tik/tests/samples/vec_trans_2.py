# vec_trans · 调用示例, the second; the line that imports tik is ours.
from tbe import tik
tik_instance = tik.Tik()

shape = (3,16,16)
dtype = "float16"
repeat_time = 2
dst_rep_stride = 2
src_rep_stride = 1

src_gm = tik_instance.Tensor(dtype, shape, name="src_gm", scope=tik.scope_gm)
src_ub = tik_instance.Tensor(dtype, shape, name="src_ub", scope=tik.scope_ubuf)
dst_gm = tik_instance.Tensor(dtype, shape, name="dst_gm", scope=tik.scope_gm)
dst_ub = tik_instance.Tensor(dtype, shape, name="dst_ub", scope=tik.scope_ubuf)
tik_instance.data_move(src_ub, src_gm, 0, 1, 48, 0, 0)
tik_instance.vec_dup(128, dst_ub, 0, 6, 8)
tik_instance.vec_trans(dst_ub, src_ub, repeat_time, dst_rep_stride, src_rep_stride)
tik_instance.data_move(dst_gm, dst_ub, 0, 1, 48, 0, 0)

tik_instance.BuildCCE(kernel_name="vec_trans", inputs=[src_gm], outputs=[dst_gm])
