#include "diff/unspecified.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "diff/byte_set.h"
#include "diff/case_reader.h"
#include "diff/check.h"
#include "diff/recorded/compare.h"
#include "diff/recorded/outcome_reader.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

using Runs = std::vector<ByteSet::Run>;

const Target& Oracle() { return **FindTarget("oracle"); }
const Target& Emulator() { return **FindTarget("emulator"); }

// ---- Programs ---------------------------------------------------------------

constexpr std::int64_t kUbBytes = 8192;

/// Rows of 16 halves; `rows` of them multiply. Its tmp has 32·tiles bytes.
std::string Product(std::int64_t tmp, std::int64_t src = 6144,
                    std::int64_t dst = 7168, int rows = 1, int tiles = 16) {
  return fmt::format(
      R"({{"op": "TROWPROD", "dtype": "half",
      "dst": {{"position": "UB", "at": {}, "rows": 16, "cols": 1,
               "validRow": {}, "validCol": 1, "layout": "DN"}},
      "src": {{"position": "UB", "at": {}, "rows": {}, "cols": 16,
               "validRow": {}, "validCol": 16, "layout": "ND"}},
      "tmp": {{"position": "UB", "at": {}, "rows": {}, "cols": 16,
               "validRow": 1, "validCol": 16, "layout": "ND"}}}})",
      dst, rows, src, tiles, rows, tmp, tiles);
}

std::string Transpose(std::int64_t dst, std::int64_t src, int repeat = 1,
                      int dst_stride = 1, int src_stride = 1) {
  return fmt::format(
      R"({{"op": "vec_trans", "dtype": "half",
      "dst": {{"position": "UB", "at": {}, "bytes": {}}},
      "src": {{"position": "UB", "at": {}, "bytes": {}}},
      "repeat_times": {}, "dst_rep_stride": {}, "src_rep_stride": {}}})",
      dst, kUbBytes - dst, src, kUbBytes - src, repeat, dst_stride, src_stride);
}

std::string Operand(std::string_view position, std::int64_t at,
                    std::int64_t bytes, std::string_view dtype = "") {
  return fmt::format(
      R"({{"position": "{}", "at": {}, "bytes": {}{}}})", position, at, bytes,
      dtype.empty() ? "" : fmt::format(R"(, "dtype": "{}")", dtype));
}

std::string Copy(const std::string& dst, const std::string& src, int blocks = 1,
                 int length = 1, int src_gap = 0, int dst_gap = 0) {
  return fmt::format(
      R"({{"op": "DataCopy", "dtype": "half", "dst": {}, "src": {},
      "params": {{"blockCount": {}, "blockLen": {}, "srcGap": {},
                  "dstGap": {}}}}})",
      dst, src, blocks, length, src_gap, dst_gap);
}

std::string CopyUb(std::int64_t dst, std::int64_t src, int blocks = 1,
                   int length = 1, int src_gap = 0, int dst_gap = 0) {
  return Copy(Operand("VECCALC", dst, kUbBytes - dst),
              Operand("VECIN", src, kUbBytes - src), blocks, length, src_gap,
              dst_gap);
}

const std::string kBarrier = R"({"op": "PipeBarrier", "pipe": "ALL"})";

std::string MinOf(std::int64_t dst, std::int64_t src0, std::int64_t src1,
                  const std::string& form) {
  return fmt::format(
      R"({{"op": "Min", "dtype": "half", "dst": {}, "src0": {}, "src1": {},
      {}}})",
      Operand("VECOUT", dst, kUbBytes - dst),
      Operand("VECIN", src0, kUbBytes - src0),
      Operand("VECIN", src1, kUbBytes - src1), form);
}

std::string Masked(std::string_view words, int repeat = 1) {
  return fmt::format(
      R"("mask": {}, "repeatTimes": {}, "repeatParams": {{"dstBlkStride": 1,
      "src0BlkStride": 1, "src1BlkStride": 1, "dstRepStride": 8,
      "src0RepStride": 8, "src1RepStride": 8}})",
      words, repeat);
}

std::string Sum(std::int64_t dst, std::int64_t src, int repeat, int elements,
                int src_stride) {
  return fmt::format(
      R"({{"op": "RepeatReduceSum", "dtype": "half", "dst": {}, "src": {},
      "repeat": {}, "elemsInOneRepeat": {}, "dstBlkStride": 0,
      "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": {}}})",
      Operand("VECOUT", dst, kUbBytes - dst),
      Operand("VECIN", src, kUbBytes - src), repeat, elements, src_stride);
}

/// UB begins with 256 different halves, the rest of it is large numbers; `GM`
/// has 4096 bytes.
Case CaseOf(const std::vector<std::string>& steps,
            const std::string& expect = "") {
  std::string text = fmt::format(
      R"({{"format": "lanediff-case/1", "id": "t", "product": "atlas-a2",
      "memory": {{"GM": {{"size": 4096}}, "UB": {{"fill": "7b", "size": {},
        "regions": [{{"at": 0, "dtype": "half",
          "values": [{{"from": 1, "step": 1, "count": 256}}]}}]}}}},
      "program": [)",
      kUbBytes);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += (i > 0 ? "," : "") + steps[i];
  }
  text += "]";
  if (!expect.empty()) text += ", \"expect\": " + expect;
  auto c = ReadCase(text + "}");
  EXPECT_TRUE(c) << c.error().pointer << ": " << c.error().message;
  return c.value();
}

ByteRange Ub(std::int64_t at, std::int64_t bytes) {
  return {isa::Memory::kUb, at, bytes};
}

// ---- Sets of bytes ----------------------------------------------------------

TEST(ByteSet, KeepsMaximalRuns) {
  ByteSet set;
  for (int at : {8, 0, 16}) set.Add(at, at + 4);
  EXPECT_EQ(set.Runs(), (Runs{{0, 4}, {8, 12}, {16, 20}}));
  set.Add(4, 8);
  EXPECT_EQ(set.Runs(), (Runs{{0, 12}, {16, 20}}));
  set.Add(2, 30);
  EXPECT_EQ(set.Runs(), (Runs{{0, 30}}));
  set.Add(5, 5);
  set.Remove(7, 7);
  EXPECT_EQ(set.Runs(), (Runs{{0, 30}}));
}

TEST(ByteSet, DoesWhatAListOfBytesDoes) {
  std::mt19937 random(1);
  ByteSet set;
  std::vector<bool> list(64);
  for (int turn = 0; turn < 2000; ++turn) {
    const std::int64_t begin = random() % 64;
    const std::int64_t end = begin + random() % (65 - begin);
    const bool add = random() % 2 != 0;
    add ? set.Add(begin, end) : set.Remove(begin, end);
    for (auto i = begin; i < end; ++i) list[static_cast<std::size_t>(i)] = add;
    Runs runs;
    for (std::int64_t i = 0; i < 64; ++i) {
      if (!list[static_cast<std::size_t>(i)]) continue;
      if (runs.empty() || runs.back().end != i) runs.push_back({i, i});
      ++runs.back().end;
    }
    ASSERT_EQ(set.Runs(), runs);
    Runs cut;
    for (const auto& run : runs) {
      const ByteSet::Run part{std::max<std::int64_t>(run.begin, 10),
                              std::min<std::int64_t>(run.end, 50)};
      if (part.begin < part.end) cut.push_back(part);
    }
    ASSERT_EQ(set.RunsIn(10, 50), cut);
    ASSERT_EQ(set.empty(), runs.empty());
  }
}

// ---- What is unspecified ----------------------------------------------------

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
       With({Ub(1280, 512)},
            [] {
              auto right = Columns(4112, 8);
              return right;
            }())},
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
       {{isa::Memory::kGm, 64, 512}, tmp}},
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
      {"NothingIsReadOfAnEmptyCall",
       {Product(1024), MinOf(4096, 1024, 0, R"("count": 0)")},
       {tmp}},
  };
}

TEST_P(Unspecified, IsWhatNothingHasWrittenSince) {
  const Case c = CaseOf(GetParam().steps);
  for (const Target* target : {&Oracle(), &Emulator()}) {
    const Outcome outcome = RunCase(c, *target);
    ASSERT_EQ(outcome.status, Outcome::Status::kExecuted)
        << outcome.step << outcome.rules.front().text();
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
  std::get<isa::Trowprod>(huge.program[0]).tmp.rows = std::int64_t{1} << 40;
  EXPECT_TRUE(UnspecifiedAfter(huge, 1).empty());
}

/// What is left of `c` on the oracle if every scratch tile is filled with
/// bytes that `random` makes.
MemorySet Scribbled(const Case& c, std::mt19937& random) {
  MemorySet memory(c);
  oracle::Oracle oracle(c.product, memory.view());
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
  switch (random() % 6) {
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
      if (RunCase(CaseOf(longer), Oracle()).status ==
          Outcome::Status::kExecuted) {
        steps = std::move(longer);
      }
    }
    const Case c = CaseOf(steps);
    ByteSet held;
    for (const ByteRange& range : UnspecifiedAfter(c, c.program.size())) {
      ASSERT_EQ(range.memory, isa::Memory::kUb);
      held.Add(range.at, range.at + range.bytes);
      unspecified += range.bytes;
    }
    std::vector<bool> differs(kUbBytes);
    const MemorySet first = Scribbled(c, random);
    for (int run = 0; run < 12; ++run) {
      const MemorySet other = Scribbled(c, random);
      for (std::size_t i = 0; i < differs.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        if (first[isa::Memory::kUb][i] == other[isa::Memory::kUb][i]) continue;
        ASSERT_FALSE(held.RunsIn(at, at + 1).empty()) << program << ": " << at;
        dependent += !differs[i];
        differs[i] = true;
      }
    }
  }
  EXPECT_GT(dependent, 20'000);
  EXPECT_GT(dependent, unspecified * 9 / 10) << "of " << unspecified;
}

// ---- Verdicts ---------------------------------------------------------------

/// What `check` tells of `c` on the emulator.
std::vector<std::string> Told(const Case& c) {
  std::vector<std::string> told;
  for (const Finding& finding : CheckCase(c, Emulator(), Oracle()).findings) {
    told.push_back(finding.side + ": " + finding.message);
  }
  return told;
}

/// The outcome document that the right outcome of `c` is, with bytes of UB
/// listed over it.
RecordedOutcome Recorded(const Case& c, const std::string& ub) {
  const auto outcome = ReadOutcome(
      R"({"outcome": "executed", "memory": {"UB": [)" + ub + "]}}", c);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome.value_or(RecordedOutcome());
}

/// The bytes that `c` leaves changed on the oracle, from `at` to `end`, as a
/// document lists them.
std::string Listed(const Case& c, std::int64_t begin, std::int64_t end) {
  std::string list;
  const RegionsByMemory changed = RunCase(c, Oracle()).changed;
  for (const Region& r : changed[static_cast<std::size_t>(isa::Memory::kUb)]) {
    for (std::int64_t at = std::max(begin, r.at); at < std::min(end, r.end());
         ++at) {
      list += fmt::format(R"({}{{"at": {}, "hex": "{:02x}"}})",
                          list.empty() ? "" : ",", at,
                          r.bytes[static_cast<std::size_t>(at - r.at)]);
    }
  }
  return list;
}

std::string Executed(const std::string& ub) {
  return R"({"outcome": "executed", "memory": {"UB": [)" + ub + "]}}";
}

TEST(Verdict, WhatIsWrittenOverScratchIsCompared) {
  const std::vector<std::string> steps = {Product(1024), Transpose(1024, 0)};
  const Case c = CaseOf(steps);
  const std::string right = Listed(c, 0, kUbBytes);
  const std::string without = Listed(c, 0, 1024) + Listed(c, 1536, kUbBytes);
  EXPECT_EQ(Told(CaseOf(steps, Executed(right))), std::vector<std::string>());
  const Case wrong = CaseOf(steps, Executed(without));
  EXPECT_EQ(Told(wrong).size(), 2u);
  const auto found =
      CompareWithExpectation(wrong, RunCase(wrong, Oracle()), "");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->signature, "expectation/vec_trans/value/half")
      << "of the step that wrote the element, not of the first";

  const auto compare = [&](const std::string& ub) {
    return CompareRecorded(c, Recorded(c, ub), "r", Oracle());
  };
  EXPECT_TRUE(compare(right).findings.empty());
  EXPECT_EQ(compare(right).compared_bytes, kUbBytes + 4096);
  const Comparison idle = compare(without);
  ASSERT_EQ(idle.findings.size(), 1u);
  EXPECT_EQ(idle.findings[0].step, 1u);
  EXPECT_EQ(idle.findings[0].signature, "memory/vec_trans/missing/half");
}

TEST(Verdict, WhatIsPartlyWrittenOverScratchIsComparedThere) {
  const std::vector<std::string> steps = {Product(1024), Transpose(1280, 0)};
  const Case c = CaseOf(steps);
  const std::string right = Listed(c, 0, kUbBytes);
  const auto with = [&](std::string_view at) {
    return right + fmt::format(R"(, {{"at": {}, "hex": "fe"}})", at);
  };
  EXPECT_EQ(Told(CaseOf(steps, Executed(with("1279")))),
            std::vector<std::string>());
  EXPECT_EQ(Told(CaseOf(steps, Executed(with("1792")))).size(), 2u);
  const auto compare = [&](const std::string& ub) {
    return CompareRecorded(c, Recorded(c, ub), "r", Oracle());
  };
  EXPECT_TRUE(compare(with("1024")).findings.empty());
  EXPECT_TRUE(compare(with("1279")).findings.empty());
  EXPECT_EQ(compare(with("1023")).findings.size(), 1u);
  EXPECT_EQ(compare(with("1792")).findings.size(), 1u);
  EXPECT_EQ(compare(right).compared_bytes, kUbBytes + 4096 - 256);
}

TEST(Verdict, WhatIsComputedFromScratchIsNotCompared) {
  const std::vector<std::string> steps = {
      Product(1024), MinOf(4096, 960, 0, R"("count": 40)")};
  const Case c = CaseOf(steps);
  const std::string right = Listed(c, 0, kUbBytes);
  const auto with = [&](int at) {
    return right + fmt::format(R"(, {{"at": {}, "hex": "fe"}})", at);
  };
  const auto findings = [&](const std::string& ub) {
    return CompareRecorded(c, Recorded(c, ub), "r", Oracle()).findings.size();
  };
  EXPECT_EQ(findings(right), 0u);
  EXPECT_EQ(findings(with(4160)), 0u);
  EXPECT_EQ(findings(with(4175)), 0u);
  EXPECT_EQ(findings(with(4176)), 1u) << "lanes end here";
  EXPECT_EQ(Told(CaseOf(steps, Executed(with(4175)))),
            std::vector<std::string>());
  EXPECT_EQ(Told(CaseOf(steps, Executed(with(4176)))).size(), 2u);
}

TEST(Verdict, ARejectedCallLeavesNothingUnspecified) {
  for (const std::int64_t rows : {std::int64_t{1} << 40, std::int64_t{17}}) {
    const auto made = [&](const std::string& expect) {
      Case c = CaseOf({Transpose(1024, 0), Product(4096)}, expect);
      std::get<isa::Trowprod>(c.program[1]).tmp.rows = rows;
      return c;
    };
    const auto rejected = [](const std::string& ub) {
      return R"({"outcome": "rejected", "step": 1, "rules": ["TRP-TMP-SHAPE"],
                 "memory": {"UB": [)" +
             ub + "]}}";
    };
    const std::string right = Listed(made(""), 0, kUbBytes);
    EXPECT_EQ(Told(made(rejected(right))), std::vector<std::string>());
    EXPECT_EQ(Told(made(rejected(""))).size(), 2u);
    EXPECT_EQ(
        Told(made(rejected(right + R"(, {"at": 4100, "hex": "00"})"))).size(),
        2u);
    const Case c = made("");
    const auto compare = [&](const std::string& ub) {
      const auto outcome = ReadOutcome(rejected(ub), c);
      EXPECT_TRUE(outcome) << outcome.error().message;
      return CompareRecorded(c, *outcome, "r", Oracle());
    };
    EXPECT_TRUE(compare(right).findings.empty());
    EXPECT_EQ(compare(right).compared_bytes, kUbBytes + 4096);
    EXPECT_EQ(compare("").findings.size(), 1u);
    EXPECT_EQ(compare(right + R"(, {"at": 4100, "hex": "00"})").findings.size(),
              1u);
  }
}

TEST(Verdict, TheStepsThatEndAProgramLeaveWhatEarlierOnesLeft) {
  // The second product is rejected, the first one's tile stays unspecified.
  Case c = CaseOf({Product(1024), Product(4096)});
  std::get<isa::Trowprod>(c.program[1]).tmp.rows = 17;
  const auto compare = [&](int at) {
    const auto outcome = ReadOutcome(
        fmt::format(R"({{"outcome": "rejected", "step": 1, "memory": {{"UB":
            [{}, {{"at": {}, "hex": "00"}}]}}}})",
                    Listed(c, 0, kUbBytes), at),
        c);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return CompareRecorded(c, *outcome, "r", Oracle()).findings.size();
  };
  EXPECT_EQ(compare(1100), 0u);
  EXPECT_EQ(compare(4100), 1u);
}

/// The emulator, which is done with `step` when `fault` sees it.
class FaultyTarget final : public Target {
 public:
  using Fault = std::function<void(isa::StepResult&, isa::Memories)>;

  FaultyTarget(std::size_t step, Fault fault)
      : step_(step), fault_(std::move(fault)) {}

  std::string_view name() const override { return "faulty"; }
  std::string_view description() const override { return "for this test"; }
  std::unique_ptr<Session> Open(isa::Product product,
                                isa::Memories memories) const override {
    return std::make_unique<FaultySession>(*this, memories,
                                           Emulator().Open(product, memories));
  }

