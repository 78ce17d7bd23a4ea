// Calls that break rules, as the oracle runs them, over the corpus and a sample
// of the sweeps: legal calls come out the same, every rule that is reported is
// known, and whatever is run writes what it lists and nothing else: comparing
// relies on it (differential/compare/compare.cc). An oracle that does not
// compute judges alike, and what an executed call touches is what
// isa/footprint.h reads off its fields.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/records/hazard.h"
#include "differential/testcase/testing.h"
#include "emulator/address.h"
#include "generators/boundary/sweep.h"
#include "generators/random/generate.h"
#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "oracle/memory_map.h"
#include "oracle/operations.h"
#include "oracle/oracle.h"

namespace lanediff::make {
namespace {

using oracle::Oracle;

/// How many operands were held against their footprints, by instruction.
using Compared = std::map<std::string_view, int>;

/// What was seen, so that a test that sees nothing fails.
struct Seen {
  std::size_t executed = 0;
  std::size_t rejected = 0;
  std::size_t extended = 0;  ///< rejected, but run all the same
  std::size_t changed = 0;   ///< executed, and memory is not as it was
  std::map<std::string, std::size_t> reasons;
  Compared compared;
};

std::string Texts(const isa::RuleSet& rules) {
  std::string texts;
  for (isa::RuleId id : rules) texts += std::string(id.text()) + " ";
  return texts;
}

/// Whether each byte that changed is one that a write lists.
bool WroteOnlyWhatIsListed(const diff::MemorySet& before,
                           const diff::MemorySet& after,
                           const std::vector<isa::Access>& accesses) {
  diff::MemorySet expected = after;
  for (const isa::Access& access : accesses) {
    if (!access.write) continue;
    const auto& from = before[access.memory];
    std::copy_n(from.begin() + access.at, access.bytes,
                expected[access.memory].begin() + access.at);
  }
  return expected == before;
}

/// The largest end, from `at` on, of what the oracle accessed of `operand`.
std::int64_t EndOf(const std::vector<isa::Access>& accesses,
                   std::string_view operand, std::int64_t at) {
  std::int64_t end = 0;
  for (const isa::Access& access : accesses) {
    if (access.operand != operand) continue;
    end = std::max(end, access.at + access.bytes - at);
  }
  return end;
}

/// Holds the footprints of an executed step against what the oracle accessed.
/// What becomes of TROWPROD's tmp is nowhere listed.
void CompareFootprints(const isa::Step& step, const isa::SetVectorMask& mask,
                       isa::Product product,
                       const std::vector<isa::Access>& accesses,
                       Compared& compared) {
  isa::Step copy = step;
  std::vector<std::pair<std::string_view, std::int64_t>> starts;
  for (const isa::FieldRef& field : isa::FieldsOf(copy)) {
    if (auto* const* o = std::get_if<isa::Operand*>(&field.value)) {
      starts.emplace_back(field.name, (*o)->at);
    } else if (auto* const* t = std::get_if<isa::Tile*>(&field.value)) {
      starts.emplace_back(field.name, (*t)->at);
    }
  }
  const std::vector<isa::Footprint> footprints =
      isa::FootprintsOf(step, product, mask);
  ASSERT_EQ(footprints.size(), starts.size()) << isa::OpName(step);
  for (std::size_t i = 0; i < footprints.size(); ++i) {
    const auto& [name, at] = starts[i];
    ASSERT_EQ(footprints[i].operand, name) << isa::OpName(step);
    if (name == "tmp") continue;
    ASSERT_EQ(footprints[i].Touched(), EndOf(accesses, name, at))
        << isa::OpName(step) << " " << name;
    ++compared[isa::OpName(step)];
  }
}

/// A program on three oracles: one executes, one runs every step, and one only
/// judges, without a byte of memory.
class Oracles {
 public:
  Oracles(const Case& c, bool tracing)
      : product_(c.product),
        strict_memory_(c),
        free_memory_(c),
        strict_(c.profile(), strict_memory_.view()),
        free_(c.profile(), free_memory_.view()),
        judge_(c.profile(), Nowhere(strict_memory_.view())) {
    for (Oracle* const one : {&strict_, &free_, &judge_}) {
      one->set_tracing(tracing);
    }
    judge_.set_computing(false);
  }

