#include <fmt/format.h>

#include <algorithm>

#include "isa/memory_map.h"
#include "make/sweep/min.h"

namespace lanediff::make::sweep::minimum {
namespace {

std::vector<Base> Bases() {
  return {
      {"half a2, contiguous", MakeCase({})},
      {"float training, bitwise", MakeCase({.product = Product::kAtlasTraining,
                                            .dtype = DType::kFloat,
                                            .form = Min::kBitwise})},
      {"int32 inference, count",
       MakeCase({.product = Product::kAtlasInferenceAicore,
                 .dtype = DType::kInt32,
                 .form = Min::kCount})},
      {"int16 a2, bitwise, strides 2 3 1 9 10 0",
       MakeCase({.dtype = DType::kInt16,
                 .form = Min::kBitwise,
                 .words = {1, 1},
                 .strides = {2, 3, 1, 17, 26, 0}})},
      {"half 200i, register",
       MakeCase({.product = Product::kAtlas200i500A2, .set_mask = false})},
      {"float a2, bitwise, register", MakeCase({.dtype = DType::kFloat,
                                                .form = Min::kBitwise,
                                                .repeat = 1,
                                                .set_mask = false})},
      {"half a2, count", MakeCase({.form = Min::kCount, .count = 130})},
      {"half a2, all lanes, source strides 0",
       MakeCase({.mask = 128, .repeat = 3, .strides = {1, 0, 0, 8, 0, 0}})},
  };
}

bool HasRepeats(Case& c) { return S(c).form != Min::kCount; }

std::vector<Breaker> Breakers() {
  return {
      {min::kProduct, "atlas-200-300-500",
       [](Case& c) { return c.product = Product::kAtlas200_300_500, true; }},
      {min::kDtype, "bfloat16",
       [](Case& c) { return S(c).dtype = DType::kBfloat16, true; }},
      {min::kDtype, "int16 on training",
       [](Case& c) {
         c.product = Product::kAtlasTraining;
         return S(c).dtype = DType::kInt16, true;
       }},
      {min::kDtypeMatch, "src0 double",
       [](Case& c) { return S(c).src0.dtype = DType::kDouble, true; }},
      {min::kDtypeMatch, "src1 uint16",
       [](Case& c) { return S(c).src1.dtype = DType::kUint16, true; }},
      {min::kDtypeMatch, "dst int8",
       [](Case& c) { return S(c).dst.dtype = DType::kInt8, true; }},
      {min::kPosition, "dst at GM",
       [](Case& c) { return S(c).dst.position = Position::kGm, true; }},
      {min::kPosition, "src0 at C1",
       [](Case& c) { return S(c).src0.position = Position::kC1, true; }},
      {min::kPosition, "src1 at UB",
       [](Case& c) { return S(c).src1.position = Position::kUb, true; }},
      {min::kAlign, "dst.at 2 further",
       [](Case& c) { return S(c).dst.at += 2, true; }},
      {min::kAlign, "src1.at 16 further",
       [](Case& c) { return S(c).src1.at += 16, true; }},
      {min::kCount, "-1",
       [](Case& c) { return S(c).count = -1, !HasRepeats(c); }},
      {min::kCount, "2^31",
       [](Case& c) {
         return S(c).count = std::int64_t{1} << 31, !HasRepeats(c);
       }},
      {min::kRepeat, "256",
       [](Case& c) { return S(c).repeat_times = 256, HasRepeats(c); }},
      {min::kStrideRange, "src0BlkStride 256",
       [](Case& c) {
         return S(c).repeat_params.src0_blk_stride = 256, HasRepeats(c);
       }},
      {min::kStrideRange, "src1RepStride -1",
       [](Case& c) {
         return S(c).repeat_params.src1_rep_stride = -1, HasRepeats(c);
       }},
      {min::kDstBlkStrideZero, "0",
       [](Case& c) {
         return S(c).repeat_params.dst_blk_stride = 0, HasRepeats(c);
       }},
      {min::kMaskContiguous, "129",
       [](Case& c) {
         S(c).mask = 129;
         return S(c).form == Min::kContiguous && S(c).is_set_mask;
       }},
      {min::kMaskBits, "both words 0",
       [](Case& c) {
         S(c).mask_words = {0, 0};
         return S(c).form == Min::kBitwise && S(c).is_set_mask;
       }},
      {min::kPlaceholder, "1",
       [](Case& c) {
         S(c).is_set_mask = false;
         S(c).form == Min::kBitwise ? void(S(c).mask_words = {0, 1})
                                    : void(S(c).mask = 1);
         return HasRepeats(c);
       }},
      {min::kBounds, "dst window short",
       [](Case& c) { return S(c).dst.bytes -= 1, true; }},
      {min::kBounds, "src0 window short",
       [](Case& c) { return S(c).src0.bytes -= 1, true; }},
      {min::kBounds, "src1 past its memory",
       [](Case& c) { return S(c).src1.bytes += 512, true; }},
      {min::kOverlapCount, "dst one block behind src0",
       [](Case& c) {
         S(c).dst.at = S(c).src0.at + 32;
         return S(c).form == Min::kCount;
       }},
      {min::kOverlapIteration, "dst on another block of src0",
       [](Case& c) {
         if (!HasRepeats(c)) return false;
         S(c).repeat_params = {1, 1, 1, 8, 8, 8};
         if (!Place(c, Needs)) return false;
         S(c).dst.at = S(c).src0.at - 32;
         Ub(c)->size += 512;
         S(c).src0.at += 512;
         S(c).dst.at += 512;
         S(c).src1.at = 0;
         return S(c).src0.bytes > 32;
       }},
      {min::kOverlapDependency, "dst on the next iteration of src0",
       [](Case& c) {
         if (!HasRepeats(c)) return false;
         S(c).repeat_times = 2;
         S(c).repeat_params = {1, 1, 1, 8, 8, 8};
         if (!Place(c, Needs)) return false;
         S(c).dst.at = S(c).src0.at + 256;
         S(c).src1.at = (S(c).dst.at + S(c).dst.bytes + 127) / 128 * 128;
         Ub(c)->size = S(c).src1.at + S(c).src1.bytes;
         return true;
       }},
      {min::kOverlapSources, "running minimum over its own source",
       [](Case& c) {
         if (!HasRepeats(c)) return false;
         S(c).repeat_times = 2;
         S(c).repeat_params = {1, 1, 1, 0, 8, 0};
         if (!Place(c, Needs)) return false;
         S(c).src1.at = S(c).dst.at;
         S(c).src0.at = S(c).dst.at;
         return S(c).dtype != DType::kInt16;
       }},
  };
}

}  // namespace

Kit MakeKit() {
  return {.op = Min::kOp,
          .needs = Needs,
          .bounds = min::kBounds,
          .bases = Bases(),
          .field_rules = {{"dst.at", min::kAlign},
                          {"src0.at", min::kAlign},
                          {"src1.at", min::kAlign}},
          .breakers = Breakers()};
}

std::vector<EveryBase> EveryBases() {
  struct Form {
    std::string_view name;
    std::uint8_t form;
    bool set_mask;
  };
  static constexpr Form kForms[] = {
      {"contiguous", Min::kContiguous, true},
      {"bitwise", Min::kBitwise, true},
      {"count", Min::kCount, true},
      {"contiguous, register", Min::kContiguous, false},
      {"bitwise, register", Min::kBitwise, false}};
  std::vector<EveryBase> bases;
  for (DType dtype :
       {DType::kHalf, DType::kFloat, DType::kInt16, DType::kInt32}) {
    for (const Form& form : kForms) {
      for (std::size_t place = 0; place < 27; ++place) {
        const Position dst = kVectorPositions[place % 3];
        const Position src0 = kVectorPositions[place / 3 % 3];
        const Position src1 = kVectorPositions[place / 9];
        Case c = MakeCase({.dtype = dtype,
                           .form = form.form,
                           .words = {0x8001, 0},
                           .set_mask = form.set_mask});
        S(c).dst.position = dst;
        S(c).src0.position = src0;
        S(c).src1.position = src1;
        bases.push_back(
            {{fmt::format("{}, {}, {} {} {}", isa::Name(dtype), form.name,
                          isa::Name(dst), isa::Name(src0), isa::Name(src1)),
              std::move(c)},
             // All positions are of one memory; one of each kind will do.
             place == 0 || place == 5 || place == 25});
      }
    }
  }
  return bases;
}

}  // namespace lanediff::make::sweep::minimum
