// atlas-inference-aicore: Scatter, Region Proposals and the newer MrgSort are there; what
// atlas-a2 has beside them is not.
#define LANEDIFF_PRODUCT_ATLAS_INFERENCE_AICORE
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
  Duplicate(offsets[1024], 0u, 64);
  PipeBarrier<PIPE_V>();
  Scatter(h[1024], h, offsets[1024], 0, 1);
  PipeBarrier<PIPE_V>();
  RpSort16(h[1024], h, 1);
  PipeBarrier<PIPE_V>();
  Copy(h[1024], h, 128, 1, {1, 1, 8, 8});      //! COPY-PRODUCT
  ShiftLeft(offsets, offsets, 1u, 8);          //! SHIFT-LEFT-PRODUCT
  Gatherb(offsets, offsets[512], offsets[1024], 1, {1, 8});  //! KRN-PRODUCT
  Sort32(h[1024], h, offsets[1024], 1);        //! KRN-PRODUCT
}

int main() { lanediff::Launch(Kernel, 1); }
