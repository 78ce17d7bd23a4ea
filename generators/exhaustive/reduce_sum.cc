#include <utility>
#include <vector>

#include "generators/exhaustive/parameter_space.h"
#include "isa/fields.h"

namespace lanediff::make::exhaust {
namespace {

using isa::DType;
using isa::Param;
using isa::Product;

constexpr std::int64_t kUbBytes = 1024;

Axis DstFromSrc(const isa::Signature& row) {
  return FromSrc(row, 0,
                 {-4, -2, -1, 0, 2, 4, 30, 32, 34, 62, 64, 96, 256, 258});
}

Grid Elements(const isa::Signature& row) {
  Grid grid{isa::NameOf(row, Param::kMask),
            {Products({Product::kAtlasTraining, Product::kAtlasA2,
                       Product::kAtlasA3}),
             Types({DType::kHalf, DType::kFloat, DType::kInt16})}};
  AddIntegers(grid, row,
              {{Param::kRepeatTimes, {-1, 0, 1, 2, 3, 256}},
               {Param::kMask, {0, 1, 2, 17, 64, 65, 128, 129}},
               {Param::kDstBlkStride, {0, std::int64_t{1} << 31}},
               {Param::kSrc0BlkStride, {-1, 0, 1, 2}},
               {Param::kDstRepStride, {-1, 0, 1, 2, 16, 65536}},
               {Param::kSrc0RepStride, {-1, 0, 1, 2, 65536}}});
  grid.axes.push_back(
      Numbers("src.bytes", {kUbBytes - 64, 256},
              [](Draft& d, std::int64_t v) { d.call.src(0).bytes = v; }));
  grid.axes.push_back(DstFromSrc(row));
  return grid;
}

/// Repeats, strides and places that go with any mask.
void AddPlaces(Grid& grid, const isa::Signature& row) {
  AddIntegers(grid, row,
              {{Param::kRepeatTimes, {0, 1, 2, 3}},
               {Param::kSrc0BlkStride, {0, 1, 2}},
               {Param::kDstRepStride, {0, 1, 2, 16}},
               {Param::kSrc0RepStride, {0, 1, 2}}});
  grid.axes.push_back(SrcAt({64, 72}));
  grid.axes.push_back(DstFromSrc(row));
}

Grid Register(const isa::Signature& row) {
  Grid grid{"mask register",
            {Types({DType::kHalf, DType::kFloat}),
             Registers({{"none", {0, 0}},
                        {"lane-3", {0, 8}},
                        {"lane-127", {std::uint64_t{1} << 63, 0}},
                        {"every-third", kEveryThird},
                        {"all", kAllLanes}}),
             Numbers(isa::NameOf(row, Param::kMask), {0, 1},
                     [](Draft& d, std::int64_t v) {
                       d.call[Param::kMask] = v;
                       d.call.is_set_mask = false;
                     })}};
  AddPlaces(grid, row);
  return grid;
}

Grid Bitwise(const isa::Signature& row) {
  Grid grid{"bitwise mask",
            {Types({DType::kHalf, DType::kFloat, DType::kInt64}),
             MaskWords(row.FormWith(Param::kMaskWords)),
             Named("isSetMask",
                   std::vector<std::pair<std::string, bool>>{{"true", true},
                                                             {"false", false}},
                   [](Draft& d, bool v) { d.call.is_set_mask = v; })}};
  AddPlaces(grid, row);
  return grid;
}

void Finish(Draft& d) {
  isa::Operand& src = d.call.src(0);
  d.call.dst().bytes = kUbBytes - d.call.dst().at;
  if (src.bytes == 0) src.bytes = kUbBytes - src.at;
}

}  // namespace

std::unique_ptr<Space> ReductionParameters(const isa::Signature& row) {
  Draft start = OnUb(row, kUbBytes);
  start.call.dst().position = isa::Position::kVecout;
  start.call.src(0) = {
      .position = isa::Position::kVecin, .at = 64, .bytes = 0, .dtype = {}};
  std::vector grids = {Elements(row), Register(row)};
  if (row.Has(Param::kMaskWords)) grids.push_back(Bitwise(row));
  return ParameterSpaceOf(std::move(start), std::move(grids), Finish);
}

}  // namespace lanediff::make::exhaust
