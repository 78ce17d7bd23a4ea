// What calls leave where their pages are easily read past: bits, as printed.
#include <cstdio>
#include <cstring>

#include "kernel_operator.h"
using namespace AscendC;

constexpr int kSlot = 4096;
static int16_t x[64];

template <class T>
LocalTensor<T> In(int slot) {
  return LocalTensor<T>(TPosition::VECCALC, slot * kSlot, kSlot / sizeof(T));
}
template <class T>
void Set(int slot, int from, int step) {
  auto t = In<T>(slot);
  for (int i = 0; i < 256; ++i) t.SetValue(i, T(from + i * step));
  PipeBarrier<PIPE_ALL>();
}
template <class T>
void Show(const char* name, const LocalTensor<T>& t, int count, int apart = 1) {
  PipeBarrier<PIPE_ALL>();
  std::printf("%s:", name);
  for (int i = 0; i < count; ++i) {
    T value = t.GetValue(i * apart);
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    std::printf(" %0*llx", static_cast<int>(2 * sizeof value), bits);
  }
  PipeBarrier<PIPE_ALL>();
  std::printf("\n");
}

void Kernel(GM_ADDR a) {
  GlobalTensor<int16_t> g;
  g.SetGlobalBuffer((__gm__ int16_t*)a, 64);
  InitSocState();
  SetMaskNorm();
  ResetMask();

  // Gatherb · dstBlkStride: 0 counts as 1. repeatTime 0 does nothing.
  auto blocks = In<uint16_t>(1);
  for (int i = 0; i < 256; ++i) blocks.SetValue(i, i / 16 + 1);
  Set<uint32_t>(2, 0, 32);
  Set<uint16_t>(0, 0, 0);
  Gatherb(In<uint16_t>(0), blocks, In<uint32_t>(2), 1, GatherRepeatParams(0, 8));
  Gatherb(In<uint16_t>(0), blocks, In<uint32_t>(2), 0, GatherRepeatParams(1, 8));
  Show("Gatherb", In<uint16_t>(0), 8, 16);

  // CreateVecIndex is as Adds.
  CreateVecIndex(In<int16_t>(0), int16_t(32766), 128);
  Show("CreateVecIndex", In<int16_t>(0), 4);
  CreateVecIndex(In<int32_t>(0), INT32_MAX - 1, 64);
  Show("CreateVecIndex", In<int32_t>(0), 4);
  SetCtrlSpr<48, 48>(1);
  CreateVecIndex(In<int16_t>(0), int16_t(32766), 128);
  Show("CreateVecIndex, mode off", In<int16_t>(0), 4);
  SetCtrlSpr<48, 48>(0);

  // DataCopyPad without padding fills with the block's first element.
  DataCopyPad(In<int16_t>(0), g, DataCopyExtParams(1, 20, 0, 0, 0), DataCopyPadExtParams<int16_t>(false, 0, 0, 0));
  Show("DataCopyPad", In<int16_t>(0), 16);
  Set<int16_t>(0, 0, 0);
  DataCopyPad(In<int16_t>(0), g, DataCopyExtParams(2, 20, 0, 1, 0), DataCopyPadExtParams<int16_t>(true, 3, 3, 9));
  Show("DataCopyPad, both sides", In<int16_t>(0), 36);

  // The register's elements, not the count.
  Set<half>(1, 1, 0);
  Set<half>(0, 0, 0);
  Set<half>(2, 0, 0);
  SetMaskCount();
  SetVectorMask<half, MaskMode::COUNTER>(128);
  Adds<half, false>(In<half>(0), In<half>(1), half(1), 1);
  SetMaskNorm();
  ResetMask();
  Show("Adds", In<half>(0)[126], 4);

  SetMaskCount();
  SetVectorMask<half, MaskMode::COUNTER>(130);
  WholeReduceSum<half, false>(In<half>(0), In<half>(1), MASK_PLACEHOLDER, 1, 1, 1, 8);
  Add<half, false>(In<half>(2), In<half>(1), In<half>(1), MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 8});
  SetMaskNorm();
  ResetMask();
  Show("WholeReduceSum", In<half>(0), 3);
  Show("Add", In<half>(2)[128], 3);

  // 100 elements of each of two iterations, which go on behind the eighth block.
  Set<int32_t>(1, 0, 1);
  Set<int32_t>(0, -1, 0);
  SetMaskCount();
  Copy(In<int32_t>(0), In<int32_t>(1), 100, 2, {2, 1, 1, 13});
  SetMaskNorm();
  ResetMask();
  Show("Copy", In<int32_t>(0), 26, 8);
  Show("Copy, its last block", In<int32_t>(0)[196], 12);

  // Two roundings.
  Set<float>(1, 1, 0);
  Set<float>(0, -1, 0);
  In<float>(1).SetValue(0, 1.00000011920928955078125f);
  In<float>(0).SetValue(0, -1.0000002384185791015625f);
  PipeBarrier<PIPE_ALL>();
  Axpy(In<float>(0), In<float>(1), 1.00000011920928955078125f, 64);
  Show("Axpy", In<float>(0), 1);

  // In place; tmp that is source or result.
  Set<uint16_t>(1, 0, 1);
  Transpose(In<uint16_t>(1), In<uint16_t>(1));
  Show("Transpose", In<uint16_t>(1), 3);
  Set<half>(1, 3, 0);
  ReduceMax<half>(In<half>(3), In<half>(1), In<half>(3), 128, true);
  Show("ReduceMax", In<uint16_t>(3), 2);
  ReduceMax<half>(In<half>(0), In<half>(1), In<half>(1), 128, true);
  Show("ReduceMax", In<uint16_t>(0), 2);

  // Queues start at multiples of 8 bytes.
  auto queue = In<float>(1);
  for (int i = 0; i < 32; ++i) queue.SetValue(i, i % 2 ? 0.0f : 9.0f - i % 6);
  PipeBarrier<PIPE_ALL>();
  MrgSort4Info info;
  for (auto& length : info.elementLengths) length = 3;
  info.validBit = 3;
  MrgSortSrcList<float> list(queue, queue[6], queue[12], queue[18]);
  MrgSort<float>(In<float>(0), list, info);
  Show("MrgSort", In<float>(0), 6, 2);

  // One of the products' two ways to count.
  uint64_t kept = 0;
  GatherMask(In<uint32_t>(0), In<uint32_t>(2), (uint8_t)2, true, 70, GatherMaskParams(1, 2, 8, 0), kept);
  std::printf("GatherMask: %d\n", static_cast<int>(kept));
  PipeBarrier<PIPE_ALL>();

  Set<int16_t>(1, 1, 1);
  DataCopyPad(g, In<int16_t>(1), DataCopyExtParams(2, 20, 0, 2, 0));
  PipeBarrier<PIPE_ALL>();
}

int main() {
  for (int i = 0; i < 64; ++i) x[i] = int16_t(7 + i);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x));
  std::printf("DataCopyPad, out:");
  for (int i = 9; i < 13; ++i) std::printf(" %04x", static_cast<uint16_t>(x[i]));
  std::printf("\n");
}