  /// Whether the program goes on after `step`.
  bool Step(const isa::Step& step, Seen& seen) {
    const isa::RuleSet broken = free_.BrokenAnywhere(step);
    EXPECT_EQ(broken, strict_.BrokenAnywhere(step)) << "state differs";
    EXPECT_EQ(free_memory_, strict_memory_) << "querying rules changed memory";
    EXPECT_EQ(broken, judge_.BrokenAnywhere(step));
    const auto [high, low] = strict_.mask_register();
    const diff::MemorySet before = free_memory_;
    const isa::StepResult result = strict_.Execute(step);
    EXPECT_EQ(judge_.Execute(step), result);
    ExpectJudgedLike(strict_);
    const auto extended = free_.ExecuteExtended(step);
    if (result.status == isa::StepResult::Status::kRejected) {
      EXPECT_EQ(judge_.ExecuteExtended(step).has_value(), extended.has_value());
      ExpectJudgedLike(free_);
    }
    if (result.status == isa::StepResult::Status::kExecuted) {
      ++seen.executed;
      EXPECT_TRUE(broken.empty()) << Texts(broken);
      EXPECT_TRUE(extended) << extended.error();
      ExpectSame();
      EXPECT_TRUE(
          WroteOnlyWhatIsListed(before, free_memory_, free_.accesses()));
      seen.changed += before == free_memory_ ? 0 : 1;
      CompareFootprints(step, {.high = high, .low = low}, product_,
                        Touched(step), seen.compared);
      return !testing::Test::HasFatalFailure();
    }
    ++seen.rejected;
    ExpectKnown(result.rules, broken);
    if (extended) {
      ++seen.extended;
    } else {
      ++seen.reasons[std::string(extended.error())];
      EXPECT_TRUE(free_.accesses().empty());
    }
    EXPECT_TRUE(WroteOnlyWhatIsListed(before, free_memory_, free_.accesses()));
    return false;
  }

 private:
  /// Memories of the same sizes that lie where nothing is: the first page of an
  /// address space is unmapped.
  static isa::Memories Nowhere(isa::Memories memories) {
    for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
      auto& one = memories[static_cast<isa::Memory>(m)];
      one = {reinterpret_cast<std::uint8_t*>(16), one.size()};
    }
    return memories;
  }

  /// What the executed `step` accessed, and the padding that it left
  /// unspecified.
  std::vector<isa::Access> Touched(const isa::Step& step) const {
    std::vector<isa::Access> all = free_.accesses();
    if (!isa::IsOf(step, isa::Family::kCopy)) return all;
    for (isa::Access access : oracle::ScratchAccesses(step, product_)) {
      access.operand = "dst";
      all.push_back(access);
    }
    return all;
  }

  /// The oracle that computes nothing has the state and accesses of `other`.
  void ExpectJudgedLike(const Oracle& other) {
    EXPECT_EQ(judge_.accesses(), other.accesses());
    EXPECT_EQ(judge_.mask_register(), other.mask_register());
    EXPECT_EQ(judge_.counter_mode(), other.counter_mode());
    EXPECT_EQ(judge_.node_count(), 0U);
    EXPECT_TRUE(judge_.nodes().empty());
    EXPECT_TRUE(judge_.true_results().empty());
    EXPECT_EQ(judge_.events(), isa::NumericEvents());
  }

  void ExpectSame() {
    EXPECT_EQ(free_memory_, strict_memory_);
    EXPECT_EQ(free_.accesses(), strict_.accesses());
    EXPECT_EQ(free_.events(), strict_.events());
    EXPECT_EQ(free_.node_count(), strict_.node_count());
    EXPECT_EQ(free_.nodes().size(), strict_.nodes().size());
    EXPECT_EQ(free_.true_results().size(), strict_.true_results().size());
  }

  static void ExpectKnown(const isa::RuleSet& reported,
                          const isa::RuleSet& broken) {
    for (isa::RuleId id : reported) {
      EXPECT_TRUE(broken.Contains(id))
          << id.text() << " is reported, but known are " << Texts(broken);
    }
    // The last stage looks at everything that is left.
    const bool last_stage = std::ranges::any_of(reported, [](isa::RuleId id) {
      return id.text().find("-OVERLAP") != std::string_view::npos ||
             lint::IsBarrierRule(id);
    });
    if (last_stage) {
      EXPECT_EQ(reported, broken) << Texts(broken);
    }
  }

