#include "audit/characterize/fold.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "differential/testcase/element.h"
#include "generators/lanewise.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/units.h"

namespace lanediff::character {
namespace {

using isa::DType;
using isa::Position;

struct KnownOp {
  std::string_view op;
  Combine combine;
};

/// In the order of the answers, those of other lane-wise calls behind them.
/// Reductions with several results an iteration are left out.
constexpr KnownOp kKnownOps[] = {
    {"RepeatReduceSum", Combine::kSum}, {"WholeReduceSum", Combine::kSum},
    {"TROWPROD", Combine::kProduct},    {"Add", Combine::kSum},
    {"Sub", Combine::kDifference},      {"Mul", Combine::kProduct},
    {"Min", Combine::kMinimum},         {"Max", Combine::kMaximum}};

/// Where things lie in UB, in bytes.
constexpr std::int64_t kDst = isa::kDataBlockBytes;
constexpr std::int64_t kSrc = 2 * isa::kDataBlockBytes;
/// Columns of TROWPROD that still fit, source and tmp, in any UB.
constexpr std::size_t kMostColumns = 8192;

Combine CombineOf(std::string_view op) {
  const auto* const known = std::ranges::find(kKnownOps, op, &KnownOp::op);
  return known == std::end(kKnownOps) ? Combine::kOther : known->combine;
}

isa::Operand At(Position position, std::int64_t at, std::int64_t bytes) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

/// Where leaf `i` lies.
std::int64_t PlaceOf(const Fold& fold, std::size_t i) {
  const std::size_t lane = i < fold.lanes.size() ? fold.lanes[i] : i;
  return kSrc + static_cast<std::int64_t>(lane) *
                    (fold.reduces() ? isa::SizeBytes(fold.dtype)
                                    : isa::kDataBlockBytes);
}

std::array<std::uint64_t, 2> MaskOf(const std::vector<std::size_t>& lanes) {
  std::array<std::uint64_t, 2> words = {};
  for (const std::size_t lane : lanes) {
    words[lane / 64] |= std::uint64_t{1} << lane % 64;
  }
  return words;
}

void AddReduction(const Fold& fold, std::size_t leaves, Case& c) {
  using isa::Param;
  isa::Call call = isa::CallOf(fold.op);
  call.dtype = fold.dtype;
  call.dst() = At(Position::kVecout, kDst, isa::SizeBytes(fold.dtype));
  call.src(0) = At(Position::kVecin, kSrc, isa::kIterationBytes);
  call[Param::kRepeatTimes] = 1;
  call[Param::kSrc0BlkStride] = 1;
  call[Param::kDstRepStride] = 1;
  call[Param::kSrc0RepStride] = 8;
  const auto mask = MaskOf(fold.lanes);
  if (fold.lanes.empty()) {
    call[Param::kMask] = static_cast<std::int64_t>(leaves);
  } else if (call.signature->Has(Param::kMaskWords)) {
    call.form = call.signature->FormWith(Param::kMaskWords);
    call.mask_words = mask;
  } else {
    c.program.push_back(isa::SetVectorMask{.high = mask[1], .low = mask[0]});
    call.is_set_mask = false;
  }
  c.program.push_back(call);
}

/// Columns rounded up to whole DataBlocks.
std::int64_t TileColumns(DType dtype, std::size_t leaves) {
  const std::int64_t lanes = isa::kDataBlockBytes / isa::SizeBytes(dtype);
  return (static_cast<std::int64_t>(leaves) + lanes - 1) / lanes * lanes;
}

void AddTiles(const Fold& fold, std::size_t leaves, Case& c) {
  const std::int64_t bytes = isa::SizeBytes(fold.dtype);
  const std::int64_t cols = TileColumns(fold.dtype, leaves);
  isa::Call call = isa::CallOf(fold.op);
  call.dtype = fold.dtype;
  call.order = fold.order;
  auto& [dst, src, tmp] = call.tiles;
  src = {.position = Position::kUb,
         .at = kSrc,
         .rows = 1,
         .cols = cols,
         .valid_row = 1,
         .valid_col = static_cast<std::int64_t>(leaves),
         .layout = isa::Layout::kNd,
         .dtype = {}};
  tmp = src;
  tmp.at = kSrc + cols * bytes;
  dst = {.position = Position::kUb,
         .at = kDst,
         .rows = isa::kDataBlockBytes / bytes,
         .cols = 1,
         .valid_row = 1,
         .valid_col = 1,
         .layout = isa::Layout::kDn,
         .dtype = {}};
  c.program.push_back(call);
}

void AddLanewise(const Fold& fold, Case& c) {
  isa::Call call = isa::CallOf(fold.op);
  call.dtype = fold.dtype;
  call.dst() = At(Position::kVecout, kDst, isa::kDataBlockBytes);
  for (std::size_t i = 0; i < call.signature->sources(); ++i) {
    call.src(i) = At(Position::kVecin, PlaceOf(fold, i), isa::kDataBlockBytes);
  }
  if (fold.by_count) {
    call.form = isa::kCountForm;
    call[isa::Param::kCount] =
        isa::kDataBlockBytes / isa::SizeBytes(fold.dtype);
  } else {
    call.form = call.signature->FormWith(isa::Param::kMask);
    call[isa::Param::kMask] = 1;
    call[isa::Param::kRepeatTimes] = 1;
    make::SetDenseStrides(call);
  }
  c.program.push_back(call);
}

void AddCall(const Fold& fold, std::size_t leaves, Case& c) {
  if (!fold.reduces()) {
    AddLanewise(fold, c);
  } else if (fold.family() == isa::Family::kTile) {
    AddTiles(fold, leaves, c);
  } else {
    AddReduction(fold, leaves, c);
  }
}

/// Bytes of UB that the case needs.
std::int64_t UbBytes(const Fold& fold, std::size_t leaves) {
  if (fold.family() == isa::Family::kTile) {
    return kSrc +
           2 * TileColumns(fold.dtype, leaves) * isa::SizeBytes(fold.dtype);
  }
  return kSrc + isa::kIterationBytes;
}

void AddLeaf(const Fold& fold, std::size_t i, double leaf, Case& c,
             std::vector<Region>& regions) {
  const std::uint64_t bits = ElementFromDouble(fold.dtype, leaf);
  auto& call = std::get<isa::Call>(c.program.back());
  if (call.Has(isa::Param::kScalar) && i == call.signature->sources()) {
    call.scalar = bits;
    return;
  }
  const bool of_dst =
      !fold.reduces() && i + 1 == fold.most() && call.signature->ReadsDst();
  const std::int64_t at = of_dst ? kDst : PlaceOf(fold, i);
  if (regions.empty() || regions.back().end() != at) {
    regions.push_back({.at = at, .dtype = fold.dtype, .bytes = {}});
  }
  AppendElement(fold.dtype, bits, regions.back().bytes);
}

/// The product on which an instruction of `op` is probed: A2 if possible, then
/// the first of its own that the target claims.
std::optional<isa::Product> ProductFor(std::string_view op,
                                       const diff::Capabilities& can) {
  const isa::Instruction* const instruction = isa::FindInstruction(op);
  if (instruction == nullptr) return std::nullopt;
  std::vector<isa::Product> order = {isa::Product::kAtlasA2};
  order.insert(order.end(), instruction->products.begin(),
               instruction->products.end());
  for (const isa::Product product : order) {
    if (!instruction->Has(product)) continue;
    if (!can.products || std::ranges::count(*can.products, product) != 0) {
      return product;
    }
  }
  return std::nullopt;
}

}  // namespace

bool Fold::has_source() const {
  return reduces() || isa::FindSignature(op)->sources() > 0;
}

std::size_t Fold::least() const { return reduces() ? 1 : most(); }

std::size_t Fold::most() const {
  if (family() == isa::Family::kTile) return kMostColumns;
  if (reduces()) {
    return static_cast<std::size_t>(isa::kIterationBytes /
                                    isa::SizeBytes(dtype));
  }
  const isa::Signature& row = *isa::FindSignature(op);
  return row.sources() + (row.Has(isa::Param::kScalar) ? 1 : 0) +
         (row.ReadsDst() ? 1 : 0);
}

std::vector<std::string_view> FoldOps() {
  std::vector<std::string_view> ops;
  for (const KnownOp& known : kKnownOps) ops.push_back(known.op);
  for (const isa::Signature& lanewise : isa::kLanewiseRows) {
    // Probes have results of the type of their leaves.
    if (lanewise.Converts() || lanewise.PacksBits()) continue;
    if (lanewise.Has(isa::Param::kSelMode)) continue;  // no value is computed
    if (CombineOf(lanewise.op) == Combine::kOther) ops.push_back(lanewise.op);
  }
  return ops;
}

std::vector<Fold> FoldsOf(std::string_view op, const diff::Capabilities& can,
                          isa::Edition edition) {
  std::vector<Fold> folds;
  const isa::Instruction* const instruction = isa::FindInstruction(op);
  const auto product = ProductFor(op, can);
  if (instruction == nullptr || !product) return folds;
  for (const DType dtype : instruction->dtypes) {
    if (!instruction->Has({*product, edition}, dtype)) continue;
    folds.push_back({.op = instruction->op,
                     .combine = CombineOf(op),
                     .dtype = dtype,
                     .product = *product,
                     .edition = edition,
                     .order = {},
                     .lanes = {}});
  }
  return folds;
}

Case CaseOf(const Fold& fold, std::span<const double> leaves) {
  Case c;
  c.id = "characterise/probe";
  c.product = fold.product;
  c.edition = fold.edition;
  if (!fold.saturation) c.program.push_back(isa::SetSaturation{false});
  AddCall(fold, leaves.size(), c);
  MemoryImage ub;
  ub.size = UbBytes(fold, leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    AddLeaf(fold, i, leaves[i], c, ub.regions);
  }
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] = std::move(ub);
  return c;
}

std::int64_t ResultPlace() { return kDst; }

double ResultOf(const Fold& fold, std::span<const std::uint8_t> ub) {
  return ElementToDouble(fold.dtype, LoadElement(fold.dtype, ub.subspan(kDst)));
}

}  // namespace lanediff::character
