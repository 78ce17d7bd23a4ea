// Audits of a user's first model: it checks no rule and implements one
// instruction, with several defects that look alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
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
#include "isa/units.h"

namespace lanediff::audit {
namespace {

using test::CellOf;
using test::Elsewhere;
using test::ExpectSumsAddUp;
using test::FaultsIn;
using test::Ids;
using test::RulesThatAre;

struct Defects {
  bool tail = false;      ///< the count form forgets the last partial DataBlock
  bool own_mask = false;  ///< a call without isSetMask sets its own mask
};

/// Runs the call, and puts back what its last partial DataBlock held.
isa::StepResult RunWithoutTail(const isa::Call& call, diff::Session& emulator,
                               isa::Memories memories) {
  const std::int64_t size = isa::SizeBytes(call.dtype);
  const std::int64_t count = call[isa::Param::kCount];
  const std::int64_t tail = count % (isa::kDataBlockBytes / size) * size;
  const std::int64_t at = call.dst().at + count * size - tail;
  const std::span<std::uint8_t> ub = memories[isa::Memory::kUb];
  if (tail <= 0 || at < 0 || at + tail > std::ssize(ub)) {
    return emulator.Execute(call);
  }
  const auto there =
      ub.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(tail));
  const std::vector<std::uint8_t> before(there.begin(), there.end());
  const isa::StepResult result = emulator.Execute(call);
  std::ranges::copy(before, there.begin());
  return result;
}

isa::StepResult RunMin(const isa::Call& call, Defects defects,
                       diff::Session& emulator, isa::Memories memories) {
  if (call.IsByCount() && defects.tail) {
    return RunWithoutTail(call, emulator, memories);
  }
  if (!call.IsByCount() && !call.is_set_mask && defects.own_mask) {
    // The placeholder is a mask of no lane.
    return emulator.Execute(isa::SetVectorMask{0, 0});
  }
  return emulator.Execute(call);
}

test::HandMade Model(Defects defects) {
  diff::Capabilities can;
  can.instructions = {"Min"};
  can.dtypes = {isa::DType::kHalf, isa::DType::kFloat, isa::DType::kInt16,
                isa::DType::kInt32};
  can.legality = diff::Capabilities::Legality::kNone;
  can.notes = false;
  return test::HandMade(
      [defects](const isa::Step& step, diff::Session& emulator,
                isa::Memories memories) {
        if (std::holds_alternative<isa::SetMaskCount>(step)) {
          return test::Unsupported();
        }
        const auto* const call = std::get_if<isa::Call>(&step);
        return test::Tolerated(call != nullptr
                                   ? RunMin(*call, defects, emulator, memories)
                                   : emulator.Execute(step));
      },
      can);
}

/// `sample`: systematic cases of each rule, 0 for all.
AuditRecord Audited(Defects defects, std::uint64_t sample = 400) {
  AuditOptions options;
  options.instruction = "min";
  options.product = isa::Product::kAtlasA2;
  options.jobs = 2;
  options.sample = sample;
  return RunAudit(Model(defects), options).record;
}

TEST(Foreign, TwoDefectsThatLookAlikeAreTwoRules) {
  const AuditRecord record = Audited({.tail = true, .own_mask = true});
  EXPECT_EQ(RulesThatAre(record, Verdict::kContradicted),
            (Ids{"MIN-ADDRESS", "STATE-MASK-REGISTER"}));
  EXPECT_EQ(RulesThatAre(record, Verdict::kViolated), Ids());
  ExpectSumsAddUp(record);

  const Cell& address = CellOf(record, isa::RuleId("MIN-ADDRESS"));
  ASSERT_EQ(address.wrong.size(), 1u);
  EXPECT_NE(address.wrong[0].where.find("the last DataBlock is not full"),
            std::string::npos)
      << address.wrong[0].where;
  EXPECT_LT(address.wrong[0].right * 20, address.wrong[0].wrong);
  EXPECT_NE(std::ranges::find(address.co_suspects, isa::RuleId("MIN-VALUE")),
            address.co_suspects.end());

  const Cell& mask = CellOf(record, isa::state::kMaskRegister);
  ASSERT_FALSE(mask.wrong.empty());
  EXPECT_TRUE(mask.co_suspects.empty());

  const Cell& value = CellOf(record, isa::RuleId("MIN-VALUE"));
  EXPECT_EQ(value.verdict, Verdict::kSuspected);
  EXPECT_GT(Elsewhere(value), address.wrong[0].wrong);
  const Cell& lanes = CellOf(record, isa::RuleId("MIN-MASK-LANES"));
  EXPECT_EQ(lanes.verdict, Verdict::kConfirmed);
  EXPECT_GT(Elsewhere(lanes), 0u) << "these rest on it, too, and are reported";

  std::set<std::string> forms;
  for (const Cell* cell : {&address, &mask}) {
    for (const Evidence& evidence : cell->evidence) {
      const auto signature = diff::ParseSignature(evidence.signature);
      if (signature) forms.insert(signature->what + " " + signature->form);
    }
  }
  EXPECT_EQ(forms,
            (std::set<std::string>{"missing count", "missing register"}));
}

TEST(Foreign, OneDefectIsOneRule) {
  const AuditRecord tail = Audited({.tail = true});
  EXPECT_EQ(RulesThatAre(tail, Verdict::kContradicted), Ids{"MIN-ADDRESS"})
      << FaultsIn(tail);
  ExpectSumsAddUp(tail);
  const AuditRecord mask = Audited({.own_mask = true});
  EXPECT_EQ(RulesThatAre(mask, Verdict::kContradicted),
            Ids{"STATE-MASK-REGISTER"})
      << FaultsIn(mask);
  EXPECT_EQ(RulesThatAre(mask, Verdict::kSuspected), Ids());
  ExpectSumsAddUp(mask);
}

TEST(Foreign, TargetWithoutChecksToleratesAndHasNoFinding) {
  const AuditRecord record = Audited({});
  EXPECT_TRUE(record.tolerates);
  for (Verdict verdict :
       {Verdict::kViolated, Verdict::kContradicted, Verdict::kSuspected}) {
    EXPECT_EQ(RulesThatAre(record, verdict), Ids()) << isa::Name(verdict);
  }
  EXPECT_TRUE(RulesThatAre(record, Verdict::kTolerated).contains("MIN-ALIGN"));
  for (const AuditedRule& rule : record.rules) {
    for (const Evidence& one : rule.cells.front().evidence) {
      EXPECT_EQ(one.tolerated, one.side == Side::kBreaks) << one.id;
    }
  }
  ExpectSumsAddUp(record);
}

TEST(Foreign, WhatWasNotExercisedHasItsTrueReason) {
  const AuditRecord record = Audited({}, 0);
  EXPECT_EQ(CellOf(record, isa::RuleId("MIN-NOP")).reason,
            "the target reports no notes");
  EXPECT_EQ(CellOf(record, isa::arith::kRound).reason,
            "no case of Min exercises it");
  const Cell& dtype = CellOf(record, isa::RuleId("MIN-DTYPE"));
  EXPECT_NE(dtype.reason.find("beyond what the target claims"),
            std::string::npos)
      << dtype.reason;
  EXPECT_GT(record.beyond, 0u);
}

// Models whose values are wrong in more than one way.

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

isa::StepResult RunSum(const isa::Call& call, SumDefects defects,
                       diff::Session& emulator, isa::Memories memories) {
  const isa::StepResult result = emulator.Execute(call);
  if (result.status != Status::kExecuted) return result;
  const std::int64_t repeat = call[isa::Param::kRepeatTimes];
  for (std::int64_t i = 0; i < repeat; ++i) {
    Edit(memories[isa::Memory::kUb], call.dst().at + 4 * i * call.RepStride(0),
         defects, repeat > 4 && i + 1 == repeat);
  }
  return result;
}

/// Order of halves that are no NaN; both zeros are the same.
std::int64_t KeyOf(std::uint64_t half) {
  const auto magnitude = static_cast<std::int64_t>(half & 0x7fff);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

/// `x if x <= y else y`, and nothing is kept within the range of half.
isa::StepResult RunPlainMin(const isa::Call& call, diff::Session& emulator,
                            isa::Memories memories) {
  const std::span<std::uint8_t> ub = memories[isa::Memory::kUb];
  const Bytes before(ub.begin(), ub.end());
  const isa::StepResult result = emulator.Execute(call);
  if (result.status != Status::kExecuted) return result;
  Bytes bytes;
  for (std::int64_t i = 0; i < call[isa::Param::kCount]; ++i) {
    const auto load = [&](const isa::Operand& operand) {
      return LoadElement(isa::DType::kHalf,
                         std::span(before).subspan(
                             static_cast<std::size_t>(operand.at + 2 * i), 2));
    };
    const std::uint64_t x = load(call.src(0));
    const std::uint64_t y = load(call.src(1));
    const bool ordered =
        !IsNan(isa::DType::kHalf, x) && !IsNan(isa::DType::kHalf, y);
    AppendElement(isa::DType::kHalf, ordered && KeyOf(x) <= KeyOf(y) ? x : y,
                  bytes);
  }
  std::ranges::copy(bytes, ub.begin() + call.dst().at);
  return result;
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
        const auto* const call = std::get_if<isa::Call>(&step);
        return test::Tolerated(call != nullptr
                                   ? RunSum(*call, defects, emulator, memories)
                                   : emulator.Execute(step));
      });
}

AuditRecord AuditedPlainMin() {
  return Audited(
      "Min", "min", isa::DType::kHalf,
      [](const isa::Step& step, diff::Session& emulator,
         isa::Memories memories) {
        const auto* const call = std::get_if<isa::Call>(&step);
        if (call == nullptr) return test::Tolerated(emulator.Execute(step));
        if (!call->IsByCount()) return test::Unsupported();
        return test::Tolerated(RunPlainMin(*call, emulator, memories));
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
  const Cell& address = CellOf(record, isa::RuleId("RRS-ADDRESS"));
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
  const Cell& saturate = CellOf(record, isa::RuleId("RRS-SATURATE"));
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
