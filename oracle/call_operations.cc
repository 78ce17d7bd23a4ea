#include "oracle/call_operations.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "isa/call.h"
#include "isa/vocabulary.h"
#include "oracle/count_events.h"
#include "oracle/node.h"

/// What each lane-wise instruction and reduction computes, and on which
/// products and types.
namespace lanediff::oracle {
namespace {

using enum isa::Product;
using isa::DType;

constexpr std::array kFamily = {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2,
                                kAtlasA3, kAtlas200i500A2};
/// Min's page of 2024 has no row for atlas-a3, that of 2026 does.
constexpr std::array kMin2024 = {kAtlasTraining, kAtlasInferenceAicore,
                                 kAtlasA2, kAtlas200i500A2};
/// RepeatReduceSum; of ReduceRepeat, as the pages of 2026 call it, all.
constexpr std::array kRepeat2024 = {kAtlasTraining, kAtlasInferenceAicore,
                                    kAtlasA2};
constexpr std::array kTraining = {kAtlasTraining};
constexpr std::array<TypeLimit, 4> kNumbers = {{{DType::kHalf},
                                                {DType::kInt16, kTraining},
                                                {DType::kFloat},
                                                {DType::kInt32}}};

/// All that have not Abs of int16.
constexpr std::array kBut200i500 = {
    kAtlasTraining, kAtlasInferenceAicore, kAtlasInferenceVectorcore, kAtlasA2,
    kAtlasA3,       kAtlas200_300_500};
constexpr std::array<TypeLimit, 3> kMagnitudes = {
    {{DType::kHalf}, {DType::kInt16, kBut200i500}, {DType::kFloat}}};
constexpr std::array<TypeLimit, 4> kSums = {{{DType::kHalf},
                                             {DType::kInt16, kTraining},
                                             {DType::kFloat},
                                             {DType::kInt32, kTraining}}};
constexpr std::array<TypeLimit, 2> kWords = {
    {{DType::kInt16}, {DType::kUint16}}};
/// Products of pages that have no row for atlas-training.
constexpr std::array kButTraining = {kAtlasInferenceAicore, kAtlasA2, kAtlasA3,
                                     kAtlas200i500A2};
constexpr std::array<TypeLimit, 4> kEveryNumber = {
    {{DType::kHalf}, {DType::kInt16}, {DType::kFloat}, {DType::kInt32}}};
constexpr std::array<TypeLimit, 3> kRectified = {
    {{DType::kHalf}, {DType::kFloat, kTraining}, {DType::kInt32, kTraining}}};
constexpr std::array<TypeLimit, 2> kFloats = {
    {{DType::kHalf}, {DType::kFloat}}};
/// Of reductions of several results.
constexpr std::array<TypeLimit, 2> kGroups = {
    {{DType::kHalf}, {DType::kFloat, kTraining}}};
constexpr std::array k200i500 = {kAtlas200i500A2};
constexpr std::array<TypeLimit, 3> kRectifiedSums = {
    {{DType::kHalf}, {DType::kInt16, k200i500}, {DType::kFloat}}};
constexpr std::array<TypeLimit, 7> kElements = {{{DType::kHalf},
                                                 {DType::kInt16},
                                                 {DType::kUint16},
                                                 {DType::kBfloat16},
                                                 {DType::kInt32},
                                                 {DType::kUint32},
                                                 {DType::kFloat}}};

/// Products of pages that have no row for atlas-inference-aicore either.
constexpr std::array kWithShifts = {kAtlasA2, kAtlasA3, kAtlas200i500A2};
constexpr std::array<TypeLimit, 4> kShiftable = {
    {{DType::kInt16}, {DType::kUint16}, {DType::kInt32}, {DType::kUint32}}};
/// Those without integers in MulAddDst.
constexpr std::array kWithoutIntegers = {kAtlasInferenceAicore, kAtlasA2,
                                         kAtlasA3};
constexpr std::array<TypeLimit, 6> kAccumulated = {
    {{DType::kHalf},
     {DType::kFloat},
     {DType::kInt16, kWithoutIntegers},
     {DType::kUint16, kWithoutIntegers},
     {DType::kInt32, kWithoutIntegers},
     {DType::kUint32, kWithoutIntegers}}};

/// Products without integers in Compare, and those without the others in
/// CompareScalar.
constexpr std::array kWithoutEqual = {kAtlasTraining, kAtlasInferenceAicore,
                                      kAtlas200i500A2};
constexpr std::array kAicore = {kAtlasInferenceAicore};
constexpr std::array kBut200i = {kAtlasInferenceAicore, kAtlasA2, kAtlasA3};
constexpr std::array<TypeLimit, 3> kComparable = {
    {{DType::kHalf}, {DType::kFloat}, {DType::kInt32, kWithoutEqual}}};
constexpr std::array<TypeLimit, 6> kComparableToScalar = {
    {{DType::kHalf},
     {DType::kFloat},
     {DType::kInt32, kAicore},
     {DType::kInt16, kBut200i},
     {DType::kUint16, kBut200i},
     {DType::kUint32, kBut200i}}};

/// Those of sources; which go with which, and where: oracle/cast.cc.
constexpr std::array<TypeLimit, 8> kConvertible = {{{DType::kHalf},
                                                    {DType::kInt16},
                                                    {DType::kBfloat16},
                                                    {DType::kInt8},
                                                    {DType::kUint8},
                                                    {DType::kInt32},
                                                    {DType::kInt64},
                                                    {DType::kFloat}}};

constexpr Limits kAll{kFamily, kFamily, kNumbers};
constexpr Limits kMin{kFamily, kMin2024, kNumbers};
constexpr Limits kToScalar{kButTraining, kButTraining, kEveryNumber};
constexpr Limits kSum{kFamily, kFamily, kSums};
constexpr Limits kBits{kFamily, kFamily, kWords};
constexpr Limits kRelus{kButTraining, kButTraining, kRectifiedSums};
constexpr Limits kShifts{kWithShifts, kWithShifts, kShiftable};
constexpr Limits kCopies{kWithShifts, kWithShifts, kElements};
constexpr Limits kFunctions{kFamily, kFamily, kFloats};
constexpr Limits kFused{kButTraining, kButTraining, kFloats};

/// A node of one input.
template <auto compute, auto exact, auto count>
constexpr LaneNode kUnary = {
    [](DType type, Inputs in, bool saturation) {
      return compute(type, in[0], saturation);
    },
    [](DType type, Inputs in) { return exact(type, in[0]); },
    [](DType type, Inputs in, const NodeResult& result, bool,
       isa::NumericEvents& events) { count(type, in[0], result, events); }};

/// A node of two inputs, the second perhaps a scalar.
template <auto compute, auto exact, auto count>
constexpr LaneNode kBinary = {
    [](DType type, Inputs in, bool saturation) {
      return compute(type, in[0], in[1], saturation);
    },
    [](DType type, Inputs in) { return exact(type, in[0], in[1]); },
    [](DType type, Inputs in, const NodeResult& result, bool,
       isa::NumericEvents& events) {
      count(type, in[0], in[1], result, events);
    }};

/// A node of three inputs: the sum of `in[term]` and of `in[0]` times the other
/// one.
template <std::size_t term, auto compute, auto exact>
constexpr LaneNode kProductAndSum = {
    [](DType type, Inputs in, bool saturation) {
      return compute(type, in[0], in[3 - term], in[term], saturation);
    },
    [](DType type, Inputs in) {
      return exact(type, in[0], in[3 - term], in[term]);
    },
    [](DType type, Inputs in, const NodeResult& result, bool saturation,
       isa::NumericEvents& events) {
      CountMultiplyAdd(type, in[0], in[3 - term], in[term], result, saturation,
                       events);
    }};

/// The number of a lane is no element: of its events those of the scalar and of
/// the result count.
constexpr LaneNode kIndex = {
    [](DType type, Inputs in, bool saturation) {
      return AddNumber(type, in[0], in[1], saturation);
    },
    [](DType type, Inputs in) { return ExactAddNumber(type, in[0], in[1]); },
    [](DType type, Inputs in, const NodeResult& result, bool,
       isa::NumericEvents& events) {
      CountIndex(type, in[0], result, events);
    }};

/// Of functions of one element, written like a value of its own.
template <auto compute, auto exact>
constexpr LaneNode kFunction =
    kUnary<compute, exact,
           [](DType type, std::uint64_t bits, const NodeResult& result,
              isa::NumericEvents& events) {
             CountWrite(type, bits, type, result, events);
           }>;

constexpr auto kCountNothing = [](const auto&...) {};
/// A bit.
constexpr LaneNode kHolds = {
    [](DType type, Inputs in, bool) {
      return Compare(type, static_cast<isa::CmpMode>(in[2]), in[0], in[1]);
    },
    [](DType type, Inputs in) {
      const auto mode = static_cast<isa::CmpMode>(in[2]);
      return std::string(Compare(type, mode, in[0], in[1]).bits != 0 ? "1"
                                                                     : "0");
    },
    [](DType, Inputs, const NodeResult&, bool, isa::NumericEvents&) {}};
/// The bits, whatever they mean and whatever the mode.
constexpr auto kCopy = [](DType, std::uint64_t bits, bool) {
  return NodeResult{.bits = bits};
};

/// The bits of src0 where that of selMask, the second input, is 1.
constexpr LaneNode kSelect = {
    [](DType, Inputs in, bool) {
      return NodeResult{.bits = in[1] != 0 ? in[0] : in[2]};
    },
    [](DType type, Inputs in) {
      return ExactValue(type, in[1] != 0 ? in[0] : in[2]);
    },
    [](DType, Inputs, const NodeResult&, bool, isa::NumericEvents&) {}};

constexpr LaneNode kAdd = kBinary<Add, ExactAdd, CountAdd>;
constexpr LaneNode kMul = kBinary<Multiply, ExactMultiply, CountMultiply>;
constexpr LaneNode kLess = kBinary<Minimum, ExactMinimum, CountExtremum>;
constexpr LaneNode kMore = kBinary<Maximum, ExactMaximum, CountExtremum>;
constexpr LaneNode kAnd = kBinary<And, ExactAnd, kCountNothing>;
constexpr LaneNode kOr = kBinary<Or, ExactOr, kCountNothing>;
constexpr LaneNode kNot = kUnary<Not, ExactNot, kCountNothing>;
/// Of shifts to the left, which never round.
constexpr LaneNode kLeft = {
    [](DType type, Inputs in, bool) { return ShiftLeft(type, in[0], in[1]); },
    [](DType type, Inputs in) {
      return ExactValue(type, ShiftLeft(type, in[0], in[1]).bits);
    },
    [](DType, Inputs, const NodeResult&, bool, isa::NumericEvents&) {}};
constexpr LaneNode kRight = {
    [](DType type, Inputs in, bool) {
      return ShiftRight(type, in[0], in[1], in[2] != 0);
    },
    [](DType type, Inputs in) {
      return ExactValue(type, ShiftRight(type, in[0], in[1], in[2] != 0).bits);
    },
    kLeft.count};
constexpr LaneNode kOntoDst = kProductAndSum<2, MultiplyAdd, ExactMultiplyAdd>;

constexpr std::array<Becomes, 3> kRectifiedBecome = {
    {{DType::kHalf, DType::kInt8},
     {DType::kInt16, DType::kInt8},
     {DType::kFloat, DType::kHalf}}};
constexpr std::array<TypeLimit, 1> kHalves = {{{DType::kHalf}}};
constexpr std::array<Becomes, 2> kProductsBecome = {
    {{DType::kHalf, DType::kInt8}, {DType::kHalf, DType::kUint8}}};

constexpr Operation kLines[] = {
    {"Min", "min", kMin, kLess, false, true},
    {"Max", "max", kAll, kMore, false, true},
    {"Add", "add", kAll, kAdd, true, true},
    {"Sub", "sub", kAll, kBinary<Subtract, ExactSubtract, CountSubtract>, true,
     true},
    {"Mul", "mul", kAll, kMul, true, true},
    {"Abs",
     "abs",
     {kFamily, kFamily, kMagnitudes},
     kUnary<Absolute, ExactAbsolute, CountAbsolute>,
     true},
    {"Adds", "add", kSum, kAdd, true},
    {"And", "and", kBits, kAnd, false, false, true},
    {"Muls", "mul", kSum, kMul, true},
    {"Maxs", "max", kToScalar, kMore, false},
    {"Mins", "min", kToScalar, kLess, false},
    {"Or", "or", kBits, kOr, false, false, true},
    {"Not", "not", kBits, kNot, false, false, true},
    {"Relu",
     "relu",
     {kFamily, kFamily, kRectified},
     kUnary<Relu, ExactRelu, CountRelu>,
     false},
    {"LeakyRelu",
     "leaky-relu",
     {kButTraining, kButTraining, kFloats},
     kBinary<LeakyRelu, ExactLeakyRelu, CountLeakyRelu>,
     true},
    {"AddRelu", "add-relu", kRelus, kBinary<AddRelu, ExactAddRelu, CountAdd>,
     true, true},
    {"SubRelu", "sub-relu", kRelus,
     kBinary<SubRelu, ExactSubRelu, CountSubtract>, true, true},
    {"Duplicate",
     "copy",
     {kFamily, kFamily, kElements},
     kUnary<kCopy, ExactValue, kCountNothing>,
     false},
    {"ShiftLeft", "shift-left", kShifts, kLeft, false, false, false, true},
    {"ShiftRight", "shift-right", kShifts, kRight, false, false, false, true},
    {"MulAddDst",
     "mul-add",
     {kButTraining, kButTraining, kAccumulated},
     kOntoDst,
     true},
    {"FusedMulAdd", "mul-add", kFused,
     kProductAndSum<1, MultiplyAdd, ExactMultiplyAdd>, true},
    {"MulAddRelu", "mul-add-relu", kFused,
     kProductAndSum<1, MultiplyAddRelu, ExactMultiplyAddRelu>, true},
    {"Axpy", "mul-add", {kFamily, kFamily, kFloats}, kOntoDst, true},
    // Computed and counted by oracle/cast.cc.
    {"Cast",
     "cast",
     {kFamily, kFamily, kConvertible},
     kUnary<kCopy, ExactValue, kCountNothing>,
     true},
    {.op = "Copy",
     .name = "copy",
     .limits = kCopies,
     .node = kUnary<kCopy, ExactValue, kCountNothing>,
     .has_true_results = false,
     .repeat_stride_bits = 12,
     .local_routes = true},
    {"CreateVecIndex", "index", kToScalar, kIndex, true},
    // Converted by oracle/cast.cc.
    {.op = "AddReluCast",
     .name = "add-relu-cast",
     .limits = kRelus,
     .node = kBinary<AddRelu, ExactAddRelu, CountAdd>,
     .has_true_results = true,
     .becomes = kRectifiedBecome},
    {.op = "SubReluCast",
     .name = "sub-relu-cast",
     .limits = kRelus,
     .node = kBinary<SubRelu, ExactSubRelu, CountSubtract>,
     .has_true_results = true,
     .becomes = kRectifiedBecome},
    {.op = "MulCast",
     .name = "mul-cast",
     .limits = {kButTraining, kButTraining, kHalves},
     .node = kMul,
     .has_true_results = true,
     .becomes = kProductsBecome},
    {"Compare", "compare", {kFamily, kFamily, kComparable}, kHolds, false},
    {"CompareScalar",
     "compare",
     {kButTraining, kButTraining, kComparableToScalar},
     kHolds,
     false},
    // Their true results have no end.
    {"Div", "div", kFunctions, kBinary<Divide, ExactDivide, CountMultiply>,
     false},
    {"Exp", "exp", kFunctions, kFunction<Exp, ExactExp>, false},
    {"Ln", "ln", kFunctions, kFunction<Ln, ExactLn>, false},
    {"Reciprocal", "reciprocal", kFunctions,
     kFunction<Reciprocal, ExactReciprocal>, false},
    {"Rsqrt", "rsqrt", kFunctions, kFunction<Rsqrt, ExactRsqrt>, false},
    {"Sqrt", "sqrt", kFunctions, kFunction<Sqrt, ExactSqrt>, false},
    {"Select", "select", {kFamily, kFamily, kFloats}, kSelect, false},
    {"RepeatReduceSum", "add", {kFamily, kRepeat2024, kFloats}, kAdd, true},
    {"WholeReduceSum", "add", {kFamily, kFamily, kFloats}, kAdd, true},
    {"BlockReduceMax", "max", {kFamily, kFamily, kGroups}, kMore, false},
    {"BlockReduceMin", "min", {kFamily, kFamily, kGroups}, kLess, false},
    {"BlockReduceSum", "add", {kFamily, kFamily, kGroups}, kAdd, true},
    {"PairReduceSum", "add", {kFamily, kFamily, kGroups}, kAdd, true},
    {"WholeReduceMax", "max", {kFamily, kFamily, kGroups}, kMore, false},
    {"WholeReduceMin", "min", {kFamily, kFamily, kGroups}, kLess, false},
};

/// By `isa::kSignatures`: a row of these families without a line does not
/// compile. The others have nothing here.
constexpr auto kOperations = [] {
  std::array<Operation, isa::kSignatures.size()> all{};
  for (const auto& rows : {isa::kLanewiseRows, isa::kReductionRows}) {
    for (const isa::Signature& row : rows) {
      all[isa::IndexOf(row)] =
          *std::ranges::find(kLines, row.op, &Operation::op);
    }
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

bool Operation::Gives(DType type, DType to) const {
  return std::ranges::any_of(becomes, [&](const Becomes& one) {
    return one.from == type && one.to == to;
  });
}

bool Operation::Computes(DType type) const {
  return std::ranges::find(limits.types, type, &TypeLimit::type) !=
         limits.types.end();
}

}  // namespace lanediff::oracle
