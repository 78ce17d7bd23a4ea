#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "isa/intervals.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "kernel/engine/findings.h"
#include "reports/kernel_record.h"

/// Cases of what a run finds: the smallest program that shows it.
namespace lanediff::kernel {

/// A step of the launch at hand, and where it was called.
struct Logged {
  isa::Step step;
  std::size_t site = 0;
  std::int64_t block = 0;
  std::int64_t execution = 1;
  /// It was rejected and did nothing.
  bool withdrawn = false;
};

/// The last steps of a launch. What is older than `kMost` steps is forgotten.
class Log {
 public:
  static constexpr std::size_t kMost = 200'000;

  std::size_t Add(Logged logged) {
    steps_.push_back(std::move(logged));
    if (steps_.size() > kMost) {
      steps_.pop_front();
      ++first_;
    }
    return end() - 1;
  }
  /// Null if it is forgotten.
  const Logged* At(std::size_t number) const {
    return number < first_ || number >= end() ? nullptr
                                              : &steps_[number - first_];
  }
  Logged* At(std::size_t number) {
    return const_cast<Logged*>(std::as_const(*this).At(number));
  }
  std::size_t first() const { return first_; }
  std::size_t end() const { return first_ + steps_.size(); }
  void Clear() {
    steps_.clear();
    first_ = 0;
  }

 private:
  std::deque<Logged> steps_;
  std::size_t first_ = 0;
};

/// What a finding's case is made of.
struct Shown {
  isa::RuleId rule;
  std::size_t later = 0;  ///< number of the step in the log
  std::optional<std::size_t> earlier = std::nullopt;
  /// Of initcheck, which a part of the program shows for another reason: the
  /// operand that reads, what it finds unwritten, and what of GM was at the
  /// start.
  std::string_view operand = {};
  std::optional<lint::HazardBytes> bytes = std::nullopt;
  isa::IntervalSet unwritten_gm = {};
  /// Steps and the call alone show it: legality and values. `memory` has what
  /// its windows hold, `state` what it finds.
  bool alone = false;
  std::vector<isa::Step> state = {};
  isa::PerMemory<std::optional<MemoryImage>> memory = {};
};

/// Such a case, which breaks the rule, as `Lint` reports; or why there is none.
/// `facts` has the product and the facts for lint.
std::expected<Case, std::string> CaseOf(const Shown& shown, const Case& facts,
                                        const Log& log, const Sites& sites);

/// Names the folder that a run began in, to the programs that it starts.
inline constexpr const char* kRunFolderVariable = "LANEDIFF_RUN_FOLDER";

/// "NAME-LINE", how the names of the cases of `site` begin. Sites of several
/// files may have one.
std::string CaseStem(const Site& site);

/// Writes it to `folder`/NAME-LINE-N.json, from where the run began, which it
/// doesn't overwrite within a run: `number` counts the cases of a `CaseStem`.
/// The path, or why it could not be written.
std::expected<std::string, std::string> SaveCase(Case c,
                                                 const std::string& folder,
                                                 const Site& site, int number);

}  // namespace lanediff::kernel
