#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "generators/exhaustive/parameter_space.h"
#include "generators/lanewise.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"

/// Calls of vectors: lane by lane, sums, transpositions and broadcasts.
namespace lanediff::make::exhaust {
namespace {

using isa::Call;
using isa::DType;
using isa::Param;
using isa::Position;
using isa::Product;

// ---- Lane by lane -----------------------------------------------------------

constexpr std::int64_t kSrc0 = 512;

Axis Mask(std::vector<std::int64_t> lanes, bool is_set) {
  return Numbers("mask", std::move(lanes), [is_set](Draft& d, std::int64_t v) {
    d.call.form = d.call.signature->FormWith(Param::kMask);
    d.call.is_set_mask = is_set;
    d.call[Param::kMask] = v;
  });
}

/// The grids of one instruction. A third source lies and runs like the first.
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
    Grid grid{"bitwise mask",
              {OwnTypes({DType::kHalf, DType::kFloat}),
               MaskWords(signature_.FormWith(Param::kMaskWords))}};
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

void FinishLanes(Call& call) {
  // One conversion or another of the type.
  CompleteConversion(
      call, std::nullopt,
      static_cast<std::size_t>(call[Param::kCount] + call[Param::kMask] +
                               call[Param::kRepeatTimes]));
  if (call.signature->Has(Param::kSelMode)) {
    call.sel_mode = static_cast<isa::SelMode>(
        (call[Param::kRepeatTimes] + call[Param::kCount] + call[Param::kMask]) %
                    2 ==
                0
            ? isa::SelMode::kTensor
            : isa::SelMode::kSameBits);
  }
  if (call.signature->sources() > 2) {
    call.src(2) = call.src(0);
    call[Param::kSrc2BlkStride] = call[Param::kSrc0BlkStride];
    call[Param::kSrc2RepStride] = call[Param::kSrc0RepStride];
  }
  if (call.Has(Param::kScalar) && isa::SizeBytes(call.dtype) > 1) {
    call.scalar = make::MostBits(call) ? 3 : 0x3c00;  // of half: 1
  }
}

// ---- Sums -------------------------------------------------------------------

constexpr std::int64_t kSumBytes = 1024;

Axis DstFromSrc(const isa::Signature& row) {
  if (row.group != isa::Group::kIteration) {
    return FromSrc(row, 0, {-128, -32, -16, -2, 0, 16, 32, 64, 128, 256, 288});
  }
  return FromSrc(row, 0,
                 {-4, -2, -1, 0, 2, 4, 30, 32, 34, 62, 64, 96, 256, 258});
}

Grid Sums(const isa::Signature& row) {
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
      Numbers("src.bytes", {kSumBytes - 64, 256},
              [](Draft& d, std::int64_t v) { d.call.src(0).bytes = v; }));
  grid.axes.push_back(DstFromSrc(row));
  return grid;
}

/// The orders of a row that has any.
void AddOrders(Grid& grid, const isa::Signature& row) {
  if (!row.Has(Param::kReduceOrder)) return;
  std::vector<std::pair<std::string, isa::ReduceOrder>> orders;
  for (std::size_t i = 0; i < isa::kCount<isa::ReduceOrder>; ++i) {
    const auto order = static_cast<isa::ReduceOrder>(i);
    orders.emplace_back(isa::Name(order), order);
  }
  grid.axes.push_back(Named(
      "order", orders,
      [](Draft& d, isa::ReduceOrder order) { d.call.reduce_order = order; }));
}

/// Repeats, strides and places that go with any mask.
void AddSumPlaces(Grid& grid, const isa::Signature& row) {
  AddIntegers(grid, row,
              {{Param::kRepeatTimes, {0, 1, 2, 3}},
               {Param::kSrc0BlkStride, {0, 1, 2}},
               {Param::kDstRepStride, {0, 1, 2, 16}},
               {Param::kSrc0RepStride, {0, 1, 2}}});
  AddOrders(grid, row);
  grid.axes.push_back(SrcAt({64, 72}));
  grid.axes.push_back(DstFromSrc(row));
}

Grid SumsByRegister(const isa::Signature& row) {
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
  AddSumPlaces(grid, row);
  return grid;
}

Grid SumsByWords(const isa::Signature& row) {
  Grid grid{"bitwise mask",
            {Types({DType::kHalf, DType::kFloat, DType::kInt64}),
             MaskWords(row.FormWith(Param::kMaskWords)),
             Named("isSetMask",
                   std::vector<std::pair<std::string, bool>>{{"true", true},
                                                             {"false", false}},
                   [](Draft& d, bool v) { d.call.is_set_mask = v; })}};
  AddSumPlaces(grid, row);
  return grid;
}

// ---- Transpositions ---------------------------------------------------------

constexpr std::int64_t kMatrices = 1536;
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

Grid Transposes(const isa::Signature& row) {
  Grid grid{
      "all",
      {Products({Product::kAtlasA2, Product::kAtlasA3}),
       Types({DType::kInt16, DType::kUint16, DType::kHalf, DType::kFloat})}};
  AddIntegers(grid, row,
              {{Param::kRepeatTimes, {0, 1, 2, 3, 4096}},
               {Param::kDstRepStride, {-1, 0, 1, 2, 4096}},
               {Param::kSrc0RepStride, {-1, 0, 1, 2, 4096}}});
  grid.axes.push_back(SrcAt({kMatrices, kMatrices + 16}));
  grid.axes.push_back(FromSrc(row, 0, Offsets()));
  return grid;
}

Grid Broadcasts(const isa::Signature& row) {
  Grid grid{
      "all",
      {Products({Product::kAtlasInferenceAicore, Product::kAtlasA2,
                 Product::kAtlasTraining}),
       Types({DType::kHalf, DType::kBfloat16, DType::kFloat, DType::kInt8})}};
  AddIntegers(grid, row,
              {{Param::kRepeatTimes, {-1, 0, 1, 2, 3, 256}},
               {Param::kDstBlkStride, {0, 1, 2, 65536}},
               {Param::kDstRepStride, {-1, 0, 1, 8, 16}}});
  grid.axes.push_back(SrcAt({kMatrices, kMatrices + 16}));
  grid.axes.push_back(FromSrc(row, 0, Offsets()));
  return grid;
}

}  // namespace

