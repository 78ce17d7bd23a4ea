// Two lists are sorted and merged until one ends; how many of each are merged says MrgSort.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kOfList = 32;
static float scores[2 * kOfList], merged[4 * kOfList];
static uint32_t indices[2 * kOfList], counts[8];

void Kernel(GM_ADDR in, GM_ADDR in_index, GM_ADDR out, GM_ADDR out_counts) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue, queue_index;
  TQue<TPosition::VECOUT, 1> queue_out;
  TBuf<> buf;
  GlobalTensor<float> gin, gout;
  GlobalTensor<uint32_t> gindex, gcounts;
  gin.SetGlobalBuffer((__gm__ float*)in);
  gout.SetGlobalBuffer((__gm__ float*)out);
  gindex.SetGlobalBuffer((__gm__ uint32_t*)in_index);
  gcounts.SetGlobalBuffer((__gm__ uint32_t*)out_counts);
  pipe.InitBuffer(queue, 1, sizeof scores);
  pipe.InitBuffer(queue_index, 1, sizeof indices);
  pipe.InitBuffer(queue_out, 1, sizeof merged);
  pipe.InitBuffer(buf, sizeof merged);
  LocalTensor<float> score = queue.AllocTensor<float>();
  LocalTensor<uint32_t> index = queue_index.AllocTensor<uint32_t>();
  DataCopy(score, gin, 2 * kOfList);
  DataCopy(index, gindex, 2 * kOfList);
  queue.EnQue(score);
  queue_index.EnQue(index);
  score = queue.DeQue<float>();
  index = queue_index.DeQue<uint32_t>();
  LocalTensor<float> sorted = buf.Get<float>();
  Sort32(sorted, score, index, 2);
  PipeBarrier<PIPE_V>();
  LocalTensor<float> t = queue_out.AllocTensor<float>();
  const uint32_t offset = GetSortOffset<float>(kOfList);
  ASSERT(offset == GetSortLen<float>(kOfList) && offset == 2 * kOfList);
  MrgSortSrcList<float> lists(sorted, sorted[offset], sorted, sorted);
  const uint16_t lengths[4] = {kOfList, kOfList, 0, 0};
  uint32_t taken[4] = {};
  Duplicate(t, 0.0f, 4 * kOfList);
  PipeBarrier<PIPE_V>();
  MrgSort<float, true>(t, lists, lengths, taken, 0b0011, 1);
  for (int i = 0; i < 4; ++i) gcounts.SetValue(i, taken[i]);
  queue_out.EnQue(t);
  queue.FreeTensor(score);
  queue_index.FreeTensor(index);
  t = queue_out.DeQue<float>();
  DataCopy(gout, t, 4 * kOfList);
  queue_out.FreeTensor(t);
}

int main() {
  for (int i = 0; i < 2 * kOfList; ++i) {
    scores[i] = i < kOfList ? 100 + i : 120.5f + (i - kOfList) * 0.25f;
    indices[i] = i;
  }
  lanediff::Launch(Kernel, 1, lanediff::Gm(scores, sizeof scores),
                   lanediff::Gm(indices, sizeof indices), lanediff::Gm(merged, sizeof merged),
                   lanediff::Gm(counts, sizeof counts));
  // All of the second list, and of the first what is above its last.
  if (counts[0] != 11 || counts[1] != kOfList || counts[2] != 0 || counts[3] != 0) return 1;
  for (int i = 1; i < 11 + kOfList; ++i) {
    if (merged[2 * i] > merged[2 * i - 2]) return 2;
  }
}
