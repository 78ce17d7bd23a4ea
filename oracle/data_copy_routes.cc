#include <algorithm>

#include "isa/call.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/data_copy_rules.h"
#include "oracle/memory_map.h"

/// Which product moves which types between which positions.
namespace lanediff::oracle {

using isa::DType;
using isa::Param;
using isa::Position;
using isa::Product;
using isa::RuleSet;

bool IsExampleRoute(const isa::Call& call) {
  return call.src(0).position == Position::kVecin &&
         call.dst().position == Position::kVecout;
}

namespace {

using enum isa::Product;
using enum isa::Position;

/// A bit for each word.
template <class... Words>
constexpr unsigned SetOf(Words... words) {
  return (0U | ... | (1U << static_cast<unsigned>(words)));
}

constexpr unsigned kA2OrA3 = SetOf(kAtlasA2, kAtlasA3);
constexpr unsigned kFour =
    kA2OrA3 | SetOf(kAtlasTraining, kAtlasInferenceAicore);
constexpr unsigned kEvery =
    kFour | SetOf(kAtlasInferenceVectorcore, kAtlas200i500A2);
constexpr unsigned kVectors = SetOf(kVecin, kVeccalc, kVecout);

/// On these products each of `src` to each of `dst` is a route.
struct Route {
  unsigned products, src, dst;
};
constexpr Route kRoutes[] = {
    // Table 4: from GM.
    {kEvery, SetOf(kGm), SetOf(kVecin)},
    {kFour, SetOf(kGm), SetOf(kA1, kB1)},
    {kA2OrA3, SetOf(kGm), SetOf(kC1)},
    // Table 5, and VECIN to VECOUT, the route of the document's example.
    {kFour, SetOf(kVecin), SetOf(kVeccalc, kVecout)},
    {kFour, SetOf(kVeccalc), SetOf(kVecout)},
    {SetOf(kAtlasInferenceAicore), kVectors, SetOf(kA1, kB1)},
    {kA2OrA3, kVectors, SetOf(kTscm)},
    {kA2OrA3, SetOf(kA1, kB1, kC1), SetOf(kC2pipe2gm)},
    {kA2OrA3, SetOf(kC1), SetOf(kC2)},
    // Table 6: to GM.
    {kEvery, SetOf(kVecout), SetOf(kGm)},
    {SetOf(kAtlasInferenceAicore), SetOf(kCo2), SetOf(kGm)},
    {kA2OrA3, SetOf(kA1, kB1), SetOf(kGm)},
};

bool IsRoute(const isa::Call& call, Product product) {
  return std::ranges::any_of(kRoutes, [&](const Route& route) {
    return (route.products & SetOf(product)) != 0 &&
           (route.src & SetOf(call.src(0).position)) != 0 &&
           (route.dst & SetOf(call.dst().position)) != 0;
  });
}

bool IsA2OrA3(Product product) { return (kA2OrA3 & SetOf(product)) != 0; }

/// B is every type but bfloat16, which B+ has too.
bool MovesType(Product product, DType type) {
  const bool b_plus = IsA2OrA3(product) || product == Product::kAtlas200i500A2;
  return type != DType::kBfloat16 || b_plus;
}

/// DC-MIXED.
bool IsWidening(const isa::Call& call) {
  return call.src(0).position == Position::kC1 &&
         call.dst().position == Position::kC2 &&
         TypeOf(call.src(0), call) == DType::kHalf &&
         TypeOf(call.dst(), call) == DType::kFloat && !call.Has(Param::kCount);
}

bool IsSupported(const isa::Call& call, Product product) {
  return product != Product::kAtlas200_300_500 &&
         (!IsMixed(call) || IsA2OrA3(product));
}

/// Of a copy that pads: with padParams from GM, without them to GM.
RuleSet PadRouteRules(const isa::Call& call, Product product) {
  using enum isa::CallRule;
  const bool is_into_ub = call.Has(Param::kIsPad);
  const isa::Operand& gm = is_into_ub ? call.src(0) : call.dst();
  const isa::Operand& ub = is_into_ub ? call.dst() : call.src(0);
  const bool is_small = product == Product::kAtlas200i500A2;
  RuleSet broken;
  broken.AddIf(!IsA2OrA3(product) && !is_small, call.Rule(kProduct));
  broken.AddIf(gm.position != kGm || (ub.position != Position::kVecin &&
                                      ub.position != Position::kVecout),
               call.Rule(kRoute));
  broken.AddIf(is_small && ElementBytes(call.dtype) == 8, call.Rule(kDtype));
  for (const isa::Operand& operand : call.used_operands()) {
    broken.AddIf(operand.dtype.value_or(call.dtype) != call.dtype,
                 call.Rule(kDtypeMatch));
  }
  return broken;
}

}  // namespace

RuleSet RouteRules(const isa::Call& call, Product product) {
  using enum isa::CallRule;
  if (Pads(call)) return PadRouteRules(call, product);
  RuleSet broken;
  if (!IsSupported(call, product)) {
    broken.Add(call.Rule(kProduct));  // the others depend on the product
  } else if (IsMixed(call)) {
    broken.AddIf(!IsWidening(call), call.Rule(kMixed));
  } else if (!IsRoute(call, product)) {
    broken.Add(call.Rule(kRoute));
  } else {
    broken.AddIf(!MovesType(product, TypeOf(call.src(0), call)),
                 call.Rule(kDtype));
  }
  return broken;
}

RuleSet RouteRulesAnywhere(const isa::Call& call, Product product) {
  RuleSet broken = RouteRules(call, product);
  // An unsupported product has no table of routes, and a pair that is no route
  // no types; but which copies convert is the same everywhere.
  broken.AddIf(IsMixed(call) && !IsWidening(call),
               call.Rule(isa::CallRule::kMixed));
  return broken;
}

}  // namespace lanediff::oracle
