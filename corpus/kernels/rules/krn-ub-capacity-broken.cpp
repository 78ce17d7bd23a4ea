// 32 bytes more; what they are used for breaks bounds.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> big, rest;
  pipe.InitBuffer(big, 192 * 1024);
  pipe.InitBuffer(rest, 32);                                      //! KRN-UB-CAPACITY
  Duplicate(rest.Get<float>(), 1.0f, 8);                          //! DUPLICATE-BOUNDS
  LocalTensor<float> t(TPosition::VECCALC, 192 * 1024 - 32, 16);  //! KRN-UB-CAPACITY
  Duplicate(t, 1.0f, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
// follows: DUPLICATE-BOUNDS 10 from KRN-UB-CAPACITY 9
