#include "tikicpulib.h"
#include "kernel_operator.h"

constexpr int32_t kLength = 2048;
constexpr int32_t kBlocks = 8;
constexpr int32_t kOfBlock = kLength / kBlocks;

class Adder {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    const int32_t from = AscendC::GetBlockIdx() * kOfBlock;
    x_.SetGlobalBuffer((__gm__ half*)x + from, kOfBlock);
    y_.SetGlobalBuffer((__gm__ half*)y + from, kOfBlock);
    z_.SetGlobalBuffer((__gm__ half*)z + from, kOfBlock);
    pipe_.InitBuffer(in_x_, 1, kOfBlock * sizeof(half));
    pipe_.InitBuffer(in_y_, 1, kOfBlock * sizeof(half));
    pipe_.InitBuffer(out_, 1, kOfBlock * sizeof(half));
  }
  __aicore__ inline void Process() {
    auto x = in_x_.AllocTensor<half>();
    AscendC::DataCopy(x, x_, kOfBlock);
    in_x_.EnQue(x);
    auto y = in_y_.AllocTensor<half>();
    AscendC::DataCopy(y, y_, kOfBlock);
    x = in_x_.DeQue<half>();
    auto z = out_.AllocTensor<half>();
    AscendC::Add(z, x, y, kOfBlock);
    out_.EnQue(z);
    z = out_.DeQue<half>();
    AscendC::DataCopy(z_, z, kOfBlock);
    in_x_.FreeTensor(x);
    in_y_.FreeTensor(y);
    out_.FreeTensor(z);
  }

 private:
  AscendC::TPipe pipe_;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> in_x_, in_y_;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
  AscendC::GlobalTensor<half> x_, y_, z_;
};

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  Adder adder;
  adder.Init(x, y, z);
  adder.Process();
}

int main() {
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  const size_t bytes = kLength * sizeof(half);
  auto* x = (half*)AscendC::GmAlloc(bytes);
  auto* y = (half*)AscendC::GmAlloc(bytes);
  auto* z = (half*)AscendC::GmAlloc(bytes);
  for (int32_t i = 0; i < kLength; ++i) {
    x[i] = half(i % 100);
    y[i] = half(1);
  }
  ICPU_RUN_KF(add, kBlocks, (uint8_t*)x, (uint8_t*)y, (uint8_t*)z);
  return float(z[5]) == 6.0f ? 0 : 1;
}
