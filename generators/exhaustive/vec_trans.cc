#include "generators/exhaustive/parameter_space.h"
#include "generators/exhaustive/parameter_spaces.h"

namespace lanediff::make::exhaust {
namespace {

using Call = isa::VecTrans;
using D = Draft<Call>;
using isa::DType;
using isa::Product;

constexpr std::int64_t kUbBytes = 4096;
constexpr std::int64_t kSrc = 1536;
constexpr std::int64_t kReach = 1568;  // three blocks and a DataBlock

/// Every multiple of 32 within `kReach`, and one that is none.
std::vector<std::int64_t> Offsets() {
  std::vector<std::int64_t> offsets;
  for (std::int64_t offset = -kReach; offset <= kReach; offset += 32) {
    offsets.push_back(offset);
  }
  offsets.push_back(2);
  return offsets;
}

Grid<Call> All() {
  return {
      "all",
      {Words<Call>("product", std::vector{Product::kAtlasA2, Product::kAtlasA3},
                   [](D& d, Product v) { d.c.product = v; }),
       Words<Call>("dtype",
                   std::vector{DType::kInt16, DType::kUint16, DType::kHalf,
                               DType::kFloat},
                   [](D& d, DType v) { d.call.dtype = v; }),
       Numbers<Call>("repeat_times", {0, 1, 2, 3, 4096},
                     [](D& d, std::int64_t v) { d.call.repeat_times = v; }),
       Numbers<Call>("dst_rep_stride", {-1, 0, 1, 2, 4096},
                     [](D& d, std::int64_t v) { d.call.dst_rep_stride = v; }),
       Numbers<Call>("src_rep_stride", {-1, 0, 1, 2, 4096},
                     [](D& d, std::int64_t v) { d.call.src_rep_stride = v; }),
       Numbers<Call>("src.at", {kSrc, kSrc + 16},
                     [](D& d, std::int64_t v) { d.call.src.at = v; }),
       Numbers<Call>("dst.at-src.at", Offsets(), [](D& d, std::int64_t v) {
         d.call.dst.at = d.call.src.at + v;
       })}};
}

void Finish(D& d) {
  d.call.src.bytes = kUbBytes - d.call.src.at;
  d.call.dst.bytes = kUbBytes - d.call.dst.at;
}

}  // namespace

template <>
std::unique_ptr<Space> ParametersOf<isa::VecTrans>() {
  D start;
  start.c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      PatternImage(kUbBytes);
  start.call.src.position = isa::Position::kUb;
  start.call.dst.position = isa::Position::kUb;
  return std::make_unique<ParameterSpace<Call>>(
      "params-vec_trans", std::move(start), std::vector{All()}, Finish);
}

}  // namespace lanediff::make::exhaust
