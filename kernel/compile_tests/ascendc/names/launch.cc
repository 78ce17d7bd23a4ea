// What a kernel knows of its launch, and how the host launches it.
#define LANEDIFF_TILING_TYPE TilingData
struct TilingData {
  unsigned total;
  float scale;
};

#include "acl/acl.h"
#include "ascendc/host_api/tiling/template_argument.h"
#include "cpu_debug_launch.h"
#include "data_utils.h"
#include "kernel_cube_intf.h"
#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
#include "kernel_tiling/kernel_tiling.h"
#include "kernel_vec_intf.h"
#include "lanediff/kernel.h"
#include "tikicpulib.h"

ASCENDC_TPL_ARGS_DECL(launched, ASCENDC_TPL_UINT_DECL(mode, 8, 1, 2), );
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(mode, 8, 1)), );

struct OtherTiling {
  unsigned total;
};

static_assert(AscendC::IsSameType<float, float32_t>::value, "");
static_assert(AscendC::IsSameType<half, float16_t>::value, "");

template <typename Queue>
void WithDefaults(Queue& queue) {
  AscendC::LocalTensor<float> t;
  queue.template AllocTensor(t);
  ASSERT(AscendC::GetBlockNum() != 0 && "no block");
  ascendc_assert(t.GetSize() > 0);
  ascendc_assert(t.GetSize() > 0, "%d elements\n", 0);
}
template void WithDefaults(AscendC::TQue<AscendC::TPosition::VECIN, 1>&);
inline void WithoutStream() {
  lanediff::KernelLaunch((1), (0)).Run([] {});
}

namespace registered {
REGISTER_TILING_DEFAULT(OtherTiling);
extern "C" __global__ __aicore__ void in_a_namespace(GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  static_assert(sizeof(data) == sizeof(OtherTiling), "");
}
}  // namespace registered

// Outside of namespace AscendC, too.
__aicore__ inline void outside() {
  GetTPipePtr()->Reset();
  if (GetSysWorkSpacePtr() == nullptr) PRINTF("none\n");
}

__forceinline__ __aicore__ void Lists(GM_ADDR list) {
  AscendC::ListTensorDesc tensors((__gm__ void*)list);
  AscendC::ListTensorDesc later;
  later.Init(reinterpret_cast<__gm__ void*>(list), 64, 1);
  uint64_t shape[4];
  AscendC::TensorDesc<__gm__ half> desc;
  desc.SetShapeAddr(shape);
  tensors.GetDesc(desc, tensors.GetSize() - desc.GetIndex());
  AscendC::GlobalTensor<half> gm = desc.GetDataObj();
  gm.SetGlobalBuffer(desc.GetDataPtr(), desc.GetShape(desc.GetDim() - 1));
  gm.SetGlobalBuffer(later.GetDataPtr<__gm__ half>(0));
  AscendC::InitGlobalMemory(gm, gm.GetSize(), (half)0);
  AscendC::InitOutput<half>(gm[1], 5);
  matmul::InitOutput<half>(gm[1], 5, 0);
  AscendC::Fill(gm, 5, half(1));
}

