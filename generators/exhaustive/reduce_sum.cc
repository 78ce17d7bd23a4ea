#include <utility>
#include <vector>

#include "generators/exhaustive/parameter_space.h"

namespace lanediff::make::exhaust {
namespace {

using isa::Call;
using D = Draft<Call>;
using isa::DType;
using isa::Param;
using isa::Product;

constexpr std::int64_t kUbBytes = 1024;

Axis<Call> DstFromSrc() {
  return Numbers<Call>(
      "dst.at-src.at", {-4, -2, -1, 0, 2, 4, 30, 32, 34, 62, 64, 96, 256, 258},
      [](D& d, std::int64_t v) { d.call.dst().at = d.call.src(0).at + v; });
}

Grid<Call> Elements(const isa::Signature& row) {
  Grid<Call> grid{isa::NameOf(row, Param::kMask),
                  {Products<Call>({Product::kAtlasTraining, Product::kAtlasA2,
                                   Product::kAtlasA3}),
                   Member("dtype", &Call::dtype,
                          {DType::kHalf, DType::kFloat, DType::kInt16})}};
  AddIntegers(grid, row,
              {{Param::kRepeatTimes, {-1, 0, 1, 2, 3, 256}},
               {Param::kMask, {0, 1, 2, 17, 64, 65, 128, 129}},
               {Param::kDstBlkStride, {0, std::int64_t{1} << 31}},
               {Param::kSrc0BlkStride, {-1, 0, 1, 2}},
               {Param::kDstRepStride, {-1, 0, 1, 2, 16, 65536}},
               {Param::kSrc0RepStride, {-1, 0, 1, 2, 65536}}});
  grid.axes.push_back(
      Numbers<Call>("src.bytes", {kUbBytes - 64, 256},
                    [](D& d, std::int64_t v) { d.call.src(0).bytes = v; }));
  grid.axes.push_back(DstFromSrc());
  return grid;
}

/// Repeats, strides and places that go with any mask.
void AddPlaces(Grid<Call>& grid, const isa::Signature& row) {
  AddIntegers(grid, row,
              {{Param::kRepeatTimes, {0, 1, 2, 3}},
               {Param::kSrc0BlkStride, {0, 1, 2}},
               {Param::kDstRepStride, {0, 1, 2, 16}},
               {Param::kSrc0RepStride, {0, 1, 2}}});
  grid.axes.push_back(Numbers<Call>(
      "src.at", {64, 72}, [](D& d, std::int64_t v) { d.call.src(0).at = v; }));
  grid.axes.push_back(DstFromSrc());
}

Grid<Call> Register(const isa::Signature& row) {
  Grid<Call> grid{"mask register",
                  {Member("dtype", &Call::dtype, {DType::kHalf, DType::kFloat}),
                   Registers<Call>({{"none", {0, 0}},
                                    {"lane-3", {0, 8}},
                                    {"lane-127", {std::uint64_t{1} << 63, 0}},
                                    {"every-third", kEveryThird},
                                    {"all", kAllLanes}}),
                   Numbers<Call>(isa::NameOf(row, Param::kMask), {0, 1},
                                 [](D& d, std::int64_t v) {
                                   d.call[Param::kMask] = v;
                                   d.call.is_set_mask = false;
                                 })}};
  AddPlaces(grid, row);
  return grid;
}

Grid<Call> Bitwise(const isa::Signature& row) {
  Grid<Call> grid{"bitwise mask",
                  {Member("dtype", &Call::dtype,
                          {DType::kHalf, DType::kFloat, DType::kInt64}),
                   MaskWords<Call>(row.FormWith(Param::kMaskWords)),
                   Named<Call>("isSetMask",
                               std::vector<std::pair<std::string, bool>>{
                                   {"true", true}, {"false", false}},
                               [](D& d, bool v) { d.call.is_set_mask = v; })}};
  AddPlaces(grid, row);
  return grid;
}

void Finish(D& d) {
  isa::Operand& src = d.call.src(0);
  d.call.dst().bytes = kUbBytes - d.call.dst().at;
  if (src.bytes == 0) src.bytes = kUbBytes - src.at;
}

}  // namespace

std::unique_ptr<Space> ReductionParameters(const isa::Signature& row) {
  D start = OnUb<Call>(kUbBytes);
  start.call.signature = &row;
  start.call.dst().position = isa::Position::kVecout;
  start.call.src(0) = {
      .position = isa::Position::kVecin, .at = 64, .bytes = 0, .dtype = {}};
  std::vector grids = {Elements(row), Register(row)};
  if (row.Has(Param::kMaskWords)) grids.push_back(Bitwise(row));
  return std::make_unique<ParameterSpace<Call>>(row.slug, std::move(start),
                                                std::move(grids), Finish);
}

}  // namespace lanediff::make::exhaust
