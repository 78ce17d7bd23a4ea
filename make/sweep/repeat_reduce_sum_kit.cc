#include <fmt/format.h>

#include <algorithm>

#include "isa/memory_map.h"
#include "make/sweep/repeat_reduce_sum.h"

namespace lanediff::make::sweep::reduce_sum {
namespace {

std::vector<Base> Bases() {
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
  Subject<RepeatReduceSum>(bases[2].c).dst.position = Position::kVeccalc;
  return bases;
}

std::vector<Breaker> Breakers() {
  return {
      {rrs::kProduct, "atlas-a3",
       [](Case& c) { return c.product = Product::kAtlasA3, true; }},
      {rrs::kDtype, "int32",
       [](Case& c) { return S(c).dtype = DType::kInt32, true; }},
      {rrs::kDtypeMatch, "src bfloat16",
       [](Case& c) { return S(c).src.dtype = DType::kBfloat16, true; }},
      {rrs::kDtypeMatch, "dst double",
       [](Case& c) { return S(c).dst.dtype = DType::kDouble, true; }},
      {rrs::kPosition, "dst at A1",
       [](Case& c) { return S(c).dst.position = Position::kA1, true; }},
      {rrs::kPosition, "src at UB",
       [](Case& c) { return S(c).src.position = Position::kUb, true; }},
      {rrs::kDstAlign, "dst.at odd",
       [](Case& c) { return S(c).dst.at |= 1, true; }},
      {rrs::kSrcAlign, "src.at 16 further",
       [](Case& c) { return S(c).src.at += 16, true; }},
      {rrs::kRepeat, "256", [](Case& c) { return S(c).repeat = 256, true; }},
      {rrs::kRepeat, "-1", [](Case& c) { return S(c).repeat = -1, true; }},
      {rrs::kElems, "129",
       [](Case& c) {
         S(c).elems_in_one_repeat = 129;
         return S(c).is_set_mask;
       }},
      {rrs::kElems, "0",
       [](Case& c) {
         S(c).elems_in_one_repeat = 0;
         return S(c).is_set_mask;
       }},
      {rrs::kPlaceholder, "1",
       [](Case& c) {
         S(c).is_set_mask = false;
         S(c).elems_in_one_repeat = 1;
         return true;
       }},
      {rrs::kStrideRange, "srcBlkStride 65536",
       [](Case& c) { return S(c).src_blk_stride = 65536, true; }},
      {rrs::kStrideRange, "dstRepStride -1",
       [](Case& c) { return S(c).dst_rep_stride = -1, true; }},
      {rrs::kStrideRange, "srcRepStride -1",
       [](Case& c) { return S(c).src_rep_stride = -1, true; }},
      {rrs::kStrideRange, "dstBlkStride 2^31",
       [](Case& c) {
         return S(c).dst_blk_stride = std::int64_t{1} << 31, true;
       }},
      {rrs::kDstRepStrideZero, "training",
       [](Case& c) {
         c.product = Product::kAtlasTraining;
         S(c).dst_rep_stride = 0;
         return true;
       }},
      {rrs::kBounds, "dst window short",
       [](Case& c) { return S(c).dst.bytes -= 1, true; }},
      {rrs::kBounds, "src window short",
       [](Case& c) { return S(c).src.bytes -= 1, true; }},
      {rrs::kBounds, "src past its memory",
       [](Case& c) { return S(c).src.bytes += 1, true; }},
      {rrs::kOverlapIteration, "dst on lane 1",
       [](Case& c) {
         S(c).dst = S(c).src;
         S(c).dst.at += isa::SizeBytes(S(c).dtype);
         S(c).dst.bytes = isa::SizeBytes(S(c).dtype);
         S(c).repeat = 1;
         return S(c).src.bytes >= 2 * S(c).dst.bytes;
       }},
      {rrs::kOverlapDependency, "dst on the next iteration",
       [](Case& c) {
         S(c).repeat = 2;
         S(c).src_rep_stride = 8;
         if (!S(c).is_set_mask || !Place(c, Needs)) return false;
         S(c).dst.at = S(c).src.at + 256;
         S(c).dst.bytes = S(c).src.bytes - 256;
         S(c).dst_rep_stride = 0;
         return true;
       }},
  };
}

}  // namespace

Kit MakeKit() {
  return {
      .op = RepeatReduceSum::kOp,
      .needs = Needs,
      .bounds = rrs::kBounds,
      .bases = Bases(),
      .field_rules = {{"dst.at", rrs::kDstAlign}, {"src.at", rrs::kSrcAlign}},
      .breakers = Breakers()};
}

std::vector<EveryBase> EveryBases() {
  std::vector<EveryBase> bases;
  for (DType dtype : {DType::kHalf, DType::kFloat}) {
    for (bool set_mask : {true, false}) {
      for (Position dst : kVectorPositions) {
        for (Position src : kVectorPositions) {
          Case c = MakeCase({.dtype = dtype, .set_mask = set_mask});
          S(c).dst.position = dst;
          S(c).src.position = src;
          bases.push_back(
              {{fmt::format("{}, {} to {}{}", isa::Name(dtype), isa::Name(src),
                            isa::Name(dst), set_mask ? "" : ", register"),
                std::move(c)},
               true});
        }
      }
    }
  }
  return bases;
}

}  // namespace lanediff::make::sweep::reduce_sum
