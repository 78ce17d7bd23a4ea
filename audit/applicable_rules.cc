#include "audit/applicable_rules.h"

#include <algorithm>
#include <initializer_list>

#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

using isa::Product;

/// Rules that speak of fewer products than their instruction has.
struct Only {
  isa::RuleId rule;
  std::initializer_list<Product> products;
};

const std::initializer_list<Only>& Onlys() {
  static const std::initializer_list<Product> but_one = {
      Product::kAtlasTraining,
      Product::kAtlasInferenceAicore,
      Product::kAtlasInferenceVectorcore,
      Product::kAtlasA2,
      Product::kAtlasA3,
      Product::kAtlas200i500A2};
  static const std::initializer_list<Product> with_modes = {
      Product::kAtlasInferenceAicore, Product::kAtlasA2, Product::kAtlasA3,
      Product::kAtlas200i500A2};
  static const std::initializer_list<Only> all = {
      {isa::scalar::kPosition, but_one},
      {isa::scalar::kAlign, but_one},
      {isa::scalar::kIndex, but_one},
      {isa::scalar::kBounds, but_one},
      {isa::state::kMaskMode, with_modes},
      // With 8 flags, and with any.
      {isa::sync::kFlagReserved, with_modes},
      {isa::sync::kHappensBefore,
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlasA2, Product::kAtlasA3, Product::kAtlas200i500A2}},
      {isa::RuleId("RRS-DST-REP-STRIDE-ZERO"), {Product::kAtlasTraining}},
      {isa::RuleId("WRS-DST-REP-STRIDE-ZERO"), {Product::kAtlasTraining}},
      {isa::RuleId("DC-MIXED"), {Product::kAtlasA2, Product::kAtlasA3}},
      // With types of 64 bits.
      {isa::RuleId("DCP-PADDING-VALUE"),
       {Product::kAtlasA2, Product::kAtlasA3}},
      {isa::state::kUbReserved, {Product::kAtlasA2, Product::kAtlasA3}},
      // Where VECIN -> VECCALC is a route.
      {isa::RuleId("DC-ROUTE-EXAMPLE"),
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlasA2, Product::kAtlasA3}},
  };
  return all;
}

/// Steps that set machine state are every product's.
bool HasInstruction(std::string_view op, isa::Profile profile) {
  const isa::Instruction* const found = isa::FindInstruction(op);
  return found == nullptr || found->Has(profile);
}

}  // namespace

bool IsUsedBy(const isa::Rule& rule, std::string_view instruction) {
  if (rule.instruction == instruction) return true;
  if (rule.instruction != "common") return false;
  const isa::Instruction* const found = isa::FindInstruction(instruction);
  if (found == nullptr) return false;
  if (rule.id == isa::state::kMaskRegister ||
      rule.id == isa::state::kMaskMode) {
    return found->masked;
  }
  if (!rule.steps.empty()) return rule.SpeaksOf(instruction);
  return rule.effect == isa::Effect::kSemantics && found->arithmetic &&
         !isa::IsOfLint(rule);
}

bool AppliesTo(const isa::Rule& rule, isa::Profile profile) {
  const Product product = profile.product;
  if (!rule.HoldsIn(profile.edition)) return false;
  if (rule.topic == isa::Topic::kProduct) return true;
  for (const Only& only : Onlys()) {
    if (only.rule == rule.id) {
      return std::ranges::find(only.products, product) != only.products.end();
    }
  }
  if (rule.instruction != "common") {
    return HasInstruction(rule.instruction, profile);
  }
  return std::ranges::any_of(isa::Instructions(), [&](const auto& one) {
    return IsUsedBy(rule, one.op) && one.Has(profile);
  });
}

bool CanBeBroken(const isa::Rule& rule, isa::Profile profile) {
  const Product product = profile.product;
  if (rule.id == isa::state::kSaturationProduct) {
    return product != Product::kAtlasA2 && product != Product::kAtlasA3;
  }
  if (rule.id == isa::state::kMaskProduct) {
    return product == Product::kAtlasTraining ||
           product == Product::kAtlasInferenceVectorcore ||
           product == Product::kAtlas200_300_500;
  }
  if (rule.id == isa::scalar::kProduct) {
    return product == Product::kAtlas200_300_500;
  }
  if (rule.id == isa::RuleId("DC-PRODUCT")) {  // types may differ there only
    return product != Product::kAtlasA2 && product != Product::kAtlasA3;
  }
  if (rule.id == isa::RuleId("DC-DTYPE")) {  // the table has every type
    return product != Product::kAtlasA2 && product != Product::kAtlasA3 &&
           product != Product::kAtlas200i500A2;
  }
  if (rule.id == isa::RuleId("DCP-DTYPE")) {  // the list has every type
    return product != Product::kAtlasA2 && product != Product::kAtlasA3;
  }
  return rule.topic != isa::Topic::kProduct ||
         !HasInstruction(rule.instruction, profile);
}

std::string_view WhyNotExercised(const isa::Rule& rule, isa::Profile profile) {
  const Product product = profile.product;
  if (rule.id == isa::RuleId("DC-OVERLAP") &&
      (product == Product::kAtlasInferenceVectorcore ||
       product == Product::kAtlas200i500A2)) {
    return "every route of this product joins two different memories, in which "
           "operands can't overlap";
  }
  if ((rule.id == isa::RuleId("RRS-IN-ORDER") ||
       rule.id == isa::RuleId("WRS-IN-ORDER")) &&
      product == Product::kAtlasTraining) {
    return "dstRepStride 0 is refused on this product; without it no result "
           "shows the order of iterations";
  }
  return {};
}

}  // namespace lanediff::audit
