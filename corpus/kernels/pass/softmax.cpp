// Rows of 200, padded to 208; the scalar unit reads maximum and sum of a row. Several places
// order the same.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kRows = 12, kCols = 200, kPadded = 208, kBlocks = 3;
static half x[kRows * kCols], y[kRows * kCols];

void Kernel(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> qin;
  TQue<TPosition::VECOUT, 2> qout;
  TBuf<> work, values, result;
  GlobalTensor<half> gin, gout;
  gin.SetGlobalBuffer((__gm__ half*)in, kRows * kCols);
  gout.SetGlobalBuffer((__gm__ half*)out, kRows * kCols);
  pipe.InitBuffer(qin, 2, kPadded * sizeof(half));
  pipe.InitBuffer(qout, 2, kPadded * sizeof(half));
  pipe.InitBuffer(work, kPadded * sizeof(float));
  pipe.InitBuffer(values, kPadded * sizeof(float));
  pipe.InitBuffer(result, 32);
  for (int row = GetBlockIdx(); row < kRows; row += GetBlockNum()) {
    auto a = qin.AllocTensor<half>();
    DataCopyPad(a, gin[row * kCols], {1, kCols * sizeof(half), 0, 0, 0},
                {true, 0, 8, (half)-65504.0f});
    qin.EnQue(a);
    a = qin.DeQue<half>();
    auto b = qout.AllocTensor<half>();
    auto f = values.Get<float>();
    auto w = work.Get<float>();
    auto r = result.Get<float>();
    Cast(f, a, RoundMode::CAST_NONE, kPadded);
    PipeBarrier<PIPE_V>();
    ReduceMax(r, f, w, kCols, false);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    const float most = r.GetValue(0);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    Adds(f, f, -most, kCols);
    PipeBarrier<PIPE_V>();
    Exp(f, f, kCols);
    PipeBarrier<PIPE_V>();
    ReduceSum(r, f, w, kCols);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    const float part = 1.0f / r.GetValue(0);
    SetFlag<HardEvent::S_V>(EVENT_ID0);
    WaitFlag<HardEvent::S_V>(EVENT_ID0);
    Muls(f, f, part, kCols);
    PipeBarrier<PIPE_V>();
    Cast(b, f, RoundMode::CAST_RINT, kCols);
    qout.EnQue(b);
    PipeBarrier<PIPE_V>();
    qin.FreeTensor(a);
    b = qout.DeQue<half>();
    DataCopyPad(gout[row * kCols], b, {1, kCols * sizeof(half), 0, 0, 0});
    qout.FreeTensor(b);
  }
}

int main() {
  for (int i = 0; i < kRows * kCols; ++i) x[i] = half(-3.0f + 0.0025f * i);
  lanediff::Launch(Kernel, kBlocks, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
  for (int row = 0; row < kRows; ++row) {
    float sum = 0;
    for (int i = 0; i < kCols; ++i) sum += float(y[row * kCols + i]);
    if (sum < 0.99f || sum > 1.01f) return 1;
  }
}
