#include "sanitizer/mask_drift.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <variant>

#include "isa/memory_map.h"
#include "isa/state.h"

namespace lanediff::lint {
namespace {

using Found = MaskDrift::Found;

constexpr auto kStart = std::numeric_limits<std::size_t>::max();

/// The register has the same lanes, or the same number of elements.
bool IsSameMask(const Found& a, const Found& b) {
  const bool both = !b.counter && isa::SizeBytes(b.dtype) < 4;
  return a.low == b.low && (!both || a.high == b.high);
}

isa::Step Setting(const Found& found, bool mode) {
  if (!mode) return isa::SetVectorMask{.high = found.high, .low = found.low};
  if (found.counter) return isa::SetMaskCount{};
  return isa::SetMaskNorm{};
}

}  // namespace

std::optional<std::size_t> MaskDrift::SiteOf(
    std::optional<std::size_t> setter) const {
  return setter ? site_at_(*setter) : kStart;
}

std::optional<Hazard> MaskDrift::Look(const isa::Step& step, std::size_t number,
                                      const Found& found) {
  const auto site = site_at_(number);
  if (!site) return std::nullopt;
  const auto mask_site = SiteOf(found.mask_by);
  const auto mode_site = SiteOf(found.mode_by);
  if (mode_site == site) return std::nullopt;  // part of a call in counter mode
  last_site_ = site;
  last_ = found;
  if (read_mask_by_ != found.mask_by) read_by_.reset();
  read_mask_by_ = found.mask_by;
  const std::optional<std::size_t> read_by = read_by_;
  if (found.reads_register && !read_by_) read_by_ = site;
  const auto [entry, is_new] =
      first_.try_emplace(*site, First{found, read_by, mask_site, mode_site});
  if (is_new) return std::nullopt;
  const First& first = entry->second;
  const bool mode = first.found.counter != found.counter;
  const auto& before = mode ? first.mode_site : first.mask_site;
  const auto& now = mode ? mode_site : mask_site;
  const auto& setter = mode ? found.mode_by : found.mask_by;
  if (!mode &&
      (!found.reads_register || IsSameMask(first.found, found) ||
       (first.found.mask_set && found.mask_set && first.read_by == read_by))) {
    return std::nullopt;
  }
  if (!before || !now || *before == *now || !setter) return std::nullopt;
  Hazard hazard = HazardAt(isa::state::kMaskDrift, number, isa::OpName(step),
                           {Setting(first.found, mode)});
  hazard.earlier = Place{.step = *setter, .op = {}};
  hazard.what =
      mode
          ? fmt::format("runs in {} mode", found.counter ? "counter" : "normal")
      : found.counter
          ? fmt::format("runs with a mask of {} elements", found.low)
          : fmt::format("runs under mask {:#x} {:#x}", found.high, found.low);
  const auto& by = mode ? first.found.mode_by : first.found.mask_by;
  const std::string_view noun = mode ? "mode" : "mask";
  hazard.cause = Hazard::Cause{
      .step = by.value_or(number),
      .text = by ? fmt::format("its first execution had the {} of step {}",
                               noun, *by)
                 : fmt::format("its first execution had the {} of the start",
                               noun)};
  return hazard;
}

void MaskDrift::Set(const isa::Step& step, std::size_t number,
                    Found& by) const {
  // A call in counter mode that is run as parts in normal mode sets back what
  // it found.
  const bool back = last_site_ && site_at_(number) == last_site_;
  if (const auto* mask = std::get_if<isa::SetVectorMask>(&step)) {
    const bool same = back && last_.reads_register &&
                      mask->high == last_.high && mask->low == last_.low;
    by.mask_by = same ? last_.mask_by : number;
    by.mask_set = !same || last_.mask_set;
  } else if (std::holds_alternative<isa::SetMaskCount>(step)) {
    by.mode_by = back && last_.counter ? last_.mode_by : number;
  } else if (std::holds_alternative<isa::SetMaskNorm>(step)) {
    by.mode_by = number;
  } else {
    by.mask_by = number;
    by.mask_set = true;
  }
}

}  // namespace lanediff::lint
