// Repairs of calls that read what nothing wrote.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/units.h"
#include "sanitizer/distance.h"
#include "sanitizer/hazard_trial.h"
#include "sanitizer/init_reads.h"
#include "sanitizer/judge.h"
#include "sanitizer/pipes.h"
#include "sanitizer/slots.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {
namespace {

/// All bytes that step `number` of `c` reads and that nothing has written
/// before it, by operand; of one operand only if one is named. Values computed
/// from such bytes are written.
std::vector<InitRead> UnwrittenReads(const Case& c, std::size_t number,
                                     std::string_view operand) {
  Case first_reads = c;
  first_reads.lint.propagate = false;
  Judge judge(first_reads);
  InitReads init(first_reads);
  StepUse use;
  std::vector<InitRead> found;
  for (std::size_t i = 0; i <= number; ++i) {
    const isa::Step& step = c.program[i];
    found.clear();
    const isa::StepResult result = judge.Take(step);
    if (result.status != isa::StepResult::Status::kExecuted) continue;
    if (!PipeOf(step, c.product)) continue;
    use.Set(judge.accesses());
    found =
        init.Take(step, static_cast<std::int32_t>(i), judge.accesses(), use);
  }
  if (!operand.empty()) {
    std::erase_if(
        found, [&](const InitRead& read) { return read.operand != operand; });
  }
  return found;
}

constexpr std::size_t kLongProgramSteps = 2000;

class UnwrittenSearch {
 public:
  explicit UnwrittenSearch(HazardTrial& trial) : trial_(trial) {}

  std::optional<HazardRepair> Run() {
    if (auto cause = OfCause()) return cause;
    if (auto less = OfAmount()) return less;
    return OfMemory();
  }

 private:
  std::size_t Left(const HazardRepair& repair) {
    return trial_.Left(repair, 1);
  }

  /// The call works on as much as is written.
  std::optional<HazardRepair> OfAmount() {
    if (trial_.c.program.size() > kLongProgramSteps) return std::nullopt;
    isa::Step copy = trial_.step();
    std::optional<HazardRepair> best;
    double nearest = 0;
    for (const Slot& slot : SlotsOf(copy)) {
      const auto now = IntegerOf(trial_.step(), slot.name);
      if (!now || *now <= 1 || !IsAmount(slot.name)) continue;
      const auto with = [&](std::int64_t value) {
        HazardRepair repair;
        repair.changes = {{trial_.later(), slot.name, *now, value}};
        repair.text =
            InsteadText(repair.changes.front()) + " reads only what is written";
        return repair;
      };
      std::int64_t good = 0;  // too little is as legal, unless it is nothing
      for (std::int64_t bad = *now; bad - good > 1;) {
        const std::int64_t middle = good + (bad - good) / 2;
        (Left(with(middle)) < HazardTrial::kNoHelp ? good : bad) = middle;
      }
      if (DoesNothing(With(trial_.step(), slot.name, good))) continue;
      good = Rounded(good, [&](std::int64_t value) {
        return Left(with(value)) < HazardTrial::kNoHelp;
      });
      const double lost =
          1 - static_cast<double>(good) / static_cast<double>(*now);
      if (good == 0 || (best && lost >= nearest)) continue;
      nearest = lost;
      best = with(good);
    }
    return best;
  }

  /// DataCopy leaves out what fills no DataBlock.
  template <class Helps>
  std::int64_t Rounded(std::int64_t count, const Helps& helps) const {
    const auto* const copy = std::get_if<isa::DataCopy>(&trial_.step());
    if (copy == nullptr || copy->form != isa::DataCopy::kCount) return count;
    const std::int64_t block =
        isa::kDataBlockBytes / isa::SizeBytes(copy->dtype);
    const std::int64_t whole = count / block * block;
    return whole > 0 && helps(whole) ? whole : count;
  }

  /// Who read the mask that another call left wrote less than was meant.
  std::optional<HazardRepair> OfCause() {
    for (const Hazard& cause : trial_.verdict.hazards) {
      if (cause.rule != isa::state::kMaskLeftover || cause.fix.empty() ||
          cause.later.step >= trial_.later()) {
        continue;
      }
      Case changed = trial_.c;
      const auto at = static_cast<std::ptrdiff_t>(cause.later.step);
      changed.program.insert(changed.program.begin() + at, cause.fix.begin(),
                             cause.fix.end());
      const auto now = trial_.Look(changed);
      if (!now) break;
      const std::size_t moved = trial_.later() + cause.fix.size();
      if (std::ranges::any_of(now->hazards, [&](const Hazard& h) {
            return h.rule == trial_.hazard.rule && h.later.step == moved &&
                   h.later.operand == trial_.hazard.later.operand;
          })) {
        continue;
      }
      HazardRepair repair;
      repair.follows_from = cause.later.step;
      repair.text = fmt::format(
          "follows from {} at step {}, whose call writes these bytes",
          cause.rule.text(), cause.later.step);
      return repair;
    }
    return std::nullopt;
  }

  /// The bytes count as written before the program.
  std::optional<HazardRepair> OfMemory() {
    HazardRepair repair;
    std::vector<std::string> places;
    constexpr std::size_t kMostPlaces = 4;
    // What was computed from unwritten bytes: those count.
    const std::size_t reader =
        trial_.hazard.earlier ? trial_.hazard.earlier->step : trial_.later();
    const std::string_view operand = trial_.hazard.earlier
                                         ? std::string_view()
                                         : trial_.hazard.later.operand;
    for (const InitRead& read : UnwrittenReads(trial_.c, reader, operand)) {
      for (const Range& range : read.bytes) {
        const HazardRepair::Written part = {read.memory, range.begin,
                                            range.size()};
        if (std::ranges::find(repair.written, part) != repair.written.end()) {
          continue;
        }
        repair.written.push_back(part);
        if (places.size() == kMostPlaces) continue;
        places.push_back(fmt::format("{} bytes {} to {}",
                                     isa::Name(read.memory), range.begin,
                                     range.end - 1));
      }
    }
    if (repair.written.empty() || Left(repair) == HazardTrial::kNoHelp)
      return std::nullopt;
    if (const std::size_t more = repair.written.size() - places.size()) {
      const HazardRepair::Written& last = repair.written.back();
      places.push_back(fmt::format("{} more run{} up to byte {}", more,
                                   more == 1 ? "" : "s",
                                   last.at + last.bytes - 1));
    }
    const std::string back = places.back();
    places.pop_back();
    repair.text = fmt::format(
        "a region over {}{}{}, or a copy there before step {}, makes them "
        "written",
        fmt::join(places, ", "), places.empty() ? "" : " and ", back, reader);
    return repair;
  }

  HazardTrial& trial_;
};

}  // namespace

std::optional<HazardRepair> ReadWritten(HazardTrial& trial) {
  return UnwrittenSearch(trial).Run();
}

}  // namespace lanediff::lint
