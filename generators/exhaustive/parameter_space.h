#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/exhaustive/grid.h"
#include "generators/exhaustive/space.h"

namespace lanediff::make::exhaust {

/// Bytes whose 16-bit elements are different halves of magnitude 0.5 to 2, both
/// signs: a wrong address or sign shows, sums and products stay finite, and
/// pairs of them are finite floats.
std::vector<std::uint8_t> PatternBytes(std::int64_t bytes);

/// A memory of `bytes` bytes of the pattern.
MemoryImage PatternImage(std::int64_t bytes);

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

  ParameterSpace(std::string name, Draft<Call> start,
                 std::vector<Grid<Call>> grids, Finish finish)
      : name_(std::move(name)),
        start_(std::move(start)),
        grids_(std::move(grids)),
        finish_(finish) {
    start_.c.id = std::string(Call::kSlug) + "/" + name_;
    for (const Grid<Call>& grid : grids_) size_ += grid.size();
  }

  std::string_view name() const override { return name_; }
  std::string_view slug() const override { return Call::kSlug; }
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
    for (isa::Step& step : draft.after) {
      draft.c.program.push_back(std::move(step));
    }
    return std::move(draft.c);
  }

  std::unique_ptr<Walker> Open(const diff::Target& target,
                               const diff::Target& reference,
                               isa::Edition edition) const override {
    return OpenCaseWalker(*this, target, reference, edition);
  }

 private:
  std::string name_;
  Draft<Call> start_;
  std::vector<Grid<Call>> grids_;
  Finish finish_;
  std::uint64_t size_ = 0;
};

}  // namespace lanediff::make::exhaust
