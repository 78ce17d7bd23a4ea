#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "generators/coverage/model.h"
#include "isa/catalogue.h"

namespace lanediff::make::coverage {
namespace {

/// The widest range that the catalogue gives the field in `edition`.
isa::Range RangeOf(std::string_view op, std::string_view field,
                   isa::Edition edition) {
  isa::Range widest{field, 0, 65535};
  bool found = false;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.RangesIn(edition)) {
      if (range.field != field) continue;
      widest.low = found ? std::min(widest.low, range.low) : range.low;
      widest.high = found ? std::max(widest.high, range.high) : range.high;
      found = true;
    }
  }
  return widest;
}

}  // namespace

ValueClasses ClassesOf(std::string_view op, std::string_view field,
                       isa::Edition edition) {
  const auto [name, low, high, bits, only] = RangeOf(op, field, edition);
  ValueClasses classes;
  const auto add = [&](std::int64_t start, std::string what, bool allowed) {
    if (!classes.starts.empty() && start <= classes.starts.back()) return;
    if (allowed && start > high) return;
    classes.starts.push_back(start);
    classes.names.push_back(std::move(what));
    classes.allowed.push_back(allowed);
  };
  add(std::numeric_limits<std::int64_t>::min(), "below", false);
  add(low, "low", true);
  add(low + 1, "low+1", true);
  add(low + 2, "small", true);
  if (high - low > 40) {
    const std::int64_t origin = std::max<std::int64_t>(low, 0);
    add(origin + 16, "medium", true);
    add(origin + 64, "large", true);
  }
  add(high - 1, "high-1", true);
  add(high, "high", true);
  add(high + 1, "above", false);
  return classes;
}

}  // namespace lanediff::make::coverage
