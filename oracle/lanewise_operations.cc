#include "oracle/lanewise_operations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "isa/call.h"
#include "isa/vocabulary.h"
#include "oracle/count_events.h"
#include "oracle/node.h"

/// What each lane-wise instruction computes, and on which products and types.
namespace lanediff::oracle {
namespace {

using enum isa::Product;
using isa::DType;

constexpr std::array kFamily = {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2,
                                kAtlasA3, kAtlas200i500A2};
/// Min's page of 2024 has no row for atlas-a3, that of 2026 does.
constexpr std::array kMin2024 = {kAtlasTraining, kAtlasInferenceAicore,
                                 kAtlasA2, kAtlas200i500A2};
constexpr std::array kTraining = {kAtlasTraining};
constexpr std::array<TypeLimit, 4> kNumbers = {{{DType::kHalf},
                                                {DType::kInt16, kTraining},
                                                {DType::kFloat},
                                                {DType::kInt32}}};

constexpr Limits kAll{kFamily, kFamily, kNumbers};
constexpr Limits kMin{kFamily, kMin2024, kNumbers};

/// A node of two inputs.
template <auto compute, auto exact, auto count>
constexpr LaneNode kBinary = {
    [](DType type, Inputs in, bool saturation) {
      return compute(type, in[0], in[1], saturation);
    },
    [](DType type, Inputs in) { return exact(type, in[0], in[1]); },
    [](DType type, Inputs in, const NodeResult& result,
       isa::NumericEvents& events) {
      count(type, in[0], in[1], result, events);
    }};

constexpr Operation kLines[] = {
    {"Min", "min", kMin, kBinary<Minimum, ExactMinimum, CountExtremum>, false},
    {"Max", "max", kAll, kBinary<Maximum, ExactMaximum, CountExtremum>, false},
    {"Add", "add", kAll, kBinary<Add, ExactAdd, CountAdd>, true},
    {"Sub", "sub", kAll, kBinary<Subtract, ExactSubtract, CountSubtract>, true},
    {"Mul", "mul", kAll, kBinary<Multiply, ExactMultiply, CountMultiply>, true},
};

/// By `isa::kSignatures`: one without a line does not compile.
constexpr auto kOperations = [] {
  std::array<Operation, isa::kSignatures.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = *std::ranges::find(kLines, isa::kSignatures[i].op, &Operation::op);
  }
  return all;
}();

}  // namespace

const Operation& OperationOf(const isa::Call& call) {
  return kOperations[isa::IndexOf(*call.signature)];
}

bool Operation::Supports(DType type, isa::Product product) const {
  return std::ranges::any_of(limits.types, [&](const TypeLimit& limit) {
    return limit.type == type &&
           std::ranges::find(limit.lacking, product) == limit.lacking.end();
  });
}

bool Operation::Computes(DType type) const {
  return std::ranges::find(limits.types, type, &TypeLimit::type) !=
         limits.types.end();
}

}  // namespace lanediff::oracle
