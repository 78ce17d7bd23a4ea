#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/exhaustive/grid.h"
#include "generators/exhaustive/space.h"
#include "isa/step.h"

namespace lanediff::make::exhaust {

/// Bytes whose 16-bit elements are different halves of magnitude 0.5 to 2, both
/// signs: a wrong address or sign shows, sums and products stay finite, and
/// pairs of them are finite floats.
std::vector<std::uint8_t> PatternBytes(std::int64_t bytes);

/// A memory of `bytes` bytes of the pattern.
MemoryImage PatternImage(std::int64_t bytes);

/// What a grid starts from whose calls have `bytes` of UB.
template <class Call>
Draft<Call> OnUb(std::int64_t bytes) {
  Draft<Call> draft;
  draft.c.memory[static_cast<std::size_t>(isa::Memory::kUb)] =
      PatternImage(bytes);
  return draft;
}

/// A walker that runs each call of `space` through `CompareCase`.
std::unique_ptr<Walker> OpenCaseWalker(const Space& space,
                                       const diff::Target& target,
                                       const diff::Target& reference,
                                       isa::Edition edition);

/// The parameters of one instruction within bounds: the combinations of one
/// grid after the other. Each call is one point.
template <class Call>
class ParameterSpace final : public Space {
 public:
  /// What a grid starts from, and what is done when all axes are set.
  using Finish = void (*)(Draft<Call>&);

  ParameterSpace(std::string_view slug, Draft<Call> start,
                 std::vector<Grid<Call>> grids, Finish finish)
      : slug_(slug),
        name_(fmt::format("params-{}", slug)),
        start_(std::move(start)),
        grids_(std::move(grids)),
        finish_(finish) {
    start_.c.id = fmt::format("{}/{}", slug_, name_);
    for (const Grid<Call>& grid : grids_) size_ += grid.size();
  }

  std::string_view name() const override { return name_; }
  std::string_view slug() const override { return slug_; }
  std::string_view point_word() const override { return "cases"; }
  std::vector<std::string> Bounds() const override {
    std::vector<std::string> lines;
    for (const Grid<Call>& grid : grids_) lines.push_back(grid.Text());
    return lines;
  }
  std::uint64_t calls() const override { return size_; }
  std::uint64_t points() const override { return size_; }
  std::uint64_t PointsIn(std::uint64_t) const override { return 1; }

  Case CaseAt(std::uint64_t call) const override {
    const Grid<Call>* grid = grids_.data();
    while (call >= grid->size()) call -= (grid++)->size();
    Draft<Call> draft = start_;
    grid->Set(call, draft);
    finish_(draft);
    draft.c.program = std::move(draft.before);
    draft.c.program.push_back(draft.call);
    std::ranges::move(draft.after, std::back_inserter(draft.c.program));
    return std::move(draft.c);
  }

  std::unique_ptr<Walker> Open(const diff::Target& target,
                               const diff::Target& reference,
                               isa::Edition edition) const override {
    return OpenCaseWalker(*this, target, reference, edition);
  }

 private:
  std::string_view slug_;
  std::string name_;
  Draft<Call> start_;
  std::vector<Grid<Call>> grids_;
  Finish finish_;
  std::uint64_t size_ = 0;
};

// ---- The spaces of the instructions
// ------------------------------------------

// Each integer field runs through small values and the neighbours on both sides
// of its range, in every form; operands start around each other, in steps that
// reach every way of overlapping. The bounds are in the grids themselves, from
// where `Bounds()` lists them. Saturation mode is on; data is `PatternBytes`.

// One for each intrinsic, in the file of its name.

/// 0.9 million calls on 1 KiB of each memory, some of two copies.
std::unique_ptr<Space> ParametersOf(const isa::DataCopy& kind);
/// 2 million calls on 4 KiB of UB.
std::unique_ptr<Space> ParametersOf(const isa::Trowprod& kind);
/// 0.1 million calls on 4 KiB of UB.
std::unique_ptr<Space> ParametersOf(const isa::VecTrans& kind);
/// 2 million calls on 3 KiB of UB, where there are two sources.
std::unique_ptr<Space> LanewiseParameters(const isa::Signature& row);
/// 2 million calls on 1 KiB of UB.
std::unique_ptr<Space> ReductionParameters(const isa::Signature& row);
inline std::unique_ptr<Space> ParametersOf(const isa::Call& kind) {
  const bool reduces = kind.signature->family == isa::Family::kReduction;
  return (reduces ? ReductionParameters : LanewiseParameters)(*kind.signature);
}

}  // namespace lanediff::make::exhaust
