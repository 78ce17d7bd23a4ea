// Audits of models whose values are wrong in more than one way.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "audit/record_testing.h"
#include "audit/testing.h"
#include "differential/compare/signature.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::audit {
namespace {

using test::CellOf;
using test::Elsewhere;
using test::ExpectSumsAddUp;
using test::FaultsIn;
using test::Ids;
using test::RulesThatAre;

using Bytes = std::vector<std::uint8_t>;
using Status = isa::StepResult::Status;

struct SumDefects {
  bool plus_zero = false;   ///< adds to +0, so that no sum is -0
  bool twice_last = false;  ///< of 5 and more sums the last comes out twice
};

/// Element `at` of type float, there in `ub`.
void Edit(std::span<std::uint8_t> ub, std::int64_t at, SumDefects defects,
          bool is_last_of_many) {
  constexpr std::uint64_t kMinusZero = 0x80000000;
  constexpr std::uint64_t kExponent = 0x7f800000;
  constexpr std::uint64_t kNextExponent = 0x00800000;
  const auto there = ub.subspan(static_cast<std::size_t>(at), 4);
  std::uint64_t bits = LoadElement(isa::DType::kFloat, there);
  const std::uint64_t exponent = bits & kExponent;
  if (defects.twice_last && is_last_of_many && exponent != 0 &&
      exponent < kExponent - kNextExponent) {
    bits += kNextExponent;
  }
  if (defects.plus_zero && bits == kMinusZero) bits = 0;
  Bytes bytes;
  AppendElement(isa::DType::kFloat, bits, bytes);
  std::ranges::copy(bytes, there.begin());
}

isa::StepResult RunSum(const isa::RepeatReduceSum& call, SumDefects defects,
                       diff::Session& emulator, isa::Memories memories) {
  const isa::StepResult result = emulator.Execute(call);
  if (result.status != Status::kExecuted) return result;
  for (std::int64_t i = 0; i < call.repeat; ++i) {
    Edit(memories[isa::Memory::kUb], call.dst.at + 4 * i * call.dst_rep_stride,
         defects, call.repeat > 4 && i + 1 == call.repeat);
  }
  return result;
}

/// Order of halves that are no NaN; both zeros are the same.
std::int64_t KeyOf(std::uint64_t half) {
  const auto magnitude = static_cast<std::int64_t>(half & 0x7fff);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

/// `x if x <= y else y`, and nothing is kept within the range of half.
isa::StepResult RunPlainMin(const isa::Min& call, diff::Session& emulator,
                            isa::Memories memories) {
  const std::span<std::uint8_t> ub = memories[isa::Memory::kUb];
  const Bytes before(ub.begin(), ub.end());
  const isa::StepResult result = emulator.Execute(call);
  if (result.status != Status::kExecuted) return result;
  Bytes bytes;
  for (std::int64_t i = 0; i < call.count; ++i) {
    const auto load = [&](const isa::Operand& operand) {
      return LoadElement(isa::DType::kHalf,
                         std::span(before).subspan(
                             static_cast<std::size_t>(operand.at + 2 * i), 2));
    };
    const std::uint64_t x = load(call.src0);
    const std::uint64_t y = load(call.src1);
    const bool ordered =
        !IsNan(isa::DType::kHalf, x) && !IsNan(isa::DType::kHalf, y);
    AppendElement(isa::DType::kHalf, ordered && KeyOf(x) <= KeyOf(y) ? x : y,
                  bytes);
  }
  std::ranges::copy(bytes, ub.begin() + call.dst.at);
  return result;
}

/// It runs whatever it is given; here that leaves all that is illegal alone.
isa::StepResult Tolerated(isa::StepResult result) {
  return result.status == Status::kRejected ? isa::StepResult{} : result;
}

/// Checks no rule and knows one instruction of one type.
AuditRecord Audited(std::string op, std::string slug, isa::DType dtype,
                    test::HandMade::Does does) {
  diff::Capabilities can;
  can.instructions = {std::move(op)};
  can.dtypes = {dtype};
  can.saturation = {true};
  can.legality = diff::Capabilities::Legality::kNone;
  can.notes = false;
  AuditOptions options;
  options.instruction = std::move(slug);
  options.product = isa::Product::kAtlasA2;
  options.jobs = 2;
  options.sample = 2000;
  return RunAudit(test::HandMade(std::move(does), can), options).record;
}

AuditRecord AuditedSum(SumDefects defects) {
  return Audited(
      "RepeatReduceSum", "repeat_reduce_sum", isa::DType::kFloat,
      [defects](const isa::Step& step, diff::Session& emulator,
                isa::Memories memories) {
        const auto* const call = std::get_if<isa::RepeatReduceSum>(&step);
        return Tolerated(call != nullptr
                             ? RunSum(*call, defects, emulator, memories)
                             : emulator.Execute(step));
      });
}

AuditRecord AuditedPlainMin() {
  return Audited("Min", "min", isa::DType::kHalf,
                 [](const isa::Step& step, diff::Session& emulator,
                    isa::Memories memories) {
                   const auto* const call = std::get_if<isa::Min>(&step);
                   if (call == nullptr)
                     return Tolerated(emulator.Execute(step));
                   if (call->form != isa::Min::kCount) {
                     isa::StepResult cannot;
                     cannot.status = Status::kUnsupported;
                     return cannot;
                   }
                   return Tolerated(RunPlainMin(*call, emulator, memories));
                 });
}

/// What is wrong in a rule's evidence, as signatures call it.
Ids WhatIsWrongOf(const Cell& cell) {
  static std::set<std::string> all;  // outlives the views on it
  Ids whats;
  for (const Evidence& evidence : cell.evidence) {
    const auto signature = diff::ParseSignature(evidence.signature);
    if (signature) whats.insert(*all.insert(signature->what).first);
  }
  return whats;
}

TEST(Foreign, AZeroOfTheWrongSignIsTheRuleOfZeroSigns) {
  const AuditRecord record = AuditedSum({.plus_zero = true});
  EXPECT_EQ(RulesThatAre(record, Verdict::kContradicted),
            Ids{"ARITH-ZERO-SIGN"})
      << FaultsIn(record);
  EXPECT_EQ(RulesThatAre(record, Verdict::kSuspected), Ids());
  EXPECT_EQ(WhatIsWrongOf(CellOf(record, isa::arith::kZeroSign)),
            Ids{"zero-sign"});
  ExpectSumsAddUp(record);
}

TEST(Foreign, WrongSumsAndWrongSignsAreTwoRules) {
  const AuditRecord record =
      AuditedSum({.plus_zero = true, .twice_last = true});
  EXPECT_EQ(RulesThatAre(record, Verdict::kContradicted),
            (Ids{"ARITH-ZERO-SIGN", "RRS-ADDRESS"}))
      << FaultsIn(record);
  const Cell& address = CellOf(record, isa::rrs::kAddress);
  EXPECT_TRUE(address.co_suspects.empty()) << "one lane alone is wrong, too";
  EXPECT_FALSE(WhatIsWrongOf(address).contains("zero-sign"));
  EXPECT_EQ(WhatIsWrongOf(CellOf(record, isa::arith::kZeroSign)),
            Ids{"zero-sign"});
  ExpectSumsAddUp(record);
}

TEST(Foreign, WrongSumsAloneSayNothingOfSigns) {
  const AuditRecord record = AuditedSum({.twice_last = true});
  EXPECT_EQ(RulesThatAre(record, Verdict::kContradicted), Ids{"RRS-ADDRESS"})
      << FaultsIn(record);
  EXPECT_EQ(RulesThatAre(record, Verdict::kSuspected), Ids());
  const Cell& saturate = CellOf(record, isa::rrs::kSaturate);
  EXPECT_EQ(saturate.verdict, Verdict::kNotExercised) << "it speaks of half";
  EXPECT_EQ(saturate.compared, 0u);
  ExpectSumsAddUp(record);
}

TEST(Foreign, AMinimumOfThreeDefectsIsThreeRules) {
  const AuditRecord record = AuditedPlainMin();
  EXPECT_EQ(RulesThatAre(record, Verdict::kContradicted),
            (Ids{"ARITH-NAN", "ARITH-ZERO-SIGN", "STATE-SATURATION"}))
      << FaultsIn(record);
  EXPECT_EQ(WhatIsWrongOf(CellOf(record, isa::arith::kZeroSign)),
            Ids{"zero-sign"});
  EXPECT_FALSE(WhatIsWrongOf(CellOf(record, isa::state::kSaturation))
                   .contains("zero-sign"));
  for (const AuditedRule& rule : record.rules) {
    const Cell& cell = rule.cells.front();
    if (cell.verdict != Verdict::kConfirmed) continue;
    EXPECT_GE(cell.alone[static_cast<std::size_t>(Showing::kAsDocumented)],
              Elsewhere(cell))
        << rule.rule->id.text();
  }
  ExpectSumsAddUp(record);
}

TEST(Foreign, TargetWithoutChecksDecidesNothingOnRefusals) {
  const AuditRecord record = AuditedSum({});
  std::uint64_t undecided = 0;
  for (const AuditedDisagreement& judged : record.disagreements) {
    if (!judged.message.starts_with("it checks nothing; ")) continue;
    EXPECT_EQ(judged.follows, Follows::kUndecided) << judged.id;
    ++undecided;
  }
  EXPECT_GT(undecided, 0u);
}

}  // namespace
}  // namespace lanediff::audit
