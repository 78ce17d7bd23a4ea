// Ids that FetchEventID and AllocEventID hand out while queues hold others, and ids by hand
// of events whose ids no queue holds then.
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
  for (int i = 0; i < 3; ++i) {
    LocalTensor<float> a = qin.AllocTensor<float>();
    DataCopy(a, gin, kTile);
    qin.EnQue(a);
    const TEventID fetched = pipe.FetchEventID(HardEvent::MTE2_V);
    SetFlag<HardEvent::MTE2_V>(fetched);
    WaitFlag<HardEvent::MTE2_V>(fetched);
    const TEventID held = pipe.AllocEventID<HardEvent::MTE2_V>();
    SetFlag<HardEvent::MTE2_V>(held);
    a = qin.DeQue<float>();
    WaitFlag<HardEvent::MTE2_V>(held);
    pipe.ReleaseEventID<HardEvent::MTE2_V>(held);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    qin.FreeTensor(a);
  }
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }
