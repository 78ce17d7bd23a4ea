#include <algorithm>
#include <utility>
#include <vector>

#include "generators/exhaustive/parameter_space.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::make::exhaust {
namespace {

using isa::Call;
using D = Draft<Call>;
using isa::DType;
using isa::Param;
using isa::Product;

constexpr std::int64_t kUbBytes = 3072;
constexpr std::int64_t kSrc0 = 512;

Axis<Call> Mask(std::vector<std::int64_t> lanes, bool is_set) {
  return Numbers<Call>("mask", std::move(lanes),
                       [is_set](D& d, std::int64_t v) {
                         d.call.form = isa::kMaskForm;
                         d.call.is_set_mask = is_set;
                         d.call[Param::kMask] = v;
                       });
}

/// The grids of one instruction. A third source lies and runs like the second.
class Grids {
 public:
  explicit Grids(const isa::Signature& signature) : signature_(signature) {}

  Grid<Call> Counts() const {
    Grid<Call> grid{"count",
                    {Products<Call>({Product::kAtlasTraining, Product::kAtlasA2,
                                     Product::kAtlasA3}),
                     Types({DType::kHalf, DType::kInt16, DType::kFloat,
                            DType::kInt32, DType::kInt8})}};
    AddIntegers(grid, signature_,
                {{Param::kCount,
                  {-1, 0, 1, 15, 16, 17, 64, 65, 128, 129, 255, 256,
                   std::int64_t{1} << 31}}});
    AddPlaces(grid, {-512, -256, -128, -96, -64, -32, -2, 0, 16, 32, 64, 96,
                     128, 256, 512, 992, 1024, 1056});
    return grid;
  }

  Grid<Call> Contiguous() const {
    Grid<Call> grid{"contiguous mask",
                    {Types({DType::kHalf, DType::kInt16, DType::kFloat}),
                     Mask({0, 1, 17, 64, 65, 128, 129}, true)}};
    AddIntegers(grid, signature_,
                {{Param::kRepeatTimes, {-1, 0, 1, 2, 3, 256}},
                 {Param::kDstBlkStride, {0, 1, 2}},
                 {Param::kSrc0BlkStride, {0, 1, 256}},
                 {Param::kSrc1BlkStride, {-1, 0, 1}}});
    AddRepeatStrides(grid);
    return grid;
  }

  Grid<Call> Bitwise() const {
    Grid<Call> grid{"bitwise mask",
                    {Types({DType::kHalf, DType::kFloat}),
                     MaskWords<Call>(isa::kBitsForm)}};
    AddStrides(grid, {1, 2, 3});
    return grid;
  }

  Grid<Call> Register() const {
    Grid<Call> grid{"mask register",
                    {Types({DType::kHalf, DType::kInt32}),
                     Registers<Call>({{"none", {0, 0}},
                                      {"lane-127", {std::uint64_t{1} << 63, 0}},
                                      {"every-third", kEveryThird},
                                      {"all", kAllLanes}}),
                     Mask({0, 1}, false)}};
    AddStrides(grid, {0, 1, 2, 3});
    return grid;
  }

 private:
  using Integers = std::vector<std::int64_t>;

  /// Those that the instruction has, and int8, which lane-wise calls seldom
  /// have; all that it has where there is none.
  Axis<Call> Types(std::vector<DType> types) const {
    const auto& own = isa::FindInstruction(signature_.op)->dtypes;
    std::erase_if(types, [&](DType type) {
      return type != DType::kInt8 && std::ranges::find(own, type) == own.end();
    });
    return Member("dtype", &Call::dtype, types.empty() ? own : types);
  }

  void AddStrides(Grid<Call>& grid, const Integers& repeats) const {
    AddIntegers(grid, signature_,
                {{Param::kRepeatTimes, repeats},
                 {Param::kDstBlkStride, {1, 2}},
                 {Param::kSrc0BlkStride, {0, 1}},
                 {Param::kSrc1BlkStride, {0, 1}}});
    AddRepeatStrides(grid);
  }
  void AddRepeatStrides(Grid<Call>& grid) const {
    AddIntegers(grid, signature_,
                {{Param::kDstRepStride, {0, 1, 8}},
                 {Param::kSrc0RepStride, {0, 1, 8}},
                 {Param::kSrc1RepStride, {0, 1, 8}}});
    AddPlaces(grid, {0, 32, 64, 256, 1024, 1056});
  }

  /// Where the operands lie from the first source on, or from where that would
  /// be.
  void AddPlaces(Grid<Call>& grid, const Integers& dst) const {
    if (signature_.sources() == 0) {
      Integers places;
      for (std::int64_t offset : dst) places.push_back(kSrc0 + offset);
      grid.axes.push_back(Numbers<Call>(
          fmt::format("{}.at", signature_.operands[0].name), places,
          [](D& d, std::int64_t v) { d.call.dst().at = v; }));
      return;
    }
    const auto add = [&](std::size_t operand, const Integers& offsets) {
      grid.axes.push_back(Numbers<Call>(
          fmt::format("{}.at-{}.at", signature_.operands[operand].name,
                      signature_.operands[1].name),
          offsets, [operand](D& d, std::int64_t v) {
            d.call.operands[operand].at = d.call.src(0).at + v;
          }));
    };
    if (signature_.sources() > 1) add(2, {0, 32, 1024});
    add(0, dst);
  }

  const isa::Signature& signature_;
};

void Finish(D& d) {
  Call& call = d.call;
  if (call.signature->sources() > 2) {
    call.src(2) = call.src(1);
    call[Param::kSrc2BlkStride] = call[Param::kSrc1BlkStride];
    call[Param::kSrc2RepStride] = call[Param::kSrc1RepStride];
  }
  if (call.signature->Has(Param::kScalar) && isa::SizeBytes(call.dtype) > 1) {
    call.scalar = 0x3c00;  // of half: 1
  }
  for (isa::Operand& operand : call.used_operands()) {
    operand.bytes = kUbBytes - operand.at;
  }
}

}  // namespace

std::unique_ptr<Space> LanewiseParameters(const isa::Signature& row) {
  D start = OnUb<Call>(kUbBytes);
  start.call.signature = &row;
  for (isa::Operand& operand : start.call.used_operands()) {
    operand.position = isa::Position::kVeccalc;
  }
  start.call.dst().position = isa::Position::kVecout;
  if (row.sources() > 0) {
    start.call.src(0).position = isa::Position::kVecin;
    start.call.src(0).at = kSrc0;
  }
  const Grids grids(row);
  return std::make_unique<ParameterSpace<Call>>(
      row.slug, std::move(start),
      std::vector{grids.Counts(), grids.Contiguous(), grids.Bitwise(),
                  grids.Register()},
      Finish);
}

}  // namespace lanediff::make::exhaust
