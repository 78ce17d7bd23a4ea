// The same with offsets of whole elements and blocks, and with sorted queues; equal scores are
// sorted. No note: numbers alone as scores.
#include "kernel_operator.h"
using namespace AscendC;

static uint32_t even[8] = {0, 2, 6, 4};
static uint32_t blocks[8] = {0, 32, 64, 32, 96, 128, 160, 192};
static float scores[64];

void Kernel(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 8192);
  GlobalTensor<uint32_t> ga, gb;
  GlobalTensor<float> gc;
  ga.SetGlobalBuffer((__gm__ uint32_t*)a, 8);
  gb.SetGlobalBuffer((__gm__ uint32_t*)b, 8);
  gc.SetGlobalBuffer((__gm__ float*)c, 64);
  LocalTensor<float> t = buf.Get<float>();
  LocalTensor<uint32_t> u = buf.Get<uint32_t>();
  Duplicate(t, 0.5f, 2048);
  SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  DataCopy(u[512], ga, 8);
  DataCopy(u[520], gb, 8);
  DataCopy(t[1024], gc, 64);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  LocalTensor<half> h = buf.Get<half>();
  Gather(h, h[512], u[512], 0, 4);
  PipeBarrier<PIPE_V>();
  Gatherb(u, u[256], u[520], 1, {1, 8});
  PipeBarrier<PIPE_V>();
  MrgSort4Info info;
  for (auto& length : info.elementLengths) length = 8;
  info.validBit = 3;
  MrgSortSrcList<float> list(t[1024], t[1040], t[1056], t[1072]);
  MrgSort<float>(t, list, info);
  PipeBarrier<PIPE_V>();
  Sort32(t, t[1024], u[1536], 1);
}

int main() {
  for (int i = 0; i < 64; ++i) scores[i] = i % 2 ? 0.0f : 9.0f - i / 4;
  lanediff::Launch(Kernel, 1, lanediff::Gm(even, sizeof even), lanediff::Gm(blocks, sizeof blocks),
                   lanediff::Gm(scores, sizeof scores));
}
