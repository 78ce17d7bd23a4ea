// Tensors that were never given memory, of each kind.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf, never;
  GlobalTensor<float> gm;
  LocalTensor<float> none;
  pipe.InitBuffer(buf, 64);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(none, 1.0f, 8);                //! KRN-TENSOR
  Duplicate(never.Get<float>(), 1.0f, 8);  //! KRN-TENSOR
  DataCopy(t, gm, 8);                      //! KRN-TENSOR
  none.SetValue(0, 1.0f);                  //! KRN-TENSOR
}

int main() { lanediff::Launch(Kernel, 1); }
