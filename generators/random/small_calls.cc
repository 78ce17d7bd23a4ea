#include "generators/random/small_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "generators/lanewise.h"
#include "generators/random/data.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/step.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Param;
using isa::Position;
using enum isa::Position;

// The first `kInside` routes lie within the Unified Buffer, the last one or
// more lead to GM.
constexpr std::size_t kInsideRoutes = 3;
constexpr CopyRoute kTraining[] = {
    {kVecin, kVeccalc}, {kVeccalc, kVecout}, {kVecin, kVecout},
    {kGm, kVecin},      {kGm, kA1},          {kGm, kB1},
    {kGm, kVecin},      {kGm, kVecin},       {kVecout, kGm}};
constexpr CopyRoute kInference[] = {
    {kVecin, kVeccalc}, {kVeccalc, kVecout}, {kVecin, kVecout}, {kGm, kVecin},
    {kGm, kA1},         {kGm, kB1},          {kVecin, kA1},     {kVecout, kB1},
    {kCo2, kGm},        {kVecout, kGm}};
constexpr CopyRoute kA2[] = {
    {kVecin, kVeccalc}, {kVeccalc, kVecout}, {kVecin, kVecout},
    {kGm, kVecin},      {kGm, kA1},          {kGm, kB1},
    {kGm, kC1},         {kVecin, kTscm},     {kVeccalc, kTscm},
    {kVecout, kTscm},   {kA1, kC2pipe2gm},   {kB1, kC2pipe2gm},
    {kC1, kC2pipe2gm},  {kC1, kC2},          {kC1, kC2},
    {kA1, kGm},         {kB1, kGm},          {kVecout, kGm},
    {kVecout, kGm}};
constexpr CopyRoute kGmOnly[] = {{kGm, kVecin}, {kVecout, kGm}};

std::span<const CopyRoute> RoutesOf(isa::Product product) {
  switch (product) {
    case isa::Product::kAtlasTraining:
      return kTraining;
    case isa::Product::kAtlasInferenceAicore:
      return kInference;
    case isa::Product::kAtlasA2:
    case isa::Product::kAtlasA3:
      return kA2;
    default:
      return kGmOnly;
  }
}

/// A multiple of `unit`; a few places are drawn often, so that windows meet,
/// and a few lie about multiples of 4096.
std::int64_t Place(Random& random, std::int64_t unit, std::int64_t bytes) {
  const std::int64_t base =
      random.Percent(12) ? random.OneOf<std::int64_t>({3072, 7168}) : 0;
  const std::int64_t space = kSmallBytes - bytes;
  const std::int64_t at = random.Percent(70)
                              ? random.OneOf<std::int64_t>({0, 256, 512, 1024})
                              : random.Between(0, space);
  return base + std::max<std::int64_t>(0, std::min(at, space) / unit * unit);
}

isa::Operand Window(Random& random, Position position, std::int64_t unit,
                    std::int64_t bytes) {
  isa::Operand operand;
  operand.position = position;
  operand.at = Place(random, unit, bytes);
  operand.bytes = bytes;
  return operand;
}

isa::Operand Vector(Random& random, std::int64_t bytes) {
  return Window(random, VectorPosition(random), 32, bytes);
}

std::int64_t SmallSize(Random& random) {
  return random.OneOf<std::int64_t>({32, 64, 128, 256, 256, 512});
}

isa::Step Copy(Random& random, isa::Product product) {
  isa::Call copy = isa::CallOf("DataCopy");
  copy.dtype =
      random.OneOf({DType::kHalf, DType::kHalf, DType::kFloat, DType::kUint8});
  const RouteKind kind = random.OneOf(
      {RouteKind::kAny, RouteKind::kAny, RouteKind::kAny, RouteKind::kToGm});
  const CopyRoute route = random.Percent(40)
                              ? CopyRoute{Position::kGm, Position::kVecin}
                              : PickRoute(random, product, kind);
  if (random.Percent(70)) {
    const std::int64_t bytes = SmallSize(random);
    copy.src(0) = Window(random, route.src, 32, bytes);
    copy.dst() = Window(random, route.dst, 32, bytes);
    copy[Param::kCount] = bytes / isa::SizeBytes(copy.dtype);
    return copy;
  }
  copy.form = copy.signature->FormWith(Param::kBlockCount);
  const std::int64_t blocks = copy[Param::kBlockCount] = random.Between(1, 4);
  const std::int64_t length = copy[Param::kBlockLen] = random.Between(1, 3);
  const std::int64_t src_gap = copy[Param::kSrcGap] = random.Between(0, 2);
  const std::int64_t dst_gap = copy[Param::kDstGap] = random.Between(0, 2);
  const std::int64_t unit = isa::CopyUnitBytes(route.dst);
  copy.src(0) =
      Window(random, route.src, 32, blocks * (length * unit + src_gap * 32));
  copy.dst() =
      Window(random, route.dst, unit, blocks * (length + dst_gap) * unit);
  return copy;
}

