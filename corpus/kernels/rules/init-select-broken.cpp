// A lane leaves the core that was never written: DataCopyPad fills up to lane 79.
#include "kernel_operator.h"
#include "tikicpulib.h"
using namespace AscendC;
constexpr int32_t kUsed = 73, kStored = 81, kRounded = 128;

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> inQ;
  TQue<QuePosition::VECOUT, 1> outQ;
  TBuf<TPosition::VECCALC> bits;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer((__gm__ float*)in, kUsed);
  z.SetGlobalBuffer((__gm__ float*)out, kStored);
  pipe.InitBuffer(inQ, 1, kRounded * sizeof(float));
  pipe.InitBuffer(outQ, 1, kRounded * sizeof(float));
  pipe.InitBuffer(bits, 96);
  auto t = inQ.AllocTensor<float>();
  DataCopyPad(t, x, DataCopyExtParams(1, kUsed * sizeof(float), 0, 0, 0),
              DataCopyPadExtParams<float>(false, 0, 0, 0.0f));
  inQ.EnQue(t);
  t = inQ.DeQue<float>();
  auto y = outQ.AllocTensor<float>();
  auto positive = bits.GetWithOffset<uint8_t>(32, 0);
  auto small = bits.GetWithOffset<uint8_t>(32, 32);
  auto both = bits.GetWithOffset<uint8_t>(32, 64);
  CompareScalar(positive, t, 0.0f, CMPMODE::GT, kRounded);
  CompareScalar(small, t, 20.0f, CMPMODE::LT, kRounded);
  PipeBarrier<PIPE_V>();
  // 72 / 8 is no whole element of 16 bits: the last used lane shares one.
  And(both.ReinterpretCast<uint16_t>(), positive.ReinterpretCast<uint16_t>(),
      small.ReinterpretCast<uint16_t>(), 16);
  PipeBarrier<PIPE_V>();
  Select(y, both, t, 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, kRounded);
  outQ.EnQue(y);
  y = outQ.DeQue<float>();
  DataCopyPad(z, y, DataCopyExtParams(1, kStored * sizeof(float), 0, 0, 0));  //! INIT
  inQ.FreeTensor(t);
  outQ.FreeTensor(y);
}

int main() {
  static float x[kUsed], z[kStored];
  for (int i = 0; i < kUsed; ++i) x[i] = float(i - 30);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Out(z, sizeof z));
  return z[72] == 1 && z[40] == 10 ? 0 : 1;
}
