// Unaudited calls on emulator and oracle, each by its own code: the same
// verdicts and bytes of calls at random. Of corpus/machine `lanediff check` has
// them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/testcase/case.h"
#include "emulator/emulator.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::machine {
namespace {

using diff::MemorySet;
using Status = isa::StepResult::Status;

/// Runs until a step is rejected: that step and the rules.
template <class Target>
std::optional<std::pair<std::size_t, isa::RuleSet>> RunAll(const Case& c,
                                                           Target target) {
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const isa::StepResult result = target.Execute(c.program[i]);
    if (result.status == Status::kRejected) return std::pair(i, result.rules);
  }
  return std::nullopt;
}

TEST(Replay, CopiesOfAnotherBlockNeedNoBarrier) {
  isa::Call copy = isa::CallOf("DataCopy");
  copy.dst().position = isa::Position::kGm;
  copy.src(0).position = isa::Position::kVecout;
  copy.dst().bytes = copy.src(0).bytes = 64;
  copy[isa::Param::kCount] = 32;
  const auto again = [&](const isa::Step& between) {
    Case c;
    c.product = isa::Product::kAtlasA2;
    for (const auto memory : {isa::Memory::kGm, isa::Memory::kUb}) {
      c.memory[static_cast<std::size_t>(memory)].emplace().size = 64;
    }
    c.program = {copy, between, copy};
    MemorySet emulated(c);
    MemorySet exact(c);
    const auto ends =
        RunAll(c, emulator::Emulator(c.profile(), emulated.view()));
    EXPECT_EQ(RunAll(c, oracle::Oracle(c.profile(), exact.view())), ends);
    return ends.has_value();
  };
  const auto resource = [](isa::ResourceName name) {
    return isa::Resource{.name = name, .arguments = {}};
  };
  EXPECT_FALSE(again(resource(isa::ResourceName::kBlock)));
  EXPECT_FALSE(again(resource(isa::ResourceName::kLaunch)));
  EXPECT_TRUE(again(resource(isa::ResourceName::kTPipe)));
}

/// Calls on both sides of every boundary.
class Random {
 public:
  std::int64_t Of(std::initializer_list<std::int64_t> values) {
    return *(values.begin() +
             static_cast<std::ptrdiff_t>(random_() % values.size()));
  }

  isa::Carried Call() {
    constexpr std::array<const char*, 5> kNames = {
        "Adds", "WholeReduceMax", "ReduceSum", "BlockReduceMax",
        "PairReduceSum"};
    isa::Carried call;
    call.name = kNames[random_() % kNames.size()];
    if (random_() % 4 == 0) {
      call.parameters.push_back(
          {"n", Of({-1, 0, 255, 256, INT64_MIN}), isa::ParameterRange{0, 255}});
    }
    for (std::int64_t i = Of({0, 1, 2, 3}); i > 0; --i) {
      isa::CarriedOperand& one = call.operands.emplace_back();
      one.name = static_cast<isa::OperandName>(random_() %
                                               isa::kCount<isa::OperandName>);
      one.operand.position = random_() % 2 == 0
                                 ? isa::Position::kVecout
                                 : static_cast<isa::Position>(
                                       random_() % isa::kCount<isa::Position>);
      one.operand.at =
          Of({0, 0, 32, 32, 64, 16, 2, 1, -32, 1 << 20, INT64_MAX - 31});
      one.operand.bytes = Of({0, 31, 32, 64, 256, -1, INT64_MAX});
      if (random_() % 2 == 0) one.operand.dtype = isa::DType::kHalf;
      if (random_() % 4 == 0) one.align = Of({1, 2, 64});
    }
    const auto memory = [&] {
      return random_() % 4 == 0 ? isa::Memory::kGm : isa::Memory::kUb;
    };
    for (std::int64_t i = Of({0, 1, 2}); i > 0; --i) {
      call.reads.push_back({memory(), Of({0, 31, 32, 64, -1, INT64_MAX}),
                            Of({0, 1, 32, 33, -1, INT64_MAX}), 0});
    }
    for (std::int64_t i = Of({0, 1, 2}); i > 0; --i) {
      call.writes.push_back(
          {memory(), Of({0, 31, 32, 64, 95, -1, INT64_MAX}),
           std::vector<std::uint8_t>(random_() % 40,
                                     static_cast<std::uint8_t>(random_())),
           0});
    }
    return call;
  }

  isa::Product Product() {
    return static_cast<isa::Product>(random_() % isa::kCount<isa::Product>);
  }

 private:
  std::mt19937_64 random_{1};
};

TEST(Replay, EmulatorAndOracleAgreeOnCallsAtRandom) {
  Random random;
  std::size_t wrote = 0;
  std::set<isa::RuleId> broken;
  for (int i = 0; i < 20000 && !HasFailure(); ++i) {
    Case c;
    c.product = random.Product();
    for (const isa::Memory memory : {isa::Memory::kGm, isa::Memory::kUb,
                                     isa::Memory::kL1, isa::Memory::kFb}) {
      c.memory[static_cast<std::size_t>(memory)] =
          MemoryImage{.fill = 0x5a, .size = 512, .regions = {}};
    }
    const isa::Step step = random.Call();
    MemorySet emulated(c);
    MemorySet exact(c);
    emulator::Emulator emulator(c.profile(), emulated.view());
    oracle::Oracle oracle(c.profile(), exact.view());
    const isa::RuleSet anywhere = oracle.BrokenAnywhere(step);
    const isa::StepResult mine = emulator.Execute(step);
    const isa::StepResult other = oracle.Execute(step);
    EXPECT_EQ(mine, other) << i;
    EXPECT_TRUE(emulated == exact) << i;
    EXPECT_EQ(anywhere.empty(), other.rules.empty());
    for (isa::RuleId rule : mine.rules) {
      broken.insert(rule);
      EXPECT_TRUE(anywhere.Contains(rule));
    }
    wrote += emulated == MemorySet(c) ? 0 : 1;
  }
  EXPECT_GT(wrote, 50U);
  EXPECT_EQ(broken.size(), 3U);
}

}  // namespace
}  // namespace lanediff::machine
