#include "audit/applicable_rules.h"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

using isa::Product;
using isa::RuleId;

/// A rule, and products on which it is otherwise than on the rest.
struct On {
  RuleId rule;
  std::vector<Product> products;
};

/// The products that `all` names with `rule`; null where it does not name it.
const std::vector<Product>* ProductsOf(RuleId rule,
                                       const std::vector<On>& all) {
  const auto found = std::ranges::find(all, rule, &On::rule);
  return found == all.end() ? nullptr : &found->products;
}

bool Holds(const std::vector<Product>& products, Product product) {
  return std::ranges::find(products, product) != products.end();
}

constexpr std::initializer_list<Product> kButOne = {
    Product::kAtlasTraining,
    Product::kAtlasInferenceAicore,
    Product::kAtlasInferenceVectorcore,
    Product::kAtlasA2,
    Product::kAtlasA3,
    Product::kAtlas200i500A2};
constexpr std::initializer_list<Product> kWithModes = {
    Product::kAtlasInferenceAicore, Product::kAtlasA2, Product::kAtlasA3,
    Product::kAtlas200i500A2};
constexpr std::initializer_list<Product> kNewer = {Product::kAtlasA2,
                                                   Product::kAtlasA3};

/// Rules that speak of fewer products than their instruction has.
const std::vector<On>& Only() {
  static const std::vector<On> all = {
      {isa::scalar::kPosition, kButOne},
      {isa::scalar::kAlign, kButOne},
      {isa::scalar::kIndex, kButOne},
      {isa::scalar::kBounds, kButOne},
      {isa::state::kMaskMode, kWithModes},
      // With 8 flags, and with any.
      {isa::sync::kFlagReserved, kWithModes},
      {isa::sync::kHappensBefore,
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlasA2, Product::kAtlasA3, Product::kAtlas200i500A2}},
      {RuleId("RRS-DST-REP-STRIDE-ZERO"), {Product::kAtlasTraining}},
      {RuleId("WRS-DST-REP-STRIDE-ZERO"), {Product::kAtlasTraining}},
      {RuleId("DC-MIXED"), kNewer},
      // With types of 64 bits.
      {RuleId("DCP-PADDING-VALUE"), kNewer},
      {isa::state::kUbReserved, kNewer},
      // Where VECIN -> VECCALC is a route.
      {RuleId("DC-ROUTE-EXAMPLE"),
       {Product::kAtlasTraining, Product::kAtlasInferenceAicore,
        Product::kAtlasA2, Product::kAtlasA3}},
  };
  return all;
}

/// Reject rules that no call breaks on some products.
const std::vector<On>& Unbroken() {
  static const std::vector<On> all = {
      {isa::state::kSaturationProduct, kNewer},
      {isa::state::kMaskProduct, kWithModes},
      {isa::scalar::kProduct, kButOne},
      {RuleId("DC-PRODUCT"), kNewer},  // types may differ there only
      {RuleId("DC-DTYPE"),             // the table has every type
       {Product::kAtlasA2, Product::kAtlasA3, Product::kAtlas200i500A2}},
      {RuleId("DCP-DTYPE"), kNewer},  // the list has every type
  };
  return all;
}

/// Steps that set machine state are every product's.
bool HasInstruction(std::string_view op, isa::Profile profile) {
  const isa::Instruction* const found = isa::FindInstruction(op);
  return found == nullptr || found->Has(profile);
}

using Counts = ShowingCounts;

std::uint64_t Of(const Counts& counts, Showing showing) {
  return counts[static_cast<std::size_t>(showing)];
}

bool Any(const Counts& counts, std::initializer_list<Showing> showings) {
  return std::ranges::any_of(
      showings, [&](Showing showing) { return Of(counts, showing) > 0; });
}

constexpr auto kWrong = {Showing::kRefusedLegal, Showing::kCrashed,
                         Showing::kHung};
constexpr auto kRanWrongly = {Showing::kRanOtherwise, Showing::kWroteOutside};