extern "C" __global__ __aicore__ void tiled(GM_ADDR x, GM_ADDR workspace,
                                            GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  KERNEL_TASK_TYPE(1, KERNEL_TYPE_MIX_AIV_1_0);
  GET_TILING_DATA(data, tiling);
  {
    REGISTER_TILING_DEFAULT(OtherTiling);
    GET_TILING_DATA(other, tiling);
    static_assert(sizeof(other) == sizeof(OtherTiling), "");
  }
  GET_TILING_DATA_WITH_STRUCT(OtherTiling, third, tiling);
  GM_ADDR user = AscendC::GetUserWorkspace(workspace);
  GM_ADDR usrWorkspace = GetUserWorkspace(workspace);
  if (user == nullptr || usrWorkspace != AscendC::GetSysWorkSpacePtr()) return;
  if (TILING_KEY_IS(1)) {
    data.total += third.total;
  } else if (TILING_KEY_IS(10000000000000000001UL)) {
    data.scale *= 2;
  }
  const int64_t first = AscendC::GetBlockIdx() * 2 + block_idx;
  const uint32_t blocks = AscendC::GetBlockNum() + block_num;
  if (AscendC::GetSubBlockIdx() == 0 && AscendC::GetSubBlockNum() == 1 &&
      AscendC::GetTaskRatio() == 1) {
    AscendC::printf("%ld of %u: %f\n", first, blocks, (half)data.scale);
    PRINTF("%d\n", data.total);
    AscendC::PRINTF("cycle %ld %s\n", AscendC::GetSystemCycle(), "text");
    AscendC::printf("100%%\n");
  }
  if ASCEND_IS_AIV {
    AscendC::SyncAll();
  }
  if (ASCEND_IS_AIC) return;
  (void)x;
}

template <typename T, int n>
__global__ __aicore__ void launched(GM_ADDR x, float) {
  int block_idx = AscendC::GetBlockIdx();  // kernels shadow it
  AscendC::GlobalTensor<T> gm;
  gm.SetGlobalBuffer((__gm__ T*)x, n + block_idx);
}
__global__ __mix__(1, 2) void none() {}

int main() {
  size_t size = 512;
  uint8_t* x = (uint8_t*)AscendC::GmAlloc(size);
  ReadFile("x.bin", size, x, 512);
  ReadFile("x.bin", 512, x, 512);
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_SET_TILING_KEY(1);
  ICPU_RUN_KF(tiled, 8, x, x, x);
  ICPU_RUN_KF(none, 8, );
  uint32_t blocks = 8;
  aclrtStream stream = nullptr;
  ::lanediff::KernelLaunch((blocks), (nullptr), (stream)).Run([&] {
    launched<half, 64>(x, 1);
  });
  ::lanediff::KernelLaunch((blocks), (0), (stream))
      .Run([&] { none(); }, "none");
  float host[64] = {};
  lanediff::Counts counts = lanediff::Launch(
      launched<float, 64>, blocks, lanediff::Gm(host, sizeof(host)), 1);
  lanediff::Launch(launched<float, 64>, blocks,
                   lanediff::Out(host, sizeof(host)), 1);
  launched<half, 64>(x, 1);
  WriteFile("y.bin", x, size);
  AscendC::GmFree(x);

  CHECK_ACL(aclInit(nullptr));
  CHECK_ACL(aclrtSetDevice(0));
  CHECK_ACL(aclrtCreateStream(&stream));
  void* device = nullptr;
  void* there = nullptr;
  CHECK_ACL(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK_ACL(aclrtMallocHost(&there, 64));
  CHECK_ACL(aclrtMemset(there, 64, 0, 64));
  CHECK_ACL(aclrtMemsetAsync(there, 64, 0, 64, stream));
  CHECK_ACL(aclrtMemcpy(device, 64, there, 64, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK_ACL(aclrtMemcpyAsync(device, 64, there, 64, ACL_MEMCPY_HOST_TO_DEVICE,
                             stream));
  CHECK_ACL(
      aclrtMemcpy2d(device, 8, there, 8, 8, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK_ACL(aclrtMemcpy2dAsync(device, 8, there, 8, 8, 8,
                               ACL_MEMCPY_DEVICE_TO_HOST, stream));
  CHECK_ACL(aclrtSynchronizeStream(stream));
  const float one = aclFloat16ToFloat(aclFloatToFloat16(1.0f));
  CHECK_ACL(aclrtFree(device));
  CHECK_ACL(aclrtFreeHost(there));
  CHECK_ACL(aclrtDestroyStream(stream));
  CHECK_ACL(aclrtResetDevice(0));
  CHECK_ACL(aclFinalize());
  return counts.Findings() == 0 && one == 1 && aclDataTypeSize(ACL_FLOAT16) == 2
             ? 0
             : 1;
}
