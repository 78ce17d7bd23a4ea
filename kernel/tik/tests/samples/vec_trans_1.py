# vec_trans · 调用示例, the first.
from tbe import tik
tik_instance = tik.Tik()
src_gm = tik_instance.Tensor("float16", (1,16,16), name="src_gm", scope=tik.scope_gm)
src_ub = tik_instance.Tensor("float16", (1,16,16), name="src_ub", scope=tik.scope_ubuf)
dst_gm = tik_instance.Tensor("float16", (1,16,16), name="dst_gm", scope=tik.scope_gm)
dst_ub = tik_instance.Tensor("float16", (1,16,16), name="dst_ub", scope=tik.scope_ubuf)
tik_instance.data_move(src_ub, src_gm, 0, 1, 16, 0, 0)
tik_instance.vec_trans(dst_ub, src_ub, 1, 1, 1)
tik_instance.data_move(dst_gm, dst_ub, 0, 1, 16, 0, 0)

tik_instance.BuildCCE(kernel_name="vec_trans", inputs=[src_gm], outputs=[dst_gm])
