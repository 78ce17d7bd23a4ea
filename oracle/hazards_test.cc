#include "oracle/hazards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "isa/state.h"
#include "oracle/calls_testing.h"

/// Programs of a few steps whose hazards are worked out by hand.
namespace lanediff::oracle {
namespace {

using isa::Event;
using isa::Memory;
using isa::Pipe;
using isa::Position;
using test::Window;

isa::Step In(std::int64_t dst, std::int64_t src, std::int64_t bytes) {
  isa::DataCopy copy;
  copy.dst = Window(Position::kVecin, dst, bytes);
  copy.src = Window(Position::kGm, src, bytes);
  copy.count = bytes / 2;
  return copy;
}

isa::Step Out(std::int64_t dst, std::int64_t src, std::int64_t bytes) {
  isa::DataCopy copy;
  copy.dst = Window(Position::kGm, dst, bytes);
  copy.src = Window(Position::kVecout, src, bytes);
  copy.count = bytes / 2;
  return copy;
}

isa::Min MinOf(std::int64_t dst, std::int64_t src0, std::int64_t src1,
               std::int64_t bytes) {
  isa::Min min;
  min.dst = Window(Position::kVeccalc, dst, bytes);
  min.src0 = Window(Position::kVeccalc, src0, bytes);
  min.src1 = Window(Position::kVeccalc, src1, bytes);
  min.count = bytes / 2;
  return min;
}

/// One repeat of the lanes of `low`.
isa::Min Lanes(std::int64_t dst, std::uint64_t low) {
  isa::Min min = MinOf(dst, 512, 1024, 256);
  min.form = isa::Min::kBitwise;
  min.count = 0;
  min.mask_words = {low, 0};
  min.repeat_times = 1;
  min.repeat_params = {1, 1, 1, 8, 8, 8};
  return min;
}

/// Without isSetMask.
isa::Min Register(std::int64_t dst) {
  isa::Min min = Lanes(dst, 0);
  min.is_set_mask = false;
  return min;
}

isa::Step Get(std::int64_t at) {
  return isa::GetValue{.src = Window(Position::kVeccalc, at, 2)};
}

HazardQuestion Manual(std::vector<isa::Step> program) {
  HazardQuestion question;
  question.program = std::move(program);
  question.automatic = false;
  question.written[0].assign(65536, true);
  question.written[1].assign(8192, true);
  return question;
}

/// "RAW 0>1 UB 0..255" for all bytes of a hazard, first to last, and
/// "FLAG-TWICE 1>2" of hazards without bytes; sorted.
std::set<std::string> Found(const HazardQuestion& question) {
  const auto answer = FindHazards(question);
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> runs;
  const auto name = [](isa::RuleId rule, std::optional<std::size_t> earlier,
                       std::size_t later) {
    std::string text(rule.text());
    text += ' ';
    if (earlier) text += std::to_string(*earlier) + ">";
    return text + std::to_string(later);
  };
  for (const ByteHazard& hazard : answer->bytes) {
    std::optional<std::size_t> earlier;
    if (hazard.earlier) earlier = hazard.earlier->step;
    const std::string text = name(hazard.rule, earlier, hazard.later.step) +
                             " " + std::string(hazard.later.operand) + " " +
                             std::string(isa::Name(hazard.memory)) + " ";
    const auto [run, is_new] =
        runs.try_emplace(text, std::pair(hazard.at, hazard.at));
    run->second.first = std::min(run->second.first, hazard.at);
    run->second.second = std::max(run->second.second, hazard.at);
  }
  std::set<std::string> found;
  for (const auto& [text, run] : runs) {
    found.insert(text + std::to_string(run.first) + ".." +
                 std::to_string(run.second));
  }
  for (const StepHazard& hazard : answer->steps) {
    found.insert(name(hazard.rule, hazard.earlier, hazard.later));
  }
  return found;
}
using Texts = std::set<std::string>;

TEST(Hazards, ThreeKindsOfRaces) {
  EXPECT_EQ(Found(Manual({In(0, 0, 256), MinOf(1024, 0, 512, 256)})),
            Texts{"SYNC-RAW 0>1 src0 UB 0..255"});
  EXPECT_EQ(Found(Manual({MinOf(1024, 0, 0, 256), MinOf(2048, 0, 0, 256),
                          In(0, 0, 256)})),
            Texts{"SYNC-WAR 1>2 dst UB 0..255"});
  EXPECT_EQ(Found(Manual({In(0, 0, 256), In(0, 0, 256)})),
            Texts{"SYNC-WAW 0>1 dst UB 0..255"});
}

TEST(Hazards, LanesThatDoNotMeetAreNone) {
  EXPECT_EQ(Found(Manual({Lanes(0, 0x5555), Lanes(0, 0xaaaa)})), Texts{});
  EXPECT_EQ(Found(Manual({Lanes(0, 0x3), Lanes(0, 0x6)})),
            Texts{"SYNC-WAW 0>1 dst UB 2..3"});
}

TEST(Hazards, FlagsOrderAndAutomaticOrdersOnePair) {
  const isa::Step set = isa::SetFlag{Event::kMte2V, 0};
  const isa::Step wait = isa::WaitFlag{Event::kMte2V, 0};
  EXPECT_EQ(Found(Manual({In(0, 0, 256), set, wait, MinOf(1024, 0, 512, 256)})),
            Texts{});
  HazardQuestion question =
      Manual({MinOf(1024, 0, 512, 256), MinOf(2048, 1024, 0, 256),
              Out(8192, 2048, 256)});
  EXPECT_EQ(Found(question), (Texts{"SYNC-RAW 0>1 src0 UB 1024..1279",
                                    "SYNC-RAW 1>2 src UB 2048..2303"}));
  question.automatic = true;
  EXPECT_EQ(Found(question), Texts{"SYNC-RAW 1>2 src UB 2048..2303"});
  question.automatic.reset();
  EXPECT_EQ(Found(question), Texts{});
}

TEST(Hazards, FlagsOfEveryKind) {
  const auto set = [](Event event, std::int64_t id) {
    return isa::SetFlag{event, id};
  };
  const isa::Step wait = isa::WaitFlag{Event::kMte2V, 0};
  EXPECT_EQ(
      Found(Manual({set(Event::kMte2V, 0), set(Event::kMte2V, 0), wait, wait,
                    set(Event::kVMte3, 1), set(Event::kVMte3, 8),
                    set(Event::kMV, 0), isa::PipeBarrier{Pipe::kS}})),
      (Texts{"SYNC-FLAG-TWICE 0>1", "SYNC-FLAG-UNSET 3", "SYNC-FLAG-UNWAITED 4",
             "SYNC-FLAG-ID 5", "SYNC-FLAG-PIPE 6", "SYNC-BARRIER-PIPE 7"}));
}

TEST(Hazards, MasksThatCallsLeave) {
  HazardQuestion question = Manual({Register(0), Lanes(0, 3), Register(0)});
  question.automatic = true;
  question.start_unknown = true;
  EXPECT_EQ(Found(question),
            (Texts{"STATE-MASK-UNKNOWN 0", "STATE-MODE-UNKNOWN 0",
                   "STATE-MODE-UNKNOWN 1", "STATE-MODE-UNKNOWN 2",
                   "STATE-MASK-LEFTOVER 1>2"}));
  question.start_unknown = false;
  EXPECT_EQ(Found(question), Texts{"STATE-MASK-LEFTOVER 1>2"});
  question.program = {isa::SetMaskCount{}, Register(0), In(0, 0, 256)};
  EXPECT_EQ(Found(question), Texts{"STATE-MASK-COUNTER 0>1"});
  question.program = {isa::SetMaskCount{}, In(0, 0, 256)};
  EXPECT_EQ(Found(question), Texts{"STATE-COUNTER-LEFT 0"});
}

TEST(Hazards, UnwrittenBytesAtTheFirstReadOrWhereTheyLeave) {
  HazardQuestion question =
      Manual({In(0, 0, 128), MinOf(1024, 0, 0, 256), Out(8192, 1024, 256),
              In(2048, 8192, 256), Out(0, 2048, 256)});
  question.automatic.reset();
  question.written[1].assign(8192, false);
  EXPECT_EQ(Found(question), (Texts{"INIT-READ 1 src0 UB 128..255",
                                    "INIT-READ 1 src1 UB 128..255"}));
  question.propagate = true;
  EXPECT_EQ(Found(question), Texts{"INIT-READ 1>2 src UB 1152..1279"});
  question.program.back() = Get(4096);
  EXPECT_EQ(Found(question), (Texts{"INIT-READ 1>2 src UB 1152..1279",
                                    "INIT-READ 4 src UB 4096..4097"}));
}

TEST(Hazards, WhatFollowsARejectedStepIsLookedAt) {
  const auto answer = FindHazards(
      Manual({In(0, 0, 256), In(1, 0, 256), isa::SetFlag{Event::kMte2V, 0},
              MinOf(1024, 0, 512, 256)}));
  ASSERT_EQ(answer->rejected.size(), 1U);
  EXPECT_EQ(answer->rejected[0].step, 1U);
  EXPECT_EQ(answer->bytes.size(),
            256U);  // and no flag unwaited: it never ended
  EXPECT_TRUE(answer->steps.empty());
}

TEST(Hazards, MissingCallIsOfTheProduct) {
  const std::vector<isa::Step> program = {isa::WaitFlag{Event::kMte2V, 0},
                                          isa::SetFlag{Event::kMte2V, 2}};
  const auto between = [&](isa::Product product, Pipe a, Pipe b) {
    return MissingCall(product, program, a, b);
  };
  const auto a2 = isa::Product::kAtlasA2;
  EXPECT_EQ(between(a2, Pipe::kMte2, Pipe::kV),
            (std::vector<isa::Step>{isa::SetFlag{Event::kMte2V, 1},
                                    isa::WaitFlag{Event::kMte2V, 1}}));
  EXPECT_EQ(between(a2, Pipe::kV, Pipe::kV),
            std::vector<isa::Step>{isa::PipeBarrier{Pipe::kV}});
  EXPECT_EQ(between(a2, Pipe::kMte1, Pipe::kV),  // no such event
            std::vector<isa::Step>{isa::PipeBarrier{Pipe::kAll}});
  EXPECT_TRUE(
      between(isa::Product::kAtlasInferenceVectorcore, Pipe::kV, Pipe::kV)
          .empty());
}

TEST(Hazards, LargeProgramsAreDeclined) {
  HazardQuestion question = Manual({});
  question.program.assign(kMostHazardSteps + 1, isa::PipeBarrier{});
  EXPECT_FALSE(FindHazards(question));
  question.program.assign(600, MinOf(0, 0, 0, 4096));
  EXPECT_FALSE(FindHazards(question));
}

}  // namespace
}  // namespace lanediff::oracle
