// Eight ids of an event, given back and asked for again.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 32);
  Duplicate(buf.Get<float>(), 1.0f, 8);
  TEventID ids[8];
  for (auto& id : ids) id = pipe.AllocEventID<HardEvent::V_MTE3>();
  pipe.ReleaseEventID<HardEvent::V_MTE3>(ids[3]);
  pipe.AllocEventID<HardEvent::V_MTE3>();
}

int main() { lanediff::Launch(Kernel, 1); }
