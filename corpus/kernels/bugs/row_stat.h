// Row statistics, right but where a macro changes a line: each row of halves is
// clipped to [-2, 2], squared and summed. Rows are 200 wide and padded to 208 by
// DataCopyPad, eight of them are a tile.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kBuffers = 2, kRows = 48, kWidth = 200, kTile = 8;

class RowStat {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
    padded_ = (kWidth + 15) / 16 * 16;
    xGm_.SetGlobalBuffer((__gm__ half*)x, kRows * kWidth);
    yGm_.SetGlobalBuffer((__gm__ half*)y, kRows);
    pipe_.InitBuffer(inQue_, kBuffers, kTile * padded_ * sizeof(half));
    pipe_.InitBuffer(outQue_, kBuffers, (kTile * sizeof(half) + 31) / 32 * 32);
    pipe_.InitBuffer(clipBuf_, kTile * padded_ * sizeof(half));
    pipe_.InitBuffer(limitBuf_, 2 * 32);
    pipe_.InitBuffer(partBuf_, 256);
    LocalTensor<half> limits = limitBuf_.Get<half>();
    Duplicate(limits, (half)-2.0, 16);
    Duplicate(limits[16], (half)2.0, 16);
    PipeBarrier<PIPE_V>();
  }
  __aicore__ inline void Process() {
    for (uint32_t row = 0; row < kRows; row += kTile) {
      CopyIn(row, kTile);
      Compute(kTile);
      CopyOut(row, kTile);
    }
  }

 private:
  __aicore__ inline void CopyIn(uint32_t row, uint32_t n) {
    LocalTensor<half> x = inQue_.AllocTensor<half>();
#ifdef STALE_TILE
    if (row >= 2 * kTile) n -= 1;
#endif
    DataCopyExtParams params{(uint16_t)n, (uint32_t)(kWidth * sizeof(half)), 0, 0, 0};
    DataCopyPadExtParams<half> pad{true, 0, (uint8_t)(padded_ - kWidth), (half)0};
    DataCopyPad(x, xGm_[row * kWidth], params, pad);
    inQue_.EnQue(x);
  }
  __aicore__ inline void Compute(uint32_t n) {
    LocalTensor<half> x = inQue_.DeQue<half>();
    LocalTensor<half> y = outQue_.AllocTensor<half>();
    LocalTensor<half> clip = clipBuf_.Get<half>();
    LocalTensor<half> limits = limitBuf_.Get<half>();
    LocalTensor<half> part = partBuf_.Get<half>();
    // Limits are one block each, read again and again: block stride 0.
    const uint32_t total = n * padded_;
    BinaryRepeatParams lim{1, 1, 0, 8, 8, 0};
#ifdef STALE_MASK
    Max<half, false>(clip, x, limits, MASK_PLACEHOLDER, total / 128, lim);
#else
    Max(clip, x, limits, 128, total / 128, lim);
#endif
    PipeBarrier<PIPE_V>();
    Min(clip, clip, limits[16], 128, total / 128, lim);
    PipeBarrier<PIPE_V>();
    Mul(clip, clip, clip, total);
    PipeBarrier<PIPE_V>();
    // The first 128 of each row, then the rest of each, then both together.
    const uint32_t tail = padded_ - 128, rep = padded_ / 16;
#ifdef STRIDE_IN_BYTES
    WholeReduceSum(y, clip, 128, n, 2, 1, rep);
#else
    WholeReduceSum(y, clip, 128, n, 1, 1, rep);
#endif
    WholeReduceSum(part, clip[128], tail, n, 1, 1, rep);
    PipeBarrier<PIPE_V>();
#ifdef STALE_MASK
    SetMaskNorm();
    SetVectorMask<half, MaskMode::NORMAL>(0, (1ull << n) - 1);
    Add<half, false>(y, y, part, MASK_PLACEHOLDER, 1, BinaryRepeatParams{1, 1, 1, 8, 8, 8});
#else
    Add(y, y, part, n);
#endif
    outQue_.EnQue(y);
    inQue_.FreeTensor(x);
  }
  __aicore__ inline void CopyOut(uint32_t row, uint32_t n) {
    LocalTensor<half> y = outQue_.DeQue<half>();
    DataCopyPad(yGm_[row], y, DataCopyExtParams{1, (uint32_t)(n * sizeof(half)), 0, 0, 0});
    outQue_.FreeTensor(y);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, kBuffers> inQue_;
  TQue<QuePosition::VECOUT, kBuffers> outQue_;
  TBuf<QuePosition::VECCALC> clipBuf_, limitBuf_, partBuf_;
  GlobalTensor<half> xGm_, yGm_;
  uint32_t padded_;
};

static half x[kRows * kWidth], y[kRows];

void Kernel(GM_ADDR in, GM_ADDR out) {
  RowStat op;
  op.Init(in, out);
  op.Process();
}

int main() {
  for (uint32_t i = 0; i < kRows * kWidth; ++i) x[i] = half(float(i % 3));
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y));
}
