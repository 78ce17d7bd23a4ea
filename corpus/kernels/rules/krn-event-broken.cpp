// A ninth one; one given back that nobody holds.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 32);
  Duplicate(buf.Get<float>(), 1.0f, 8);
  for (int i = 0; i < 9; ++i) pipe.AllocEventID<HardEvent::V_MTE3>();  //! KRN-EVENT
  pipe.ReleaseEventID<HardEvent::MTE2_V>(0);                           //! KRN-EVENT
}

int main() { lanediff::Launch(Kernel, 1); }
