#include "generators/exhaustive/parameter_space.h"

namespace lanediff::make::exhaust {
namespace {

using isa::DType;
using isa::Param;
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

Grid All(const isa::Signature& row) {
  Grid grid{
      "all",
      {Products({Product::kAtlasA2, Product::kAtlasA3}),
       Types({DType::kInt16, DType::kUint16, DType::kHalf, DType::kFloat})}};
  AddIntegers(grid, row,
              {{Param::kRepeatTimes, {0, 1, 2, 3, 4096}},
               {Param::kDstRepStride, {-1, 0, 1, 2, 4096}},
               {Param::kSrc0RepStride, {-1, 0, 1, 2, 4096}}});
  grid.axes.push_back(SrcAt({kSrc, kSrc + 16}));
  grid.axes.push_back(FromSrc(row, 0, Offsets()));
  return grid;
}

void Finish(Draft& d) {
  for (isa::Operand& operand : d.call.used_operands()) {
    operand.bytes = kUbBytes - operand.at;
  }
}

}  // namespace

std::unique_ptr<Space> TransposeParameters(const isa::Signature& row) {
  Draft start = OnUb(row, kUbBytes);
  start.call.dst().position = start.call.src(0).position = isa::Position::kUb;
  return ParameterSpaceOf(std::move(start), {All(row)}, Finish);
}

}  // namespace lanediff::make::exhaust
