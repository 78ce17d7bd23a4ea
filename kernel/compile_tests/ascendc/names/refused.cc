// Calls that compile and stop the block which reaches them.
#include "kernel_operator.h"

using namespace AscendC;

struct MmadParams {};

extern "C" __global__ __aicore__ void refused(GM_ADDR workspace) {
  GlobalTensor<int32_t> gm;
  LocalTensor<int32_t> ub;
  LocalTensor<half> a, b;
  CrossCoreSetFlag<0x2, PIPE_MTE3>(5);
  CrossCoreWaitFlag(5);
  CrossCoreWaitFlag<0x2, PIPE_V>(5);
  IBSet(gm, ub, 0, 1);
  IBWait<false>(gm, ub, 0, 1);
  SetNextTaskStart();
  WaitPreTaskEnd();
  GM_ADDR context = workspace == nullptr ? GetHcclContext<0>() : workspace;
  SetSysWorkSpacePtr(context);
  SetInput(a, 1, 2);
  const uint32_t shape[2] = {16, 16};
  Broadcast<half, 2, 1>(a, b, shape, shape);
  Broadcast<half, 2, 1, false>(a, b, shape, shape, ub);
  half value, index;
  GetReduceRepeatMaxMinSpr<half>(value, index);
  GetReduceMaxMinCount<half>(value, index);
  Mmad(a, a, b, MmadParams());
  LoadData(a, b, 1);
  Fixpipe<half, half>(a, b, 1);
  DataCopy(a, b, Nd2NzParams());
  DataCopy(a, b, DataCopyParams(), DataCopyEnhancedParams());
  DataCopy(a, b, DataCopyCO12DstParams());
  SliceInfo slices[2] = {{0, 1, 2, 3, 4}, {0, 1, 2, 3}};
  DataCopy(a, b, slices, slices, 2);
  DataCopy(a, b, MultiCopyParams<half, 2>());
  REGIST_MATMUL_OBJ(GetTPipePtr(), workspace, a);
}
