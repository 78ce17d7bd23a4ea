// GetValue and SetValue between vector calls and copies, ordered by flags.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 64;
static int32_t x[kCount], y[kCount];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<int32_t> gin, gout;
  gin.SetGlobalBuffer((__gm__ int32_t*)in);
  gout.SetGlobalBuffer((__gm__ int32_t*)out);
  pipe.InitBuffer(qin, 1, sizeof x);
  pipe.InitBuffer(qout, 1, sizeof y);
  LocalTensor<int32_t> a = qin.AllocTensor<int32_t>();
  DataCopy(a, gin, kCount);
  qin.EnQue(a);
  a = qin.DeQue<int32_t>();
  LocalTensor<int32_t> b = qout.AllocTensor<int32_t>();
  const auto v_s = GetTPipePtr()->FetchEventID(HardEvent::V_S);
  const auto s_v = GetTPipePtr()->FetchEventID(HardEvent::S_V);
  Adds(b, a, 5, kCount);
  SetFlag<HardEvent::V_S>(v_s);
  WaitFlag<HardEvent::V_S>(v_s);
  const int32_t first = b.GetValue(0);
  b.SetValue(1, first * 100);
  SetFlag<HardEvent::S_V>(s_v);
  WaitFlag<HardEvent::S_V>(s_v);
  Adds(b, b, first, kCount);
  qout.EnQue(b);
  qin.FreeTensor(a);
  b = qout.DeQue<int32_t>();
  DataCopy(gout, b, kCount);
  qout.FreeTensor(b);
}

int main() {
  for (int i = 0; i < kCount; ++i) x[i] = i + 2;
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kCount; ++i) {
    if (y[i] != (i == 1 ? 700 : i + 7) + 7) return 1;
  }
}
