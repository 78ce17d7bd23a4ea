#include "reports/rates.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanediff::reports {
namespace {

RateLine LineOf(std::string_view kind, const diff::PacePart& part,
                double made_per_case) {
  const auto cases = static_cast<double>(part.cases);
  const double made = made_per_case * cases;
  const double seconds = part.seconds + made;
  const auto share = [&](double of) { return seconds > 0 ? of / seconds : 0; };
  const double harness =
      part.seconds - part.reference_seconds - part.target_seconds;
  return {.instruction = {},
          .build = {},
          .kind = std::string(kind),
          .cases = part.cases,
          .per_second = seconds > 0 ? cases / seconds : 0,
          .oracle = share(part.reference_seconds),
          .target = share(part.target_seconds),
          .harness = share(harness),
          .fuzzer = share(made)};
}

}  // namespace

std::vector<RateLine> RateLines(std::string_view instruction,
                                std::string_view build, const diff::Pace& pace,
                                double seconds) {
  const std::uint64_t cases = pace.legal.cases + pace.illegal.cases;
  if (cases == 0) return {};
  const double made =
      std::max(0.0, seconds - pace.legal.seconds - pace.illegal.seconds);
  const double made_per_case = made / static_cast<double>(cases);
  std::vector<RateLine> lines;
  if (pace.legal.cases > 0) {
    lines.push_back(LineOf("legal", pace.legal, made_per_case));
  }
  if (pace.illegal.cases > 0) {
    lines.push_back(LineOf("illegal", pace.illegal, made_per_case));
  }
  for (RateLine& line : lines) {
    line.instruction = instruction;
    line.build = build;
  }
  return lines;
}

std::string RatesText(std::span<const RateLine> lines) {
  if (lines.empty()) return {};
  std::string text =
      fmt::format("{:<18} {:<12} {:<8} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}\n",
                  "rates", "build", "cases", "", "a second", "oracle", "target",
                  "harness", "fuzzer");
  for (const RateLine& line : lines) {
    text += fmt::format(
        "{:<18} {:<12} {:<8} {:>9} {:>9.0f} {:>6.1f} % {:>6.1f} % {:>6.1f} % "
        "{:>6.1f} %\n",
        line.instruction, line.build, line.kind, line.cases, line.per_second,
        100 * line.oracle, 100 * line.target, 100 * line.harness,
        100 * line.fuzzer);
  }
  return text;
}

}  // namespace lanediff::reports
