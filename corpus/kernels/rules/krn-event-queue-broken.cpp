// Ids of one event are one pool: set by hand while a queue holds it, and taken by a queue
// and by AllocEventID while its flag is set.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kTile = 64;
static float x[kTile];

void Kernel(GM_ADDR in) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> qin;
  GlobalTensor<float> gin;
  gin.SetGlobalBuffer((__gm__ float*)in, kTile);
  pipe.InitBuffer(qin, 2, kTile * sizeof(float));
  LocalTensor<float> a = qin.AllocTensor<float>();
  DataCopy(a, gin, kTile);
  qin.EnQue(a);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);  //! KRN-EVENT
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  a = qin.DeQue<float>();
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  qin.FreeTensor(a);  //! KRN-EVENT
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  SetFlag<HardEvent::V_S>(EVENT_ID0);
  const TEventID id = pipe.AllocEventID<HardEvent::V_S>();  //! KRN-EVENT
  WaitFlag<HardEvent::V_S>(EVENT_ID0);
  pipe.ReleaseEventID<HardEvent::V_S>(id);
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }
