#include "reports/trace/case_view.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"

namespace lanediff::view {
namespace {

using Kind = AccessView::Kind;
using enum RuleVerdict;

Case Read(const std::string& memory, const std::string& step) {
  const auto c = ReadCase(
      R"({"format": "lanediff-case/1", "id": "test/view", "product": "atlas-a2",
          "memory": {"UB": {"fill": "a5", "regions": [)" +
      memory + R"(]}}, "program": [)" + step + "]}");
  EXPECT_TRUE(c) << c.error().pointer << ": " << c.error().message;
  return c.value_or(Case());
}

Case Corpus(const std::string& name) {
  const auto c = ReadCaseFile(LANEDIFF_SOURCE_DIR "/corpus/" + name + ".json");
  EXPECT_TRUE(c) << name << ": " << c.error();
  return c.value_or(Case());
}

CaseView View(const Case& c, std::string_view target = "emulator",
              const ViewOptions& options = {}) {
  return ViewCase(c, **diff::FindTarget(target), **diff::FindTarget("oracle"),
                  options);
}

const BlockView* BlockOf(const StepView& step, std::int64_t number) {
  const auto found = std::ranges::find(step.blocks, number, &BlockView::number);
  return found == step.blocks.end() ? nullptr : &*found;
}

std::vector<AccessView> Accesses(const StepView& step, std::size_t iteration,
                                 std::string_view operand, Kind kind) {
  std::vector<AccessView> found;
  for (const AccessView& access : step.shown.at(iteration).accesses) {
    if (access.kind == kind && step.operands[access.operand].name == operand) {
      found.push_back(access);
    }
  }
  return found;
}

RuleVerdict VerdictOf(const StepView& step, std::string_view rule) {
  const auto found = std::ranges::find(
      step.rules, rule, [](const RuleUse& use) { return use.rule->id.text(); });
  EXPECT_NE(found, step.rules.end()) << rule;
  return found == step.rules.end() ? kNotMet : found->verdict;
}

TEST(NearestOf, IsTheValueNearestToAnExactResult) {
  struct Row {
    isa::DType type;
    std::string_view exact;
    std::uint64_t written;
    std::optional<std::uint64_t> bits;
    std::optional<std::uint64_t> ulp;
  };
  using enum isa::DType;
  const std::vector<Row> rows = {
      {kHalf, "1", 0x3c00, 0x3c00, 0},
      {kHalf, "1.0001", 0x3c02, 0x3c00, 2},
      {kHalf, "nan", 0x7e00, 0x7e00, std::nullopt},
      {kHalf, "nan", 0x0000, 0x7e00, std::nullopt},  // in saturation mode
      {kHalf, "1", 0x7e00, 0x3c00, std::nullopt},
      {kFloat, "nan", 0xffc00001, 0x7fc00000, std::nullopt},
      {kHalf, "inf", 0x7bff, std::nullopt, std::nullopt},
      {kHalf, "65520", 0x7bff, std::nullopt, std::nullopt},
      {kHalf, "0", 0x8000, 0x8000, 0},
      {kFloat, "0", 0x80000000, 0x80000000, 0},
      {kInt32, "0", 0x80000000, 0, std::uint64_t{1} << 31},
  };
  for (const Row& row : rows) {
    const Nearest nearest = NearestOf(row.type, row.exact, row.written);
    EXPECT_EQ(nearest.bits, row.bits) << row.exact << " " << row.written;
    EXPECT_EQ(nearest.ulp, row.ulp) << row.exact << " " << row.written;
  }
}

TEST(CaseView, ListsUnspecifiedBytesAtTheEnd) {
  const auto bytes = [](const std::string& name) {
    return View(Corpus(name)).sides.unspecified_bytes;
  };
  EXPECT_EQ(bytes("trowprod/dst-layout-dn-1-column-accepted"), 64);
  EXPECT_EQ(bytes("trowprod/align-tmp-at-16-off-rejected"), 0);
  EXPECT_EQ(bytes("min/register-mask-picks-lanes-of-both-words"), 0);
}

TEST(CaseView, SaturatingSum) {
  const Case c = Corpus("repeat_reduce_sum/worked-saturates-at-65504-a2");
  const CaseView view = View(c, "emulator", {.reproduce = "lanediff check x"});
  EXPECT_EQ(view.reproduce, "lanediff check x");
  EXPECT_TRUE(view.findings.empty());
  ASSERT_EQ(view.steps.size(), 1u);
  const StepView& step = view.steps[0];
  EXPECT_EQ(step.op, "RepeatReduceSum");
  EXPECT_EQ(VerdictOf(step, "RRS-SATURATE"), kApplies);
  EXPECT_EQ(VerdictOf(step, "RRS-PREFER-WHOLE-REDUCE-SUM"), kNoted);

  // 60000 + 60000 saturates, -30000 + 100 rounds, their sum ties.
  EXPECT_EQ(step.arithmetic, Arithmetic::kTree);
  EXPECT_EQ(step.counts.all, 3);
  EXPECT_EQ(step.counts.rounded, 3);
  EXPECT_EQ(step.counts.tied, 1);
  EXPECT_EQ(step.counts.saturated, 1);
  ASSERT_EQ(step.shown.size(), 1u);
  ASSERT_EQ(step.shown[0].nodes.size(), 3u);
  EXPECT_EQ(step.shown[0].nodes[0].exact, "120000");
  EXPECT_TRUE(step.shown[0].nodes[0].saturated);
  ASSERT_EQ(step.true_results.size(), 1u);
  EXPECT_EQ(step.true_results[0].written, 0x7858u);  // 35584

  ASSERT_EQ(step.blocks.size(), 2u);
  EXPECT_EQ(step.blocks[0].number, 0);
  EXPECT_EQ(step.blocks[0].after[0], 0x58);
  EXPECT_EQ(step.blocks[0].before[0], 0xa5);
  EXPECT_EQ(step.blocks[0].touched[1], TouchedBlock::kWritten);
  EXPECT_EQ(step.blocks[0].touched[2], 0);
  EXPECT_EQ(step.blocks[1].number, 32);
  EXPECT_EQ(step.blocks[1].touched[7], TouchedBlock::kRead);
  EXPECT_EQ(step.operands[step.blocks[1].operands.at(0)].name, "src");
}

/// `op` of 16 times 32767 and `src1`, integers of 16 bits, in the count form.
StepView Integers(const std::string& op, int src1, bool saturation) {
  const std::string operand = R"({"position": "VECIN", "bytes": 32, "at": )";
  const Case c = Read(
      R"({"at": 0, "dtype": "int16", "values": [{"value": 32767, "count": 16}]},
         {"at": 32, "dtype": "int16", "values": [{"value": )" +
          std::to_string(src1) + R"(, "count": 16}]})",
      R"({"op": "SetSaturation", "enabled": )" +
          std::string(saturation ? "true" : "false") + R"(}, {"op": ")" + op +
          R"(", "dtype": "int16", "count": 15, "dst": )" + operand +
          R"(64}, "src0": )" + operand + R"(0}, "src1": )" + operand +
          R"(32}})");
  return View(c).steps.at(1);
}

TEST(CaseView, IntegersThatLeaveTheirType) {
  const StepView kept = Integers("Add", 1, true);
  EXPECT_EQ(kept.arithmetic, Arithmetic::kLanes);
  EXPECT_EQ(kept.counts.saturated, 15);
  EXPECT_EQ(kept.counts.wrapped, 0);
  EXPECT_EQ(VerdictOf(kept, "ADD-INTEGER-OVERFLOW"), kApplies);
  EXPECT_EQ(VerdictOf(kept, "STATE-SATURATION"), kApplies);
  EXPECT_EQ(VerdictOf(kept, "ARITH-ROUND"), kNotMet);
  // An element of dst is beyond count; iterations have no order.
  EXPECT_EQ(VerdictOf(kept, "ADD-UNMASKED"), kApplies);
  EXPECT_EQ(VerdictOf(kept, "ADD-IN-ORDER"), kNotMet);
  EXPECT_EQ(kept.shown.at(0).nodes.at(0).operation, "add");
  EXPECT_TRUE(kept.true_results.empty()) << "each lane's node has it";

  const StepView cut = Integers("Mul", 2, false);
  EXPECT_EQ(cut.counts.saturated, 0);
  EXPECT_EQ(cut.counts.wrapped, 15);
  EXPECT_EQ(VerdictOf(cut, "MUL-INTEGER-OVERFLOW"), kApplies);
  EXPECT_EQ(VerdictOf(Integers("Sub", 1, true), "SUB-INTEGER-OVERFLOW"),
            kNotMet);
  EXPECT_EQ(VerdictOf(Integers("Max", 1, true), "STATE-SATURATION"), kNotMet);
}

TEST(CaseView, WholeReduceSumOfSingleLanes) {
  const StepView step =
      View(
          Read(
              R"({"at": 1024, "dtype": "half", "values": [{"value": 1, "count": 128}]})",
              R"({"op": "WholeReduceSum", "dtype": "half", "mask": ["0xd", "0x0"],
          "dst": {"position": "VECOUT", "at": 2, "bytes": 2},
          "src": {"position": "VECIN", "at": 1024, "bytes": 256},
          "repeatTimes": 1, "dstRepStride": 1, "srcBlkStride": 1,
          "srcRepStride": 8})"))
          .steps.at(0);
  ASSERT_TRUE(step.has_mask);
  EXPECT_EQ(step.lanes.drawing.substr(0, 5), "#.##.");
  EXPECT_EQ(step.lanes.taking_part, 3);
  EXPECT_EQ(step.mask_origin,
            "mask from the call, 0xd for lanes 0-63 and 0x0 from 64 on");
  EXPECT_EQ(step.arithmetic, Arithmetic::kTree);
  EXPECT_EQ(step.counts.all, 2);
  EXPECT_EQ(VerdictOf(step, "WRS-MASK-LANES"), kApplies);
  EXPECT_EQ(VerdictOf(step, "WRS-SATURATE"), kApplies);
  EXPECT_EQ(VerdictOf(step, "WRS-IN-ORDER"), kNotMet);
  EXPECT_EQ(step.true_results.size(), 1u);
}

TEST(CaseView, MaskedMin) {
  const CaseView view =
      View(Corpus("min/bits-alternate-lanes-over-two-iterations"));
  const StepView& step = view.steps.at(0);
  ASSERT_TRUE(step.has_mask);
  EXPECT_EQ(step.lanes.drawing.substr(0, 20), "#.#.#.#.#.#.#.#.....");
  EXPECT_EQ(step.lanes.taking_part, 8);
  ASSERT_EQ(step.shown.size(), 2u);
  const auto masked = Accesses(step, 1, "dst", Kind::kMasked);
  // Lane 1 of iteration 1; lanes 16 and on are not in the window.
  ASSERT_EQ(masked.size(), 8u);
  EXPECT_EQ(masked[0].at, 1024 + 32 + 2);
  EXPECT_EQ(masked[0].bytes, 2);
  EXPECT_EQ(masked[0].lane, 1);
  EXPECT_EQ(Accesses(step, 1, "dst", Kind::kWrite).at(1).at, 1024 + 32 + 4);
  EXPECT_EQ(Accesses(step, 1, "src1", Kind::kRead).at(0).at, 512 + 32);
  EXPECT_TRUE(step.overlaps.empty());
}

TEST(CaseView, MaskedLanesFollowTheStrides) {
  const CaseView view = View(Read("", R"(
      {"op": "Min", "dtype": "float", "mask": ["0xfffe", "0x0"],
       "dst": {"position": "VECOUT", "at": 4096, "bytes": 512},
       "src0": {"position": "VECIN", "at": 0, "bytes": 1024},
       "src1": {"position": "VECIN", "at": 2048, "bytes": 1024},
       "repeatTimes": 1, "repeatParams":
         {"dstBlkStride": 1, "src0BlkStride": 3, "src1BlkStride": 1,
          "dstRepStride": 8, "src0RepStride": 8, "src1RepStride": 8}})"));
  const auto masked = Accesses(view.steps.at(0), 0, "src0", Kind::kMasked);
  // Lane 0, then lanes 16 to 63: DataBlocks 2 to 7 of the lanes, 3 apart.
  ASSERT_EQ(masked.size(), 7u);
  EXPECT_EQ(masked[0].at, 0);
  EXPECT_EQ(masked[1].at, 2 * 3 * 32);
  EXPECT_EQ(masked[1].bytes, 32);
  EXPECT_EQ(masked[1].lane, 16);
  EXPECT_EQ(masked[6].at, 7 * 3 * 32);
}

TEST(CaseView, RunningMinimumReadsWhatItWrote) {
  // dst and src1 are one DataBlock, again and again.
  const CaseView view = View(Read(
      R"({"at": 0, "dtype": "half", "values": [{"from": 9, "step": -1, "count": 64}]})",
      R"({"op": "Min", "dtype": "half", "mask": 16,
          "dst": {"position": "VECOUT", "at": 1024, "bytes": 32},
          "src0": {"position": "VECIN", "at": 0, "bytes": 128},
          "src1": {"position": "VECIN", "at": 1024, "bytes": 32},
          "repeatTimes": 4, "repeatParams":
            {"dstBlkStride": 1, "src0BlkStride": 1, "src1BlkStride": 1,
             "dstRepStride": 0, "src0RepStride": 1, "src1RepStride": 0}})"));
  const StepView& step = view.steps.at(0);
  ASSERT_EQ(step.result.status, isa::StepResult::Status::kExecuted);
  const std::vector<Overlap> expected = {
      {Meeting::kInPlace, isa::Memory::kUb, 1024, 32, 0, 0},
      {Meeting::kReadLater, isa::Memory::kUb, 1024, 32, 0, 1},
      {Meeting::kWrittenTwice, isa::Memory::kUb, 1024, 32, 0, 1}};
  EXPECT_EQ(step.overlaps, expected);
  EXPECT_EQ(VerdictOf(step, "MIN-IN-ORDER"), kApplies);
}

TEST(FindOverlaps, JoinsBytesOfOnePairOnly) {
  using isa::Access;
  const auto access = [](bool write, std::int64_t at, std::int64_t bytes,
                         std::int64_t iteration) {
    return Access{.operand = write ? "dst" : "src",
                  .write = write,
                  .at = at,
                  .bytes = bytes,
                  .iteration = iteration};
  };
  // Iteration 1 reads 4 bytes that 0 wrote and writes 6 that 0 read; the last 2
  // of these are across the end of a DataBlock.
  const std::vector<Access> accesses = {
      access(false, 28, 6, 0), access(true, 100, 8, 0),
      access(false, 104, 8, 1), access(true, 28, 6, 1)};
  const std::vector<Overlap> expected = {
      {Meeting::kReadLater, isa::Memory::kUb, 104, 4, 0, 1},
      {Meeting::kWrittenLater, isa::Memory::kUb, 28, 6, 0, 1}};
  EXPECT_EQ(FindOverlaps(accesses), expected);
}

TEST(CaseView, RejectedCallHasItsRuleAndOverlap) {
  const CaseView view = View(Read(
      R"({"at": 0, "dtype": "uint16",
          "values": [{"from": 0, "step": 1, "count": 256}]})",
      R"(
      {"op": "vec_trans", "dtype": "half",
       "dst": {"position": "UB", "at": 480, "bytes": 512},
       "src": {"position": "UB", "at": 0, "bytes": 512},
       "repeat_times": 1, "dst_rep_stride": 1, "src_rep_stride": 1})"));
  const StepView& step = view.steps.at(0);
  EXPECT_EQ(step.result.status, isa::StepResult::Status::kRejected);
  EXPECT_EQ(VerdictOf(step, "VT-OVERLAP"), kBroken);
  EXPECT_EQ(VerdictOf(step, "VT-BOUNDS"), kNotBroken);
  ASSERT_EQ(step.shared.size(), 1u);
  EXPECT_EQ(step.shared[0],
            (SharedBytes{"dst", "src", isa::Memory::kUb, 480, 32}));
  // What it would do: element (i, j) of src to (j, i) of dst.
  EXPECT_TRUE(step.extended);
  EXPECT_EQ(Accesses(step, 0, "dst", Kind::kWrite).at(0).at, 480);
  const std::vector<Overlap> expected = {
      {Meeting::kInPlace, isa::Memory::kUb, 480, 32, 0, 0}};
  EXPECT_EQ(step.overlaps, expected);
  const BlockView* const block = BlockOf(step, 15);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->after[2], 16);           // src[1][0]
  EXPECT_EQ(block->actual, block->before);  // but not executed
  EXPECT_TRUE(block->differing.empty());
  EXPECT_EQ(view.sides.sides.at(0).outcome,
            "rejected at step 0 for VT-OVERLAP");
}

TEST(CaseView, RejectedCallThatHasNoExtensionShowsItsWindows) {
  const CaseView view = View(Read("", R"(
      {"op": "vec_trans", "dtype": "half",
       "dst": {"position": "UB", "at": 480, "bytes": 512},
       "src": {"position": "UB", "at": 0, "bytes": 512},
       "repeat_times": -1, "dst_rep_stride": 1, "src_rep_stride": 1})"));
  const StepView& step = view.steps.at(0);
  EXPECT_FALSE(step.extended);
  EXPECT_TRUE(step.shown.empty());
  const BlockView* const block = BlockOf(step, 15);  // where they meet
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->operands.size(), 2u);
  EXPECT_EQ(VerdictOf(step, "VT-OVERLAP"), kNotReached);
}

TEST(CaseView, RejectedFieldsFarOutOfEveryMemory) {
  const CaseView view = View(Read("", R"(
      {"op": "vec_trans", "dtype": "half",
       "dst": {"position": "UB", "at": 9223372036854775807, "bytes": 9223372036854775807},
       "src": {"position": "UB", "at": -9223372036854775808, "bytes": -1},
       "repeat_times": 4096, "dst_rep_stride": 1, "src_rep_stride": 1})"));
  const StepView& step = view.steps.at(0);
  const auto repeat =
      std::ranges::find(step.rules, "VT-REPEAT",
                        [](const RuleUse& use) { return use.rule->id.text(); });
  ASSERT_NE(repeat, step.rules.end());
  EXPECT_EQ(repeat->out_of_range, "repeat_times is 4096, allowed is 1 to 4095");
  for (const BlockView& block : step.blocks) {
    EXPECT_TRUE(block.before.empty());
  }
}

TEST(CaseView, FindingOfAMutantIsInFocus) {
  const Case c = Corpus("repeat_reduce_sum/tree-128-random-halves");
  const CaseView view = View(c, "mutant:rrs-left-fold");
  ASSERT_FALSE(view.findings.empty());
  const auto& difference = view.findings[0].difference;
  ASSERT_TRUE(difference);
  const StepView& step = view.steps.at(view.focus);
  EXPECT_EQ(step.focus, difference->iteration);
  const BlockView* const block = BlockOf(step, difference->at / 32);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->differing, std::vector<std::size_t>{static_cast<std::size_t>(
                                  difference->at % 32 / 2)});
  EXPECT_NE(block->actual, block->after);
  EXPECT_TRUE(view.sides.differ);
}

TEST(CaseView, TargetThatIsKnownToCrashIsNotRun) {
  const Case c = Corpus("repeat_reduce_sum/worked-saturates-at-65504-a2");
  diff::Finding crash;
  crash.kind = diff::FindingKind::kCrash;
  crash.message = "ended by signal 11";
  const CaseView view =
      View(c, "emulator", {.run_target = false, .findings = {crash}});
  ASSERT_EQ(view.findings.size(), 1u);
  EXPECT_EQ(view.findings[0].kind, diff::FindingKind::kCrash);
  EXPECT_EQ(view.sides.columns, (std::vector<std::string>{"expect", "oracle"}));
  EXPECT_TRUE(view.steps.at(0).blocks.at(0).actual.empty());
}

TEST(CaseView, WhatIsLeftOutIsCounted) {
  const Case c = Read("", R"(
      {"op": "RepeatReduceSum", "dtype": "half",
       "dst": {"position": "VECOUT", "at": 0, "bytes": 510},
       "src": {"position": "VECIN", "at": 1024, "bytes": 65280},
       "repeat": 255, "elemsInOneRepeat": 128, "dstBlkStride": 0,
       "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8})");
  const CaseView view = View(c);
  const StepView& step = view.steps.at(0);
  EXPECT_EQ(step.iterations, 255);
  EXPECT_EQ(step.shown.front().number, 0);
  EXPECT_EQ(step.shown.back().number, 254);
  EXPECT_LE(step.shown.size(), ViewLimits().iterations);
  EXPECT_EQ(step.counts.all, 255 * 127);
  std::size_t nodes = 0;
  for (const IterationView& iteration : step.shown) {
    EXPECT_EQ(iteration.counts.all, 127);
    EXPECT_EQ(std::ssize(iteration.nodes) + iteration.omitted_nodes, 127);
    nodes += iteration.nodes.size();
  }
  EXPECT_LE(nodes, ViewLimits().nodes);
  EXPECT_EQ(step.shown.front().omitted_nodes, 0);  // a tree is shown whole
  // 16 DataBlocks of dst and 255 · 8 of src.
  const auto touched = std::ranges::count_if(step.blocks, [](const auto& b) {
    return std::ranges::any_of(b.touched, [](auto t) { return t != 0; });
  });
  EXPECT_EQ(touched + step.omitted_blocks, 16 + 255 * 8);
  EXPECT_EQ(std::ssize(step.true_results) +
                static_cast<std::ptrdiff_t>(step.omitted_true_results),
            255);
}

TEST(CaseView, OmittedBlocksAreCountedWhereTheyAre) {
  const Case c = Read("", R"(
      {"op": "DataCopy", "dtype": "half", "count": 32768,
       "dst": {"position": "VECCALC", "at": 65536, "bytes": 65536},
       "src": {"position": "VECIN", "at": 0, "bytes": 65536}})");
  const StepView step = View(c).steps.at(0);
  std::int64_t next = 0;  // DataBlocks 0 to 4095 are all touched
  for (const BlockView& block : step.blocks) {
    EXPECT_EQ(block.omitted_before, block.number - next) << block.number;
    next = block.number + 1;
  }
  EXPECT_EQ(std::ssize(step.blocks) + step.omitted_blocks, 4096);
}

TEST(CaseView, PaddingIsARuleOfBlocksThatArePadded) {
  const auto verdict = [](int bytes, int right) {
    const Case c = Read(R"(]}, "GM": {"size": 64, "regions": [)",
                        fmt::format(R"(
        {{"op": "DataCopyPad", "dtype": "half",
         "dst": {{"position": "VECIN", "at": 0, "bytes": 64}},
         "src": {{"position": "GM", "at": 1, "bytes": 63}},
         "dataCopyParams": {{"blockCount": 1, "blockLen": {}, "srcStride": 0,
                            "dstStride": 0}},
         "padParams": {{"isPad": true, "leftPadding": 0, "rightPadding": {},
                       "paddingValue": 1}}}})",
                                    bytes, right));
    return VerdictOf(View(c).steps.at(0), "DCP-FILL");
  };
  EXPECT_EQ(verdict(20, 0), kApplies);
  EXPECT_EQ(verdict(32, 1), kApplies);
  EXPECT_EQ(verdict(32, 0), kNotMet);
  EXPECT_EQ(verdict(0, 1), kNotMet);
}

TEST(CaseView, LongProgramKeepsItsEnds) {
  std::string program;
  for (int i = 0; i < 100; ++i) {
    program += R"({"op": "PipeBarrier", "pipe": "ALL"},)";
  }
  program.pop_back();
  const CaseView view = View(Read("", program));
  EXPECT_EQ(view.program_steps, 100u);
  EXPECT_EQ(view.steps.size() + view.omitted_steps, 100u);
  EXPECT_LE(view.steps.size(), ViewLimits().steps);
  EXPECT_EQ(view.steps.front().index, 0u);
  EXPECT_EQ(view.steps.back().index, 99u);
}

}  // namespace
}  // namespace lanediff::view
