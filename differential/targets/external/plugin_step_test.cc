// What of our steps the C ABI holds.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "differential/targets/external/plugin_session.h"
#include "differential/targets/external/testing/from_plugin_step.h"
#include "isa/fields.h"

namespace lanediff::diff {
namespace {

TEST(PluginStep, NumbersAreThoseOfTheAbi) {
  constexpr std::pair<std::string_view, std::size_t> kOps[] = {
      {"SetVectorMask", LANEDIFF_SET_VECTOR_MASK},
      {"SetSaturation", LANEDIFF_SET_SATURATION},
      {"PipeBarrier", LANEDIFF_PIPE_BARRIER},
      {"RepeatReduceSum", LANEDIFF_REPEAT_REDUCE_SUM},
      {"Min", LANEDIFF_MIN},
      {"DataCopy", LANEDIFF_DATA_COPY},
      {"TROWPROD", LANEDIFF_TROWPROD},
      {"vec_trans", LANEDIFF_VEC_TRANS},
      {"WholeReduceSum", LANEDIFF_WHOLE_REDUCE_SUM},
      {"Max", LANEDIFF_MAX},
      {"Add", LANEDIFF_ADD},
      {"Sub", LANEDIFF_SUB},
      {"Mul", LANEDIFF_MUL},
      {"SetFlag", LANEDIFF_SET_FLAG},
      {"WaitFlag", LANEDIFF_WAIT_FLAG},
      {"SetMaskCount", LANEDIFF_SET_MASK_COUNT},
      {"SetMaskNorm", LANEDIFF_SET_MASK_NORM},
      {"ResetMask", LANEDIFF_RESET_MASK},
      {"GetValue", LANEDIFF_GET_VALUE},
      {"SetValue", LANEDIFF_SET_VALUE}};
  for (const auto& [op, number] : kOps) {
    const isa::Step* const kind = isa::FindStepKind(op);
    ASSERT_NE(kind, nullptr) << op;
    EXPECT_EQ(isa::NumberOf(*kind), number) << op;
    EXPECT_TRUE(InPluginAbi(*kind, 0)) << op;
  }
}

TEST(PluginStep, OthersAreCallsForPluginsThatTakeThem) {
  for (const isa::Step& kind : isa::StepKinds()) {
    if (isa::NumberOf(kind) <= LANEDIFF_SET_VALUE) continue;
    EXPECT_FALSE(InPluginAbi(kind, ~std::uint64_t{LANEDIFF_PLUGIN_CALLS}));
    EXPECT_EQ(InPluginAbi(kind, LANEDIFF_PLUGIN_CALLS), !isa::IsOfKernel(kind))
        << isa::OpName(kind);
  }
}

/// Fills in `step`, of the form `form` if it has several, no two fields alike.
/// Returns how many forms it has.
std::size_t Fill(isa::Step& step, std::size_t form) {
  std::size_t forms = 1;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (auto* const ref = std::get_if<isa::FormRef>(&field.value)) {
      *ref->form = static_cast<std::uint8_t>(form);
      forms = ref->count;
    }
  }
  std::int64_t next = 1;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (auto* const number = std::get_if<std::int64_t*>(&field.value)) {
      **number = next++;
    } else if (auto* const word = std::get_if<std::uint64_t*>(&field.value)) {
      **word = static_cast<std::uint64_t>(next++);
    } else if (auto* const flag = std::get_if<bool*>(&field.value)) {
      **flag = !**flag;
    } else if (auto* const type = std::get_if<isa::DType*>(&field.value)) {
      **type = isa::DType::kInt16;
    } else if (auto* const o = std::get_if<isa::Operand*>(&field.value)) {
      **o = {isa::Position::kVecin, next, next + 1, isa::DType::kFloat};
      next += 2;
    } else if (auto* const t = std::get_if<isa::Tile*>(&field.value)) {
      **t = {isa::Position::kVecin,
             next,
             next + 1,
             next + 2,
             next + 3,
             next + 4,
             isa::Layout::kDn,
             std::nullopt};
      next += 5;
    } else if (auto* const order =
                   std::get_if<std::optional<isa::Order>*>(&field.value)) {
      **order = isa::Order::kLeftFold;
    } else if (auto* const mode = std::get_if<isa::RoundMode*>(&field.value)) {
      **mode = isa::RoundMode::kOdd;
    } else if (auto* const what =
                   std::get_if<isa::ReduceOrder*>(&field.value)) {
      **what = isa::ReduceOrder::kOnlyIndex;
    } else if (auto* const relation =
                   std::get_if<isa::CmpMode*>(&field.value)) {
      **relation = isa::CmpMode::kNe;
    } else if (auto* const by = std::get_if<isa::SelMode*>(&field.value)) {
      **by = isa::SelMode::kTensor;
    }
  }
  return forms;
}

