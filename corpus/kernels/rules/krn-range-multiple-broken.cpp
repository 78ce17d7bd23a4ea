// Counts, lengths and bases that are no multiples of what their pages require, a validBit that
// is not one of three, and a register that counts more than there can be.
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
  Compare(m[4096], t, t[64], CMPMODE::EQ, 100);           //! COMPARE-COUNT-LENGTH
  Compares(m[4096], t, 0.0f, CMPMODE::LT, 63);            //! COMPARE-SCALAR-COUNT-LENGTH
  CompareScalar(m[4096], h, half(0), CMPMODE::LT, 64);    //! COMPARE-SCALAR-COUNT-LENGTH
  Cast(h[2048], quarter, RoundMode::CAST_NONE, 33);       //! KRN-RANGE
  Cast(h[2048], quarter, RoundMode::CAST_NONE, 33, 1, {1, 1, 8, 2});  //! KRN-RANGE
  uint64_t bits[2] = {0x7, 0};
  Cast(h[2048], quarter, RoundMode::CAST_NONE, bits, 1, {1, 1, 8, 2});  //! KRN-RANGE
  Gather(h[2048], h, buf.Get<uint32_t>()[1536], 1, 16);   //! KRN-RANGE
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(h, ga, DataCopyExtParams(1, 33, 0, 0, 0), DataCopyPadExtParams<half>());  //! DCP-BLOCK-LEN
  DataCopyPad(ga, h, DataCopyExtParams(1, 33, 0, 0, 0));  //! DCP-BLOCK-LEN
  PipeBarrier<PIPE_ALL>();
  MrgSort4Info info;
  for (auto& length : info.elementLengths) length = 8;
  MrgSortSrcList<float> list(t, t[16], t[32], t[48]);
  info.validBit = 5;
  MrgSort<float>(t[512], list, info);  //! KRN-RANGE
  info.validBit = 9;
  MrgSort<float>(t[512], list, info);  //! KRN-RANGE
  ResetMask();
  SetMaskCount();
  Copy<float, false>(t[512], t, MASK_PLACEHOLDER, 64, {1, 8, 8, 8});  //! KRN-RANGE
  SetMaskNorm();
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }

// shows: count is 100; a multiple of 64, for 256 bytes each, is allowed
// shows: validBit is 9; one of 3, 7, 15 is allowed
