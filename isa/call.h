#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/signature.h"
#include "isa/vocabulary.h"

/// Calls described by rows: `Call` is one call of any instruction, `Signature`
/// what its row states.
namespace lanediff::isa {

/// One call. What its instruction or its form does not have is zero and means
/// nothing.
struct Call {
  static constexpr std::size_t kMostOperands = 4;
  static constexpr std::size_t kDstTile = 0;
  static constexpr std::size_t kSrcTile = 1;
  static constexpr std::size_t kTmpTile = 2;

  const Signature* signature = kSignatures.data();  ///< never null
  DType dtype = DType::kHalf;
  std::uint8_t form = 0;
  bool is_set_mask = true;
  bool is_pad = false;
  bool round_en = false;
  std::array<Operand, kMostOperands> operands;  ///< dst first
  std::array<Tile, 3> tiles;  ///< of the tile family, by `kDstTile` …
  std::array<std::int64_t, kIntegerParams> params = {};
  /// Bit i of the first word is lane i, of the second lane 64 + i.
  std::array<std::uint64_t, 2> mask_words = {};
  std::uint64_t scalar = 0;    ///< an element's bits, zero above its width
  std::optional<Order> order;  ///< none: the one that the target declares
  RoundMode round_mode = RoundMode::kNone;
  ReduceOrder reduce_order = ReduceOrder::kValueIndex;
  CmpMode cmp_mode = CmpMode::kLt;
  SelMode sel_mode = SelMode::kSameBits;

  bool operator==(const Call&) const = default;

  std::int64_t& operator[](Param param) {
    return params[static_cast<std::size_t>(param)];
  }
  std::int64_t operator[](Param param) const {
    return params[static_cast<std::size_t>(param)];
  }
  Operand& dst() { return operands[0]; }
  const Operand& dst() const { return operands[0]; }
  /// Source `i`, from 0.
  Operand& src(std::size_t i) { return operands[i + 1]; }
  const Operand& src(std::size_t i) const { return operands[i + 1]; }
  /// The type of operand `i`, dst first: its own where the instruction has one,
  /// else the step's; a byte of packed bits that are read.
  DType TypeOf(std::size_t i) const {
    const OperandSpec& spec = signature->operands[i];
    if (!spec.has_own_type) return dtype;
    const bool of_bytes = spec.is_packed && !spec.is_written;
    return operands[i].dtype.value_or(of_bytes ? DType::kUint8 : dtype);
  }
  /// Whether a scalar stands for src1, the last operand.
  bool SelectsScalar() const {
    return sel_mode == SelMode::kScalar &&
           signature->Has(Param::kSelMode, form);
  }
  /// How many operands the call has.
  std::size_t operand_count() const {
    return signature->operands.size() - (SelectsScalar() ? 1 : 0);
  }
  std::size_t sources() const {
    return signature->operands.empty() ? 0 : operand_count() - 1;
  }
  /// Those that the call has.
  std::span<Operand> used_operands() {
    return std::span(operands).first(operand_count());
  }
  std::span<const Operand> used_operands() const {
    return std::span(operands).first(operand_count());
  }
  std::span<Tile> used_tiles() {
    return std::span(tiles).first(signature->tiles.size());
  }
  std::span<const Tile> used_tiles() const {
    return std::span(tiles).first(signature->tiles.size());
  }
  /// Strides of operand `i`, in DataBlocks; the one between iterations of a
  /// reduction's dst in all the results of one.
  std::int64_t& BlkStride(std::size_t i) {
    return params[static_cast<std::size_t>(Param::kDstBlkStride) + i];
  }
  std::int64_t BlkStride(std::size_t i) const {
    return params[static_cast<std::size_t>(Param::kDstBlkStride) + i];
  }
  std::int64_t& RepStride(std::size_t i) {
    return params[static_cast<std::size_t>(Param::kDstRepStride) + i];
  }
  std::int64_t RepStride(std::size_t i) const {
    return params[static_cast<std::size_t>(Param::kDstRepStride) + i];
  }
  /// Makes a copy one of blocks.
  void SetBlocks(std::int64_t count, std::int64_t length,
                 std::int64_t src_gap = 0, std::int64_t dst_gap = 0) {
    form = signature->FormWith(Param::kBlockCount);
    (*this)[Param::kBlockCount] = count;
    (*this)[Param::kBlockLen] = length;
    (*this)[Param::kSrcGap] = src_gap;
    (*this)[Param::kDstGap] = dst_gap;
  }
  RuleId Rule(CallRule rule) const { return signature->Rule(rule); }
  bool Is(Family family) const { return signature->family == family; }
  /// Whether the call, in its form, has the parameter.
  bool Has(Param param) const {
    return signature->Has(param, form) &&
           (param != Param::kScalar || SelectsScalar() ||
            !signature->Has(Param::kSelMode, form));
  }
  /// Whether the call, in its form, has a mask. One without `kIsSetMask` sets
  /// its own.
  bool IsMasked() const { return Has(Param::kMask) || Has(Param::kMaskWords); }
  /// Whether the first `kCount` elements take part, and nothing is masked.
  bool IsByCount() const { return Is(Family::kLanewise) && Has(Param::kCount); }

