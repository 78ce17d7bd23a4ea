#include "audit/characterize/fold.h"

#include <algorithm>
#include <string>

#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/units.h"

namespace lanediff::character {
namespace {

using isa::DType;
using isa::Position;

constexpr std::string_view kOps[] = {isa::RepeatReduceSum::kOp,
                                     isa::WholeReduceSum::kOp,
                                     isa::Trowprod::kOp,
                                     isa::Add::kOp,
                                     isa::Sub::kOp,
                                     isa::Mul::kOp,
                                     isa::Min::kOp,
                                     isa::Max::kOp};

/// Where things lie in UB, in bytes.
constexpr std::int64_t kDst = isa::kDataBlockBytes;
constexpr std::int64_t kSrc = 2 * isa::kDataBlockBytes;
constexpr std::int64_t kSrc1 = 3 * isa::kDataBlockBytes;
/// Columns of TROWPROD that still fit, source and tmp, in any UB.
constexpr std::size_t kMostColumns = 8192;

Combine CombineOf(std::string_view op) {
  if (op == isa::Trowprod::kOp || op == isa::Mul::kOp) return Combine::kProduct;
  if (op == isa::Sub::kOp) return Combine::kDifference;
  if (op == isa::Min::kOp) return Combine::kMinimum;
  if (op == isa::Max::kOp) return Combine::kMaximum;
  return Combine::kSum;
}

isa::Operand At(Position position, std::int64_t at, std::int64_t bytes) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

std::array<std::uint64_t, 2> MaskOf(const std::vector<std::size_t>& lanes) {
  std::array<std::uint64_t, 2> words = {};
  for (const std::size_t lane : lanes) {
    words[lane / 64] |= std::uint64_t{1} << lane % 64;
  }
  return words;
}

void AddRepeatReduceSum(const Fold& fold, std::size_t leaves, Case& c) {
  isa::RepeatReduceSum call;
  call.dtype = fold.dtype;
  call.dst = At(Position::kVecout, kDst, isa::SizeBytes(fold.dtype));
  call.src = At(Position::kVecin, kSrc, isa::kIterationBytes);
  call.repeat = 1;
  call.src_blk_stride = 1;
  call.dst_rep_stride = 1;
  call.src_rep_stride = 8;
  call.elems_in_one_repeat = static_cast<std::int64_t>(leaves);
  if (!fold.lanes.empty()) {
    const auto mask = MaskOf(fold.lanes);
    c.program.push_back(isa::SetVectorMask{.high = mask[1], .low = mask[0]});
    call.elems_in_one_repeat = 0;
    call.is_set_mask = false;
  }
  c.program.push_back(call);
}

void AddWholeReduceSum(const Fold& fold, std::size_t leaves, Case& c) {
  isa::WholeReduceSum call;
  call.dtype = fold.dtype;
  call.dst = At(Position::kVecout, kDst, isa::SizeBytes(fold.dtype));
  call.src = At(Position::kVecin, kSrc, isa::kIterationBytes);
  call.repeat_times = 1;
  call.src_blk_stride = 1;
  call.dst_rep_stride = 1;
  call.src_rep_stride = 8;
  if (fold.lanes.empty()) {
    call.mask = static_cast<std::int64_t>(leaves);
  } else {
    call.form = isa::WholeReduceSum::kBitwise;
    call.mask_words = MaskOf(fold.lanes);
  }
  c.program.push_back(call);
}

/// Columns rounded up to whole DataBlocks.
std::int64_t TileColumns(DType dtype, std::size_t leaves) {
  const std::int64_t lanes = isa::kDataBlockBytes / isa::SizeBytes(dtype);
  return (static_cast<std::int64_t>(leaves) + lanes - 1) / lanes * lanes;
}

void AddTrowprod(const Fold& fold, std::size_t leaves, Case& c) {
  const std::int64_t bytes = isa::SizeBytes(fold.dtype);
  const std::int64_t cols = TileColumns(fold.dtype, leaves);
  isa::Trowprod call;
  call.dtype = fold.dtype;
  call.order = fold.order;
  call.src = {.position = Position::kUb,
              .at = kSrc,
              .rows = 1,
              .cols = cols,
              .valid_row = 1,
              .valid_col = static_cast<std::int64_t>(leaves),
              .layout = isa::Layout::kNd,
              .dtype = {}};
  call.tmp = call.src;
  call.tmp.at = kSrc + cols * bytes;
  call.dst = {.position = Position::kUb,
              .at = kDst,
              .rows = isa::kDataBlockBytes / bytes,
              .cols = 1,
              .valid_row = 1,
              .valid_col = 1,
              .layout = isa::Layout::kDn,
              .dtype = {}};
  c.program.push_back(call);
}

template <isa::Elementwise Call>
void AddElementwise(const Fold& fold, Case& c) {
  Call call;
  call.dtype = fold.dtype;
  call.dst = At(Position::kVecout, kDst, isa::kDataBlockBytes);
  call.src0 = At(Position::kVecin, kSrc, isa::kDataBlockBytes);
  call.src1 = At(Position::kVecin, kSrc1, isa::kDataBlockBytes);
  if (fold.by_count) {
    call.form = Call::kCount;
    call.count = isa::kDataBlockBytes / isa::SizeBytes(fold.dtype);
  } else {
    call.form = Call::kContiguous;
    call.mask = 1;
    call.repeat_times = 1;
    call.repeat_params = {1, 1, 1, 8, 8, 8};
  }
  c.program.push_back(call);
}

void AddCall(const Fold& fold, std::size_t leaves, Case& c) {
  isa::ForEachIntrinsic([&]<class Call>() {
    if (Call::kOp != fold.op) return;
    if constexpr (isa::Elementwise<Call>) AddElementwise<Call>(fold, c);
  });
  if (fold.op == isa::RepeatReduceSum::kOp) AddRepeatReduceSum(fold, leaves, c);
  if (fold.op == isa::WholeReduceSum::kOp) AddWholeReduceSum(fold, leaves, c);
  if (fold.op == isa::Trowprod::kOp) AddTrowprod(fold, leaves, c);
}

/// Bytes of UB that the case needs.
std::int64_t UbBytes(const Fold& fold, std::size_t leaves) {
  if (fold.op == isa::Trowprod::kOp) {
    return kSrc +
           2 * TileColumns(fold.dtype, leaves) * isa::SizeBytes(fold.dtype);
  }
  return kSrc + isa::kIterationBytes;
}

/// Where leaf `i` lies.
std::int64_t PlaceOf(const Fold& fold, std::size_t i) {
  if (!fold.reduces()) return i == 0 ? kSrc : kSrc1;
  const std::size_t lane = fold.lanes.empty() ? i : fold.lanes[i];
  return kSrc + static_cast<std::int64_t>(lane) * isa::SizeBytes(fold.dtype);
}

void AddLeaf(const Fold& fold, std::size_t i, double leaf,
             std::vector<Region>& regions) {
  const std::int64_t at = PlaceOf(fold, i);
  if (regions.empty() || regions.back().end() != at) {
    regions.push_back({.at = at, .dtype = fold.dtype, .bytes = {}});
  }
  AppendElement(fold.dtype, ElementFromDouble(fold.dtype, leaf),
                regions.back().bytes);
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

std::size_t Fold::least() const { return reduces() ? 1 : 2; }

std::size_t Fold::most() const {
  if (op == isa::Trowprod::kOp) return kMostColumns;
  if (op == isa::RepeatReduceSum::kOp || op == isa::WholeReduceSum::kOp) {
    return static_cast<std::size_t>(isa::kIterationBytes /
                                    isa::SizeBytes(dtype));
  }
  return 2;
}

std::span<const std::string_view> FoldOps() { return kOps; }

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
    AddLeaf(fold, i, leaves[i], ub.regions);
  }
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)] = std::move(ub);
  return c;
}

std::int64_t ResultPlace() { return kDst; }

double ResultOf(const Fold& fold, std::span<const std::uint8_t> ub) {
  return ElementToDouble(fold.dtype, LoadElement(fold.dtype, ub.subspan(kDst)));
}

}  // namespace lanediff::character
