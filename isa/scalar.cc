#include "isa/scalar.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum Effect;
using enum Provenance;
constexpr std::string_view kCommon = "common";
}  // namespace

std::vector<Rule> ScalarRules() {
  std::vector<Rule> rules = {
      {scalar::kProduct,
       kCommon,
       kReject,
       "GetValue and SetValue exist on every product but atlas-200-300-500.",
       {{kSupplement, "LocalTensor GetValue, SetValue · 产品支持情况"},
        {kAssumed, "", "atlas-200-300-500, which is not listed"}},
       {},
       Stage::kParameters,
       Topic::kProduct},
      {scalar::kPosition,
       kCommon,
       kReject,
       "The operand is at VECIN, VECCALC or VECOUT.",
       {{kSupplement, "LocalTensor GetValue, SetValue · 功能说明"},
        {kAssumed, "", "GM, behind a data cache, is left out"}}},
      {scalar::kAlign,
       kCommon,
       kReject,
       "The operand starts at a multiple of sizeof(T).",
       {{kAssumed, ""}}},
      {scalar::kIndex,
       kCommon,
       kReject,
       "index is 0 to 4294967295.",
       {{kSupplement, "LocalTensor GetValue, SetValue · 函数原型"}},
       {{"index", 0, 4294967295}}},
      {scalar::kBounds,
       kCommon,
       kReject,
       "The operand's window lies in its memory and the element in the window.",
       {{kAssumed, ""}},
       {},
       Stage::kBounds},
  };
  for (Rule& rule : rules) rule.steps = {GetValue::kOp, SetValue::kOp};
  return rules;
}

}  // namespace lanediff::isa
