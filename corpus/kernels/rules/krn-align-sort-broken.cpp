// 32 bytes are not enough for Sort32, nor 2 for a value with its index.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 4096);
  LocalTensor<float> t = buf.Get<float>();
  LocalTensor<half> h = buf.Get<half>();
  LocalTensor<uint32_t> u = buf.Get<uint32_t>();
  Duplicate(t, 1.0f, 1024);
  PipeBarrier<PIPE_V>();
  Sort32(t[32], t[512], u[768], 1);       //! KRN-ALIGN
  Sort32(t, t[528], u[768], 1);           //! KRN-ALIGN
  Sort32(t, t[512], u[784], 1);           //! KRN-ALIGN
  Sort32(h, h[1040], u[768], 1);          //! KRN-ALIGN
  WholeReduceMax<half>(h[1], h[1024], 128, 1, 1, 1, 8);    //! WRMAX-DST-ALIGN
  WholeReduceMin<float>(t[1], t[512], 64, 1, 1, 1, 8);     //! WRMIN-DST-ALIGN
  WholeReduceMax<half>(h[1], h[1024], 128, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);  //! WRMAX-DST-ALIGN
}

int main() { lanediff::Launch(Kernel, 1); }
