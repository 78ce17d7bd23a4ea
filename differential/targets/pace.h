#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "differential/compare/compare.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/record.h"

/// How quickly cases are compared, and where the time goes.
namespace lanediff::diff {

/// Cases of one kind and the time they took.
struct PacePart {
  std::uint64_t cases = 0;
  double seconds = 0;            ///< of wall clock in all
  double reference_seconds = 0;  ///< of these in the reference's steps
  double target_seconds = 0;     ///< in the target's steps, both backgrounds

  bool operator==(const PacePart&) const = default;

  static void Fields(auto& p, auto& v) {
    v.Required("cases", p.cases);
    v.Required("seconds", p.seconds, kNotNegative);
    v.Required("referenceSeconds", p.reference_seconds, kNotNegative);
    v.Required("targetSeconds", p.target_seconds, kNotNegative);
  }
};

struct Pace {
  PacePart legal;
  PacePart illegal;  ///< the reference rejected a step

  bool operator==(const Pace&) const = default;

  static void Fields(auto& p, auto& v) {
    LANEDIFF_REQUIRED(v, p.legal, p.illegal);
  }
};

/// "release", or "asan+ubsan" where this program was built with sanitizers.
std::string_view BuildName();

/// Compares cases as `CompareCase` does and keeps their pace. One thread
/// at a time.
class PaceMeter {
 public:
  using Clock = std::chrono::steady_clock;

  PaceMeter(const Target& target, const Target& reference);
  ~PaceMeter();

  /// What the case cost before, such as its making, counts from `start` on.
  /// Cases that a side can't do are not counted.
  Comparison Compare(const Case& c, const StepObserver& observer = {},
                     Clock::time_point start = Clock::now());

  const Pace& pace() const { return pace_; }
  void Restart() { pace_ = {}; }

 private:
  class Timed;

  std::unique_ptr<Timed> target_;
  std::unique_ptr<Timed> reference_;
  Pace pace_;
};

}  // namespace lanediff::diff
