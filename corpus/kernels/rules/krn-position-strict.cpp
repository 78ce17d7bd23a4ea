// With --strict it is a finding; an allocator's tensor without a word is still silent.
// run: --strict
#include "kernel_operator.h"
using namespace AscendC;

static float x[16];

void Kernel(GM_ADDR in) {
  InitSocState();
  GlobalTensor<float> gin;
  gin.SetGlobalBuffer((__gm__ float*)in);
  LocalMemAllocator<Hardware::UB> allocator;
  LocalTensor<float> t = allocator.Alloc<TPosition::VECCALC, float>(16);
  DataCopy(t, gin, 16);  //! KRN-POSITION
  LocalTensor<float> u = allocator.Alloc<float>(16);
  DataCopy(u, gin, 16);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }
