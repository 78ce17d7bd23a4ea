// The nearest that are.
#include <initializer_list>

#include "kernel_operator.h"
using namespace AscendC;

static half x[64];

void Kernel(GM_ADDR a) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 8192);
  GlobalTensor<half> ga;
  ga.SetGlobalBuffer((__gm__ half*)a, 64);
  LocalTensor<float> t = buf.Get<float>();
  LocalTensor<half> h = buf.Get<half>();
  LocalTensor<uint8_t> m = buf.Get<uint8_t>();
  LocalTensor<int4b_t> quarter = buf.Get<int4b_t>();
  Duplicate(t, 0.0f, 2048);
  PipeBarrier<PIPE_V>();
  Compare(m[4096], t, t[64], CMPMODE::EQ, 128);
  PipeBarrier<PIPE_V>();
  Compares(m[4096], t, 0.0f, CMPMODE::LT, 64);
  PipeBarrier<PIPE_V>();
  CompareScalar(m[4096], h, half(0), CMPMODE::LT, 128);
  PipeBarrier<PIPE_V>();
  Compare(m[4096], t, t[64], CMPMODE::EQ, 0);
  Cast(h[2048], quarter, RoundMode::CAST_NONE, 34);
  PipeBarrier<PIPE_V>();
  Cast(h[2048], quarter, RoundMode::CAST_NONE, 34, 1, {1, 1, 8, 2});
  PipeBarrier<PIPE_V>();
  uint64_t bits[2] = {0xc3, 0};
  Cast(h[2048], quarter, RoundMode::CAST_NONE, bits, 1, {1, 1, 8, 2});
  PipeBarrier<PIPE_V>();
  Gather(h[2048], h, buf.Get<uint32_t>()[1536], 2, 16);
  Gatherb(buf.Get<uint32_t>()[1024], buf.Get<uint32_t>(), buf.Get<uint32_t>()[1536], 0, {1, 8});
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(h, ga, DataCopyExtParams(1, 34, 0, 0, 0), DataCopyPadExtParams<half>());
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(ga, h, DataCopyExtParams(1, 34, 0, 0, 0));
  PipeBarrier<PIPE_ALL>();
  Duplicate(t, 0.0f, 64);
  PipeBarrier<PIPE_V>();
  MrgSort4Info info;
  for (auto& length : info.elementLengths) length = 8;
  MrgSortSrcList<float> list(t, t[16], t[32], t[48]);
  for (int valid : {3, 7, 15}) {
    info.validBit = valid;
    MrgSort<float>(t[512], list, info);
    PipeBarrier<PIPE_V>();
  }
  info.repeatTimes = 0;
  MrgSort<float>(t[512], list, info);
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(64);
  Copy<float, false>(t[512], t, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});
  SetMaskNorm();
  ResetMask();
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }
