// run: --edition 2024
// atlas-200i-500-a2 by the pages of 2024: no copy from UB to UB, no RepeatReduceSum;
// WholeReduceSum there is.
#define LANEDIFF_PRODUCT_ATLAS_200I_500_A2
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 1024);
  LocalTensor<half> t = buf.Get<half>();
  Duplicate(t, half(1), 512);
  PipeBarrier<PIPE_V>();
  DataCopy(t, t[256], 128);  //! DC-ROUTE
  PipeBarrier<PIPE_V>();
  RepeatReduceSum(t[256], t, 1, 128, 0, 1, 1, 8);  //! RRS-PRODUCT
  WholeReduceSum(t[256], t, 128, 1, 1, 1, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
