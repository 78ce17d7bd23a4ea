// Tiles of 96 of 1,001 elements: the last has 41, copied exactly, its right padded.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kAll = 1001, kTile = 96;
static half x[kAll], y[kAll];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> qin;
  TQue<TPosition::VECOUT, 1> qout;
  GlobalTensor<half> gin, gout;
  gin.SetGlobalBuffer((__gm__ half*)in, kAll);
  gout.SetGlobalBuffer((__gm__ half*)out, kAll);
  pipe.InitBuffer(qin, 2, kTile * sizeof(half));
  pipe.InitBuffer(qout, 2, kTile * sizeof(half));
  for (int from = 0; from < kAll; from += kTile) {
    const int count = from + kTile < kAll ? kTile : kAll - from;
    const int padding = (16 - count % 16) % 16;
    const DataCopyExtParams params{1, count * sizeof(half), 0, 0, 0};
    LocalTensor<half> a = qin.AllocTensor<half>();
    DataCopyPad(a, gin[from], params, DataCopyPadExtParams<half>{true, 0, padding, half(0.0f)});
    qin.EnQue(a);
    a = qin.DeQue<half>();
    LocalTensor<half> b = qout.AllocTensor<half>();
    Muls(b, a, half(2.0f), count + padding);
    qout.EnQue(b);
    qin.FreeTensor(a);
    b = qout.DeQue<half>();
    DataCopyPad(gout[from], b, params);
    qout.FreeTensor(b);
  }
}

int main() {
  for (int i = 0; i < kAll; ++i) x[i] = half(float(i));
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int i = 0; i < kAll; ++i) {
    if (float(y[i]) != 2 * i) return 1;
  }
}
