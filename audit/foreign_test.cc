// The audit of a user's first model: it checks no rule, implements Min alone,
// and has two defects that look alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/record_testing.h"
#include "audit/testing.h"
#include "differential/compare/signature.h"
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
isa::StepResult RunWithoutTail(const isa::Min& call, diff::Session& emulator,
                               isa::Memories memories) {
  const std::int64_t size = isa::SizeBytes(call.dtype);
  const std::int64_t tail = call.count % (isa::kDataBlockBytes / size) * size;
  const std::int64_t at = call.dst.at + call.count * size - tail;
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

isa::StepResult RunMin(const isa::Min& call, Defects defects,
                       diff::Session& emulator, isa::Memories memories) {
  if (call.form == isa::Min::kCount && defects.tail) {
    return RunWithoutTail(call, emulator, memories);
  }
  if (call.form != isa::Min::kCount && !call.is_set_mask && defects.own_mask) {
    // The placeholder is a mask of no lane.
    return emulator.Execute(isa::SetVectorMask{0, 0});
  }
  return emulator.Execute(call);
}

test::HandMade Model(Defects defects) {
  diff::Capabilities can;
  can.instructions = {std::string(isa::Min::kOp)};
  can.dtypes = {isa::DType::kHalf, isa::DType::kFloat, isa::DType::kInt16,
                isa::DType::kInt32};
  can.legality = diff::Capabilities::Legality::kNone;
  can.notes = false;
  return test::HandMade(
      [defects](const isa::Step& step, diff::Session& emulator,
                isa::Memories memories) {
        if (std::holds_alternative<isa::SetMaskCount>(step)) {
          isa::StepResult cannot;
          cannot.status = isa::StepResult::Status::kUnsupported;
          return cannot;
        }
        const auto* const call = std::get_if<isa::Min>(&step);
        const auto result = call != nullptr
                                ? RunMin(*call, defects, emulator, memories)
                                : emulator.Execute(step);
        // It runs whatever it is given; here that leaves everything as it was.
        return result.status == isa::StepResult::Status::kRejected
                   ? isa::StepResult{}
                   : result;
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

  const Cell& address = CellOf(record, isa::min::kAddress);
  ASSERT_EQ(address.wrong.size(), 1u);
  EXPECT_NE(address.wrong[0].where.find("the last DataBlock is not full"),
            std::string::npos)
      << address.wrong[0].where;
  EXPECT_LT(address.wrong[0].right * 20, address.wrong[0].wrong);
  EXPECT_NE(std::ranges::find(address.co_suspects, isa::min::kValue),
            address.co_suspects.end());

  const Cell& mask = CellOf(record, isa::state::kMaskRegister);
  ASSERT_FALSE(mask.wrong.empty());
  EXPECT_TRUE(mask.co_suspects.empty());

  const Cell& value = CellOf(record, isa::min::kValue);
  EXPECT_EQ(value.verdict, Verdict::kSuspected);
  EXPECT_GT(Elsewhere(value), address.wrong[0].wrong);
  const Cell& lanes = CellOf(record, isa::min::kMaskLanes);
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
  EXPECT_EQ(CellOf(record, isa::min::kNop).reason,
            "the target reports no notes");
  EXPECT_EQ(CellOf(record, isa::arith::kRound).reason,
            "no case of Min exercises it");
  const Cell& dtype = CellOf(record, isa::min::kDtype);
  EXPECT_NE(dtype.reason.find("beyond what the target claims"),
            std::string::npos)
      << dtype.reason;
  EXPECT_GT(record.beyond, 0u);
}

}  // namespace
}  // namespace lanediff::audit
