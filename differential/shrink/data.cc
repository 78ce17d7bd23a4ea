// Makes the data few and simple: zeros, then ones and small numbers.

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "differential/memory/memory_set.h"
#include "differential/shrink/attempts.h"
#include "differential/shrink/elements.h"
#include "differential/testcase/element.h"

namespace lanediff::diff::shrink {
namespace {

using isa::DType;

/// Sets runs of `elements` by `set`: all of them, then halves, quarters and so
/// on of those that are left. Gives up early where every one seems to matter.
bool SetRuns(Attempts& attempts, std::vector<ElementRef> elements,
             const std::function<std::uint64_t(const ElementRef&)>& bits) {
  constexpr int kHopeless = 64;
  bool any = false;
  int failures = 0;
  for (std::size_t run = elements.size(); run > 0; run /= 2) {
    for (std::size_t first = 0; first < elements.size();) {
      const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(first);
      const std::size_t count = std::min(run, elements.size() - first);
      const auto end = begin + static_cast<std::ptrdiff_t>(count);
      const bool set = attempts.Change([&](Case& c) {
        for (auto it = begin; it != end; ++it) Store(c, *it, bits(*it));
      });
      if (set) {
        elements.erase(begin, end);
        any = true;
        continue;
      }
      first += count;
      if (!any && ++failures > kHopeless && elements.size() > kHopeless) {
        return false;
      }
    }
  }
  return any;
}

/// Simple values of `type`, the simplest one first.
std::vector<std::uint64_t> SimpleValues(DType type) {
  std::vector<std::uint64_t> values;
  for (const char* number : {"1", "2", "3", "4", "8", "-1", "-2", "0.5"}) {
    if (const auto bits = ElementFromNumber(type, number)) {
      values.push_back(*bits);
    }
  }
  return values;
}

/// `bits` with its fraction cut to `kept` bits: fewer digits to read.
std::uint64_t CutFraction(DType type, std::uint64_t bits, int kept) {
  const int fraction = type == DType::kHalf       ? 10
                       : type == DType::kBfloat16 ? 7
                       : type == DType::kFloat    ? 23
                                                  : 52;
  if (kept >= fraction) return bits;
  return bits & ~((std::uint64_t{1} << (fraction - kept)) - 1);
}

bool SimplifyElement(Attempts& attempts, const ElementRef& element) {
  const std::uint64_t now = Load(attempts.best(), element);
  const auto to = [&](std::uint64_t bits) {
    return bits != now &&
           attempts.Change([&](Case& c) { Store(c, element, bits); });
  };
  for (std::uint64_t value : SimpleValues(element.type)) {
    if (value == now) return false;
    if (to(value)) return true;
  }
  if (!IsFloating(element.type)) return false;
  if (IsNan(element.type, now)) {
    return to(ElementFromString(element.type, "nan").value());
  }
  for (int kept : {0, 1, 2, 4, 8, 16}) {
    const std::uint64_t cut = CutFraction(element.type, now, kept);
    if (cut != 0 && to(cut)) return true;
  }
  return false;
}

bool SimplifyAll(Attempts& attempts) {
  constexpr std::size_t kMost = 64;  // more are looked at together only
  const auto one = [](const ElementRef& element) {
    return SimpleValues(element.type).front();
  };
  std::vector<ElementRef> elements = NonZeroElements(attempts.best());
  std::erase_if(elements, [&](const ElementRef& element) {
    return Load(attempts.best(), element) == one(element);
  });
  bool any = SetRuns(attempts, elements, one);
  if (elements.size() > kMost) return any;
  for (const ElementRef& element : elements) {
    any |= SimplifyElement(attempts, element);
  }
  return any;
}

/// Moves the elements of windows to where they begin: all windows at once, else
/// one after the other; without gaps, else as they stand.
bool Gather(Attempts& attempts) {
  Case c = attempts.best();
  const std::size_t windows = WindowsOf(c).size();
  bool any = false;
  for (bool dense : {true, false}) {
    any |= attempts.Change([&](Case& to) {
      for (std::size_t w = 0; w < windows; ++w) GatherWindow(to, w, dense);
    });
    for (std::size_t w = 0; w < windows; ++w) {
      any |= attempts.Change([&](Case& to) { GatherWindow(to, w, dense); });
    }
  }
  return any;
}

}  // namespace

bool ShrinkData(Attempts& attempts) {
  bool any = attempts.Change([](Case& c) { Normalize(c, Fill::kZero); });
  any |= attempts.Change([](Case& c) { Normalize(c, Fill::kWrittenOut); });
  any |= SetRuns(attempts, NonZeroElements(attempts.best()),
                 [](const ElementRef&) { return std::uint64_t{0}; });
  any |= attempts.Change([](Case& c) { Normalize(c, Fill::kWrittenOut); });
  any |= Gather(attempts);
  any |= SimplifyAll(attempts);
  return any;
}

}  // namespace lanediff::diff::shrink
