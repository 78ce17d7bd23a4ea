#include "reports/target_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <system_error>

#include "differential/targets/external/target_coverage.h"

namespace lanediff::reports {
namespace {

std::string Ranges(const std::set<std::uint64_t>& numbers) {
  std::string text;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto next = std::next(first);
    std::uint64_t last = *first;
    for (; next != numbers.end() && *next == last + 1; ++next) last = *next;
    if (!text.empty()) text += ' ';
    text += last == *first ? fmt::format("{}", last)
                           : fmt::format("{}-{}", *first, last);
    first = next;
  }
  return text;
}

/// What `Ranges` wrote; stops at what it can't have written.
std::set<std::uint64_t> Numbers(std::string_view text) {
  std::set<std::uint64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto read = [&](std::uint64_t& number) {
    const auto result = std::from_chars(at, end, number);
    at = result.ptr;
    return result.ec == std::errc() && number < diff::kMostTargetCounters;
  };
  for (std::uint64_t first = 0; at < end && read(first);) {
    std::uint64_t last = first;
    if (at < end && *at == '-' && (++at, !read(last))) break;
    for (; first <= last; ++first) numbers.insert(first);
    at += at < end;
  }
  return numbers;
}

}  // namespace

TargetCoverageRecord TargetCoverageOf(std::uint64_t counters,
                                      const std::set<std::uint64_t>& reached) {
  return {
      .counters = counters,
      .places = std::min<std::uint64_t>(counters, diff::kMostTargetCounters),
      .reached = reached.size(),
      .which = Ranges(reached)};
}

TargetCoverageRecord Join(const TargetCoverageRecord& a,
                          const TargetCoverageRecord& b) {
  if (a.counters != b.counters) return a.reached < b.reached ? b : a;
  std::set<std::uint64_t> both = Numbers(a.which);
  both.merge(Numbers(b.which));
  return TargetCoverageOf(a.counters, both);
}

std::string TargetCoverageText(const TargetCoverageRecord& r) {
  if (r.counters == 0) return "target's own coverage: not instrumented\n";
  const std::string folded =
      r.places == r.counters
          ? ""
          : fmt::format(" (the library has {}, folded)", r.counters);
  return fmt::format("target's own coverage: {} of {} counters{}\n", r.reached,
                     r.places, folded);
}

}  // namespace lanediff::reports
