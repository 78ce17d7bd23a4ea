// One element more. The windows are of the queue's block and of the buffer, however small
// the tensor's own piece; the next buffer in GM doesn't help.
#include "kernel_operator.h"
using namespace AscendC;

static float x[10], y[10];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf, next;
  GlobalTensor<float> gin, gout;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  pipe.InitBuffer(buf, 64);
  pipe.InitBuffer(next, 64);
  LocalTensor<float> t = buf.Get<float>(), u = next.Get<float>();
  Duplicate(u, 1.0f, 16);
  Duplicate(t, 1.0f, 17);    //! DUPLICATE-BOUNDS
  Duplicate(t[8], 1.0f, 9);  //! DUPLICATE-BOUNDS
  Adds(u, t, 1.0f, 17);      //! ADDS-BOUNDS
  const DataCopyExtParams params{1, 44, 0, 0, 0};
  DataCopyPad(t, gin, params, DataCopyPadExtParams<float>{});   //! DCP-BOUNDS
  DataCopyPad(gout, u, params);                                 //! DCP-BOUNDS
  DataCopyPad(gout[10], u, DataCopyExtParams{1, 4, 0, 0, 0});   //! DCP-BOUNDS
  DataCopyPad(gout[100], u, DataCopyExtParams{1, 4, 0, 0, 0});  //! DCP-BOUNDS
  Exp(u, t, 17);           //! EXP-BOUNDS
  Fill(gout, 11, 1.0f);    //! KRN-BOUNDS
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }
