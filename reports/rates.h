#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/pace.h"
#include "differential/testcase/record.h"

/// The rate table: how many cases a second, and where the time goes.
namespace lanediff::reports {

inline constexpr std::array<std::string_view, 2> kRateKinds = {"legal",
                                                               "illegal"};

inline constexpr std::string_view kRatesTitle =
    "Rates; shares of the time add up to 1";

/// One line of the table. Shares are of the time of these cases and add up to
/// 1: in the oracle, in the target, in the harness between them, and in what
/// makes the cases, which is counted alike for each.
struct RateLine {
  std::string instruction;
  std::string build;  ///< "release", or its sanitizers
  std::string kind;   ///< "legal" or "illegal"
  std::uint64_t cases = 0;
  double per_second = 0;
  double oracle = 0;
  double target = 0;
  double harness = 0;
  double fuzzer = 0;

  static void Fields(auto& l, auto& v) {
    v.Required("instruction", l.instruction, kFilled);
    v.Required("build", l.build);
    v.Required("kind", l.kind, {.words = kRateKinds});
    v.Required("cases", l.cases, {.low = 1});
    v.Required("perSecond", l.per_second, kNotNegative);
    v.Required("oracle", l.oracle, kNotNegative);
    v.Required("target", l.target, kNotNegative);
    v.Required("harness", l.harness);
    v.Required("fuzzer", l.fuzzer, kNotNegative);
  }
};

/// The lines of one program's cases, of which there were some; `seconds` is the
/// whole of its time.
std::vector<RateLine> RateLines(std::string_view instruction,
                                std::string_view build, const diff::Pace& pace,
                                double seconds);

/// The table as text, with a line of headings; empty without lines.
std::string RatesText(std::span<const RateLine> lines);

}  // namespace lanediff::reports
