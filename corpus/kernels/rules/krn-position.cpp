// VECCALC is no word of the routes from GM: a note. NO_POSITION of an allocator is silent.
// note KRN-POSITION
#include "kernel_operator.h"
using namespace AscendC;

static float x[16];

void Kernel(GM_ADDR in) {
  InitSocState();
  GlobalTensor<float> gin;
  gin.SetGlobalBuffer((__gm__ float*)in);
  LocalTensor<float> t(TPosition::VECCALC, 0, 16);
  DataCopy(t, gin, 16);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }
