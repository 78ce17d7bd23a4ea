// Atomic modes of types that no atomic operation has: the copy is refused, not dropped. The
// other launch sums, and its copy is an audited call without a value.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T>
static T x[16];
template <typename T>
static T z[16];

template <typename T, bool kPad>
void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 16 * sizeof(T));
  GlobalTensor<T> gin, gout;
  gin.SetGlobalBuffer((__gm__ T*)in, 16);
  gout.SetGlobalBuffer((__gm__ T*)out, 16);
  LocalTensor<T> t = buf.Get<T>();
  DataCopy(t, gin, 16);
  SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
  SetAtomicAdd<T>();
  if constexpr (kPad) {
    DataCopyPad(gout, t, DataCopyExtParams(1, 16 * sizeof(T), 0, 0, 0));
  } else {
    DataCopy(gout, t, 16);
  }
  SetAtomicNone();
}

template <typename T, bool kPad>
bool Run(T expected) {
  for (int i = 0; i < 16; ++i) {
    x<T>[i] = T(i);
    z<T>[i] = T(100);
  }
  lanediff::Launch(Kernel<T, kPad>, 1, lanediff::Gm(x<T>, sizeof x<T>), lanediff::Gm(z<T>, sizeof z<T>));
  return z<T>[3] == expected;
}

int main() {
  const bool right = Run<uint16_t, false>(100) && Run<uint32_t, false>(100) &&
                     Run<int64_t, false>(100) && Run<uint32_t, true>(100) &&
                     Run<int32_t, false>(103) && Run<int16_t, true>(103);
  return right ? 0 : 1;
}
