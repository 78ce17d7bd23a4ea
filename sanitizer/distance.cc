#include "sanitizer/distance.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "isa/footprint.h"
#include "isa/units.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

/// 0 to 1: how much of the larger one the difference is.
double Apart(std::int64_t a, std::int64_t b) {
  const double x = static_cast<double>(a);
  const double y = static_cast<double>(b);
  return std::fabs(x - y) / std::max({std::fabs(x), std::fabs(y), 1.0});
}

}  // namespace

bool IsPlace(std::string_view field) { return field.ends_with(".at"); }
bool IsWindow(std::string_view field) { return field.ends_with(".bytes"); }

bool IsAmount(std::string_view field) {
  static constexpr std::string_view kAmounts[] = {
      "repeat", "repeatTimes", "repeat_times", "mask",
      "count",  "blockCount",  "blockLen",     "elemsInOneRepeat"};
  return std::ranges::find(kAmounts, field) != std::end(kAmounts);
}

bool LiesClose(std::string_view field, std::int64_t value,
               const isa::Step& step) {
  if (field.ends_with("Gap")) return value == 0;
  if (field.ends_with("BlkStride") || field.ends_with("_rep_stride")) {
    return value == 1;
  }
  if (!field.ends_with("RepStride")) return false;
  const bool sum = std::holds_alternative<isa::RepeatReduceSum>(step) ||
                   std::holds_alternative<isa::WholeReduceSum>(step);
  return value == (sum && field.starts_with("dst")
                       ? 1
                       : isa::kIterationBytes / isa::kDataBlockBytes);
}

double Distance(std::string_view field, std::int64_t from, std::int64_t to) {
  if (IsPlace(field)) {
    const double moved =
        std::fabs(static_cast<double>(to) - static_cast<double>(from));
    return 1 + moved / (moved + 1024);
  }
  // The same bytes again and again is seldom what was meant.
  const bool again =
      to == 0 && (field.ends_with("Stride") || field.ends_with("_stride"));
  return IsWindow(field) ? Apart(from, to) / 10
                         : Apart(from, to) + (again ? 1 : 0);
}

std::int64_t RoundedUp(std::int64_t at) {
  constexpr std::int64_t kUnit = isa::kDataBlockBytes;
  return (at + kUnit - 1) / kUnit * kUnit;
}

bool DoesNothing(const isa::Step& step) {
  isa::Step copy = step;
  for (const Slot& slot : SlotsOf(copy)) {
    // An author who wrote a negative amount meant another one.
    if (IsAmount(slot.name) && IntegerOf(step, slot.name).value_or(0) < 0) {
      return false;
    }
  }
  const auto prints = isa::FootprintsOf(step);
  return !prints.empty() &&
         std::ranges::all_of(prints, [](const isa::Footprint& print) {
           return print.Touched() == std::int64_t{0};
         });
}

}  // namespace lanediff::lint
