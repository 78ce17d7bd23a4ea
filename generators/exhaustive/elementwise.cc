#include "generators/elementwise.h"

#include "generators/exhaustive/parameter_space.h"

namespace lanediff::make::exhaust {
namespace {

using Call = AnyElementwise;
using D = Draft<Call>;
using isa::DType;
using isa::Product;

constexpr std::int64_t kUbBytes = 3072;
constexpr std::int64_t kSrc0 = 512;

Axis<Call> Types(std::vector<DType> types) {
  return Member("dtype", &Call::dtype, std::move(types));
}

Axis<Call> DstFromSrc0(std::vector<std::int64_t> offsets) {
  return Numbers<Call>(
      "dst.at-src0.at", std::move(offsets),
      [](D& d, std::int64_t v) { d.call.dst.at = d.call.src0.at + v; });
}

Axis<Call> Src1FromSrc0() {
  return Numbers<Call>(
      "src1.at-src0.at", {0, 32, 1024},
      [](D& d, std::int64_t v) { d.call.src1.at = d.call.src0.at + v; });
}

Axis<Call> Repeats(std::vector<std::int64_t> repeats) {
  return Member("repeatTimes", &Call::repeat_times, std::move(repeats));
}

using Params = isa::BinaryRepeatParams;

Axis<Call> Stride(std::string_view field, std::int64_t Params::* member,
                  std::vector<std::int64_t> strides) {
  return Member(field, &Call::repeat_params, member, std::move(strides));
}

void AddRepeatStrides(Grid<Call>& grid) {
  grid.axes.push_back(
      Stride("dstRepStride", &Params::dst_rep_stride, {0, 1, 8}));
  grid.axes.push_back(
      Stride("src0RepStride", &Params::src0_rep_stride, {0, 1, 8}));
  grid.axes.push_back(
      Stride("src1RepStride", &Params::src1_rep_stride, {0, 1, 8}));
  grid.axes.push_back(Src1FromSrc0());
  grid.axes.push_back(DstFromSrc0({0, 32, 64, 256, 1024, 1056}));
}

void AddBlockStrides(Grid<Call>& grid) {
  grid.axes.push_back(Stride("dstBlkStride", &Params::dst_blk_stride, {1, 2}));
  grid.axes.push_back(
      Stride("src0BlkStride", &Params::src0_blk_stride, {0, 1}));
  grid.axes.push_back(
      Stride("src1BlkStride", &Params::src1_blk_stride, {0, 1}));
}

Grid<Call> Counts() {
  return {"count",
          {Products<Call>(
               {Product::kAtlasTraining, Product::kAtlasA2, Product::kAtlasA3}),
           Types({DType::kHalf, DType::kInt16, DType::kFloat, DType::kInt32,
                  DType::kInt8}),
           Member("count", &Call::count,
                  {-1, 0, 1, 15, 16, 17, 64, 65, 128, 129, 255, 256,
                   std::int64_t{1} << 31}),
           Src1FromSrc0(),
           DstFromSrc0({-512, -256, -128, -96, -64, -32, -2, 0, 16, 32, 64, 96,
                        128, 256, 512, 992, 1024, 1056})}};
}

Grid<Call> Contiguous() {
  Grid<Call> grid{
      "contiguous mask",
      {Types({DType::kHalf, DType::kInt16, DType::kFloat}),
       Numbers<Call>("mask", {0, 1, 17, 64, 65, 128, 129},
                     [](D& d, std::int64_t v) {
                       d.call.form = Call::kContiguous;
                       d.call.mask = v;
                     }),
       Repeats({-1, 0, 1, 2, 3, 256}),
       Stride("dstBlkStride", &Params::dst_blk_stride, {0, 1, 2}),
       Stride("src0BlkStride", &Params::src0_blk_stride, {0, 1, 256}),
       Stride("src1BlkStride", &Params::src1_blk_stride, {-1, 0, 1})}};
  AddRepeatStrides(grid);
  return grid;
}

Grid<Call> Bitwise() {
  Grid<Call> grid{"bitwise mask",
                  {Types({DType::kHalf, DType::kFloat}), MaskWords<Call>(),
                   Repeats({1, 2, 3})}};
  AddBlockStrides(grid);
  AddRepeatStrides(grid);
  return grid;
}

Grid<Call> Register() {
  Grid<Call> grid{"mask register",
                  {Types({DType::kHalf, DType::kInt32}),
                   Registers<Call>({{"none", {0, 0}},
                                    {"lane-127", {std::uint64_t{1} << 63, 0}},
                                    {"every-third", kEveryThird},
                                    {"all", kAllLanes}}),
                   Numbers<Call>("mask", {0, 1},
                                 [](D& d, std::int64_t v) {
                                   d.call.form = Call::kContiguous;
                                   d.call.is_set_mask = false;
                                   d.call.mask = v;
                                 }),
                   Repeats({0, 1, 2, 3})}};
  AddBlockStrides(grid);
  AddRepeatStrides(grid);
  return grid;
}

void Finish(D& d) {
  for (isa::Operand* operand : {&d.call.dst, &d.call.src0, &d.call.src1}) {
    operand->bytes = kUbBytes - operand->at;
  }
}

}  // namespace

std::unique_ptr<Space> ElementwiseParameters(
    std::string_view slug, isa::Step (*step)(const AnyElementwise&)) {
  D start = OnUb<Call>(kUbBytes);
  start.call.dst.position = isa::Position::kVecout;
  start.call.src0.position = isa::Position::kVecin;
  start.call.src0.at = kSrc0;
  start.call.src1.position = isa::Position::kVeccalc;
  return std::make_unique<ParameterSpace<Call>>(
      slug, std::move(start),
      std::vector{Counts(), Contiguous(), Bitwise(), Register()}, Finish, step);
}

}  // namespace lanediff::make::exhaust
