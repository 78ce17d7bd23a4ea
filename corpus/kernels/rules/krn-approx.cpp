// GetValue of a square root: a note.
// note KRN-APPROX
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 32);
  LocalTensor<float> t = buf.Get<float>();
  Duplicate(t, 4.0f, 8);
  PipeBarrier<PIPE_V>();
  Sqrt(t, t, 8);
  SetFlag<HardEvent::V_S>(EVENT_ID0);
  WaitFlag<HardEvent::V_S>(EVENT_ID0);
  t.GetValue(0);
}

int main() { lanediff::Launch(Kernel, 1); }
