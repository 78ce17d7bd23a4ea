#include "make/exhaust/parameter_space.h"
#include "make/exhaust/parameter_spaces.h"

namespace lanediff::make::exhaust {
namespace {

using Call = isa::RepeatReduceSum;
using D = Draft<Call>;
using isa::DType;
using isa::Product;

constexpr std::int64_t kUbBytes = 1024;

Axis<Call> DstFromSrc() {
  return Numbers<Call>(
      "dst.at-src.at", {-4, -2, -1, 0, 2, 4, 30, 32, 34, 62, 64, 96, 256, 258},
      [](D& d, std::int64_t v) { d.call.dst.at = d.call.src.at + v; });
}

Axis<Call> Types(std::vector<DType> types) {
  return Words<Call>("dtype", std::move(types),
                     [](D& d, DType v) { d.call.dtype = v; });
}

Grid<Call> Elements() {
  return {
      "elemsInOneRepeat",
      {Words<Call>("product",
                   std::vector{Product::kAtlasTraining, Product::kAtlasA2},
                   [](D& d, Product v) { d.c.product = v; }),
       Types({DType::kHalf, DType::kFloat, DType::kInt16}),
       Numbers<Call>("repeat", {-1, 0, 1, 2, 3, 256},
                     [](D& d, std::int64_t v) { d.call.repeat = v; }),
       Numbers<Call>(
           "elemsInOneRepeat", {0, 1, 2, 17, 64, 65, 128, 129},
           [](D& d, std::int64_t v) { d.call.elems_in_one_repeat = v; }),
       Numbers<Call>("dstBlkStride", {0, std::int64_t{1} << 31},
                     [](D& d, std::int64_t v) { d.call.dst_blk_stride = v; }),
       Numbers<Call>("srcBlkStride", {-1, 0, 1, 2},
                     [](D& d, std::int64_t v) { d.call.src_blk_stride = v; }),
       Numbers<Call>("dstRepStride", {-1, 0, 1, 2, 16, 65536},
                     [](D& d, std::int64_t v) { d.call.dst_rep_stride = v; }),
       Numbers<Call>("srcRepStride", {-1, 0, 1, 2, 65536},
                     [](D& d, std::int64_t v) { d.call.src_rep_stride = v; }),
       Numbers<Call>("src.bytes", {kUbBytes - 64, 256},
                     [](D& d, std::int64_t v) { d.call.src.bytes = v; }),
       DstFromSrc()}};
}

Grid<Call> Register() {
  using Mask = isa::SetVectorMask;
  return {
      "mask register",
      {Types({DType::kHalf, DType::kFloat}),
       Named<Call>(
           "register",
           std::vector<std::pair<std::string, Mask>>{
               {"none", {0, 0}},
               {"lane-3", {0, 8}},
               {"lane-127", {std::uint64_t{1} << 63, 0}},
               {"every-third", {0x9249249249249249, 0x9249249249249249}},
               {"all", {~std::uint64_t{0}, ~std::uint64_t{0}}}},
           [](D& d, const Mask& v) { d.before = {v}; }),
       Numbers<Call>("elemsInOneRepeat", {0, 1},
                     [](D& d, std::int64_t v) {
                       d.call.elems_in_one_repeat = v;
                       d.call.is_set_mask = false;
                     }),
       Numbers<Call>("repeat", {0, 1, 2, 3},
                     [](D& d, std::int64_t v) { d.call.repeat = v; }),
       Numbers<Call>("srcBlkStride", {0, 1, 2},
                     [](D& d, std::int64_t v) { d.call.src_blk_stride = v; }),
       Numbers<Call>("dstRepStride", {0, 1, 2, 16},
                     [](D& d, std::int64_t v) { d.call.dst_rep_stride = v; }),
       Numbers<Call>("srcRepStride", {0, 1, 2},
                     [](D& d, std::int64_t v) { d.call.src_rep_stride = v; }),
       Numbers<Call>("src.at", {64, 72},
                     [](D& d, std::int64_t v) { d.call.src.at = v; }),
       DstFromSrc()}};
}

void Finish(D& d) {
  d.call.dst.bytes = kUbBytes - d.call.dst.at;
  if (d.call.src.bytes == 0) d.call.src.bytes = kUbBytes - d.call.src.at;
}

}  // namespace

std::unique_ptr<Space> RepeatReduceSumParameters() {
  D start;
  start.c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      PatternImage(kUbBytes);
  start.call.dst.position = isa::Position::kVecout;
  start.call.src = {
      .position = isa::Position::kVecin, .at = 64, .bytes = 0, .dtype = {}};
  return std::make_unique<ParameterSpace<Call>>(
      "params-repeat_reduce_sum", std::move(start),
      std::vector{Elements(), Register()}, Finish);
}

}  // namespace lanediff::make::exhaust
