#include "differential/compare/unspecified.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/scratch_testing.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::diff {
namespace {

using namespace scratch;

struct Row {
  const char* name;
  std::vector<std::string> steps;
  std::vector<ByteRange> unspecified;
};

class Unspecified : public testing::TestWithParam<Row> {};

/// Halves 0 to `halves` of each row of a 16 by 16 matrix at `at`.
std::vector<ByteRange> Columns(std::int64_t at, std::int64_t halves) {
  std::vector<ByteRange> ranges;
  for (int row = 0; row < 16; ++row) {
    ranges.push_back(Ub(at + row * 32, 2 * halves));
  }
  return ranges;
}

std::vector<ByteRange> With(std::vector<ByteRange> first,
                            const std::vector<ByteRange>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

std::vector<Row> Rows() {
  const ByteRange tmp = Ub(1024, 512);
  const ByteRange gm = {isa::Memory::kGm, 64, 512};
  const std::string count_256 = R"("count": 256)";
  return {
      {"TheTile", {Product(1024)}, {tmp}},
      {"NothingWithoutOne", {Transpose(1024, 0)}, {}},
      {"WrittenAgain", {Product(1024), Transpose(1024, 0)}, {}},
      {"WrittenBefore", {Transpose(1024, 0), Product(1024)}, {tmp}},
      {"WrittenInItsSecondHalf",
       {Product(1024), Transpose(1280, 0)},
       {Ub(1024, 256)}},
      {"WrittenInItsFirstHalf",
       {Product(1024), Transpose(768, 0)},
       {Ub(1280, 256)}},
      {"WrittenInTheMiddle",
       {Product(1024), CopyUb(1120, 0)},
       {Ub(1024, 96), Ub(1152, 384)}},
      {"TwoTilesThatOverlap", {Product(1024), Product(1280)}, {Ub(1024, 768)}},
      {"TileOfALaterOne",
       {Product(1024), Transpose(1024, 0), Product(1024)},
       {tmp}},
      {"StepsWithoutBytes",
       {Product(1024), R"({"op": "SetSaturation", "enabled": false})",
        kBarrier},
       {tmp}},
      {"Transposed",
       {Product(1024), Transpose(4096, 1024)},
       {tmp, Ub(4096, 512)}},
      {"TransposedHalf",
       {Product(1280), Transpose(4096, 1024)},
       With({Ub(1280, 512)}, Columns(4112, 8))},
      {"TransposedInPlaceTwice",
       {Product(1280), Transpose(1024, 1024, 2, 0, 0)},
       {Ub(1280, 512)}},
      {"TransposedIterations",
       {Product(1024), Transpose(4096, 0, 4)},
       {tmp, Ub(5120, 512)}},
      {"Copied",
       {Product(1024), CopyUb(4096, 1024, 1, 16)},
       {tmp, Ub(4096, 512)}},
      {"CopiedInPart",
       {Product(1024), CopyUb(4096, 960, 1, 4)},
       {tmp, Ub(4160, 64)}},
      {"CopiedInBlocks",
       {Product(1024), CopyUb(4096, 992, 3, 1, 15, 1)},
       {tmp, Ub(4160, 32)}},
      {"CopiedAndTheCopyWrittenAgain",
       {Product(1024), CopyUb(4096, 1024, 1, 16), kBarrier,
        CopyUb(4096, 0, 1, 15)},
       {tmp, Ub(4576, 32)}},
      {"ChainWhoseLinksAreGone",
       {Product(1024), CopyUb(4096, 1024, 1, 16), kBarrier, Transpose(1024, 0),
        Transpose(5120, 4096), Transpose(4096, 0)},
       {Ub(5120, 512)}},
      {"ToGlobalMemory",
       {Product(1024),
        Copy(Operand("GM", 64, 512), Operand("VECOUT", 1024, 512), 1, 16)},
       {gm, tmp}},
      {"Widened",
       {Product(1024),
        Copy(Operand("TSCM", 0, 512), Operand("VECOUT", 992, 544), 1, 4),
        Copy(Operand("C2", 0, 256, "float"), Operand("C1", 0, 256), 1, 2)},
       {tmp, {isa::Memory::kL1, 32, 96}, {isa::Memory::kBt, 64, 192}}},
      {"MinOfCount",
       {Product(1024), MinOf(4096, 1024, 0, R"("count": 5)")},
       {tmp, Ub(4096, 10)}},
      {"MinOfBothSources",
       {Product(1024), Product(2048),
        MinOf(4096, 960, 1792, R"("count": 256)")},
       {tmp, Ub(2048, 512), Ub(4160, 448)}},
      {"MinOfSpecifiedBytes",
       {Product(1024), MinOf(1024, 0, 512, count_256)},
       {}},
      {"MinInPlace", {Product(1024), MinOf(1024, 1024, 0, count_256)}, {tmp}},
      {"MinOfMaskedLanes",
       {Product(1024),
        MinOf(4096, 1024, 0, Masked(R"(["0x8000000000000006", "0x1"])"))},
       {tmp, Ub(4098, 4), Ub(4222, 4)}},
      {"MinWritesMaskedLanes",
       {Product(1024), MinOf(1024, 0, 512, Masked(R"(["0xff00", "0x0"])"))},
       {Ub(1024, 16), Ub(1056, 480)}},
      {"MinIterations",
       {Product(1024), MinOf(4096, 768, 0, Masked("128", 2))},
       {tmp, Ub(4352, 256)}},
      {"AddOfMaskedLanes",
       {Product(1024),
        MinOf(4096, 1024, 0, Masked(R"(["0x8000000000000006", "0x1"])"),
              "Add")},
       {tmp, Ub(4098, 4), Ub(4222, 4)}},
      {"WholeSumOfTheTile",
       {Product(1024), WholeSum(4096, 896, 3, R"(["0xf", "0x0"])", 4)},
       {tmp, Ub(4098, 4)}},
      {"WholeSumOfLanesBesideIt",
       {Product(1024), WholeSum(4096, 896, 1, R"(["0xffff0000", "0x0"])", 8)},
       {tmp}},
      {"SumOfTheTile",
       {Product(1024), Sum(4096, 896, 3, 64, 4)},
       {tmp, Ub(4098, 4)}},
      {"SumOfLanesBesideIt", {Product(1024), Sum(4096, 896, 1, 64, 8)}, {tmp}},
      {"SumInto", {Product(1024), Sum(1024, 0, 3, 64, 1)}, {Ub(1030, 506)}},
      {"ProductOfTheTile",
       {Product(1024), Product(4096, 960, 2048, 3)},
       {tmp, Ub(2052, 2), Ub(4096, 512)}},
      {"ProductInto",
       {Product(1024), Product(4096, 0, 1024, 3)},
       {Ub(1030, 506), Ub(4096, 512)}},
      {"OpenPaddingAndItsCopy",
       {PadIn(1024, 1, 2, 20, false, 1, 2, 1), PadIn(2048, 0, 1, 24, false, 4),
        PadIn(3072, 0, 2, 20, /*is_pad=*/true, 1, 2),
        PadIn(3584, 0, 2, 20, false), PadIn(3840, 0, 2, 0, false, 1, 2),
        CopyUb(4096, 1024, 1, 2)},
       {Ub(1024, 2), Ub(1046, 10), Ub(1088, 2), Ub(1110, 10), Ub(2048, 8),
        Ub(4096, 2), Ub(4118, 10)}},
      {"PaddedOver",
       {Product(1024), PadIn(1056, 0, 2, 20, true, 1, 2)},
       {Ub(1024, 32), Ub(1120, 416)}},
      {"FilledWithAFirstElement",
       {Product(1024),
        Copy(Operand("GM", 64, 512), Operand("VECOUT", 1024, 512), 1, 16),
        PadIn(4096, 574, 1, 6, false), PadIn(4160, 60, 1, 6, false),
        PadIn(4224, 574, 1, 6, true, 0, 1)},
       {gm, tmp, Ub(4096, 2), Ub(4102, 26), Ub(4164, 2), Ub(4224, 2)}},
      {"PaddedOut",
       {Product(1024), CopyPad(Operand("GM", 101, 512),
                               Operand("VECOUT", 992, 512), 2, 36, 3)},
       {{isa::Memory::kGm, 133, 4}, {isa::Memory::kGm, 140, 36}, tmp}},
      {"NothingIsReadOfAnEmptyCall",
       {Product(1024), MinOf(4096, 1024, 0, R"("count": 0)")},
       {tmp}},
  };
}

TEST_P(Unspecified, IsWhatNothingHasWrittenSince) {
  const Case c = CaseOf(GetParam().steps);
  for (const Target* target : {&Oracle(), &Emulator()}) {
    const Outcome outcome = (*target).Run(c).value();
    ASSERT_EQ(outcome.status, Outcome::Status::kExecuted)
        << outcome.step << outcome.RulesOrNone().front().text();
  }
  EXPECT_EQ(UnspecifiedAfter(c, c.program.size()), GetParam().unspecified);
}

INSTANTIATE_TEST_SUITE_P(Programs, Unspecified, testing::ValuesIn(Rows()),
                         [](const auto& row) { return row.param.name; });

TEST(UnspecifiedAfter, FollowsTheStepsThatWereExecuted) {
  const Case c = CaseOf({Product(1024), Transpose(4096, 1024),
                         Transpose(1024, 0), Product(2048)});
  using All = std::vector<ByteRange>;
  EXPECT_EQ(UnspecifiedAfter(c, 0), All());
  EXPECT_EQ(UnspecifiedAfter(c, 1), All({Ub(1024, 512)}));
  EXPECT_EQ(UnspecifiedAfter(c, 2), All({Ub(1024, 512), Ub(4096, 512)}));
  EXPECT_EQ(UnspecifiedAfter(c, 3), All({Ub(4096, 512)}));
  EXPECT_EQ(UnspecifiedAfter(c, 4), All({Ub(2048, 512), Ub(4096, 512)}));
}

TEST(UnspecifiedAfter, ATileThatIsNotInItsMemoryHasNoBytes) {
  for (const std::int64_t at : {std::int64_t{kUbBytes - 32}, std::int64_t{-32},
                                std::int64_t{1} << 40}) {
    EXPECT_TRUE(UnspecifiedAfter(CaseOf({Product(at)}), 1).empty()) << at;
  }
  Case huge = CaseOf({Product(0)});
  std::get<isa::Call>(huge.program[0]).tiles[isa::Call::kTmpTile].rows =
      std::int64_t{1} << 40;
  EXPECT_TRUE(UnspecifiedAfter(huge, 1).empty());
}

TEST(UnspecifiedAfter, PaddingOfAnyNumbersEnds) {
  using enum isa::Param;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto with = [](isa::Param param, std::int64_t value,
                       std::uint8_t form = 0) {
    Case c = CaseOf({PadIn(1024, 0, 2, 20, false, 1, 2)});
    auto& call = std::get<isa::Call>(c.program[0]);
    call.form = form;
    call[param] = value;
    return UnspecifiedAfter(c, 1);
  };
  for (const isa::Param param :
       {kBlockCount, kBlockLen, kDstGap, kLeftPadding, kRightPadding}) {
    for (const std::int64_t value :
         {-kMost - 1, std::int64_t{-1}, std::int64_t{1} << 31, kMost}) {
      if (param == kDstGap && value == -1) continue;
      EXPECT_TRUE(with(param, value).empty()) << value;
    }
  }
  // The second block lies over the first one.
  EXPECT_EQ(with(kDstGap, -1), (std::vector{Ub(1024, 2), Ub(1046, 10)}));
  // The form without padding may still hold numbers of the other one.
  EXPECT_TRUE(with(kLeftPadding, kMost, /*form=*/1).empty());
}

/// What is left of `c` on the oracle if every scratch tile is filled with
/// bytes that `random` makes.
MemorySet Scribbled(const Case& c, std::mt19937& random) {
  MemorySet memory(c);
  oracle::Oracle oracle(c.profile(), memory.view());
  for (const isa::Step& step : c.program) {
    oracle.Execute(step);
    for (const auto& [m, at, bytes] : ScratchOf(c, step)) {
      std::generate_n(memory[m].begin() + at, bytes, [&] { return random(); });
    }
  }
  return memory;
}

/// A step that makes sense behind those of `c`; its places are drawn, so that
/// it may be illegal.
std::string AnyStep(std::mt19937& random) {
  const auto block = [&] {
    return static_cast<std::int64_t>(random() % 96) * 32;
  };
  switch (random() % 8) {
    case 0:
      return Product(block(), block(), block(), 4, 8);
    case 1:
      return Transpose(block(), block(), 1 + static_cast<int>(random() % 3));
    case 2:
      return CopyUb(block(), block(), 1 + static_cast<int>(random() % 3),
                    1 + static_cast<int>(random() % 6), 1, 2);
    case 3:
      return MinOf(block(), block(), block(), R"("count": 77)");
    case 4:
      return MinOf(block(), block(), block(),
                   Masked(R"(["0xf0f0ff00ffff0001", "0x7"])", 2));
    case 5:
      return WholeSum(block(), block(), 4, R"(["0x8", "0xf0"])", 3);
    case 6:
      return MinOf(block(), block(), block(), R"("count": 45)", "Sub");
    default:
      return Sum(block(), block(), 5, 33, 3);
  }
}

TEST(UnspecifiedAfter, HoldsWhateverDependsOnScratchAndLittleElse) {
  std::mt19937 random(20);
  std::int64_t unspecified = 0;
  std::int64_t dependent = 0;
  for (int program = 0; program < 60; ++program) {
    std::vector<std::string> steps = {Product(1024)};
    while (steps.size() < 9) {
      std::vector<std::string> longer = steps;
      longer.push_back(kBarrier);
      longer.push_back(AnyStep(random));
      if (Oracle().Run(CaseOf(longer)).value().status ==
          Outcome::Status::kExecuted) {
        steps = std::move(longer);
      }
    }
    const Case c = CaseOf(steps);
    isa::IntervalSet held;
    for (const ByteRange& range : UnspecifiedAfter(c, c.program.size())) {
      ASSERT_EQ(range.memory, isa::Memory::kUb);
      held.Insert({range.at, range.at + range.bytes});
      unspecified += range.bytes;
    }
    std::vector<bool> differs(kUbBytes);
    const MemorySet first = Scribbled(c, random);
    for (int run = 0; run < 12; ++run) {
      const MemorySet other = Scribbled(c, random);
      for (std::size_t i = 0; i < differs.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        if (first[isa::Memory::kUb][i] == other[isa::Memory::kUb][i]) continue;
        ASSERT_TRUE(held.Intersects({at, at + 1})) << program << ": " << at;
        dependent += !differs[i];
        differs[i] = true;
      }
    }
  }
  EXPECT_GT(dependent, 20'000);
  EXPECT_GT(dependent, unspecified * 9 / 10) << "of " << unspecified;
}

}  // namespace
}  // namespace lanediff::diff
