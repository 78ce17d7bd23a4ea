#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/record.h"
#include "isa/rule.h"

namespace lanediff::diff {

struct Comparison;

/// Calls of one kind that a target could not do.
struct UnsupportedCalls {
  std::string instruction;
  std::string dtype;
  std::string product;
  std::uint64_t cases = 0;

  static void Fields(auto& u, auto& v) {
    v.Required("instruction", u.instruction, kFilled);
    v.Required("dtype", u.dtype, kFilled);
    v.Required("product", u.product, kFilled);
    v.Required("cases", u.cases);
  }
};

/// A rule that a target which checks none let be broken.
struct ToleratedRule {
  isa::RuleId rule;
  std::uint64_t calls = 0;

  static void Fields(auto& t, auto& v) {
    LANEDIFF_REQUIRED(v, t.rule, t.calls);
  }
};

/// What a target did, apart from where it disagreed.
struct AccountRecord {
  std::vector<UnsupportedCalls> unsupported;
  std::vector<ToleratedRule> tolerated;
  /// Instructions that it claims, was given, and executed not once.
  std::vector<std::string> never_executed;
  std::vector<std::string> executed;  ///< instructions, at least once
  std::uint64_t claimed = 0;    ///< cases that it was to execute or reject
  std::uint64_t lacking = 0;    ///< of these, legal and unsupported
  std::uint64_t beyond = 0;     ///< cases of what it doesn't claim
  std::uint64_t left_out = 0;   ///< illegal cases, where only legal ones count
  std::uint64_t failed = 0;     ///< cases in which it failed
  std::uint64_t disagreed = 0;  ///< others that have a finding
  bool given_up = false;        ///< it has failed too often

  bool empty() const {
    return unsupported.empty() && tolerated.empty() && never_executed.empty() &&
           left_out == 0 && failed == 0 && beyond == 0;
  }

  static void Fields(auto& a, auto& v) {
    LANEDIFF_REQUIRED(v, a.unsupported, a.tolerated, a.never_executed);
    v.Optional("executed", a.executed,
               {.description = "instructions that it executed"});
    v.Optional(
        "claimed", a.claimed,
        {.description = "cases that it was to execute or reject", .low = 1});
    v.Optional("lacking", a.lacking,
               {.description = "of the claimed cases, those that the documents "
                               "allow and it does not support",
                .low = 1});
    v.Optional("beyond", a.beyond,
               {.description = "cases of what it does not claim", .low = 1});
    LANEDIFF_REQUIRED(v, a.left_out, a.failed, a.given_up);
  }
};

/// Keeps the account of one target. Any number of threads.
class Account {
 public:
  /// `c` was compared, or nearly; `lacks_legal`: the target does not support
  /// it, and the documents allow it.
  void Add(const Case& c, const Comparison& result, bool lacks_legal);
  /// `c` was run alone.
  void Add(const Case& c, const Outcome& outcome);
  /// No case runs on it any more.
  void GiveUp();
  /// What is known so far.
  AccountRecord Record() const;

 private:
  void AddUnsupported(const Case& c, std::size_t step);

  mutable std::mutex mutex_;
  std::map<std::vector<std::string>, std::uint64_t> unsupported_;
  std::map<isa::RuleId, std::uint64_t> tolerated_;
  std::map<std::string, std::uint64_t, std::less<>> requested_;
  std::map<std::string, std::uint64_t, std::less<>> executed_;
  AccountRecord counts_;  ///< without what the lists above hold
};

/// A few lines on `record`, each with its end; nothing where it is empty.
std::string AccountText(const AccountRecord& record);

}  // namespace lanediff::diff
