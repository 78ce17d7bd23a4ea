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

struct AddCall {
  static __aicore__ inline void Do(const AscendC::LocalTensor<float>& z,
                                   const AscendC::LocalTensor<float>& x,
                                   const AscendC::LocalTensor<float>& y) {
    AscendC::Add(z, x, y, kTile);
  }
  static float Of(float x, float y) { return x + y; }
};

struct MinCall {
  static __aicore__ inline void Do(const AscendC::LocalTensor<float>& z,
                                   const AscendC::LocalTensor<float>& x,
                                   const AscendC::LocalTensor<float>& y) {
    AscendC::Min(z, x, y, kTile);
  }
  static float Of(float x, float y) { return x < y ? x : y; }
};

template <class Call>
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
      Call::Do(z, x, y);
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

template <class Call>
__global__ __aicore__ void elementwise(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  Elementwise<Call> call;
  call.Init(x, y, z);
  call.Process();
}

template <class Call>
int Serve() {
  auto* const x = (float*)AscendC::GmAlloc(kElements * sizeof(float));
  auto* const y = (float*)AscendC::GmAlloc(kElements * sizeof(float));
  auto* const z = (float*)AscendC::GmAlloc(kElements * sizeof(float));
  auto* const by_loop = (float*)AscendC::GmAlloc(kElements * sizeof(float));
  for (uint32_t i = 0; i < kElements; ++i) {
    x[i] = (float)(i % 1000);
    y[i] = (float)(i % 777) * 0.5F;
    by_loop[i] = 0;
  }
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  for (int command = std::getchar(); command != EOF; command = std::getchar()) {
    bool well = true;
    if (command == 'k') {
      ICPU_RUN_KF(elementwise<Call>, kBlocks, (GM_ADDR)x, (GM_ADDR)y, (GM_ADDR)z);
    } else if (command == 'l') {
      for (uint32_t i = 0; i < kElements; ++i) by_loop[i] = Call::Of(x[i], y[i]);
    } else {
      well = std::memcmp(z, by_loop, kElements * sizeof(float)) == 0;
    }
    std::putchar(well ? 'y' : 'n');
    std::fflush(stdout);
  }
  AscendC::GmFree(x);
  AscendC::GmFree(y);
  AscendC::GmFree(z);
  AscendC::GmFree(by_loop);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "add") == 0) return Serve<AddCall>();
  if (argc == 2 && std::strcmp(argv[1], "min") == 0) return Serve<MinCall>();
  std::fprintf(stderr, "usage: bench_kernels add|min\n");
  return 2;
}
