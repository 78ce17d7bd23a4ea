#include "isa/data_copy.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"
#include "oracle/data_copy_rules.h"

/// Which product moves which types between which positions.
namespace lanediff::oracle {

using isa::DataCopy;
using isa::DType;
using isa::Position;
using isa::Product;
using isa::RuleSet;
namespace dc = isa::dc;

namespace {

bool IsA2OrA3(Product product) {
  return product == Product::kAtlasA2 || product == Product::kAtlasA3;
}

bool IsVector(Position p) {
  return p == Position::kVecin || p == Position::kVeccalc ||
         p == Position::kVecout;
}
bool IsA1OrB1(Position p) { return p == Position::kA1 || p == Position::kB1; }

/// Table 4: from GM.
bool GmToLocal(Product product, Position dst) {
  switch (product) {
    case Product::kAtlasTraining:
    case Product::kAtlasInferenceAicore:
      return dst == Position::kVecin || IsA1OrB1(dst);
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
      return dst == Position::kVecin;
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return dst == Position::kVecin || IsA1OrB1(dst) || dst == Position::kC1;
    case Product::kAtlas200_300_500:
      return false;
  }
  return false;
}

/// Table 5, without the route of the document's example.
bool LocalToLocal(Product product, Position src, Position dst) {
  const bool within_ub =
      (src == Position::kVecin && dst == Position::kVeccalc) ||
      (src == Position::kVeccalc && dst == Position::kVecout);
  switch (product) {
    case Product::kAtlasTraining:
      return within_ub;
    case Product::kAtlasInferenceAicore:
      return within_ub || (IsVector(src) && IsA1OrB1(dst));
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return within_ub || (IsVector(src) && dst == Position::kTscm) ||
             ((IsA1OrB1(src) || src == Position::kC1) &&
              dst == Position::kC2pipe2gm) ||
             (src == Position::kC1 && dst == Position::kC2);
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
    case Product::kAtlas200_300_500:
      return false;
  }
  return false;
}

/// Table 6: to GM.
bool LocalToGm(Product product, Position src) {
  switch (product) {
    case Product::kAtlasTraining:
    case Product::kAtlasInferenceVectorcore:
    case Product::kAtlas200i500A2:
      return src == Position::kVecout;
    case Product::kAtlasInferenceAicore:
      return src == Position::kVecout || src == Position::kCo2;
    case Product::kAtlasA2:
    case Product::kAtlasA3:
      return src == Position::kVecout || IsA1OrB1(src);
    case Product::kAtlas200_300_500:
      return false;
  }
  return false;
}

}  // namespace

bool IsExampleRoute(const DataCopy& call) {
  return call.src.position == Position::kVecin &&
         call.dst.position == Position::kVecout;
}

namespace {

bool IsRoute(const DataCopy& call, Product product) {
  const Position src = call.src.position;
  const Position dst = call.dst.position;
  if (IsExampleRoute(call)) {
    return LocalToLocal(product, Position::kVecin, Position::kVeccalc);
  }
  if (src == Position::kGm) return GmToLocal(product, dst);
  if (dst == Position::kGm) return LocalToGm(product, src);
  return LocalToLocal(product, src, dst);
}

/// B is every type but bfloat16, which B+ has too.
bool MovesType(Product product, DType type) {
  const bool b_plus = IsA2OrA3(product) || product == Product::kAtlas200i500A2;
  return type != DType::kBfloat16 || b_plus;
}

/// DC-MIXED.
bool IsWidening(const DataCopy& call) {
  return call.src.position == Position::kC1 &&
         call.dst.position == Position::kC2 &&
         TypeOf(call.src, call) == DType::kHalf &&
         TypeOf(call.dst, call) == DType::kFloat &&
         call.form == DataCopy::kParams;
}

bool IsSupported(const DataCopy& call, Product product) {
  return product != Product::kAtlas200_300_500 &&
         (!IsMixed(call) || IsA2OrA3(product));
}

}  // namespace

RuleSet RouteRules(const DataCopy& call, Product product) {
  RuleSet broken;
  if (!IsSupported(call, product)) {
    broken.Add(dc::kProduct);  // the others depend on the product
  } else if (IsMixed(call)) {
    broken.AddIf(!IsWidening(call), dc::kMixed);
  } else if (!IsRoute(call, product)) {
    broken.Add(dc::kRoute);
  } else {
    broken.AddIf(!MovesType(product, TypeOf(call.src, call)), dc::kDtype);
  }
  return broken;
}

RuleSet RouteRulesAnywhere(const DataCopy& call, Product product) {
  RuleSet broken = RouteRules(call, product);
  // An unsupported product has no table of routes, and a pair that is no route
  // no types; but which copies convert is the same everywhere.
  broken.AddIf(IsMixed(call) && !IsWidening(call), dc::kMixed);
  return broken;
}

}  // namespace lanediff::oracle