  static void ShowParam(auto& s, const ParamSpec& spec, auto& v);
  static void Fields(auto& s, auto& v);
};

/// A call of the instruction with nothing filled in but the type: float of
/// tiles, half of all else.
constexpr Call CallOf(const Signature& signature) {
  Call call;
  call.signature = &signature;
  if (signature.family == Family::kTile) call.dtype = DType::kFloat;
  return call;
}
constexpr Call CallOf(std::string_view op) {
  return CallOf(*FindSignature(op));
}

/// The parameters of a call that stand in one object of it.
template <class C>
struct ParamGroup {
  C& call;
  std::span<const ParamSpec> params;

  static void Fields(auto& s, auto& v) {
    for (const ParamSpec& spec : s.params) C::ShowParam(s.call, spec, v);
  }
};

void Call::ShowParam(auto& s, const ParamSpec& spec, auto& v) {
  switch (spec.param) {
    case Param::kMaskWords:
      v.MaskWords(spec.name, s.mask_words);
      break;
    case Param::kScalar:
      v.Element(spec.name, s.dtype, s.scalar);
      break;
    case Param::kIsSetMask:
      v.Flag(spec.name, s.is_set_mask, true);
      break;
    case Param::kIsPad:
      v.Flag(spec.name, s.is_pad);
      break;
    case Param::kRoundEn:
      v.Flag(spec.name, s.round_en, false);
      break;
    case Param::kOrder:
      v.OptionalWord(spec.name, s.order);
      break;
    case Param::kRoundMode:
      v.Word(spec.name, s.round_mode);
      break;
    case Param::kReduceOrder:
      v.Word(spec.name, s.reduce_order);
      break;
    case Param::kCmpMode:
      v.Word(spec.name, s.cmp_mode);
      break;
    case Param::kSelMode:
      v.Word(spec.name, s.sel_mode);
      break;
    default:
      v.Integer(spec.name, s.params[static_cast<std::size_t>(spec.param)]);
  }
}

void Call::Fields(auto& s, auto& v) {
  const Signature& signature = *s.signature;
  v.Word("dtype", s.dtype);
  // It decides what else there is.
  if (signature.Has(Param::kSelMode)) ShowParam(s, signature.params.front(), v);
  for (std::size_t i = 0; i < s.operand_count(); ++i) {
    v.Operand(signature.operands[i].name, s.operands[i]);
  }
  for (std::size_t i = 0; i < signature.tiles.size(); ++i) {
    v.Tile(signature.tiles[i].name, s.tiles[i]);
  }
  const auto all = signature.params;
  bool form_shown = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ParamSpec& spec = all[i];
    if (spec.forms != 0xff && !form_shown) {
      v.Form(s.form, signature.forms);
      form_shown = true;
    }
    if ((spec.forms >> s.form & 1) == 0) continue;
    if (spec.param == Param::kSelMode) continue;
    if (spec.param == Param::kScalar && !s.Has(Param::kScalar)) continue;
    if (spec.group.empty()) {
      ShowParam(s, spec, v);
      continue;
    }
    std::size_t end = i + 1;
    while (end < all.size() && all[end].group == spec.group) ++end;
    ParamGroup<std::remove_reference_t<decltype(s)>> group{
        s, all.subspan(i, end - i)};
    v.Group(spec.group, group);
    i = end - 1;
  }
}

}  // namespace lanediff::isa
