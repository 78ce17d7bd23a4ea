// Calls that other products have: the results are unknown, and the block goes on.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 8192);
  LocalTensor<half> h = buf.Get<half>();
  LocalTensor<uint32_t> offsets = buf.Get<uint32_t>();
  Duplicate(h, half(0), 4096);
  PipeBarrier<PIPE_V>();
  Neg(h[1024], h, 16);                         //! KRN-PRODUCT
  Ands(buf.Get<int16_t>()[1024], buf.Get<int16_t>(), int16_t(1), 16);  //! KRN-PRODUCT
  Scatter(h[1024], h, offsets[1024], 0, 16);   //! KRN-PRODUCT
  RpSort16(h[1024], h, 1);                     //! KRN-PRODUCT
  PipeBarrier<PIPE_V>();
  Exp(h[1024], h, 16);
}

int main() { lanediff::Launch(Kernel, 1); }

// shows: Neg is skipped: the product is atlas-a2; page Neg(ISASI) lists none that is known here
// shows: page Scatter(ISASI) lists atlas-200i-500-a2 or atlas-inference-aicore
// shows: page RpSort16 lists atlas-inference-aicore or atlas-training
