#include "generators/reduce_sum.h"

#include "generators/exhaustive/parameter_space.h"
#include "generators/exhaustive/parameter_spaces.h"

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
Axis<Call> Types(std::vector<DType> types) {
  return Words<Call>("dtype", std::move(types),
                     [](D<Call>& d, DType v) { d.call.dtype = v; });
}

template <ReduceSum Call>
Axis<Call> Repeats(std::vector<std::int64_t> repeats) {
  return Numbers<Call>(
      ReduceSumWords<Call>::kRepeat, std::move(repeats),
      [](D<Call>& d, std::int64_t v) { RepeatOf(d.call) = v; });
}

/// One of the strides.
template <ReduceSum Call>
Axis<Call> Stride(std::string_view field, std::int64_t Call::* member,
                  std::vector<std::int64_t> strides) {
  return Numbers<Call>(
      field, std::move(strides),
      [member](D<Call>& d, std::int64_t v) { d.call.*member = v; });
}

template <ReduceSum Call>
Grid<Call> Elements() {
  std::vector products = {Product::kAtlasTraining, Product::kAtlasA2,
                          Product::kAtlasA3};
  Grid<Call> grid{
      ReduceSumWords<Call>::kLanes,
      {Words<Call>("product", std::move(products),
                   [](D<Call>& d, Product v) { d.c.product = v; }),
       Types<Call>({DType::kHalf, DType::kFloat, DType::kInt16}),
       Repeats<Call>({-1, 0, 1, 2, 3, 256}),
       Numbers<Call>(ReduceSumWords<Call>::kLanes,
                     {0, 1, 2, 17, 64, 65, 128, 129},
                     [](D<Call>& d, std::int64_t v) { LanesOf(d.call) = v; })}};
  if constexpr (!kHasMaskWords<Call>) {
    grid.axes.push_back(Stride<Call>("dstBlkStride", &Call::dst_blk_stride,
                                     {0, std::int64_t{1} << 31}));
  }
  grid.axes.push_back(
      Stride<Call>("srcBlkStride", &Call::src_blk_stride, {-1, 0, 1, 2}));
  grid.axes.push_back(Stride<Call>("dstRepStride", &Call::dst_rep_stride,
                                   {-1, 0, 1, 2, 16, 65536}));
  grid.axes.push_back(Stride<Call>("srcRepStride", &Call::src_rep_stride,
                                   {-1, 0, 1, 2, 65536}));
  grid.axes.push_back(
      Numbers<Call>("src.bytes", {kUbBytes - 64, 256},
                    [](D<Call>& d, std::int64_t v) { d.call.src.bytes = v; }));
  grid.axes.push_back(DstFromSrc<Call>());
  return grid;
}

/// Repeats, strides and places that go with any mask.
template <ReduceSum Call>
void AddPlaces(Grid<Call>& grid) {
  grid.axes.push_back(Repeats<Call>({0, 1, 2, 3}));
  grid.axes.push_back(
      Stride<Call>("srcBlkStride", &Call::src_blk_stride, {0, 1, 2}));
  grid.axes.push_back(
      Stride<Call>("dstRepStride", &Call::dst_rep_stride, {0, 1, 2, 16}));
  grid.axes.push_back(
      Stride<Call>("srcRepStride", &Call::src_rep_stride, {0, 1, 2}));
  grid.axes.push_back(
      Numbers<Call>("src.at", {64, 72},
                    [](D<Call>& d, std::int64_t v) { d.call.src.at = v; }));
  grid.axes.push_back(DstFromSrc<Call>());
}

constexpr std::uint64_t kAll = ~std::uint64_t{0};

template <ReduceSum Call>
Grid<Call> Register() {
  using Mask = isa::SetVectorMask;
  Grid<Call> grid{
      "mask register",
      {Types<Call>({DType::kHalf, DType::kFloat}),
       Named<Call>(
           "register",
           std::vector<std::pair<std::string, Mask>>{
               {"none", {0, 0}},
               {"lane-3", {0, 8}},
               {"lane-127", {std::uint64_t{1} << 63, 0}},
               {"every-third", {0x9249249249249249, 0x9249249249249249}},
               {"all", {kAll, kAll}}},
           [](D<Call>& d, const Mask& v) { d.before = {v}; }),
       Numbers<Call>(ReduceSumWords<Call>::kLanes, {0, 1},
                     [](D<Call>& d, std::int64_t v) {
                       LanesOf(d.call) = v;
                       d.call.is_set_mask = false;
                     })}};
  AddPlaces(grid);
  return grid;
}

template <ReduceSum Call>
Grid<Call> MaskWords() {
  using Mask = std::array<std::uint64_t, 2>;
  Grid<Call> grid{
      "bitwise mask",
      {Types<Call>({DType::kHalf, DType::kFloat, DType::kInt64}),
       Named<Call>("mask",
                   std::vector<std::pair<std::string, Mask>>{
                       {"none", {0, 0}},
                       {"lane-3", {8, 0}},
                       {"lanes-0-and-64", {1, 1}},
                       {"lane-127", {0, std::uint64_t{1} << 63}},
                       {"first-64", {kAll, 0}},
                       {"all", {kAll, kAll}}},
                   [](D<Call>& d, const Mask& v) {
                     d.call.form = Call::kBitwise;
                     d.call.mask_words = v;
                   }),
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
  D<Call> start;
  start.c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      PatternImage(kUbBytes);
  start.call.dst.position = isa::Position::kVecout;
  start.call.src = {
      .position = isa::Position::kVecin, .at = 64, .bytes = 0, .dtype = {}};
  std::vector grids = {Elements<Call>(), Register<Call>()};
  if constexpr (kHasMaskWords<Call>) grids.push_back(MaskWords<Call>());
  return std::make_unique<ParameterSpace<Call>>(
      fmt::format("params-{}", Call::kSlug), std::move(start), std::move(grids),
      Finish<Call>);
}

}  // namespace

template <>
std::unique_ptr<Space> ParametersOf<isa::RepeatReduceSum>() {
  return Parameters<isa::RepeatReduceSum>();
}
template <>
std::unique_ptr<Space> ParametersOf<isa::WholeReduceSum>() {
  return Parameters<isa::WholeReduceSum>();
}

}  // namespace lanediff::make::exhaust
