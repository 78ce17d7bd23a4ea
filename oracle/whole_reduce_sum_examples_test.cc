#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/data_copy.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "oracle/testing.h"
#include "oracle/whole_reduce_sum_testing.h"

/// The documents' examples of WholeReduceSum.
namespace lanediff::oracle {
namespace {

using isa::DType;
using test::Machine;
using test::Sum;
using test::SumBits;
using test::WholeSum;
using test::WholeSumBits;
using Call = isa::WholeReduceSum;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};
constexpr std::uint64_t kOne = 0x3c00;
constexpr std::uint64_t kMost = 0x7bff;  // 65504
constexpr std::uint64_t kLeast = 0xfbff;
constexpr std::uint64_t kInf = 0x7c00;
constexpr std::uint64_t kMinusInf = 0xfc00;
constexpr std::uint64_t kNan = 0x7e00;
constexpr std::uint64_t kMinusZero = 0x8000;

Words Times(std::size_t count, std::uint64_t value) {
  return Words(count, value);
}

TEST(WholeReduceSumExamples, FourSumsSideBySide) {
  Call contiguous = WholeSum(128);
  Call bitwise = WholeSumBits(kAllOnes, kAllOnes);
  contiguous.repeat_times = bitwise.repeat_times = 4;
  const Words ones_to_threes = {kOne, 0x4000, 0x4200, 0x4400};
  for (const Call& call : {contiguous, bitwise}) {
    Machine m;
    for (std::size_t r = 0; r < 4; ++r) {
      m.Put(DType::kHalf, call.src.at + 256 * static_cast<std::int64_t>(r),
            Times(128, ones_to_threes[r]));
    }
    auto expected = m.ub;
    EXPECT_TRUE(m.Executes(call));
    EXPECT_EQ(m.Get(DType::kHalf, 0, 4),  // 128, 256, 384, 512
              (Words{0x5800, 0x5c00, 0x5e00, 0x6000}));
    EXPECT_TRUE(std::equal(m.ub.begin() + 8, m.ub.end(), expected.begin() + 8));
  }
}

/// 2048 halves of 1.0 from GM through UB and back.
TEST(WholeReduceSumExamples, CompleteSample) {
  std::vector<std::uint8_t> gm(4096 + 32, 0);
  std::vector<std::uint8_t> ub(Machine::kUbBytes, 0xa5);
  for (std::size_t i = 0; i < 4096; i += 2) gm[i + 1] = 0x3c;
  isa::Memories memories;
  memories[isa::Memory::kGm] = gm;
  memories[isa::Memory::kUb] = ub;
  Oracle oracle(isa::Product::kAtlasA2, memories);
  Call call = WholeSum(128);
  call.repeat_times = 16;
  call.dst.bytes = 32;
  isa::DataCopy in;
  in.dst = call.src;
  in.src.bytes = 4096;
  in.count = 2048;
  isa::DataCopy out;
  out.src = call.dst;
  out.dst.at = 4096;
  out.dst.bytes = 32;
  out.count = 16;
  for (const isa::Step& step :
       {isa::Step(in), isa::Step(call), isa::Step(out)}) {
    ASSERT_EQ(oracle.Execute(step).status, isa::StepResult::Status::kExecuted);
  }
  for (std::size_t i = 4096; i < 4128; i += 2) {
    EXPECT_EQ(gm[i + 1] << 8 | gm[i], 0x5800) << i;  // 128
  }
}

/// 13 rows of 57 floats, each at a multiple of 256 bytes.
TEST(WholeReduceSumExamples, RowsThatArePadded) {
  Machine m;
  Call call = WholeSum(57, DType::kFloat);
  call.repeat_times = 13;
  m.Put(DType::kFloat, call.src.at, Times(13 * 64, 0x42c80000));  // padding
  for (std::int64_t r = 0; r < 13; ++r) {
    m.Put(DType::kFloat, call.src.at + 256 * r, Times(57, 0x3f800000));
  }
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kFloat, 0, 14).back(), 0xa5a5a5a5U);
  EXPECT_EQ(m.Get(DType::kFloat, 0, 13), Times(13, 0x42640000));  // 57
}

