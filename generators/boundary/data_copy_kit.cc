#include <fmt/format.h>

#include <algorithm>

#include "generators/boundary/data_copy.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep::data_copy {
namespace {

std::vector<Base> Bases() {
  return {
      {"half GM to VECIN, blocks", MakeCase({})},
      {"int8 GM to A1, count", MakeCase({.product = Product::kAtlasTraining,
                                         .dtype = DType::kInt8,
                                         .dst = Position::kA1,
                                         .params = false,
                                         .count = 100})},
      {"float VECIN to VECCALC, blocks",
       MakeCase({.product = Product::kAtlasInferenceAicore,
                 .dtype = DType::kFloat,
                 .src = Position::kVecin,
                 .dst = Position::kVeccalc,
                 .blocks = {3, 2, 0, 1}})},
      {"bfloat16 VECOUT to GM, blocks",
       MakeCase({.product = Product::kAtlas200i500A2,
                 .dtype = DType::kBfloat16,
                 .src = Position::kVecout,
                 .dst = Position::kGm})},
      {"uint64 C1 to C2, blocks", MakeCase({.dtype = DType::kUint64,
                                            .src = Position::kC1,
                                            .dst = Position::kC2})},
      {"int32 A1 to C2PIPE2GM, blocks",
       MakeCase({.product = Product::kAtlasA3,
                 .dtype = DType::kInt32,
                 .src = Position::kA1,
                 .dst = Position::kC2pipe2gm})},
      {"half to float C1 to C2, blocks", MakeWidening({2, 1, 1, 1})},
      {"half VECIN to VECOUT, count", MakeCase({.src = Position::kVecin,
                                                .dst = Position::kVecout,
                                                .params = false})},
      {"double VECIN to TSCM, blocks", MakeCase({.dtype = DType::kDouble,
                                                 .src = Position::kVecin,
                                                 .dst = Position::kTscm})},
  };
}

std::vector<Breaker> Breakers() {
  return {
      {dc::kProduct, "atlas-200-300-500", {On(Product::kAtlas200_300_500)}},
      {dc::kRoute,
       "GM to VECOUT",
       {Set("src.position", Position::kGm),
        Set("dst.position", Position::kVecout)}},
      {dc::kDtype,
       "bfloat16 on training",
       {On(Product::kAtlasTraining), Set("dtype", DType::kBfloat16)}},
      {dc::kMixed,
       "int8 to int16",
       {Set("src.dtype", DType::kInt8), Set("dst.dtype", DType::kInt16)}},
      {dc::kDstAlign, "dst.at 1 further", {Plus("dst.at", 1)}},
      {dc::kSrcAlign, "src.at 1 further", {Plus("src.at", 1)}},
      {dc::kBlockCount, "-1", {Set("blockCount", -1)}},
      {dc::kBlockCount, "0 in edition 2024", {In2024(), Set("blockCount", 0)}},
      {dc::kBlockCount, "4096", {Set("blockCount", 4096)}},
      {dc::kBlockLen, "-1", {Set("blockLen", -1)}},
      {dc::kBlockLen, "0 in edition 2024", {In2024(), Set("blockLen", 0)}},
      {dc::kBlockLen, "65536", {Set("blockLen", 65536)}},
      {dc::kGap, "srcGap -1", {Set("srcGap", -1)}},
      {dc::kGap, "dstGap 65536", {Set("dstGap", 65536)}},
      {dc::kCount, "-1", {Set("count", -1)}},
      {dc::kCount, "2^32", {Set("count", std::int64_t{1} << 32)}},
      {dc::kBounds, "dst window short", {Plus("dst.bytes", -1)}},
      {dc::kBounds, "src window short", {Plus("src.bytes", -1)}},
      {dc::kBounds, "src past its memory", {Plus("src.bytes", 4096)}},
      {dc::kOverlap, "dst one DataBlock behind src", {[](Case& c) {
         S(c).src.position = Position::kVecin;
         S(c).dst.position = Position::kVeccalc;
         if (S(c).form == DataCopy::kParams) S(c).params = {1, 4, 0, 0};
         if (!Place(c)) return false;
         S(c).dst.at = S(c).src.at - isa::kDataBlockBytes;
         return S(c).src.bytes > isa::kDataBlockBytes;
       }}},
      {dc::kBarrier, "the same copy just before", {[](Case& c) {
         Prepend(c, c.program.back());
         return true;
       }}},
  };
}

}  // namespace

Kit MakeKit() {
  return {.op = DataCopy::kOp,
          .bounds = dc::kBounds,
          .bases = Bases(),
          .field_rules = {{"dst.at", dc::kDstAlign}, {"src.at", dc::kSrcAlign}},
          .breakers = Breakers()};
}

std::vector<EveryBase> EveryBases() {
  struct Route {
    Position src;
    Position dst;
    Product product = Product::kAtlasA2;
  };
  using P = Position;
  constexpr Product kAicore = Product::kAtlasInferenceAicore;
  static constexpr Route kRoutes[] = {{P::kGm, P::kVecin},
                                      {P::kGm, P::kA1},
                                      {P::kGm, P::kB1},
                                      {P::kGm, P::kC1},
                                      {P::kVecin, P::kVeccalc},
                                      {P::kVeccalc, P::kVecout},
                                      {P::kVecin, P::kVecout},
                                      {P::kVecin, P::kTscm},
                                      {P::kVeccalc, P::kTscm},
                                      {P::kVecout, P::kTscm},
                                      {P::kA1, P::kC2pipe2gm},
                                      {P::kB1, P::kC2pipe2gm},
                                      {P::kC1, P::kC2pipe2gm},
                                      {P::kC1, P::kC2},
                                      {P::kVecout, P::kGm},
                                      {P::kA1, P::kGm},
                                      {P::kB1, P::kGm},
                                      {P::kCo2, P::kGm, kAicore},
                                      {P::kVecin, P::kA1, kAicore},
                                      {P::kVecin, P::kB1, kAicore},
                                      {P::kVeccalc, P::kA1, kAicore},
                                      {P::kVeccalc, P::kB1, kAicore},
                                      {P::kVecout, P::kA1, kAicore},
                                      {P::kVecout, P::kB1, kAicore}};
  std::vector<EveryBase> bases;
  for (const Route& route : kRoutes) {
    for (DType dtype : kEveryDType) {
      for (bool params : {true, false}) {
        bases.push_back(
            {{fmt::format("{}, {} to {}, {}", isa::Name(dtype),
                          isa::Name(route.src), isa::Name(route.dst),
                          params ? "blocks" : "count"),
              MakeCase({.product = route.product,
                        .dtype = dtype,
                        .src = route.src,
                        .dst = route.dst,
                        .params = params,
                        .count = 72})},
             dtype == DType::kInt8 || dtype == DType::kHalf ||
                 dtype == DType::kFloat || dtype == DType::kUint64});
      }
    }
  }
  bases.push_back(
      {{"half to float, C1 to C2, blocks", MakeWidening({2, 1, 1, 2})}, true});
  return bases;
}

}  // namespace lanediff::make::sweep::data_copy