  isa::Product product_;
  diff::MemorySet strict_memory_;
  diff::MemorySet free_memory_;
  Oracle strict_;
  Oracle free_;
  Oracle judge_;  ///< does not compute (`set_computing`)
};

void RunBoth(const Case& c, bool tracing, Seen& seen) {
  SCOPED_TRACE(c.id);
  Oracles oracles(c, tracing);
  for (const isa::Step& step : c.program) {
    if (!oracles.Step(step, seen)) return;
  }
}

/// Every intrinsic's operands were held against their footprints.
void ExpectAll(const Compared& compared, int least) {
  for (const isa::Call& kind : isa::CallKinds()) {
    const auto found = compared.find(kind.signature->op);
    EXPECT_GE(found == compared.end() ? 0 : found->second, least)
        << kind.signature->op;
  }
}

TEST(Extended, Corpus) {
  Seen seen;
  for (const Case& c : Corpus()) RunBoth(c, true, seen);
  EXPECT_GT(seen.executed, 400u);
  EXPECT_GT(seen.rejected, 200u);
  EXPECT_GT(seen.extended, 100u);
  for (const char* reason :
       {"no arithmetic for this type", "a negative repeat",
        "a negative count or length", "dst would reach outside its memory",
        "a number of lanes that an iteration does not have"}) {
    EXPECT_TRUE(seen.reasons.contains(reason)) << "never: " << reason;
  }
  ExpectAll(seen.compared, 20);
}

class ExtendedSweep : public testing::TestWithParam<std::string_view> {};

TEST_P(ExtendedSweep, Sample) {
  constexpr std::uint64_t kSample = 97;
  Seen seen;
  ForEachSweepCase(
      GetParam(), [](std::uint64_t number) { return number % kSample == 3; },
      [&](SweepCase&& swept) {
        RunBoth(swept.c, false, seen);
        return !testing::Test::HasFailure();
      });
  EXPECT_FALSE(seen.compared.empty());
  EXPECT_GT(seen.executed, 10u);
  EXPECT_GT(seen.rejected, 10u);
  EXPECT_GT(seen.extended, 1u);
}

INSTANTIATE_TEST_SUITE_P(Modules, ExtendedSweep,
                         testing::ValuesIn(SweepModules()),
                         [](const auto& slug) {
                           return std::string(slug.param);
                         });

TEST(Extended, GeneratedCases) {
  Compared compared;
  for (const Generator& generator : Generators()) {
    Random random(3);
    Seen seen;
    for (int i = 0; i < 1000 && !HasFailure(); ++i) {
      RunBoth(Generate(generator.slug, random).c, false, seen);
    }
    EXPECT_GT(seen.changed, 200u) << generator.slug;
    for (const auto& [op, count] : seen.compared) compared[op] += count;
  }
  ExpectAll(compared, 300);
}

TEST(Footprint, CoversIllegalCalls) {
  isa::Call call = isa::CallOf("vec_trans");
  call[isa::Param::kRepeatTimes] = 3;
  call[isa::Param::kDstRepStride] = -1;
  call[isa::Param::kSrc0RepStride] = std::int64_t{1} << 40;
  const std::vector<isa::Footprint> all = isa::FootprintsOfMove(call);
  EXPECT_EQ(all[0].Touched(), isa::kMatrixBytes);
  EXPECT_EQ(all[1].Touched(), std::nullopt);
  call[isa::Param::kRepeatTimes] = -1;
  EXPECT_EQ(isa::FootprintsOfMove(call)[1].Touched(), 0);
}

/// Emulator and oracle have figures of their own, which are those of isa/; its
/// test has them typed from the documents. The oracle has no memory where a
/// product has no FB.
TEST(MemoryMaps, OfEmulatorAndOracleAreThatOfIsa) {
  using isa::Memory;
  for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
    const auto product = static_cast<isa::Product>(p);
    SCOPED_TRACE(isa::Name(product));
    const bool has_fb =
        product == isa::Product::kAtlasA2 || product == isa::Product::kAtlasA3;
    for (std::size_t i = 0; i < isa::kCount<isa::Position>; ++i) {
      const auto position = static_cast<isa::Position>(i);
      SCOPED_TRACE(isa::Name(position));
      const Memory memory = isa::MemoryAt(product, position);
      EXPECT_EQ(emulator::MemoryOf(product, position), memory);
      const auto found = oracle::MemoryOf(product, position);
      EXPECT_EQ(found.has_value(),
                has_fb || position != isa::Position::kC2pipe2gm);
      EXPECT_EQ(found.value_or(memory), memory);
    }
    for (std::size_t m = 0; m < isa::kCount<Memory>; ++m) {
      const auto memory = static_cast<Memory>(m);
      SCOPED_TRACE(isa::Name(memory));
      const std::int64_t bytes = isa::CapacityBytes(product, memory);
      EXPECT_EQ(oracle::CapacityOf(product, memory).value_or(0), bytes);
      if (memory != Memory::kGm) {
        EXPECT_EQ(emulator::CapacityOf(product, memory), bytes);
      }
    }
  }
  for (std::size_t t = 0; t < isa::kCount<isa::DType>; ++t) {
    const auto type = static_cast<isa::DType>(t);
    EXPECT_EQ(oracle::ElementBytes(type), isa::SizeBytes(type));
  }
}

}  // namespace
}  // namespace lanediff::make