TEST(WholeReduceSumExamples, WorkedExample) {
  Machine m;
  const Words lanes{0x7b53, 0x7b53, 0xf753, 0x5640};
  m.Put(DType::kHalf, 1024, lanes);
  m.oracle.set_tracing(true);
  EXPECT_TRUE(m.Executes(WholeSum(4)));
  EXPECT_EQ(m.Get(DType::kHalf, 0, 1), Words{0x7858});  // 35584
  ASSERT_EQ(m.oracle.nodes().size(), 3U);
  EXPECT_EQ(m.oracle.nodes()[0].operation, "add");
  EXPECT_TRUE(m.oracle.nodes()[0].saturated);
  EXPECT_EQ(m.oracle.nodes()[2].exact, "35600");
  ASSERT_EQ(m.oracle.true_results().size(), 1U);
  EXPECT_EQ(m.oracle.true_results()[0].exact, "90100");
  EXPECT_EQ(Sum(lanes, false), kInf);
}

/// 127 or 128 lanes, the odd one anywhere: mode on | off.
TEST(WholeReduceSumExamples, BoundaryValues) {
  const auto with = [](std::uint64_t odd, std::size_t place, bool mode) {
    Words lanes = Times(128, kOne);
    lanes[place] = odd;
    return Sum(lanes, mode);
  };
  for (std::size_t place = 0; place < 128; ++place) {
    EXPECT_EQ(with(kMinusInf, place, true), 0xfbfbU) << place;  // -65376
    EXPECT_EQ(with(kMinusInf, place, false), kMinusInf);
    EXPECT_EQ(with(kNan, place, true), 0x57e0U);  // 126
    EXPECT_EQ(with(kNan, place, false), kNan);
    EXPECT_EQ(with(kInf, place, true), kMost);
    EXPECT_EQ(with(kInf, place, false), kInf);
  }
  EXPECT_EQ(Sum(Times(128, kMinusZero)), kMinusZero);
  EXPECT_EQ(Sum(Times(128, kLeast)), kLeast);
  EXPECT_EQ(Sum(Times(128, kLeast), false), kMinusInf);
  Words in_turn;
  for (int i = 0; i < 64; ++i) {
    in_turn.push_back(kInf);
    in_turn.push_back(kMinusInf);
  }
  EXPECT_EQ(Sum(in_turn), 0U);
  EXPECT_EQ(Sum(in_turn, false), kNan);
}

TEST(WholeReduceSumExamples, TheTreeIsNeverCompactedNorPadded) {
  EXPECT_EQ(Sum({0x6800, kOne, kOne, kOne}), 0x6801U);  // 2050
  EXPECT_EQ(SumBits(0xd, {0x6800, kOne, kOne, kOne}), 0x6801U);
  EXPECT_EQ(SumBits(0x7, {0x6800, kOne, kOne}), 0x6800U);
  // Padded with zeros they were 0 and 7.
  EXPECT_EQ(SumBits(0x5, {kInf, 0, kLeast}), kMost);
  EXPECT_EQ(SumBits(0xd, {kNan, 0, 0x4200, 0x4400}), 0U);
  EXPECT_EQ(Sum({kMinusZero}), kMinusZero);
  EXPECT_EQ(SumBits(0x80, Times(8, kMinusZero)), kMinusZero);
}

TEST(WholeReduceSumExamples, InPlace) {
  Machine m;
  Call call = WholeSum(128);
  call.repeat_times = 4;
  call.dst.at = call.src.at;
  for (std::int64_t r = 0; r < 4; ++r) {
    m.Put(DType::kHalf, call.src.at + 256 * r,
          Times(128, 0x3c00 + 0x400 * static_cast<std::uint64_t>(r)));
  }
  EXPECT_TRUE(m.Executes(call));
  EXPECT_EQ(m.Get(DType::kHalf, call.dst.at, 4),
            (Words{0x5800, 0x5c00, 0x6000, 0x6400}));
}

}  // namespace
}  // namespace lanediff::oracle