DType FloatType(Random& random) {
  return random.Percent(60) ? DType::kHalf : DType::kFloat;
}

/// A mask by number, by words, or what the register has, of a call that has no
/// other form yet.
void SetMask(Random& random, isa::Call& call) {
  const std::int64_t lanes = LanesOf(call);
  bool is_words = false;
  if (call.signature->Has(Param::kIsSetMask) && random.Percent(25)) {
    call.is_set_mask = false;
    is_words = random.OneOf({false, true});
  } else if (random.Percent(50)) {
    call[Param::kMask] = random.Percent(60) ? lanes : random.Between(1, lanes);
  } else {
    is_words = true;
    const isa::SetVectorMask mask = GenerateMask(random);
    call.mask_words = {mask.low, lanes > 64 ? mask.high : 0};
    if (call.mask_words[0] == 0) call.mask_words[0] = 1;
  }
  call.form =
      call.signature->FormWith(is_words ? Param::kMaskWords : Param::kMask);
}

/// Each row as often as the others.
isa::Step Lanewise(Random& random, isa::Product product) {
  isa::Call call;
  const auto last = static_cast<std::int64_t>(isa::kLanewiseRows.size()) - 1;
  const isa::Signature& row =
      isa::kLanewiseRows[static_cast<std::size_t>(random.Between(0, last))];
  call.signature = &row;
  call.dtype = TypeLike(row.op, FloatType(random));
  CompleteConversion(call, product);
  if (row.Has(Param::kSelMode)) {
    SetSelMode(call, product, random.AnyWord<isa::SelMode>());
  }
  const std::int64_t size = isa::LaneBytes(call);
  std::int64_t bytes = SmallSize(random);
  if (row.Has(Param::kCount) && random.Percent(45)) {
    call[Param::kCount] = bytes / size - random.Between(0, 1);
    if (row.PacksBits()) {
      bytes = 256 * random.Between(1, 2);
      call[Param::kCount] = bytes / size;
    }
  } else {
    SetMask(random, call);
    const std::int64_t repeat = random.Percent(10) ? 0 : random.Between(1, 2);
    call[Param::kRepeatTimes] = repeat;
    SetDenseStrides(call);
    if (random.Percent(15)) call.RepStride(row.sources()) = 0;
    bytes = 256 * std::max<std::int64_t>(1, repeat);
  }
  const auto type = call.dst().dtype;
  call.dst() = Vector(random, bytes);
  call.dst().dtype = type;
  for (std::size_t i = 0; i < call.sources(); ++i) {
    const bool same = i > 0 && random.Percent(30);
    call.src(i) = same ? call.src(0) : Vector(random, bytes);
  }
  SetRoute(random, call);
  if (const auto most = MostBits(call)) {
    call.scalar = static_cast<std::uint64_t>(random.Between(0, *most));
  } else if (call.Has(Param::kScalar)) {
    call.scalar = SpecialElement(random, call.dtype);
  }
  return call;
}

isa::Step Sum(Random& random, isa::Product product) {
  const auto rows = isa::kReductionRows;
  const auto last = static_cast<std::int64_t>(rows.size()) - 1;
  // RepeatReduceSum, the first row, is rejected least often: it comes three
  // times as often as others.
  const std::int64_t drawn = random.Between(-2, last);
  isa::Call call;
  call.signature =
      &rows[static_cast<std::size_t>(std::max<std::int64_t>(drawn, 0))];
  call.dtype = FloatType(random);
  const std::int64_t size = isa::SizeBytes(call.dtype);
  if (call.signature->Has(Param::kReduceOrder) &&
      (product == isa::Product::kAtlasA2 ||
       product == isa::Product::kAtlasA3)) {
    call.reduce_order = random.AnyWord<isa::ReduceOrder>();
  }
  const std::int64_t results = isa::ResultBytes(call);
  const std::int64_t repeat = random.Percent(10) ? 0 : random.Between(1, 2);
  const std::int64_t sums = std::max<std::int64_t>(1, repeat);
  call.src(0) = Vector(random, 256 * sums);
  call.dst() = Window(random, VectorPosition(random),
                      std::min<std::int64_t>(results, 32), results * sums);
  call[Param::kRepeatTimes] = repeat;
  call[Param::kSrc0BlkStride] = call[Param::kDstRepStride] = 1;
  call[Param::kSrc0RepStride] = 8;
  if (!call.signature->Has(Param::kMaskWords)) {
    call.is_set_mask = random.Percent(65);
    if (call.is_set_mask) {
      call[Param::kMask] =
          random.Percent(50) ? 256 / size : random.Between(1, 256 / size);
    }
  } else {
    SetMask(random, call);
  }
  return call;
}

