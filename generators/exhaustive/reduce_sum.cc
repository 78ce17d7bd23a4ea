#include "generators/reduce_sum.h"

#include "generators/exhaustive/parameter_space.h"

namespace lanediff::make::exhaust {
namespace {

template <class Call>
using D = Draft<Call>;
using isa::DType;
using isa::Product;

constexpr std::int64_t kUbBytes = 1024;

template <ReduceSum Call>
Axis<Call> DstFromSrc() {
  return Numbers<Call>(
      "dst.at-src.at", {-4, -2, -1, 0, 2, 4, 30, 32, 34, 62, 64, 96, 256, 258},
      [](D<Call>& d, std::int64_t v) { d.call.dst.at = d.call.src.at + v; });
}

template <ReduceSum Call>
Axis<Call> Repeats(std::vector<std::int64_t> repeats) {
  return Numbers<Call>(
      ReduceSumWords<Call>::kRepeat, std::move(repeats),
      [](D<Call>& d, std::int64_t v) { RepeatOf(d.call) = v; });
}

template <ReduceSum Call>
Grid<Call> Elements() {
  Grid<Call> grid{
      ReduceSumWords<Call>::kLanes,
      {Products<Call>(
           {Product::kAtlasTraining, Product::kAtlasA2, Product::kAtlasA3}),
       Member("dtype", &Call::dtype,
              {DType::kHalf, DType::kFloat, DType::kInt16}),
       Repeats<Call>({-1, 0, 1, 2, 3, 256}),
       Numbers<Call>(ReduceSumWords<Call>::kLanes,
                     {0, 1, 2, 17, 64, 65, 128, 129},
                     [](D<Call>& d, std::int64_t v) { LanesOf(d.call) = v; })}};
  auto& axes = grid.axes;
  if constexpr (!kHasMaskWords<Call>) {
    axes.push_back(Member("dstBlkStride", &Call::dst_blk_stride,
                          {0, std::int64_t{1} << 31}));
  }
  axes.push_back(Member("srcBlkStride", &Call::src_blk_stride, {-1, 0, 1, 2}));
  axes.push_back(
      Member("dstRepStride", &Call::dst_rep_stride, {-1, 0, 1, 2, 16, 65536}));
  axes.push_back(
      Member("srcRepStride", &Call::src_rep_stride, {-1, 0, 1, 2, 65536}));
  axes.push_back(Member("src.bytes", &Call::src, &isa::Operand::bytes,
                        {kUbBytes - 64, 256}));
  axes.push_back(DstFromSrc<Call>());
  return grid;
}

/// Repeats, strides and places that go with any mask.
template <ReduceSum Call>
void AddPlaces(Grid<Call>& grid) {
  auto& axes = grid.axes;
  axes.push_back(Repeats<Call>({0, 1, 2, 3}));
  axes.push_back(Member("srcBlkStride", &Call::src_blk_stride, {0, 1, 2}));
  axes.push_back(Member("dstRepStride", &Call::dst_rep_stride, {0, 1, 2, 16}));
  axes.push_back(Member("srcRepStride", &Call::src_rep_stride, {0, 1, 2}));
  axes.push_back(Member("src.at", &Call::src, &isa::Operand::at, {64, 72}));
  axes.push_back(DstFromSrc<Call>());
}

template <ReduceSum Call>
Grid<Call> Register() {
  Grid<Call> grid{"mask register",
                  {Member("dtype", &Call::dtype, {DType::kHalf, DType::kFloat}),
                   Registers<Call>({{"none", {0, 0}},
                                    {"lane-3", {0, 8}},
                                    {"lane-127", {std::uint64_t{1} << 63, 0}},
                                    {"every-third", kEveryThird},
                                    {"all", kAllLanes}}),
                   Numbers<Call>(ReduceSumWords<Call>::kLanes, {0, 1},
                                 [](D<Call>& d, std::int64_t v) {
                                   LanesOf(d.call) = v;
                                   d.call.is_set_mask = false;
                                 })}};
  AddPlaces(grid);
  return grid;
}

template <ReduceSum Call>
Grid<Call> Bitwise() {
  Grid<Call> grid{
      "bitwise mask",
      {Member("dtype", &Call::dtype,
              {DType::kHalf, DType::kFloat, DType::kInt64}),
       MaskWords<Call>(Call::kBitwise),
       Named<Call>("isSetMask",
                   std::vector<std::pair<std::string, bool>>{{"true", true},
                                                             {"false", false}},
                   [](D<Call>& d, bool v) { d.call.is_set_mask = v; })}};
  AddPlaces(grid);
  return grid;
}

template <ReduceSum Call>
void Finish(D<Call>& d) {
  d.call.dst.bytes = kUbBytes - d.call.dst.at;
  if (d.call.src.bytes == 0) d.call.src.bytes = kUbBytes - d.call.src.at;
}

template <ReduceSum Call>
std::unique_ptr<Space> Parameters() {
  D<Call> start = OnUb<Call>(kUbBytes);
  start.call.dst.position = isa::Position::kVecout;
  start.call.src = {
      .position = isa::Position::kVecin, .at = 64, .bytes = 0, .dtype = {}};
  std::vector grids = {Elements<Call>(), Register<Call>()};
  if constexpr (kHasMaskWords<Call>) grids.push_back(Bitwise<Call>());
  return std::make_unique<ParameterSpace<Call>>(Call::kSlug, std::move(start),
                                                std::move(grids), Finish<Call>);
}

}  // namespace

std::unique_ptr<Space> ParametersOf(const isa::RepeatReduceSum&) {
  return Parameters<isa::RepeatReduceSum>();
}
std::unique_ptr<Space> ParametersOf(const isa::WholeReduceSum&) {
  return Parameters<isa::WholeReduceSum>();
}

}  // namespace lanediff::make::exhaust