TEST(PluginStep, EachOfTheAbiComesBack) {
  for (const isa::Step& kind : isa::StepKinds()) {
    SCOPED_TRACE(isa::OpName(kind));
    if (!InPluginAbi(kind, LANEDIFF_PLUGIN_CALLS)) continue;
    const auto* const call = std::get_if<isa::Call>(&kind);
    if (call != nullptr && call->signature->number < LANEDIFF_CALL &&
        call->signature->family == isa::Family::kLanewise) {
      EXPECT_EQ(call->signature->sources(), 2u);
      EXPECT_FALSE(call->signature->Has(isa::Param::kScalar));
    }
    std::size_t forms = 1;
    for (std::size_t form = 0; form < forms; ++form) {
      isa::Step step = kind;
      forms = Fill(step, form);
      lanediff_step sent;
      ToPluginStep(step, isa::Product::kAtlasA2, sent);
      EXPECT_EQ(test::FromPluginStep(sent), step) << form;
    }
  }
}

TEST(PluginStep, WhatOlderPluginsKnowOfACallStaysInItsPlace) {
  EXPECT_EQ(offsetof(lanediff_step, as), 8u);
  EXPECT_EQ(offsetof(lanediff_plugin_call, scalar), 280u);
  EXPECT_EQ(offsetof(lanediff_plugin_call, block_count), 288u);
  EXPECT_EQ(offsetof(lanediff_plugin_call, round_en), 340u);
  EXPECT_EQ(offsetof(lanediff_plugin_call, round_mode), 344u);
  EXPECT_EQ(offsetof(lanediff_plugin_call, cmp_mode), 352u);
  EXPECT_EQ(offsetof(lanediff_plugin_call, sel_mode), 356u);
}

TEST(PluginStep, ACallHasTheNameAndWhatItsRowHas) {
  isa::Call adds = isa::CallOf("Adds");
  adds.form = isa::kMaskForm;
  adds.dtype = isa::DType::kFloat;
  adds.src(0).at = 32;
  adds[isa::Param::kMask] = 7;
  adds[isa::Param::kSrc0RepStride] = 8;
  adds.scalar = 0x3f800000;
  lanediff_step sent;
  ToPluginStep(adds, isa::Product::kAtlasA2, sent);
  const lanediff_plugin_call& call = sent.as.call;
  EXPECT_EQ(sent.op, adds.signature->number);
  EXPECT_STREQ(call.name, "Adds");
  EXPECT_EQ(call.dtype, LANEDIFF_FLOAT);
  EXPECT_EQ(call.form, LANEDIFF_FORM_MASK);
  EXPECT_EQ(call.isSetMask, 1);
  EXPECT_EQ(call.operand_count, 2);
  EXPECT_EQ(call.operands[1].at, 32);
  EXPECT_EQ(call.operands[1].dtype, LANEDIFF_FLOAT);
  EXPECT_EQ(call.mask, 7);
  EXPECT_EQ(call.repStrides[1], 8);
  EXPECT_EQ(call.scalar, 0x3f800000u);
}

}  // namespace
}  // namespace lanediff::diff
