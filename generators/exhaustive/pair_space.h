#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/exhaustive/space.h"
#include "isa/step.h"

namespace lanediff::make::exhaust {

/// `count` pairs laid out as one call on the Unified Buffer of atlas-a2.
/// Result i of the call is element i of the bytes from 0 on.
struct PairLayout {
  isa::Step step;
  std::int64_t ub_bytes = 0;
  /// Offsets of the first and of the second element of pair 0 in bytes, and
  /// from either to that of the next pair.
  std::int64_t first_at = 0;
  std::int64_t second_at = 0;
  std::int64_t pair_stride = 0;
};

/// All 2^32 ordered pairs of a 16-bit type through one arithmetic node of an
/// instruction. Pair p is (p / 65536, p mod 65536); call n holds the pairs from
/// n·pairs_per_call on, as many as are left in the last one.
class PairSpace final : public Space {
 public:
  struct Definition {
    std::string name;
    std::string_view slug;
    std::string_view bounds;
    isa::DType dtype = isa::DType::kHalf;
    bool saturation = true;
    std::uint64_t pairs_per_call;
    /// Lays out 1 to `pairs_per_call` pairs of `dtype`.
    std::function<PairLayout(isa::DType dtype, std::int64_t count)> lay_out;
  };

  static constexpr std::uint64_t kPairs = std::uint64_t{1} << 32;

  explicit PairSpace(Definition definition) : d_(std::move(definition)) {}

  std::string_view name() const override { return d_.name; }
  std::string_view slug() const override { return d_.slug; }
  std::string_view point_word() const override { return "pairs"; }
  std::vector<std::string> Bounds() const override;
  std::uint64_t calls() const override;
  std::uint64_t points() const override { return kPairs; }
  std::uint64_t PointsIn(std::uint64_t call) const override;
  Case CaseAt(std::uint64_t call) const override;
  std::unique_ptr<Walker> Open(const diff::Target& target,
                               const diff::Target& reference,
                               isa::Edition edition) const override;

  isa::DType dtype() const { return d_.dtype; }
  std::uint64_t FirstPairOf(std::uint64_t call) const {
    return call * d_.pairs_per_call;
  }
  PairLayout LayOut(std::uint64_t count) const {
    return d_.lay_out(d_.dtype, static_cast<std::int64_t>(count));
  }
  /// The steps before the call: the saturation mode.
  isa::Step Prologue() const { return isa::SetSaturation{d_.saturation}; }
  /// Fills `ub`, at least `layout.ub_bytes`, with `count` pairs from `first`
  /// on; what belongs to no pair becomes `kFill`.
  static void Fill(const PairLayout& layout, std::uint64_t first,
                   std::uint64_t count, std::span<std::uint8_t> ub);
  /// `count` pairs from `first` on, 1 to `pairs_per_call`, as a case.
  Case CaseOf(std::uint64_t first, std::uint64_t count) const;

  static constexpr std::uint8_t kFill = 0xa5;

 private:
  Definition d_;
};

/// Of each arithmetic instruction that combines two elements: half in both
/// modes, and int16, where it has them.
std::vector<std::unique_ptr<Space>> PairSpaces();

}  // namespace lanediff::make::exhaust
