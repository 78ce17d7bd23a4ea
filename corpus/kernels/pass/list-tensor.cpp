// Two tensors of a list, added into global memory that was filled with 3.
#include "kernel_operator.h"
#include "tikicpulib.h"
#include "kernel_operator_list_tensor_intf.h"
using namespace AscendC;

constexpr int kCount = 64;
static float x[kCount], y[kCount];
static uint64_t list[] = {7 * sizeof(uint64_t), 2, 4, 16, 2 | uint64_t(1) << 32, 2, 32, 0, 0};

__forceinline__ __aicore__ void AddTo(const GlobalTensor<float>& out, const GlobalTensor<float>& in) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, kCount * sizeof(float));
  LocalTensor<float> t = queue.AllocTensor<float>();
  DataCopy(t, in, kCount);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  SetAtomicAdd<float>();
  DataCopy(out, t, kCount);
  SetAtomicNone();
  queue.FreeTensor(t);
}

void Kernel(GM_ADDR inputs, GM_ADDR output) {
  InitSocState();
  ListTensorDesc tensors((__gm__ void*)inputs, sizeof list, 2);
  uint64_t shape[2];
  TensorDesc<float> desc;
  desc.SetShapeAddr(shape);
  GlobalTensor<float> out;
  out.SetGlobalBuffer((__gm__ float*)output);
  InitGlobalMemory(out, kCount, 3.0f);
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < tensors.GetSize(); ++i) {
    tensors.GetDesc(desc, i);
    ASSERT(desc.GetIndex() == i && desc.GetDim() == 2);
    ASSERT(desc.GetShape(0) * desc.GetShape(1) == kCount);
    ASSERT(desc.GetDataPtr() == tensors.GetDataPtr<float>(i));
    AddTo(out, desc.GetDataObj());
    PipeBarrier<PIPE_ALL>();
  }
}

int main() {
  auto* z = (float*)GmAlloc(kCount * sizeof(float));
  for (int i = 0; i < kCount; ++i) {
    x[i] = i;
    y[i] = 2 * i;
  }
  list[7] = reinterpret_cast<uint64_t>(x);
  list[8] = reinterpret_cast<uint64_t>(y);
  lanediff::Gm(x, sizeof x);
  lanediff::Gm(y, sizeof y);
  lanediff::Launch(Kernel, 1, lanediff::Gm(list, sizeof list), (GM_ADDR)z);
  for (int i = 0; i < kCount; ++i) {
    if (z[i] != 3 + 3 * i) return 1;
  }
}
