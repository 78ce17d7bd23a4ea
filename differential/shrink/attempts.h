#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/shrink/shrink.h"
#include "differential/testcase/case.h"
#include "isa/footprint.h"
#include "isa/step.h"

namespace lanediff::diff::shrink {

/// No sane window exceeds it. What a case holds beyond it is left to the passes
/// that lower single fields.
using isa::kFarAway;

/// How many lanes a bitwise mask spans: those up to its last one.
std::int64_t SpanOf(const std::array<std::uint64_t, 2>& mask_words);

/// One operand or tile. The pointers are into the case it was taken from.
struct Place {
  isa::Memory memory = isa::Memory::kUb;
  isa::DType dtype = isa::DType::kUint8;
  std::int64_t* at = nullptr;
  std::int64_t* bytes = nullptr;  ///< null for a tile: see `size`
  std::int64_t size = 0;          ///< bytes of the window or tile
  /// Bytes from `at` that the call touches, read off its fields with all lanes
  /// of a mask register; absent where its fields make no sense.
  std::optional<std::int64_t> touched;
  /// Bytes from one iteration to the next.
  std::int64_t repeat_stride = 0;

  /// Whether the window can be reckoned with.
  bool sane() const {
    return *at >= 0 && *at < kFarAway && size >= 0 && size < kFarAway;
  }
  std::int64_t end() const { return *at + size; }
};

/// The operands of step `step` of `c`, in the document's order.
std::vector<Place> PlacesOf(Case& c, std::size_t step);

/// The operands of all steps.
std::vector<Place> PlacesOf(Case& c);

/// The field with the iterations of step `step`; null where it has none.
std::int64_t* RepeatField(Case& c, std::size_t step);

/// The smallest case so far, and the attempts at a smaller one.
class Attempts {
 public:
  /// `c` shows `finding`.
  Attempts(Case c, Finding finding, Shows shows, const ShrinkBudget& budget);

  const Case& best() const { return best_; }
  const Finding& finding() const { return finding_; }

  /// Keeps `candidate` as the best if it is well formed and shows the finding.
  /// A candidate that has failed once is not run again.
  bool Try(Case candidate);

  /// The same for the best case with `change` applied to it.
  template <class F>
  bool Change(F&& change) {
    Case candidate = best_;
    std::forward<F>(change)(candidate);
    return Try(std::move(candidate));
  }

  /// Brings a number from `now` toward `simplest` as far as the finding still
  /// shows: all the way, else by powers of two, large ones first. `set` puts a
  /// value into a candidate.
  bool Lower(std::int64_t now, std::int64_t simplest,
             const std::function<void(Case&, std::int64_t)>& set);

  bool exhausted() const;
  std::int64_t run() const { return run_; }
  double seconds() const;

 private:
  Case best_;
  Finding finding_;
  Shows shows_;
  ShrinkBudget budget_;
  std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
  std::int64_t run_ = 0;
  std::unordered_set<std::string> failed_;  ///< encodings
};

/// How many elements of the regions have bits that are not all zero.
std::int64_t CountNonZeroElements(const Case& c);

/// The passes. Each returns whether the best case became smaller.
bool ShrinkLayout(Attempts& attempts);
bool ShrinkFields(Attempts& attempts);
bool ShrinkTiles(Attempts& attempts);
bool ShrinkData(Attempts& attempts);

}  // namespace lanediff::diff::shrink
