// A kernel and a plain loop over the same buffers. Reads commands from stdin, one
// letter each: k runs the kernel, l the loop, c compares what both left; the
// answer is a letter, y or n. The argument names the call: add or min.
#include <cstdio>
#include <cstring>

#include "kernel_operator.h"
#include "tikicpulib.h"

namespace {

constexpr uint32_t kElements = 1 << 20;
constexpr uint32_t kBlocks = 8;
constexpr uint32_t kTile = 4096;

template <bool kAdd>
class Elementwise {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    const uint32_t own = kElements / (uint32_t)AscendC::GetBlockNum();
    const uint32_t first = own * (uint32_t)AscendC::GetBlockIdx();
    x_.SetGlobalBuffer((__gm__ float*)x + first, own);
    y_.SetGlobalBuffer((__gm__ float*)y + first, own);
    z_.SetGlobalBuffer((__gm__ float*)z + first, own);
    tiles_ = own / kTile;
    pipe_.InitBuffer(in_x_, 2, kTile * sizeof(float));
    pipe_.InitBuffer(in_y_, 2, kTile * sizeof(float));
    pipe_.InitBuffer(out_, 2, kTile * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint32_t i = 0; i < tiles_; ++i) {
      AscendC::LocalTensor<float> x = in_x_.template AllocTensor<float>();
      AscendC::LocalTensor<float> y = in_y_.template AllocTensor<float>();
      AscendC::DataCopy(x, x_[i * kTile], kTile);
      AscendC::DataCopy(y, y_[i * kTile], kTile);
      in_x_.EnQue(x);
      in_y_.EnQue(y);
      x = in_x_.template DeQue<float>();
      y = in_y_.template DeQue<float>();
      AscendC::LocalTensor<float> z = out_.template AllocTensor<float>();
      if (kAdd) {
        AscendC::Add(z, x, y, kTile);
      } else {
        AscendC::Min(z, x, y, kTile);
      }
      out_.EnQue(z);
      in_x_.FreeTensor(x);
      in_y_.FreeTensor(y);
      z = out_.template DeQue<float>();
      AscendC::DataCopy(z_[i * kTile], z, kTile);
      out_.FreeTensor(z);
    }
  }

 private:
  AscendC::TPipe pipe_;
  AscendC::TQue<AscendC::QuePosition::VECIN, 2> in_x_, in_y_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, 2> out_;
  AscendC::GlobalTensor<float> x_, y_, z_;
  uint32_t tiles_ = 0;
};

template <bool kAdd>
__global__ __aicore__ void elementwise(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  Elementwise<kAdd> call;
  call.Init(x, y, z);
  call.Process();
}

template <bool kAdd>
int Serve() {
  auto* const x = (float*)AscendC::GmAlloc(4 * kElements * sizeof(float));
  float* const y = x + kElements;
  float* const z = y + kElements;
  float* const by_loop = z + kElements;
  for (uint32_t i = 0; i < kElements; ++i) {
    x[i] = (float)(i % 1000);
    y[i] = (float)(i % 777) * 0.5F;
    by_loop[i] = 0;
  }
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  for (int command = std::getchar(); command != EOF; command = std::getchar()) {
    bool well = true;
    if (command == 'k') {
      ICPU_RUN_KF(elementwise<kAdd>, kBlocks, (GM_ADDR)x, (GM_ADDR)y, (GM_ADDR)z);
    } else if (command == 'l') {
      for (uint32_t i = 0; i < kElements; ++i) {
        by_loop[i] = kAdd ? x[i] + y[i] : x[i] < y[i] ? x[i] : y[i];
      }
    } else {
      well = std::memcmp(z, by_loop, kElements * sizeof(float)) == 0;
    }
    std::putchar(well ? 'y' : 'n');
    std::fflush(stdout);
  }
  AscendC::GmFree(x);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "add") == 0) return Serve<true>();
  if (argc == 2 && std::strcmp(argv[1], "min") == 0) return Serve<false>();
  std::fprintf(stderr, "usage: bench_kernels add|min\n");
  return 2;
}
