// What a call touches as read off its fields (isa/footprint.h) is what the
// oracle reads and writes.

#include "isa/footprint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/testing.h"
#include "generators/boundary/sweep.h"
#include "generators/random.h"
#include "generators/random/generate.h"
#include "isa/fields.h"

namespace lanediff::make {
namespace {

using isa::Footprint;

/// How many operands were held against the oracle, by instruction.
using Compared = std::map<std::string_view, int>;

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
void Compare(const isa::Step& step,
             const std::optional<isa::SetVectorMask>& mask,
             const std::vector<isa::Access>& accesses, Compared& compared) {
  isa::Step copy = step;
  std::vector<std::pair<std::string_view, std::int64_t>> starts;
  for (const isa::FieldRef& field : isa::FieldsOf(copy)) {
    if (auto* const* o = std::get_if<isa::Operand*>(&field.value)) {
      starts.emplace_back(field.name, (*o)->at);
    } else if (auto* const* t = std::get_if<isa::Tile*>(&field.value)) {
      starts.emplace_back(field.name, (*t)->at);
    }
  }
  const std::vector<Footprint> footprints = isa::FootprintsOf(step, mask);
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

/// The register as one call after the other leaves it; absent after a call that
/// doesn't define what it leaves there.
struct MaskRegister {
  static constexpr isa::SetVectorMask kAllOnes = {.high = ~std::uint64_t{0},
                                                  .low = ~std::uint64_t{0}};
  std::optional<isa::SetVectorMask> mask = kAllOnes;

  void After(const isa::Step& step) {
    std::visit(
        [&]<class S>(const S& s) {
          if constexpr (std::is_same_v<S, isa::ResetMask>) {
            mask = kAllOnes;
          } else if constexpr (std::is_same_v<S, isa::SetVectorMask>) {
            mask = s;
          } else if constexpr (requires { s.is_set_mask; }) {
            if (s.is_set_mask) mask.reset();
          }
        },
        step);
  }
  /// Whether it decides what `step` touches, and is unknown.
  bool Hides(const isa::Step& step) const {
    return !mask && std::visit(
                        [](const auto& s) {
                          if constexpr (requires { s.is_set_mask; }) {
                            return !s.is_set_mask;
                          }
                          return false;
                        },
                        step);
  }
};

void CompareCase(const Case& c, Compared& compared) {
  diff::MemorySet memory(c);
  const auto session = diff::TheOracle().Open(c.profile(), memory.view());
  MaskRegister reg;
  for (const isa::Step& step : c.program) {
    const isa::StepResult result = session->Execute(step);
    if (result.status != isa::StepResult::Status::kExecuted) return;
    if (!reg.Hides(step)) {
      Compare(step, reg.mask, *session->accesses(), compared);
      if (testing::Test::HasFatalFailure()) return;
    }
    reg.After(step);
  }
}

/// Every intrinsic was compared; checks how often.
void ExpectAll(const Compared& compared, int least, std::string_view of) {
  isa::ForEachIntrinsic([&]<class Call>() {
    const auto found = compared.find(Call::kOp);
    const int times = found == compared.end() ? 0 : found->second;
    EXPECT_GE(times, least) << of << ": operands of " << Call::kOp;
    testing::Test::RecordProperty(std::string(Call::kOp), times);
  });
}

TEST(Footprint, OfTheCorpusIsTheOracles) {
  Compared compared;
  for (const Case& c : Corpus()) {
    CompareCase(c, compared);
    ASSERT_FALSE(HasFatalFailure()) << c.id;
  }
  ExpectAll(compared, 20, "corpus");
}

TEST(Footprint, OfGeneratedCasesIsTheOracles) {
  Compared compared;
  for (const Generator& generator : Generators()) {
    Random random(5);
    for (int i = 0; i < 3000; ++i) {
      CompareCase(Generate(generator.slug, random).c, compared);
      ASSERT_FALSE(HasFatalFailure()) << generator.slug << " case " << i;
    }
  }
  ExpectAll(compared, 2000, "generated");
}

TEST(Footprint, OfSystematicCasesIsTheOracles) {
  Compared compared;
  for (std::string_view slug : SweepModules()) {
    ForEachSweepCase(
        slug, [](std::uint64_t number) { return number % 97 == 0; },
        [&](SweepCase&& swept) {
          CompareCase(swept.c, compared);
          EXPECT_FALSE(HasFatalFailure()) << swept.c.id << ": " << swept.what;
          return !HasFatalFailure();
        });
  }
  ExpectAll(compared, 100, "systematic");
}

TEST(Footprint, CoversIllegalCalls) {
  isa::VecTrans call;
  call.repeat_times = 3;
  call.dst_rep_stride = -1;
  call.src_rep_stride = std::int64_t{1} << 40;
  const std::vector<Footprint> all = isa::FootprintsOf(call);
  EXPECT_EQ(all[0].Touched(), isa::kMatrixBytes);
  EXPECT_EQ(all[1].Touched(), std::nullopt);
  call.repeat_times = -1;
  EXPECT_EQ(isa::FootprintsOf(call)[1].Touched(), 0);
}

}  // namespace
}  // namespace lanediff::make