/// Of who checks no rules.
Verdict OfTolerated(const Counts& alone, const Counts& together) {
  if (Any(alone, kWrong) || Any(together, kWrong)) return Verdict::kViolated;
  const auto ran = {Showing::kRanAsExtended, Showing::kRanUndefined,
                    Showing::kRanOtherwise, Showing::kWroteOutside};
  return Any(alone, ran) || Any(together, ran) ? Verdict::kTolerated
                                               : Verdict::kNotExercised;
}

/// A rule that is enforced names itself beside others too; one that is enforced
/// here and not there has its boundary elsewhere than the document.
Verdict OfReject(const Counts& alone, const Counts& together) {
  if (Any(alone, kWrong) || Any(together, kWrong) || Any(alone, kRanWrongly)) {
    return Verdict::kViolated;
  }
  const bool refused = Any(alone, {Showing::kRefused});
  const bool misnamed = Any(alone, {Showing::kRefusedOtherwise});
  const bool ran =
      Any(alone, {Showing::kRanAsExtended, Showing::kRanUndefined});
  if (misnamed || (refused && ran)) return Verdict::kViolated;
  // What runs as it should where the rule alone is broken runs wrongly beside
  // others because of these.
  if (!ran && Any(together, kRanWrongly)) return Verdict::kViolated;
  const bool named = Any(together, {Showing::kRefused});
  const bool passed_over =
      Any(together, {Showing::kRefusedOtherwise, Showing::kRanAsExtended,
                     Showing::kRanUndefined, Showing::kRanOtherwise,
                     Showing::kWroteOutside});
  if (refused) return passed_over ? Verdict::kViolated : Verdict::kEnforced;
  if (ran) return named ? Verdict::kViolated : Verdict::kTolerated;
  // Never broken alone.
  if (named) return passed_over ? Verdict::kViolated : Verdict::kEnforced;
  // What keeps a rule shows nothing of who enforces it.
  return passed_over ? Verdict::kTolerated : Verdict::kNotExercised;
}

constexpr auto kBad = {Showing::kDifferently, Showing::kRefusedLegal,
                       Showing::kCrashed, Showing::kHung};

Verdict OfOthers(const Counts& alone, const Counts& together) {
  if (Any(alone, kBad) || Any(together, kBad)) return Verdict::kContradicted;
  return Any(alone, {Showing::kAsDocumented}) ? Verdict::kConfirmed
                                              : Verdict::kNotExercised;
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
  if (const auto* const products = ProductsOf(rule.id, Only())) {
    return Holds(*products, product);
  }
  if (rule.instruction != "common") {
    return HasInstruction(rule.instruction, profile);
  }
  return std::ranges::any_of(isa::Instructions(), [&](const auto& one) {
    return IsUsedBy(rule, one.op) && one.Has(profile);
  });
}

bool CanBeBroken(const isa::Rule& rule, isa::Profile profile) {
  if (const auto* const products = ProductsOf(rule.id, Unbroken())) {
    return !Holds(*products, profile.product);
  }
  return rule.topic != isa::Topic::kProduct ||
         !HasInstruction(rule.instruction, profile);
}

std::string_view WhyNotExercised(const isa::Rule& rule, isa::Profile profile) {
  const Product product = profile.product;
  if (rule.id == RuleId("DC-OVERLAP") &&
      (product == Product::kAtlasInferenceVectorcore ||
       product == Product::kAtlas200i500A2)) {
    return "every route of this product joins two different memories, in which "
           "operands can't overlap";
  }
  if ((rule.id == RuleId("RRS-IN-ORDER") ||
       rule.id == RuleId("WRS-IN-ORDER")) &&
      product == Product::kAtlasTraining) {
    return "dstRepStride 0 is refused on this product; without it no result "
           "shows the order of iterations";
  }
  return {};
}

Verdict VerdictOf(isa::Effect effect, const Counts& alone,
                  const Counts& together, bool tolerates) {
  if (effect != isa::Effect::kReject) return OfOthers(alone, together);
  return tolerates ? OfTolerated(alone, together) : OfReject(alone, together);
}

}  // namespace lanediff::audit
