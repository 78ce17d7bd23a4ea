#include "audit/speaks.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <variant>

#include "audit/stream.h"
#include "isa/step.h"

namespace lanediff::audit {
namespace {

using isa::Product;

/// Rules that speak of fewer products than their instruction has.
struct Only {
  isa::RuleId rule;
  std::initializer_list<Product> products;
};

const std::initializer_list<Only>& Onlys() {
  static const std::initializer_list<Only> all = {
      {isa::rrs::kDstRepStrideZero, {Product::kAtlasTraining}},
      {isa::dc::kMixed, {Product::kAtlasA2, Product::kAtlasA3}},
      // Where VECIN -> VECCALC is a route.
      {isa::dc::kRouteExample,
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlasA2, Product::kAtlasA3}},
  };
  return all;
}

bool HasInstruction(std::string_view op, Product product) {
  bool has = false;
  [&]<class... S>(std::variant<S...>*) {
    const auto look = [&]<class T>(const T*) {
      if (T::kOp != op) return;
      Case c;
      c.program = {T{}};
      has = IsSupported(c, product);
    };
    (look(static_cast<const S*>(nullptr)), ...);
  }(static_cast<isa::Step*>(nullptr));
  return has;
}

/// The instructions that do half and float arithmetic.
constexpr std::array<std::string_view, 3> kArithmetic = {
    isa::RepeatReduceSum::kOp, isa::Min::kOp, isa::Trowprod::kOp};
/// The instructions that read or leave the vector mask register.
constexpr std::array<std::string_view, 2> kMasked = {isa::RepeatReduceSum::kOp,
                                                     isa::Min::kOp};

}  // namespace

bool IsUsedBy(const isa::Rule& rule, std::string_view instruction) {
  if (rule.instruction == instruction) return true;
  if (rule.instruction != "common") return false;
  if (rule.id == isa::state::kMaskRegister) {
    return std::ranges::find(kMasked, instruction) != kMasked.end();
  }
  return std::ranges::find(kArithmetic, instruction) != kArithmetic.end();
}

bool Speaks(const isa::Rule& rule, Product product) {
  if (rule.id.text().ends_with("-PRODUCT")) return true;
  for (const Only& only : Onlys()) {
    if (only.rule == rule.id) {
      return std::ranges::find(only.products, product) != only.products.end();
    }
  }
  if (rule.instruction != "common") {
    return HasInstruction(rule.instruction, product);
  }
  return std::ranges::any_of(kArithmetic, [&](std::string_view op) {
    return IsUsedBy(rule, op) && HasInstruction(op, product);
  });
}

bool CanBeBroken(const isa::Rule& rule, Product product) {
  if (rule.id == isa::state::kSaturationProduct) {
    return product != Product::kAtlasA2 && product != Product::kAtlasA3;
  }
  if (rule.id == isa::dc::kProduct) {  // types may differ there only
    return product != Product::kAtlasA2 && product != Product::kAtlasA3;
  }
  if (rule.id == isa::dc::kDtype) {  // the table has every type
    return product != Product::kAtlasA2 && product != Product::kAtlasA3 &&
           product != Product::kAtlas200i500A2;
  }
  return !rule.id.text().ends_with("-PRODUCT") ||
         !HasInstruction(rule.instruction, product);
}

std::string_view WhyNotExercised(const isa::Rule& rule, Product product) {
  if (rule.id == isa::dc::kOverlap &&
      (product == Product::kAtlasInferenceVectorcore ||
       product == Product::kAtlas200i500A2)) {
    return "every route of this product joins two different memories, in which "
           "operands can't overlap";
  }
  if (rule.id == isa::arith::kRound && product == Product::kAtlas200i500A2) {
    return "Min is the only arithmetic of this product, and a minimum is never "
           "rounded";
  }
  if (rule.id == isa::rrs::kInOrder && product == Product::kAtlasTraining) {
    return "dstRepStride 0 is refused on this product; without it no result "
           "shows the order of iterations";
  }
  return {};
}

}  // namespace lanediff::audit