 private:
  class FaultySession final : public Session {
   public:
    FaultySession(const FaultyTarget& target, isa::Memories memories,
                  std::unique_ptr<Session> model)
        : target_(target), memories_(memories), model_(std::move(model)) {}
    isa::StepResult Execute(const isa::Step& step) override {
      isa::StepResult result = model_->Execute(step);
      if (steps_++ == target_.step_) target_.fault_(result, memories_);
      return result;
    }

   private:
    const FaultyTarget& target_;
    isa::Memories memories_;
    std::unique_ptr<Session> model_;
    std::size_t steps_ = 0;
  };

  std::size_t step_;
  Fault fault_;
};

void Scribble(isa::StepResult&, isa::Memories memories) {
  memories[isa::Memory::kUb][1100] ^= 0xff;
}

std::vector<FindingKind> KindsOf(const Comparison& result) {
  std::vector<FindingKind> kinds;
  for (const Finding& finding : result.findings) kinds.push_back(finding.kind);
  return kinds;
}

TEST(Verdict, WhoExecutesMayScribbleInTmpAndWhoRefusesMayNot) {
  using enum FindingKind;
  const Case legal = CaseOf({Product(1024)}, R"({"outcome": "executed",
      "memory": {"UB": []}})");
  Case illegal = CaseOf({Product(1024)});
  std::get<isa::Trowprod>(illegal.program[0]).src.valid_row = 2;
  const FaultyTarget scribbles(0, Scribble);
  const FaultyTarget refuses(
      0, [](isa::StepResult& result, isa::Memories memories) {
        isa::RuleSet broken;
        broken.Add(isa::trp::kAlign);
        result = isa::StepResult::FromBroken(broken);
        std::ranges::fill(memories[isa::Memory::kUb].subspan(7168, 32), 0x7b);
        Scribble(result, memories);
      });
  const FaultyTarget accepts(
      0, [](isa::StepResult& result, isa::Memories memories) {
        result = {};
        Scribble(result, memories);
      });
  EXPECT_EQ(KindsOf(CompareStepByStep(legal, scribbles, Oracle())),
            std::vector<FindingKind>());
  EXPECT_EQ(KindsOf(CompareStepByStep(illegal, scribbles, Oracle())),
            std::vector{kMemory});
  EXPECT_EQ(KindsOf(CompareStepByStep(legal, refuses, Oracle())),
            (std::vector{kOutcome, kMemory}));
  EXPECT_EQ(KindsOf(CompareStepByStep(illegal, accepts, Oracle())),
            std::vector{kOutcome});
  // What it left in tmp stands in its outcome, and in its expectation.
  const auto& ub = [](const Case& c, const Target& target) {
    return RunCase(c, target)
        .changed[static_cast<std::size_t>(isa::Memory::kUb)];
  };
  EXPECT_EQ(ub(legal, refuses).size(), 1u);
  EXPECT_EQ(ub(illegal, scribbles).size(), 1u);
  EXPECT_EQ(ub(legal, scribbles), ub(legal, Oracle()));
  Case expecting = illegal;
  expecting.expect = ToExpectation(RunCase(illegal, Oracle()));
  EXPECT_TRUE(
      CompareWithExpectation(expecting, RunCase(illegal, scribbles), "faulty"));
}

TEST(Verdict, ScratchOfAnEarlierStepIsNotForLaterOnesToWrite) {
  const Case c = CaseOf({Product(1024), Transpose(4096, 0)});
  const FaultyTarget scribbles(1, Scribble);
  EXPECT_EQ(KindsOf(CompareStepByStep(c, scribbles, Oracle())),
            std::vector{FindingKind::kMemory});
}

TEST(Verdict, TheSummaryCountsWhatWasCompared) {
  const std::int64_t all = kUbBytes + 4096;
  const auto bytes = [](const Case& c, const Target& target) {
    return CompareStepByStep(c, target, Oracle()).compared_bytes;
  };
  Case c = CaseOf({Product(1024)});
  // GM is in no operand, but in the case.
  EXPECT_EQ(bytes(c, Emulator()), all - 512);
  EXPECT_EQ(bytes(CaseOf({Product(1024), Transpose(1024, 0)}), Emulator()),
            2 * all - 512);
  const FaultyTarget refuses(0, [](isa::StepResult& result, isa::Memories) {
    isa::RuleSet broken;
    broken.Add(isa::trp::kAlign);
    result = isa::StepResult::FromBroken(broken);
  });
  EXPECT_EQ(bytes(c, refuses), all);
  std::get<isa::Trowprod>(c.program[0]).src.valid_row = 2;
  EXPECT_EQ(bytes(c, Emulator()), all) << "both refuse";
}

}  // namespace
}  // namespace lanediff::diff
