#include "sanitizer/recipes.h"

#include <map>

#include "isa/catalogue.h"
#include "isa/step.h"

namespace lanediff::lint {
namespace {

using Recipes = std::map<isa::RuleId, Recipe>;

template <class Call>
void AddElementwise(Recipes& all) {
  if constexpr (isa::Elementwise<Call>) {
    const auto add = [&]<class Tag>(const isa::ElementwiseCall<Tag>*) {
      using rule = isa::ElementwiseRules<Tag>;
      all[rule::kDtype] = Recipe::kType;
      all[rule::kDtypeMatch] = Recipe::kOwnTypes;
      all[rule::kPosition] = Recipe::kPositions;
      all[rule::kAlign] = Recipe::kAlign;
      all[rule::kDstBlkStrideZero] = Recipe::kDstBlkStrideZero;
      all[rule::kMaskBits] = Recipe::kMaskWords;
      all[rule::kPlaceholder] = Recipe::kPlaceholder;
    };
    add(static_cast<const Call*>(nullptr));
  }
}

void AddSums(Recipes& all) {
  namespace rrs = isa::rrs;
  namespace wrs = isa::wrs;
  for (isa::RuleId id : {rrs::kDtype, wrs::kDtype}) all[id] = Recipe::kType;
  for (isa::RuleId id : {rrs::kDtypeMatch, wrs::kDtypeMatch}) {
    all[id] = Recipe::kOwnTypes;
  }
  for (isa::RuleId id : {rrs::kPosition, wrs::kPosition}) {
    all[id] = Recipe::kPositions;
  }
  for (isa::RuleId id :
       {rrs::kDstAlign, rrs::kSrcAlign, wrs::kDstAlign, wrs::kSrcAlign}) {
    all[id] = Recipe::kAlign;
  }
  for (isa::RuleId id : {rrs::kDstRepStrideZero, wrs::kDstRepStrideZero}) {
    all[id] = Recipe::kDstRepStrideZero;
  }
  for (isa::RuleId id : {rrs::kPlaceholder, wrs::kPlaceholder}) {
    all[id] = Recipe::kPlaceholder;
  }
  all[wrs::kMaskBits] = Recipe::kMaskWords;
}

void AddMoves(Recipes& all) {
  namespace dc = isa::dc;
  namespace vt = isa::vt;
  all[dc::kRoute] = Recipe::kRoute;
  all[dc::kDtype] = Recipe::kType;
  all[dc::kMixed] = Recipe::kMixed;
  all[dc::kDstAlign] = all[dc::kSrcAlign] = Recipe::kAlign;
  all[vt::kDtype] = Recipe::kType;
  all[vt::kDtypeMatch] = Recipe::kOwnTypes;
  all[vt::kScope] = Recipe::kPositions;
  all[vt::kAlign] = Recipe::kAlign;
  namespace scalar = isa::scalar;
  all[scalar::kPosition] = Recipe::kPositions;
  all[scalar::kAlign] = Recipe::kAlign;
}

void AddTiles(Recipes& all) {
  namespace trp = isa::trp;
  all[trp::kDtype] = Recipe::kType;
  all[trp::kDtypeMatch] = Recipe::kOwnTypes;
  all[trp::kLocation] = Recipe::kPositions;
  all[trp::kSrcLayout] = Recipe::kSrcLayout;
  all[trp::kDstLayout] = Recipe::kDstLayout;
  all[trp::kValidZero] = Recipe::kValidZero;
  all[trp::kValidRows] = Recipe::kValidRows;
  all[trp::kTmpShape] = Recipe::kTmpShape;
  all[trp::kTile] = Recipe::kTiles;
  all[trp::kAlign] = Recipe::kAlign;
}

Recipes Build() {
  Recipes all;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.topic == isa::Topic::kProduct) all[rule.id] = Recipe::kProduct;
  }
  all[isa::state::kSaturationProduct] = Recipe::kProduct;
  all[isa::state::kMaskProduct] = Recipe::kProduct;
  all[isa::scalar::kProduct] = Recipe::kProduct;
  isa::ForEachIntrinsic([&]<class Call>() { AddElementwise<Call>(all); });
  AddSums(all);
  AddMoves(all);
  AddTiles(all);
  return all;
}

}  // namespace

Recipe RecipeOf(isa::RuleId rule) {
  static const Recipes all = Build();
  const auto found = all.find(rule);
  return found == all.end() ? Recipe::kRanges : found->second;
}

}  // namespace lanediff::lint
