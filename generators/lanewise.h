#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/call.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "isa/vocabulary.h"

/// What all that makes lane-wise calls writes down, whichever row they have.
namespace lanediff::make {

/// Lanes of an iteration of `call`.
inline std::int64_t LanesOf(const isa::Call& call) {
  return isa::kIterationBytes / isa::LaneBytes(call);
}

/// A pair of types, and how values are rounded between them.
struct Conversion {
  isa::DType from;
  isa::DType to;
  isa::RoundMode mode;
};

/// All that `op` has on `product`, or on any; only those from type `from`, if
/// any is given.
inline std::vector<Conversion> ConversionsOf(
    std::string_view op, std::optional<isa::Product> product = std::nullopt,
    std::optional<isa::DType> from = std::nullopt) {
  std::vector<Conversion> all;
  for (const auto& one : isa::FindInstruction(op)->conversions) {
    const bool has = !product || std::ranges::find(one.products, *product) !=
                                     one.products.end();
    if (!has || (from && one.from != *from)) continue;
    for (isa::RoundMode mode : one.modes)
      all.push_back({one.from, one.to, mode});
  }
  return all;
}

inline void SetConversion(isa::Call& call, const Conversion& conversion) {
  call.dtype = conversion.from;
  call.dst().dtype.reset();
  if (conversion.to != conversion.from) call.dst().dtype = conversion.to;
  call.round_mode = conversion.mode;
}

/// The modes of comparisons of elements of `type`: of int32 elsewhere EQ
/// alone.
inline std::vector<isa::CmpMode> ModesOf(isa::DType type,
                                         std::optional<isa::Product> product) {
  using enum isa::CmpMode;
  const bool one =
      type == isa::DType::kInt32 &&
      product.value_or(isa::Product::kAtlasA2) != isa::Product::kAtlas200i500A2;
  if (one) return {kEq};
  return {kLt, kGt, kEq, kLe, kGe, kNe};
}

/// Completes a call of packed bits, which has the type of its sources.
inline void SetPacked(isa::Call& call, std::optional<isa::Product> product,
                      std::size_t n = 0) {
  const auto modes = ModesOf(call.dtype, product);
  call.dst().dtype = isa::DType::kUint8;
  call.cmp_mode = modes[n % modes.size()];
}

/// The next count of whole iterations, of such a call alone.
inline std::int64_t WholeCount(const isa::Call& call, std::int64_t count) {
  if (!call.signature->PacksBits() || count < 0) return count;
  const std::int64_t lanes = LanesOf(call);
  return (count + lanes - 1) / lanes * lanes;
}

/// Completes a call that converts or packs bits and has the type of its source:
/// `product` has the conversion number `n` of that type, if it has one.
inline void CompleteConversion(isa::Call& call,
                               std::optional<isa::Product> product,
                               std::size_t n = 0) {
  if (call.signature->PacksBits()) SetPacked(call, product, n);
  if (!call.signature->Converts()) return;
  const auto all = ConversionsOf(call.signature->op, product, call.dtype);
  if (!all.empty()) SetConversion(call, all[n % all.size()]);
}

/// Lays the DataBlocks of every operand behind each other, and its iterations.
inline void SetDenseStrides(isa::Call& call) {
  for (std::size_t i = 0; i < call.signature->operands.size(); ++i) {
    const isa::OperandSpec& spec = call.signature->operands[i];
    if (spec.is_packed && !spec.is_written) continue;  // has no strides
    call.BlkStride(i) = 1;
    call.RepStride(i) = 8;
  }
}

/// The number of the source that has a bit for each lane; as many as there are
/// operands if none has.
inline std::size_t PackedSource(const isa::Signature& row) {
  return static_cast<std::size_t>(
      std::ranges::find_if(row.operands,
                           [](const auto& operand) {
                             return operand.is_packed && !operand.is_written;
                           }) -
      row.operands.begin());
}

/// A mode that the row has on `product`: the one wanted, or that of every
/// product.
inline void SetSelMode(isa::Call& call, isa::Product product,
                       isa::SelMode wanted) {
  if (!call.signature->Has(isa::Param::kSelMode)) return;
  call.sel_mode = product == isa::Product::kAtlasTraining
                      ? isa::SelMode::kSameBits
                      : wanted;
}

/// Gives `call` the form that calls with a count have as `form`.
inline void SetForm(isa::Call& call, std::uint8_t form) {
  using isa::Param;
  call.form =
      call.signature->FormWith(form == isa::kCountForm  ? Param::kCount
                               : form == isa::kMaskForm ? Param::kMask
                                                        : Param::kMaskWords);
}

/// The types that `op` has on some product, those of most rows first.
inline std::vector<isa::DType> TypesOf(std::string_view op) {
  constexpr isa::DType kUsual[] = {isa::DType::kHalf, isa::DType::kFloat,
                                   isa::DType::kInt16, isa::DType::kInt32};
  std::vector<isa::DType> rest = isa::FindInstruction(op)->dtypes;
  std::vector<isa::DType> types;
  for (isa::DType type : kUsual) {
    if (std::erase(rest, type) > 0) types.push_back(type);
  }
  types.insert(types.end(), rest.begin(), rest.end());
  return types;
}

/// `type` if `op` has it, else one of its own, of the same width if there is
/// one.
inline isa::DType TypeLike(std::string_view op, isa::DType type) {
  const std::vector<isa::DType> types = TypesOf(op);
  if (std::ranges::find(types, type) != types.end()) return type;
  const auto like =
      std::ranges::find(types, isa::SizeBytes(type), isa::SizeBytes);
  return like == types.end() ? types.front() : *like;
}

/// The largest scalar that a shift may have; nothing for other calls.
inline std::optional<std::int64_t> MostBits(const isa::Call& call) {
  if (!isa::HasRule(*call.signature, isa::CallRule::kScalarRange)) {
    return std::nullopt;
  }
  return 8 * isa::SizeBytes(call.dtype);
}

/// The largest stride between iterations that the row may have.
inline std::int64_t MostRepeatStride(const isa::Signature& row) {
  const isa::Rule* const rule =
      isa::FindRule(row.Rule(isa::CallRule::kStrideRange).text());
  return std::ranges::find(rule->ranges,
                           isa::NameOf(row, isa::Param::kDstRepStride),
                           &isa::Range::field)
      ->high;
}

/// The row that stands for `row` in programs of two steps: itself, or, behind
/// the first five with the same parameters, the first of them. More of them
/// leave no other state, and there are as many programs as pairs of them.
inline const isa::Signature& InPrograms(const isa::Signature& row) {
  std::vector<const isa::Signature*> alike;
  for (const isa::Signature& other : isa::kSignatures) {
    if (other.params.data() == row.params.data()) alike.push_back(&other);
  }
  const auto place = std::ranges::find(alike, &row) - alike.begin();
  return place < 5 ? row : *alike.front();
}

}  // namespace lanediff::make
