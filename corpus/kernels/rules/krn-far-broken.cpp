// Indices and counts that wrapped: each call is rejected by its first byte outside, however much
// it would touch. Counter mode goes on behind the first part that is rejected.
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
  LocalTensor<uint32_t> u = buf.Get<uint32_t>();
  Duplicate(t, 0.0f, 2048);
  PipeBarrier<PIPE_V>();
  MrgSort4Info info;
  for (auto& length : info.elementLengths) length = 8;
  info.validBit = 15;
  info.ifExhaustedSuspension = true;
  MrgSortSrcList<float> list(t[INT32_MIN], t[16], t[32], t[48]);
  MrgSort<float>(t[512], list, info);                               //! KRN-BOUNDS
  info.ifExhaustedSuspension = false;
  MrgSort<float>(t[512], list, info);                               //! KRN-BOUNDS
  Gather(h[2048], h, u[INT32_MIN], 0, 64);                          //! KRN-BOUNDS
  Gather(h[2048], h, u[1536], 0, INT32_MAX);                        //! KRN-BOUNDS
  Gatherb(u[1024], u, u[INT32_MIN], 255, {1, 8});                   //! KRN-BOUNDS
  Brcb(h[2048], h[INT32_MIN], 255, {1, 8});                         //! BRCB-BOUNDS
  uint64_t kept = 0;
  GatherMask(h[2048], h, buf.Get<uint16_t>()[INT32_MIN], true, UINT32_MAX, {1, 255, 8, 8}, kept);  //! KRN-BOUNDS
  GatherMask(h[2048], h, (uint8_t)7, true, UINT32_MAX, {1, 255, 8, 0}, kept);  //! KRN-BOUNDS
  Rsqrt(t[512], t[INT32_MIN], 64);                                  //! RSQRT-BOUNDS
  Sort32(t[512], t[INT32_MIN], u[1536], 255);                       //! KRN-BOUNDS
  CreateVecIndex(t[512], 0.0f, INT32_MAX);                          //! CREATE-VEC-INDEX-BOUNDS
  ReduceMax<float>(t[512], t, t[1024], 64, INT32_MAX, 8, true);     //! KRN-BOUNDS
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(ga, h, DataCopyExtParams(4095, 2097150, 0, 0, 0));    //! DCP-BOUNDS
  PipeBarrier<PIPE_ALL>();
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(INT32_MAX);
  Copy<float, false>(t, t[1024], MASK_PLACEHOLDER, 255, {1, 1, 8, 8});                 //! COPY-BOUNDS
  Adds<float, false>(t[512], t, 1.0f, MASK_PLACEHOLDER, 1, {1, 8, 8, 8});             //! ADDS-BOUNDS
  Add<float, false>(t[512], t, t, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});           //! ADD-BOUNDS
  WholeReduceSum<float, false>(t[512], t, MASK_PLACEHOLDER, 1, 1, 1, 8);              //! WRS-BOUNDS
  SetMaskNorm();
  ResetMask();
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x)); }