std::unique_ptr<Space> LanewiseParameters(const isa::Signature& row) {
  Call start = isa::CallOf(row);
  for (isa::Operand& operand : start.used_operands()) {
    operand.position = Position::kVeccalc;
  }
  start.dst().position = Position::kVecout;
  if (row.sources() > 0) {
    start.src(0).position = Position::kVecin;
    start.src(0).at = kSrc0;
  }
  const Grids grids(row);
  std::vector<Grid> all = {grids.Contiguous(), grids.Bitwise()};
  if (row.Has(Param::kCount)) all.insert(all.begin(), grids.Counts());
  if (row.Has(Param::kIsSetMask)) all.push_back(grids.Register());
  return ParameterSpaceOf(start, 3072, std::move(all), FinishLanes);
}

std::unique_ptr<Space> ReductionParameters(const isa::Signature& row) {
  Call start = isa::CallOf(row);
  start.dst().position = Position::kVecout;
  start.src(0).position = Position::kVecin;
  start.src(0).at = 64;
  std::vector grids = {Sums(row), SumsByRegister(row)};
  if (row.Has(Param::kMaskWords)) grids.push_back(SumsByWords(row));
  return ParameterSpaceOf(start, kSumBytes, std::move(grids));
}

std::unique_ptr<Space> TransposeParameters(const isa::Signature& row) {
  Call start = isa::CallOf(row);
  start.dst().position = start.src(0).position = Position::kUb;
  return ParameterSpaceOf(start, 4096, {Transposes(row)});
}

std::unique_ptr<Space> BroadcastParameters(const isa::Signature& row) {
  Call start = isa::CallOf(row);
  start.dst().position = Position::kVecout;
  start.src(0).position = Position::kVecin;
  return ParameterSpaceOf(start, 4096, {Broadcasts(row)});
}

}  // namespace lanediff::make::exhaust
