#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "generators/boundary/calls.h"
#include "generators/boundary/emitter.h"
#include "generators/lanewise.h"
#include "generators/values.h"
#include "isa/catalogue.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Lane-wise calls. All of them have the same cases, but for their operands,
/// for what their documents state of products and types, and for what they
/// compute.
namespace lanediff::make::sweep {

/// Of dst and the sources.
using Strides = std::array<std::int64_t, isa::Call::kMostOperands>;

/// What a generator of a lane-wise call may vary; the rest is as small as can
/// be.
struct LanewiseShape {
  /// By default one that has the type: atlas-a2, if it has.
  std::optional<isa::Product> product = std::nullopt;
  isa::DType dtype = isa::DType::kHalf;
  std::uint8_t form = isa::kMaskForm;
  std::int64_t count = 40;
  std::int64_t mask = 20;
  MaskWords words = {0x8001, 0};
  std::int64_t repeat = 2;
  Strides blk = {1, 1, 1, 1};
  Strides rep = {8, 8, 8, 8};
  bool set_mask = true;
  std::size_t conversion = 0;  ///< the number of one of the type's
  /// On products that have all modes.
  isa::SelMode sel_mode = isa::SelMode::kTensor;
};

/// A row, and what its document states.
struct LanewiseRow {
  explicit LanewiseRow(const isa::Signature& s)
      : signature(s),
        known(*isa::FindInstruction(s.op)),
        values(make::ValuesOf(s.op)) {
    for (isa::DType type : TypesOf(s.op)) types.push_back(type);
  }

  std::size_t operands() const { return signature.operands.size(); }
  /// Of `kCountForm`, `kMaskForm` and `kBitsForm`.
  bool HasForm(std::uint8_t form) const {
    return form != isa::kCountForm || signature.Has(isa::Param::kCount);
  }
  /// Those of `forms` that the row has.
  ValueList<std::uint8_t> Forms(ValueList<std::uint8_t> forms) const {
    std::erase_if(forms, [&](std::uint8_t form) { return !HasForm(form); });
    return forms;
  }
  isa::RuleId Rule(isa::CallRule rule) const { return signature.Rule(rule); }
  /// Whether the document has the rule.
  bool Has(isa::CallRule rule) const { return isa::HasRule(signature, rule); }

  /// Conversions of the type, of a row that has any; else one that is none.
  std::vector<std::optional<Conversion>> Ways(isa::DType type) const {
    std::vector<std::optional<Conversion>> all;
    for (const Conversion& one : ConversionsOf(signature.op, {}, type)) {
      const bool again = std::ranges::any_of(all, [&](const auto& other) {
        return other->to == one.to && other->mode == one.mode;
      });
      if (!again) all.push_back(one);
    }
    if (all.empty()) all.emplace_back();
    return all;
  }
  /// Lanes of an iteration of this type, and its conversion number `n`.
  std::int64_t Lanes(isa::DType type, std::size_t n = 0) const {
    isa::Call call = isa::CallOf(signature);
    call.dtype = type;
    const auto ways = Ways(type);
    if (const auto& way = ways[n % ways.size()]) SetConversion(call, *way);
    return LanesOf(call);
  }

  /// A legal call of this shape, placed; without memories where it is too
  /// large. Without isSetMask all lanes are counted.
  Case MakeCase(const LanewiseShape& shape) const;

  const isa::Signature& signature;
  const isa::Instruction& known;
  Values values;
  ValueList<isa::DType> types;  ///< see `TypesOf`
};

/// Masks, counts, strides and overlap.
void SweepLanewiseLayout(Emitter& out, const LanewiseRow& row);

/// Every pair of special values, both ways round, in both modes; where one
/// operand alone is read, one by one.
void SweepLanewiseValues(Emitter& out, const LanewiseRow& row);

/// Rounded results, and each kind of data in every type, mode and form.
void SweepLanewiseArithmetic(Emitter& out, const LanewiseRow& row);

}  // namespace lanediff::make::sweep
