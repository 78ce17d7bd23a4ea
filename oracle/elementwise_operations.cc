#include <array>

#include "isa/step.h"
#include "isa/vocabulary.h"
#include "oracle/count_events.h"
#include "oracle/elementwise_operation.h"
#include "oracle/node.h"

/// What each call of Min's family computes, and on which products.
namespace lanediff::oracle {

using enum isa::Product;

namespace {

/// Of all calls, but for Min in edition 2024.
constexpr std::array kFamily = {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2,
                                kAtlasA3, kAtlas200i500A2};
/// Min's page of 2024 has no row for atlas-a3, that of 2026 does.
constexpr std::array kMin2024 = {kAtlasTraining, kAtlasInferenceAicore,
                                 kAtlasA2, kAtlas200i500A2};

constexpr Operation kMin{"min",        kFamily,       kMin2024, Minimum,
                         ExactMinimum, CountExtremum, false};
constexpr Operation kMax{"max",        kFamily,       kFamily, Maximum,
                         ExactMaximum, CountExtremum, false};
constexpr Operation kAdd{"add",    kFamily,  kFamily, Add,
                         ExactAdd, CountAdd, true};
constexpr Operation kSub{"sub",         kFamily,       kFamily, Subtract,
                         ExactSubtract, CountSubtract, true};
constexpr Operation kMul{"mul",         kFamily,       kFamily, Multiply,
                         ExactMultiply, CountMultiply, true};

}  // namespace

template <>
const Operation& OperationOf<isa::MinTag>() {
  return kMin;
}
template <>
const Operation& OperationOf<isa::MaxTag>() {
  return kMax;
}
template <>
const Operation& OperationOf<isa::AddTag>() {
  return kAdd;
}
template <>
const Operation& OperationOf<isa::SubTag>() {
  return kSub;
}
template <>
const Operation& OperationOf<isa::MulTag>() {
  return kMul;
}

}  // namespace lanediff::oracle