isa::Step Transpose(Random& random, isa::Product) {
  isa::Call turn = isa::CallOf("vec_trans");
  turn[Param::kRepeatTimes] = random.Between(1, 2);
  turn[Param::kDstRepStride] = turn[Param::kSrc0RepStride] = 1;
  const std::int64_t bytes = 512 * turn[Param::kRepeatTimes];
  turn.dst() = Window(random, Position::kUb, 32, bytes);
  turn.src(0) = random.Percent(30) ? turn.dst()
                                   : Window(random, Position::kUb, 32, bytes);
  return turn;
}

isa::Step Product(Random& random, isa::Product) {
  isa::Call product = isa::CallOf("TROWPROD");
  auto& [dst, src, tmp] = product.tiles;
  product.dtype = FloatType(random);
  const std::int64_t columns = product.dtype == DType::kHalf ? 16 : 8;
  const std::int64_t rows = random.Between(1, 2);
  src = {.at = Place(random, 32, 32 * rows),
         .rows = rows,
         .cols = columns,
         .valid_row = rows,
         .valid_col = random.Between(1, columns),
         .layout = isa::Layout::kNd,
         .dtype = {}};
  tmp = src;
  tmp.at = Place(random, 32, 32 * rows);
  dst = {.at = Place(random, 32, 32),
         .rows = columns,
         .cols = 1,
         .valid_row = rows,
         .valid_col = 1,
         .layout = isa::Layout::kDn,
         .dtype = {}};
  return product;
}

isa::Step Element(Random& random, isa::Product) {
  const DType type = random.OneOf({DType::kHalf, DType::kFloat, DType::kUint8});
  const std::int64_t size = isa::SizeBytes(type);
  const std::int64_t index = random.Between(0, 7);
  const isa::Operand window =
      Window(random, VectorPosition(random), size, size * (index + 1));
  if (random.Percent(50)) {
    return isa::GetValue{.dtype = type, .src = window, .index = index};
  }
  return isa::SetValue{
      .dtype = type, .dst = window, .index = index, .value = 0x3c};
}

isa::Step MaskStep(Random& random, isa::Product) {
  switch (random.Between(0, 5)) {
    case 0:
      return isa::ResetMask{};
    case 1:
      return isa::SetMaskNorm{};
    case 2:
      return isa::SetMaskCount{};
    default:
      return GenerateMask(random);
  }
}

/// One step of what the instructions' own generators make.
isa::Step OfItsGenerator(Random& random, isa::Product product) {
  const auto all = Generators();
  const Generator& generator = random.Pick(all.first(all.size() - 1));
  const auto& products = generator.products;
  if (std::ranges::find(products, product) == products.end()) {
    return Copy(random, product);
  }
  const Plan plan = {.style = Style::kByIntent,
                     .product = product,
                     .operations = 64,
                     .few_repeats = true,
                     .untouched = true};
  return random.Pick(generator.generate(random, plan).c.program);
}

constexpr Weighted<isa::Step (*)(Random&, isa::Product)> kKinds[] = {
    {Copy, 34},   {Lanewise, 22}, {Sum, 10},     {Transpose, 5},
    {Product, 4}, {Element, 10},  {MaskStep, 7}, {OfItsGenerator, 8}};

}  // namespace

bool HasInsideRoute(isa::Product product) {
  return RoutesOf(product).size() > std::size(kGmOnly);
}

CopyRoute PickRoute(Random& random, isa::Product product, RouteKind kind) {
  const std::span<const CopyRoute> routes = RoutesOf(product);
  if (kind == RouteKind::kToGm) return routes.back();
  return random.Pick(kind == RouteKind::kInside ? routes.first(kInsideRoutes)
                                                : routes);
}

isa::Step SmallCall(Random& random, isa::Product product) {
  return random.PickWeighted(kKinds)(random, product);
}

}  // namespace lanediff::make
