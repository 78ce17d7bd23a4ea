#pragma once

#include <fmt/format.h>

#include "generators/boundary/reduce_sum.h"
#include "generators/wrapping.h"

/// See `ReduceSumModule`.
namespace lanediff::make::sweep {

template <ReduceSum Call>
std::vector<Base> ReduceSumModule<Call>::Bases() {
  std::vector<Base> bases = {
      {"half a2", MakeCase({})},
      {"float training", MakeCase({.product = Product::kAtlasTraining,
                                   .dtype = DType::kFloat,
                                   .repeat = 1,
                                   .elems = 9})},
      {"half inference, strides 2 3 9",
       MakeCase({.product = Product::kAtlasInferenceAicore,
                 .repeat = 3,
                 .elems = 33,
                 .src_blk = 2,
                 .dst_rep = 3,
                 .src_rep = 9})},
      {"float a2, strides 0", MakeCase({.dtype = DType::kFloat,
                                        .repeat = 4,
                                        .elems = 64,
                                        .src_blk = 0,
                                        .dst_rep = 0,
                                        .src_rep = 0})},
      {"half a2, register", MakeCase({.set_mask = false})},
      {"float inference, register",
       MakeCase({.product = Product::kAtlasInferenceAicore,
                 .dtype = DType::kFloat,
                 .repeat = 1,
                 .set_mask = false})},
      {"half training, all lanes",
       MakeCase({.product = Product::kAtlasTraining, .elems = 128})},
  };
  S(bases[2].c).dst.position = Position::kVeccalc;
  if constexpr (kHasMaskWords<Call>) {
    bases.push_back({"half a3, words",
                     MakeCase({.product = Product::kAtlasA3}, {0x8001, 0x11})});
    bases.push_back(
        {"float 200i, words, x1", MakeCase({.product = Product::kAtlas200i500A2,
                                            .dtype = DType::kFloat,
                                            .repeat = 1},
                                           {0xa0, 0})});
    bases.push_back({"half a2, words, register, x1",
                     MakeCase({.repeat = 1, .set_mask = false}, {})});
  }
  return bases;
}

template <ReduceSum Call>
std::vector<Breaker> ReduceSumModule<Call>::ParameterBreakers() {
  return {
      {kRule<"-PRODUCT">,
       "atlas-200-300-500",
       {On(Product::kAtlas200_300_500)}},
      {kRule<"-DTYPE">, "int32", {Set("dtype", DType::kInt32)}},
      {kRule<"-DTYPE-MATCH">,
       "src bfloat16",
       {Set("src.dtype", DType::kBfloat16)}},
      {kRule<"-DTYPE-MATCH">, "dst double", {Set("dst.dtype", DType::kDouble)}},
      {kRule<"-POSITION">, "dst at A1", {Set("dst.position", Position::kA1)}},
      {kRule<"-POSITION">, "src at UB", {Set("src.position", Position::kUb)}},
      {kRule<"-DST-ALIGN">, "dst.at odd", {[](Case& c) {
         return S(c).dst.at |= 1, true;
       }}},
      {kRule<"-SRC-ALIGN">, "src.at 16 further", {Plus("src.at", 16)}},
      {kRule<"-REPEAT">, "256", {Set(Names::kRepeat, 256)}},
      {kRule<"-REPEAT">, "-1", {Set(Names::kRepeat, -1)}},
      {kLanesRule, "129", {Is("isSetMask", true), Set(Names::kLanes, 129)}},
      {kLanesRule, "0", {Is("isSetMask", true), Set(Names::kLanes, 0)}},
      {kRule<"-PLACEHOLDER">,
       "1",
       {Set("isSetMask", false), SetMask(Names::kLanes, 1, {0, 1})}},
      {kRule<"-STRIDE-RANGE">,
       "srcBlkStride 65536",
       {Set("srcBlkStride", 65536)}},
      {kRule<"-STRIDE-RANGE">, "dstRepStride -1", {Set("dstRepStride", -1)}},
      {kRule<"-STRIDE-RANGE">, "srcRepStride -1", {Set("srcRepStride", -1)}},
  };
}

/// What the other one has no field for.
template <ReduceSum Call>
std::vector<Breaker> ReduceSumModule<Call>::OwnBreakers() {
  if constexpr (kHasMaskWords<Call>) {
    return {{kRule<"-MASK-BITS">,
             "both words 0",
             {Is("isSetMask", true), Set("mask", MaskWords{0, 0})}},
            SecondWordBreaker(kRule<"-MASK-BITS">)};
  } else {
    return {{kRule<"-STRIDE-RANGE">,
             "dstBlkStride 2^31",
             {Set("dstBlkStride", std::int64_t{1} << 31)}}};
  }
}

template <ReduceSum Call>
std::vector<Breaker> ReduceSumModule<Call>::PlaceBreakers() {
  return {
      {kRule<"-DST-REP-STRIDE-ZERO">,
       "training",
       {On(Product::kAtlasTraining), Set("dstRepStride", 0)}},
      {kRule<"-BOUNDS">, "dst window short", {Plus("dst.bytes", -1)}},
      {kRule<"-BOUNDS">, "src window short", {Plus("src.bytes", -1)}},
      {kRule<"-BOUNDS">, "src past its memory", {Plus("src.bytes", 1)}},
      {kRule<"-OVERLAP-ITERATION">, "dst on lane 1", {[](Case& c) {
         S(c).dst = S(c).src;
         S(c).dst.at = WrappingSum(S(c).dst.at, isa::SizeBytes(S(c).dtype));
         S(c).dst.bytes = isa::SizeBytes(S(c).dtype);
         RepeatOf(S(c)) = 1;
         return S(c).src.bytes >= 2 * S(c).dst.bytes;
       }}},
      {kRule<"-OVERLAP-DEPENDENCY">, "dst on the next iteration", {[](Case& c) {
         RepeatOf(S(c)) = 2;
         S(c).src_rep_stride = 8;
         if (!S(c).is_set_mask || !Place(c)) return false;
         S(c).dst.at = S(c).src.at + isa::kIterationBytes;
         S(c).dst.bytes = S(c).src.bytes - isa::kIterationBytes;
         S(c).dst_rep_stride = 0;
         return true;
       }}},
  };
}

template <ReduceSum Call>
Kit ReduceSumModule<Call>::MakeKit() {
  std::vector<Breaker> breakers;
  for (const auto& part :
       {ParameterBreakers(), OwnBreakers(), PlaceBreakers()}) {
    breakers.insert(breakers.end(), part.begin(), part.end());
  }
  return {.op = Call::kOp,
          .bounds = kRule<"-BOUNDS">,
          .bases = Bases(),
          .field_rules = {{"dst.at", kRule<"-DST-ALIGN">},
                          {"src.at", kRule<"-SRC-ALIGN">}},
          .breakers = std::move(breakers)};
}

template <ReduceSum Call>
std::vector<EveryBase> ReduceSumModule<Call>::EveryBases() {
  std::vector<EveryBase> bases;
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    for (bool words : {false, true}) {
      if (words && !kHasMaskWords<Call>) continue;
      for (bool set_mask : {true, false}) {
        for (Position dst : kVectorPositions) {
          for (Position src : kVectorPositions) {
            Case c = MakeCase({.dtype = dtype, .set_mask = set_mask});
            if constexpr (kHasMaskWords<Call>) {
              if (words) {
                c = MakeCase({.dtype = dtype, .set_mask = set_mask}, {0x15, 0});
              }
            }
            S(c).dst.position = dst;
            S(c).src.position = src;
            bases.push_back({{fmt::format("{}, {} to {}{}{}", isa::Name(dtype),
                                          isa::Name(src), isa::Name(dst),
                                          words ? ", words" : "",
                                          set_mask ? "" : ", register"),
                              std::move(c)},
                             true});
          }
        }
      }
    }
  }
  return bases;
}

}  // namespace lanediff::make::sweep
