#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "generators/exhaustive/parameter_space.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::make::exhaust {
namespace {

using isa::Call;
using isa::DType;
using isa::Param;
using isa::Product;

constexpr std::int64_t kUbBytes = 3072;
constexpr std::int64_t kSrc0 = 512;

Axis Mask(std::vector<std::int64_t> lanes, bool is_set) {
  return Numbers("mask", std::move(lanes), [is_set](Draft& d, std::int64_t v) {
    d.call.form = isa::kMaskForm;
    d.call.is_set_mask = is_set;
    d.call[Param::kMask] = v;
  });
}

/// The grids of one instruction. A third source lies and runs like the second.
class Grids {
 public:
  explicit Grids(const isa::Signature& signature) : signature_(signature) {}

  Grid Counts() const {
    Grid grid{"count",
              {Products({Product::kAtlasTraining, Product::kAtlasA2,
                         Product::kAtlasA3}),
               OwnTypes({DType::kHalf, DType::kInt16, DType::kFloat,
                         DType::kInt32, DType::kInt8})}};
    AddIntegers(grid, signature_,
                {{Param::kCount,
                  {-1, 0, 1, 15, 16, 17, 64, 65, 128, 129, 255, 256,
                   std::int64_t{1} << 31}}});
    AddPlaces(grid, {-512, -256, -128, -96, -64, -32, -2, 0, 16, 32, 64, 96,
                     128, 256, 512, 992, 1024, 1056});
    return grid;
  }

  Grid Contiguous() const {
    Grid grid{"contiguous mask",
              {OwnTypes({DType::kHalf, DType::kInt16, DType::kFloat}),
               Mask({0, 1, 17, 64, 65, 128, 129}, true)}};
    AddIntegers(grid, signature_,
                {{Param::kRepeatTimes, {-1, 0, 1, 2, 3, 256}},
                 {Param::kDstBlkStride, {0, 1, 2}},
                 {Param::kSrc0BlkStride, {0, 1, 256}},
                 {Param::kSrc1BlkStride, {-1, 0, 1}}});
    AddRepeatStrides(grid);
    return grid;
  }

  Grid Bitwise() const {
    Grid grid{
        "bitwise mask",
        {OwnTypes({DType::kHalf, DType::kFloat}), MaskWords(isa::kBitsForm)}};
    AddStrides(grid, {1, 2, 3});
    return grid;
  }

  Grid Register() const {
    Grid grid{"mask register",
              {OwnTypes({DType::kHalf, DType::kInt32}),
               Registers({{"none", {0, 0}},
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
  Axis OwnTypes(std::vector<DType> types) const {
    const auto& own = isa::FindInstruction(signature_.op)->dtypes;
    std::erase_if(types, [&](DType type) {
      return type != DType::kInt8 && std::ranges::find(own, type) == own.end();
    });
    return Types(types.empty() ? own : types);
  }

  void AddStrides(Grid& grid, const Integers& repeats) const {
    AddIntegers(grid, signature_,
                {{Param::kRepeatTimes, repeats},
                 {Param::kDstBlkStride, {1, 2}},
                 {Param::kSrc0BlkStride, {0, 1}},
                 {Param::kSrc1BlkStride, {0, 1}}});
    AddRepeatStrides(grid);
  }
  void AddRepeatStrides(Grid& grid) const {
    AddIntegers(grid, signature_,
                {{Param::kDstRepStride, {0, 1, 8}},
                 {Param::kSrc0RepStride, {0, 1, 8}},
                 {Param::kSrc1RepStride, {0, 1, 8}}});
    AddPlaces(grid, {0, 32, 64, 256, 1024, 1056});
  }

  /// Where the operands lie from the first source on, or from where that would
  /// be.
  void AddPlaces(Grid& grid, const Integers& dst) const {
    if (signature_.sources() == 0) {
      Integers places;
      for (std::int64_t offset : dst) places.push_back(kSrc0 + offset);
      grid.axes.push_back(
          Numbers(fmt::format("{}.at", signature_.operands[0].name), places,
                  [](Draft& d, std::int64_t v) { d.call.dst().at = v; }));
      return;
    }
    if (signature_.sources() > 1) {
      grid.axes.push_back(FromSrc(signature_, 2, {0, 32, 1024}));
    }
    grid.axes.push_back(FromSrc(signature_, 0, dst));
  }

  const isa::Signature& signature_;
};

void Finish(Draft& d) {
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
  Draft start = OnUb(row, kUbBytes);
  for (isa::Operand& operand : start.call.used_operands()) {
    operand.position = isa::Position::kVeccalc;
  }
  start.call.dst().position = isa::Position::kVecout;
  if (row.sources() > 0) {
    start.call.src(0).position = isa::Position::kVecin;
    start.call.src(0).at = kSrc0;
  }
  const Grids grids(row);
  return ParameterSpaceOf(
      std::move(start),
      {grids.Counts(), grids.Contiguous(), grids.Bitwise(), grids.Register()},
      Finish);
}

}  // namespace lanediff::make::exhaust
