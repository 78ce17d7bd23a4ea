// What is said of an operand holds too where its position is no documented word.
#include "kernel_operator.h"
using namespace AscendC;

static half x[64];

void Kernel(GM_ADDR in) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 128);
  GlobalTensor<half> gm;
  gm.SetGlobalBuffer((__gm__ half*)in, 16);
  DataCopy(buf.Get<half>(), gm, 32);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }
