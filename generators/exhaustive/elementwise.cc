#include "generators/exhaustive/parameter_space.h"
#include "generators/exhaustive/parameter_spaces.h"

namespace lanediff::make::exhaust {
namespace {

template <class Call>
using D = Draft<Call>;
using isa::DType;
using isa::Product;

constexpr std::int64_t kUbBytes = 3072;
constexpr std::int64_t kSrc0 = 512;

template <class Call>
Axis<Call> Types(std::vector<DType> types) {
  return Words<Call>("dtype", std::move(types),
                     [](D<Call>& d, DType v) { d.call.dtype = v; });
}

template <class Call>
Axis<Call> DstFromSrc0(std::vector<std::int64_t> offsets) {
  return Numbers<Call>(
      "dst.at-src0.at", std::move(offsets),
      [](D<Call>& d, std::int64_t v) { d.call.dst.at = d.call.src0.at + v; });
}

template <class Call>
Axis<Call> Src1FromSrc0() {
  return Numbers<Call>(
      "src1.at-src0.at", {0, 32, 1024},
      [](D<Call>& d, std::int64_t v) { d.call.src1.at = d.call.src0.at + v; });
}

template <class Call>
Axis<Call> Repeats(std::vector<std::int64_t> repeats) {
  return Numbers<Call>(
      "repeatTimes", std::move(repeats),
      [](D<Call>& d, std::int64_t v) { d.call.repeat_times = v; });
}

/// One of the six strides.
template <class Call>
Axis<Call> Stride(std::string_view field,
                  std::int64_t isa::BinaryRepeatParams::* member,
                  std::vector<std::int64_t> strides) {
  return Numbers<Call>(field, std::move(strides),
                       [member](D<Call>& d, std::int64_t v) {
                         d.call.repeat_params.*member = v;
                       });
}

using Params = isa::BinaryRepeatParams;

template <class Call>
void AddRepeatStrides(Grid<Call>& grid) {
  grid.axes.push_back(
      Stride<Call>("dstRepStride", &Params::dst_rep_stride, {0, 1, 8}));
  grid.axes.push_back(
      Stride<Call>("src0RepStride", &Params::src0_rep_stride, {0, 1, 8}));
  grid.axes.push_back(
      Stride<Call>("src1RepStride", &Params::src1_rep_stride, {0, 1, 8}));
  grid.axes.push_back(Src1FromSrc0<Call>());
  grid.axes.push_back(DstFromSrc0<Call>({0, 32, 64, 256, 1024, 1056}));
}

template <class Call>
void AddBlockStrides(Grid<Call>& grid) {
  grid.axes.push_back(
      Stride<Call>("dstBlkStride", &Params::dst_blk_stride, {1, 2}));
  grid.axes.push_back(
      Stride<Call>("src0BlkStride", &Params::src0_blk_stride, {0, 1}));
  grid.axes.push_back(
      Stride<Call>("src1BlkStride", &Params::src1_blk_stride, {0, 1}));
}

template <class Call>
Grid<Call> Counts() {
  return {"count",
          {Words<Call>("product",
                       std::vector{Product::kAtlasTraining, Product::kAtlasA2,
                                   Product::kAtlasA3},
                       [](D<Call>& d, Product v) { d.c.product = v; }),
           Types<Call>({DType::kHalf, DType::kInt16, DType::kFloat,
                        DType::kInt32, DType::kInt8}),
           Numbers<Call>("count",
                         {-1, 0, 1, 15, 16, 17, 64, 65, 128, 129, 255, 256,
                          std::int64_t{1} << 31},
                         [](D<Call>& d, std::int64_t v) { d.call.count = v; }),
           Src1FromSrc0<Call>(),
           DstFromSrc0<Call>({-512, -256, -128, -96, -64, -32, -2, 0, 16, 32,
                              64, 96, 128, 256, 512, 992, 1024, 1056})}};
}

template <class Call>
Grid<Call> Contiguous() {
  Grid<Call> grid{
      "contiguous mask",
      {Types<Call>({DType::kHalf, DType::kInt16, DType::kFloat}),
       Numbers<Call>("mask", {0, 1, 17, 64, 65, 128, 129},
                     [](D<Call>& d, std::int64_t v) {
                       d.call.form = Call::kContiguous;
                       d.call.mask = v;
                     }),
       Repeats<Call>({-1, 0, 1, 2, 3, 256}),
       Stride<Call>("dstBlkStride", &Params::dst_blk_stride, {0, 1, 2}),
       Stride<Call>("src0BlkStride", &Params::src0_blk_stride, {0, 1, 256}),
       Stride<Call>("src1BlkStride", &Params::src1_blk_stride, {-1, 0, 1})}};
  AddRepeatStrides<Call>(grid);
  return grid;
}

constexpr std::uint64_t kAll = ~std::uint64_t{0};

template <class Call>
Grid<Call> Bitwise() {
  using Mask = std::array<std::uint64_t, 2>;
  Grid<Call> grid{"bitwise mask",
                  {Types<Call>({DType::kHalf, DType::kFloat}),
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
                   Repeats<Call>({1, 2, 3})}};
  AddBlockStrides<Call>(grid);
  AddRepeatStrides<Call>(grid);
  return grid;
}

template <class Call>
Grid<Call> Register() {
  using Mask = isa::SetVectorMask;
  Grid<Call> grid{
      "mask register",
      {Types<Call>({DType::kHalf, DType::kInt32}),
       Named<Call>(
           "register",
           std::vector<std::pair<std::string, Mask>>{
               {"none", {0, 0}},
               {"lane-127", {std::uint64_t{1} << 63, 0}},
               {"every-third", {0x9249249249249249, 0x9249249249249249}},
               {"all", {kAll, kAll}}},
           [](D<Call>& d, const Mask& v) { d.before = {v}; }),
       Numbers<Call>("mask", {0, 1},
                     [](D<Call>& d, std::int64_t v) {
                       d.call.form = Call::kContiguous;
                       d.call.is_set_mask = false;
                       d.call.mask = v;
                     }),
       Repeats<Call>({0, 1, 2, 3})}};
  AddBlockStrides<Call>(grid);
  AddRepeatStrides<Call>(grid);
  return grid;
}

template <class Call>
void Finish(D<Call>& d) {
  for (isa::Operand* operand : {&d.call.dst, &d.call.src0, &d.call.src1}) {
    operand->bytes = kUbBytes - operand->at;
  }
}

template <class Call>
std::unique_ptr<Space> Parameters() {
  D<Call> start;
  start.c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      PatternImage(kUbBytes);
  start.call.dst.position = isa::Position::kVecout;
  start.call.src0.position = isa::Position::kVecin;
  start.call.src0.at = kSrc0;
  start.call.src1.position = isa::Position::kVeccalc;
  return std::make_unique<ParameterSpace<Call>>(
      fmt::format("params-{}", Call::kSlug), std::move(start),
      std::vector{Counts<Call>(), Contiguous<Call>(), Bitwise<Call>(),
                  Register<Call>()},
      Finish<Call>);
}

}  // namespace

std::unique_ptr<Space> ElementwiseParameters(std::string_view op) {
  std::unique_ptr<Space> space;
  isa::ForEachIntrinsic([&]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      if (Call::kOp == op) space = Parameters<Call>();
    }
  });
  return space;
}

}  // namespace lanediff::make::exhaust
