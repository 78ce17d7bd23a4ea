#include "differential/compare/open_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "isa/signature.h"

namespace lanediff::diff {
namespace {

UlpBounds BoundsOfEnvironment() {
  UlpBounds bounds;
  const char* const text = std::getenv("LANEDIFF_ULP");
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    static_cast<void>(AddUlpBound(rest.substr(0, end), bounds));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return bounds;
}

/// The bits of `dtype` that are neither an infinity nor a NaN.
bool IsFinite(isa::DType dtype, std::uint64_t bits) {
  const std::uint64_t exponent =
      dtype == isa::DType::kHalf ? 0x7c00 : 0x7f800000;
  return (bits & exponent) != exponent;
}

std::uint64_t SignOf(isa::DType dtype, std::uint64_t bits) {
  return bits >> (8 * isa::SizeBytes(dtype) - 1) & 1;
}

}  // namespace

UlpBounds& TheUlpBounds() {
  static UlpBounds bounds = BoundsOfEnvironment();
  return bounds;
}

std::expected<void, std::string> AddUlpBound(std::string_view word,
                                             UlpBounds& bounds) {
  const std::size_t sign = word.find('=');
  const std::string_view op = word.substr(0, sign);
  const std::string_view digits =
      sign == word.npos ? "" : word.substr(sign + 1);
  const isa::Signature* const row = isa::FindSignature(op);
  std::uint64_t most = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), most);
  if (row == nullptr || !row->LeavesOpen() || digits.empty() ||
      error != std::errc() || end != digits.data() + digits.size()) {
    std::string allowed;
    for (const isa::Signature& one : isa::kSignatures) {
      if (!one.LeavesOpen()) continue;
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", one.op);
    }
    return std::unexpected(fmt::format(
        "NAME=N, where NAME is one of {} and N a number of ULP from 0 on",
        allowed));
  }
  bounds.insert_or_assign(std::string(op), most);
  return {};
}

std::string UlpText(const UlpBounds& bounds) {
  std::string text;
  for (const auto& [op, most] : bounds) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", op, most);
  }
  return text;
}

std::string UlpOptions() {
  std::string text;
  for (const auto& [op, most] : TheUlpBounds()) {
    text += fmt::format(" --ulp {}={}", op, most);
  }
  return text;
}

void Join(const OpenCounts& from, OpenCounts& into) {
  for (const OpenCount& count : from) {
    const auto same = std::ranges::find_if(into, [&](const OpenCount& one) {
      return one.op == count.op && one.allowed == count.allowed;
    });
    if (same == into.end()) {
      into.push_back(count);
      continue;
    }
    same->JoinOwn(count);
  }
  std::ranges::sort(into, {}, &OpenCount::op);
}

std::vector<OpenRun> OpenRunsOf(std::string_view op,
                                const std::vector<isa::Access>& open_results) {
  std::vector<OpenRun> runs;
  for (const isa::Access& one : open_results) {
    runs.push_back({{one.memory, one.at, one.bytes}, one.dtype, op});
  }
  return runs;
}

std::vector<ByteRange> RangesOf(const std::vector<OpenRun>& open) {
  return {open.begin(), open.end()};
}

OpenCount CountOf(std::string_view op) {
  OpenCount count{.op = std::string(op)};
  const auto bound = TheUlpBounds().find(op);
  if (bound != TheUlpBounds().end()) count.allowed = bound->second;
  return count;
}

bool MayDiffer(std::uint64_t expected, std::uint64_t actual, isa::DType dtype,
               OpenCount& count) {
  ++count.elements;
  if (expected == actual) return true;
  if (IsNan(dtype, expected) || IsNan(dtype, actual) ||
      SignOf(dtype, expected) != SignOf(dtype, actual)) {
    return false;
  }
  const std::uint64_t ulp = UlpDistance(dtype, expected, actual);
  const bool finite = IsFinite(dtype, expected) && IsFinite(dtype, actual);
  if (!finite && ulp > std::uint64_t{1} << FractionBits(dtype)) return false;
  count.most_ulp = std::max(count.most_ulp, ulp);
  return !count.allowed || ulp <= *count.allowed;
}

OpenCounts Settle(const std::vector<OpenRun>& open, const MemorySet& expected,
                  MemorySet& actual) {
  OpenCounts counts;
  for (const OpenRun& run : open) {
    OpenCount count = CountOf(run.op);
    const std::int64_t size = isa::SizeBytes(run.dtype);
    for (std::int64_t at = run.at; at < run.at + run.bytes; at += size) {
      const auto place = static_cast<std::size_t>(at);
      const std::uint64_t want =
          LoadElement(run.dtype, expected[run.memory].subspan(place));
      const std::uint64_t have =
          LoadElement(run.dtype, actual[run.memory].subspan(place));
      if (!MayDiffer(want, have, run.dtype, count) || want == have) continue;
      std::copy_n(expected[run.memory].begin() + at, size,
                  actual[run.memory].begin() + at);
    }
    Join({std::move(count)}, counts);
  }
  return counts;
}

}  // namespace lanediff::diff
