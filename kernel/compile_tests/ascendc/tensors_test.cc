#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernel/compile_tests/recorder.h"
#include "kernel_operator.h"
#include "lanediff/kernel.h"
#include "tikicpulib.h"

namespace lanediff::recorder {
namespace {

using namespace AscendC;

using Lines = std::vector<std::string>;

TEST(TensorsOfAscendC, QueuesAndBuffersAreTheLibrarys) {
  Take();
  {
    TPipe pipe;
    EXPECT_EQ(GetTPipePtr(), &pipe);
    TQue<TPosition::VECIN, 2> in;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 0> bind;
    TBuf<> calc;
    TBuf<> never;
    TQue<TPosition::VECOUT, 1> unknown;
    pipe.InitBuffer(in, 2, 100);
    pipe.InitBuffer(bind, 1, 64);
    pipe.InitBuffer(calc, 512);
    TakeWithoutPlaces();
    auto a = in.AllocTensor<half>();
    EXPECT_EQ(a.GetSize(), 256U);
    in.EnQue(a);
    a = in.DeQue<half>();
    in.FreeTensor(a);
    LocalTensor<float> b;
    bind.AllocTensor<float>(b);
    const auto c = calc.GetWithOffset<half>(16, 64);
    EXPECT_EQ(c.GetSize(), 16U);
    EXPECT_EQ(c.lanediff_tensor_of().window, 448);
    EXPECT_EQ(never.Get<half>().lanediff_tensor_of().given, 0);
    EXPECT_EQ(unknown.AllocTensor<half>().lanediff_tensor_of().given, 0);
    unknown.EnQue(a);
    EXPECT_EQ(TakeWithoutPlaces(),
              (Lines{"AllocTensor", "EnQue 0 0+512/512:9", "DeQue",
                     "FreeTensor 0 0+512/512:9", "AllocTensor", "Get",
                     "EnQue -1 0+512/512:9"}));
    EXPECT_TRUE(in.HasIdleBuffer());
    EXPECT_FALSE(in.HasTensorInQue());
  }
  EXPECT_EQ(TakeWithoutPlaces(), (Lines{"Destroy 7"}));
  EXPECT_EQ(GetTPipePtr(), nullptr);
}

TEST(TensorsOfAscendC, InitBufferPassesPositionsAndAddresses) {
  Take();
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind;
  TBuf<> calc;
  TBufPool<TPosition::VECCALC> pool;
  TakeWithoutPlaces();
  pipe.InitBuffer(in, 2, 100);
  pipe.InitBuffer(bind, 1, Std::get<1>(Std::make_tuple(1, 64)));
  pipe.InitBuffer(calc, 512);
  pipe.InitBuffer(in, Std::make_tuple(1024, 64), Std::make_tuple(1088, 64));
  pipe.InitBuffer(in, Std::make_tuple(1024, 64), Std::make_tuple(2048, 64));
  EXPECT_EQ(TakeWithoutPlaces(),
            (Lines{"InitBuffer 7 src=9 dst=9 depth=2 num=2 len=100 at=-1",
                   "InitBuffer 7 src=9 dst=10 depth=1 num=1 len=64 at=-1",
                   "InitBuffer 7 src=11 dst=11 depth=-1 num=1 len=512 at=-1",
                   "InitBuffer 7 src=9 dst=9 depth=2 num=2 len=64 at=1024",
                   "refused InitBuffer (blocks at addresses that are not side "
                   "by side)",
                   "InitBuffer 7 src=9 dst=9 depth=2 num=2 len=64 at=1024"}));
  pipe.InitBufPool(pool, 512);
  TakeWithoutPlaces();
  pool.InitBuffer(in, 2, 100);
  pool.InitBuffer(calc, 64);
  pool.InitBuffer(calc, 256);
  EXPECT_EQ(TakeWithoutPlaces(),
            (Lines{"InitBuffer 7 src=9 dst=9 depth=2 num=2 len=100 at=4096",
                   "InitBuffer 7 src=11 dst=11 depth=-1 num=1 len=64 at=4352",
                   "refused TBufPool::InitBuffer (more than the pool has)",
                   "InitBuffer 7 src=11 dst=11 depth=-1 num=1 len=256 "
                   "at=4416"}));
}

TEST(TensorsOfAscendC, AllocatorsCountUpInUnitsOf32) {
  Take();
  LocalMemAllocator<Hardware::UB> ub;
  const auto a = ub.Alloc<half>(3);
  const auto b = ub.Alloc<TPosition::VECIN, float, 16>();
  EXPECT_EQ(a.lanediff_tensor_of().position, LANEDIFF_NO_POSITION);
  EXPECT_EQ(a.lanediff_tensor_of().window, 6);
  EXPECT_EQ(b.lanediff_tensor_of().at, 32U);
  EXPECT_EQ(b.lanediff_tensor_of().position, LANEDIFF_VECIN);
  EXPECT_EQ(ub.GetCurAddr(), 96U);
  const LocalTensor<half> c(TPosition::VECOUT, 64, 16);
  EXPECT_EQ(c.GetLength(), 32U);
  EXPECT_EQ(
      TakeWithoutPlaces(),
      (Lines{"LocalMemAllocator UB", "LocalTensor 19 at=0 bytes=6",
             "LocalTensor 9 at=32 bytes=64", "LocalTensor 10 at=64 bytes=32"}));
}

TEST(TensorsOfAscendC, APieceKeepsTheEnd) {
  LocalTensor<half> a(TPosition::VECCALC, 128, 64);
  const lanediff_tensor piece = a[10].lanediff_tensor_of();
  EXPECT_EQ(piece.at, 148U);
  EXPECT_EQ(piece.window, 108);
  EXPECT_EQ(piece.declared, 108);
  EXPECT_EQ(a[80].lanediff_tensor_of().window, -32);
  EXPECT_EQ(a[80].lanediff_tensor_of().declared, 0);
  a.SetSize(8);
  EXPECT_EQ(a.GetSize(), 8U);
  EXPECT_EQ(a.lanediff_tensor_of().window, 128);
  EXPECT_EQ(a.ReinterpretCast<float>().GetSize(), 4U);
  LocalTensor<int4b_t> four(TPosition::VECCALC, 0, 64);
  EXPECT_EQ(four[32].lanediff_tensor_of().at, 16U);
  LocalTensor<half> other;
  other.SetAddrWithOffset(a, 4);
  EXPECT_EQ(other.lanediff_tensor_of().at, 136U);
}

TEST(TensorsOfAscendC, GlobalMemoryIsTheHostsAddress) {
  float host[8];
  GlobalTensor<float> gm;
  EXPECT_EQ(gm.lanediff_tensor_of().given, 0);
  gm.SetGlobalBuffer(host);
  EXPECT_EQ(gm.lanediff_tensor_of().declared, -1);
  EXPECT_EQ(gm[2].lanediff_tensor_of().at,
            reinterpret_cast<std::uintptr_t>(host + 2));
  gm.SetGlobalBuffer(host, 8);
  EXPECT_EQ(gm.GetSize(), 8U);
  EXPECT_EQ(gm[6].lanediff_tensor_of().declared, 8);
}

TEST(TensorsOfAscendC, ElementsAreReadAndWrittenByTheLibrary) {
  Take();
  LocalTensor<half> a(TPosition::VECCALC, 0, 64);
  TakeWithoutPlaces();
  WillHold(0x4200);  // 3
  EXPECT_EQ(static_cast<float>(a.GetValue(5)), 3.0F);
  a(1) += half(1);
  const float read = a(2);
  EXPECT_EQ(read, 3.0F);
  a[4].SetValue(1, 0.5);
  EXPECT_EQ(TakeWithoutPlaces(),
            (Lines{"GetValue src=half@0+128/128:11 [5]",
                   "GetValue src=half@0+128/128:11 [1]",
                   "SetValue dst=half@0+128/128:11 [1]=4400",
                   "GetValue src=half@0+128/128:11 [2]",
                   "SetValue dst=half@8+120/120:11 [1]=3800"}));
}

TEST(TensorsOfAscendC, PrintingTakesWhatKernelsHave) {
  WillHold(0x4200);  // 3
  LocalTensor<half> a(TPosition::VECCALC, 0, 64);
  const DataCopyParams params{4096, 1, 0, 0};
  testing::internal::CaptureStdout();
  AscendC::printf("%f %f %d %s %%", half(1.5), a(0), params.blockCount, "text");
  PRINTF(" %ld\n", block_num);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "1.500000 3.000000 4096 text % 1\n");
}

TEST(TensorsOfAscendC, LaunchesRunEachBlock) {
  Take();
  std::vector<std::int64_t> blocks;
  const auto kernel = [&](const std::uint8_t* gm, int number) {
    EXPECT_NE(gm, nullptr);
    blocks.push_back(block_idx * 100 + GetBlockNum() * 10 + number);
  };
  std::uint8_t host[16] = {};
  const Counts counts = Launch(kernel, 3, Gm(host, 16), 1);
  EXPECT_EQ(blocks, (std::vector<std::int64_t>{31, 131, 231}));
  EXPECT_EQ(counts.memcheck, 1U);
  EXPECT_EQ(counts.refused, 10U);
  EXPECT_EQ(counts.Findings(), 28U);
  SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(kernel, 1, host, 2);
  KernelLaunch((2), (nullptr), (0)).Run([&] { kernel(host, 3); }, "kernel<3>");
  SetKernelMode(KernelMode::AIC_MODE);
  ICPU_RUN_KF(kernel, 1, host, 2);
  SetKernelMode(KernelMode::MIX_MODE);
  EXPECT_EQ(blocks.size(), 6U);
  EXPECT_EQ(TakeWithoutPlaces(), (Lines{"Gm 16", "Launch  3", "Launch kernel 1",
                                        "Launch kernel<3> 2", "Launch kernel 1",
                                        "refused AIC_MODE (cube kernels)"}));
}

TEST(TensorsOfAscendC, EachFileReportsTheProduct) {
  EXPECT_EQ(products(), (Lines{"atlas-a2", "atlas-a2"}));
}

std::uint16_t Bits(half value) { return std::bit_cast<std::uint16_t>(value); }

/// The value of a half's bits by its definition.
double Defined(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double significand = bits & 1023;
  const double size =
      exponent == 31  ? (significand == 0 ? HUGE_VAL : std::nan(""))
      : exponent == 0 ? std::ldexp(significand, -24)
                      : std::ldexp(1024 + significand, exponent - 25);
  return (bits & 0x8000U) != 0 ? -size : size;
}

TEST(TensorsOfAscendC, HalfIsIeee) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto value = std::bit_cast<half>(static_cast<std::uint16_t>(bits));
    const double defined = Defined(bits);
    const double found = static_cast<float>(value);
    ASSERT_TRUE(found == defined || (std::isnan(found) && std::isnan(defined)))
        << bits;
    if (!std::isnan(defined)) {
      ASSERT_EQ(Bits(half(found)), bits);
    }
    if (bits >= 0x7bff) continue;
    // Between neighbours: to the nearer one, to even in the middle.
    const double next = Defined(bits + 1);
    const double middle = (defined + next) / 2;
    const unsigned even = (bits & 1) == 0 ? bits : bits + 1;
    ASSERT_EQ(Bits(half(middle)), even);
    ASSERT_EQ(Bits(half(std::nextafter(middle, 0.0))), bits);
    ASSERT_EQ(Bits(half(std::nextafter(middle, HUGE_VAL))), bits + 1);
  }
  EXPECT_EQ(Bits(half(65520.0)), 0x7c00);
  EXPECT_EQ(Bits(half(65519.99)), 0x7bff);
  EXPECT_EQ(Bits(half(-1e30)), 0xfc00);
  EXPECT_EQ(Bits(half(std::numeric_limits<std::int64_t>::min())), 0xfc00);
  EXPECT_EQ(Bits(half(1e-30)), 0);
  EXPECT_EQ(Bits(half(2049)), 0x6800);
  EXPECT_EQ(Bits(half(2048) + half(3)), 0x6802);
  EXPECT_EQ(Bits(-half(0)), 0x8000);
  static_assert(half(1) + 1 == half(2));
  static_assert(std::is_same_v<decltype(half(1) * half(2)), half>);
  static_assert(std::is_same_v<decltype(half(1) * 2), half>);
  static_assert(std::is_same_v<decltype(half(1) * 2.0F), float>);
  static_assert(std::is_same_v<decltype(bfloat16_t(1) - 1), bfloat16_t>);
  EXPECT_EQ(std::bit_cast<std::uint16_t>(bfloat16_t(1.00390625F)), 0x3f80);
  EXPECT_EQ(std::bit_cast<std::uint16_t>(bfloat16_t(1.0078125F)), 0x3f81);
  EXPECT_EQ(std::bit_cast<std::uint16_t>(bfloat16_t(1.01171875F)), 0x3f82);
  EXPECT_EQ(static_cast<float>(bfloat16_t(9.2e-41F)), 9.18355e-41F);
}

}  // namespace
}  // namespace lanediff::recorder
