#include "generators/exhaustive/parameter_space.h"

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
  return {"all",
          {Products<Call>({Product::kAtlasA2, Product::kAtlasA3}),
           Member("dtype", &Call::dtype,
                  {DType::kInt16, DType::kUint16, DType::kHalf, DType::kFloat}),
           Member("repeat_times", &Call::repeat_times, {0, 1, 2, 3, 4096}),
           Member("dst_rep_stride", &Call::dst_rep_stride, {-1, 0, 1, 2, 4096}),
           Member("src_rep_stride", &Call::src_rep_stride, {-1, 0, 1, 2, 4096}),
           Member("src.at", &Call::src, &isa::Operand::at, {kSrc, kSrc + 16}),
           Numbers<Call>("dst.at-src.at", Offsets(), [](D& d, std::int64_t v) {
             d.call.dst.at = d.call.src.at + v;
           })}};
}

void Finish(D& d) {
  d.call.src.bytes = kUbBytes - d.call.src.at;
  d.call.dst.bytes = kUbBytes - d.call.dst.at;
}

}  // namespace

std::unique_ptr<Space> ParametersOf(const isa::VecTrans&) {
  D start = OnUb<Call>(kUbBytes);
  start.call.src.position = isa::Position::kUb;
  start.call.dst.position = isa::Position::kUb;
  return std::make_unique<ParameterSpace<Call>>(Call::kSlug, std::move(start),
                                                std::vector{All()}, Finish);
}

}  // namespace lanediff::make::exhaust
