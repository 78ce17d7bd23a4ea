#include "emulator/vector/random_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "emulator/half.h"

namespace lanediff::emulator {
namespace {

enum class Kind { kSmall, kLarge, kNearOne, kSubnormal, kSpecial, kAny };
constexpr int kKinds = 6;

/// A float whose half is of the same kind.
float NumberOf(Kind kind, RandomWords& random) {
  const auto whole = static_cast<float>(Draw(random, -2048, 2048));
  switch (kind) {
    case Kind::kSmall:
      return whole / 64;
    case Kind::kLarge:
      return whole * 31;
    default:
      return 1 + whole / 16384;
  }
}

std::uint32_t BitsOf(Kind kind, bool half, RandomWords& random) {
  constexpr std::array<std::uint16_t, 12> kSpecialHalves = {
      0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
      0xffff, 0x0001, 0x83ff, 0x7bff, 0xfbff, 0x3c00};
  constexpr std::array<std::uint32_t, 12> kSpecialFloats = {
      0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
      0xffffffff, 0x00000001, 0x807fffff, 0x7f7fffff, 0xff7fffff, 0x3f800000};
  const std::size_t choice = random() % kSpecialHalves.size();
  switch (kind) {
    case Kind::kSubnormal:
      return static_cast<std::uint32_t>(random()) &
             (half ? 0x87ffu : 0x80ffffffu);
    case Kind::kSpecial:
      return half ? kSpecialHalves[choice] : kSpecialFloats[choice];
    case Kind::kAny:
      return static_cast<std::uint32_t>(random());
    default: {
      const float number = NumberOf(kind, random);
      return half ? FloatToHalf(number) : std::bit_cast<std::uint32_t>(number);
    }
  }
}

}  // namespace

std::int64_t Draw(RandomWords& random, std::int64_t low, std::int64_t high) {
  const auto count = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<std::int64_t>(random() % count);
}

std::vector<std::uint8_t> RandomMemory(RandomWords& random, isa::DType type,
                                       std::size_t bytes) {
  const bool half = type == isa::DType::kHalf;
  const std::size_t element = half ? 2 : 4;
  const auto kind = Draw(random, 0, kKinds);  // the last one: all of them
  // A special number among ordinary ones is not the same as many.
  const std::int64_t rare = Draw(random, 0, 1) == 0 ? 0 : 300;
  std::vector<std::uint8_t> memory(bytes);
  for (std::size_t at = 0; at + element <= bytes; at += element) {
    auto its_kind =
        static_cast<Kind>(kind < kKinds ? kind : Draw(random, 0, kKinds - 1));
    if (rare != 0 && Draw(random, 0, rare) == 0) its_kind = Kind::kSpecial;
    const std::uint32_t bits = BitsOf(its_kind, half, random);
    std::memcpy(memory.data() + at, &bits, element);
  }
  return memory;
}

Left RunOn(const Seams& seams, const std::vector<isa::Step>& program,
           std::vector<std::uint8_t> ub) {
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  Emulator emulator(isa::Product::kAtlasA2, memories, seams);
  isa::StepResult last;
  for (const isa::Step& step : program) {
    last = emulator.Execute(step);
    if (last.status != isa::StepResult::Status::kExecuted) break;
  }
  return {.last = last, .ub = std::move(ub), .paths = emulator.paths()};
}

isa::Operand WindowFrom(std::int64_t at) {
  return {.position = isa::Position::kVeccalc,
          .at = at,
          .bytes = kSampleBytes - at,
          .dtype = {}};
}

void ExpectSameLeft(std::uint64_t seed, int count,
                    Sample (*draw)(RandomWords& random), LeastPaths least) {
  for (const VectorTarget target : RunnableTargets()) {
    SCOPED_TRACE(std::string(NameOf(target)));
    const Seams vectors = SeamsOf(target);
    RandomWords random(seed);
    PathCounts ways;
    for (int i = 0; i < count; ++i) {
      SCOPED_TRACE(i);
      const Sample sample = draw(random);
      const auto ub = RandomMemory(random, sample.dtype, sample.bytes);
      const Left plain = RunOn(Seams{}, sample.program, ub);
      const Left left = RunOn(vectors, sample.program, ub);
      ASSERT_EQ(plain.last, left.last);
      const auto [at, other] = std::ranges::mismatch(plain.ub, left.ub);
      ASSERT_EQ(at, plain.ub.end()) << "byte " << at - plain.ub.begin();
      const bool executed =
          left.last.status == isa::StepResult::Status::kExecuted;
      ASSERT_TRUE(executed || !sample.legal);
      PathCounts expected;
      for (const Path path :
           {Path::kContiguous, Path::kStrided, Path::kMasked}) {
        ASSERT_EQ(plain.paths[path], 0U);
        if (left.paths[path] != 0) ways.Count(path);
      }
      if (!executed || !sample.path) continue;
      if (plain.paths[Path::kPlain] != 0) expected.Count(*sample.path);
      ASSERT_EQ(left.paths, expected);
    }
    EXPECT_GE(ways[Path::kContiguous], least.contiguous);
    EXPECT_GE(ways[Path::kStrided], least.strided);
    EXPECT_GE(ways[Path::kMasked], least.masked);
  }
}

}  // namespace lanediff::emulator
