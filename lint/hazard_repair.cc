#include "lint/hazard_repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "emulator/flags.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/units.h"
#include "lint/distance.h"
#include "lint/lint.h"
#include "lint/pipes.h"
#include "lint/slots.h"
#include "lint/sort_stably.h"
#include "lint/unwritten_reads.h"

namespace lanediff::lint {
namespace {

/// Each look is at the whole program.
constexpr int kMostLooks = 200;
constexpr std::size_t kLongProgramSteps = 2000;
constexpr std::size_t kMostRepaired = 16;
constexpr std::size_t kMostRepairedOfLong = 2;

template <class Visit>
void VisitFlag(isa::Step& step, const Visit& visit) {
  if (auto* set = std::get_if<isa::SetFlag>(&step)) visit(*set);
  if (auto* wait = std::get_if<isa::WaitFlag>(&step)) visit(*wait);
}

template <class E>
std::vector<E> AllOfWords() {
  std::vector<E> all;
  for (std::size_t i = 0; i < isa::kCount<E>; ++i) {
    all.push_back(static_cast<E>(i));
  }
  return all;
}

std::size_t CountOf(const Verdict& verdict) {
  return verdict.hazards.size() +
         (verdict.after ? verdict.after->hazards.size() : 0);
}

std::size_t RejectedOf(const Verdict& verdict) {
  return verdict.rejected ? 1 + verdict.after->rejected.size() : 0;
}

/// How many hazards are left with a change; worst if it doesn't help.
constexpr std::size_t kNoHelp = static_cast<std::size_t>(-1);

class HazardSearch {
 public:
  HazardSearch(const Case& c, const Verdict& verdict, const Hazard& hazard)
      : c_(c), verdict_(verdict), hazard_(hazard) {}

  std::optional<HazardRepair> Run() {
    if (hazard_.rule == isa::sync::kFlagId) return OfId();
    if (hazard_.rule == isa::sync::kFlagPipe) return OfEvent();
    if (hazard_.rule == isa::sync::kBarrierPipe) return OfBarrier();
    if (auto cause = OfCause()) return cause;
    if (auto less = OfAmount()) return less;
    return OfMemory();
  }

 private:
  std::size_t later() const { return hazard_.later.step; }
  const isa::Step& step() const { return c_.program[later()]; }

  /// The hazards that are left.
  std::size_t Left(const HazardRepair& repair) {
    if (++looks_ > kMostLooks) return kNoHelp;
    const Verdict now = Lint(Repaired(c_, repair));
    const bool there = std::ranges::any_of(
        now.hazards, [&](const Hazard& h) { return IsHere(h, later()); });
    // A flag that counts now may lack its other end, which is told then.
    const std::size_t fewer = hazard_.rule == isa::sync::kInitRead ? 1 : 0;
    return there || CountOf(now) + fewer > CountOf(verdict_) ||
                   RejectedOf(now) > RejectedOf(verdict_) ||
                   now.unsupported != verdict_.unsupported
               ? kNoHelp
               : CountOf(now);
  }

  /// The first of those that leave the fewest hazards.
  std::optional<HazardRepair> Best(const std::vector<HazardRepair>& tried) {
    std::optional<HazardRepair> best;
    std::size_t fewest = kNoHelp;
    for (const HazardRepair& repair : tried) {
      const std::size_t left = Left(repair);
      if (left >= fewest) continue;
      fewest = left;
      best = repair;
    }
    return best;
  }

  /// Every step of the hazard's flag with another event or id.
  template <class Set>
  HazardRepair OfFlag(const char* field,
                      const std::variant<std::int64_t, std::string>& from,
                      const std::variant<std::int64_t, std::string>& to,
                      const Set& is_same) const {
    HazardRepair repair;
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < c_.program.size(); ++i) {
      isa::Step copy = c_.program[i];
      VisitFlag(copy, [&](const auto& flag) {
        if (!is_same(flag)) return;
        repair.changes.push_back({i, field, from, to});
        steps.push_back(i);
      });
    }
    const auto word = [](const auto& value) {
      return std::visit([](const auto& v) { return fmt::format("{}", v); },
                        value);
    };
    constexpr std::size_t kFew = 8;
    const bool many = steps.size() > kFew;
    if (many) steps.resize(kFew);
    repair.text =
        fmt::format("{} {} instead of {} in step{} {}{}", field, word(to),
                    word(from), steps.size() == 1 ? "" : "s",
                    fmt::join(steps, ", "), many ? ", …" : "");
    return repair;
  }

  std::pair<isa::Event, std::int64_t> Flag() const {
    std::pair<isa::Event, std::int64_t> flag{};
    isa::Step copy = step();
    VisitFlag(copy, [&](const auto& f) { flag = {f.event, f.id}; });
    return flag;
  }

  /// The nearest id that the product has, one that no step uses if possible.
  std::optional<HazardRepair> OfId() {
    const auto [event, id] = Flag();
    std::set<std::int64_t> used;
    for (isa::Step copy : c_.program) {
      VisitFlag(copy, [&](const auto& f) {
        if (f.event == event) used.insert(f.id);
      });
    }
    constexpr std::int64_t kBeyondAllIds = 64;
    std::vector<std::int64_t> ids;
    for (std::int64_t one = 0; one < kBeyondAllIds; ++one) {
      if (emulator::FlagExists(c_.product, event, one)) ids.push_back(one);
    }
    SortStably(ids, [&, from = id](std::int64_t one) {
      return std::pair(used.contains(one), from < 0 ? one : -one);
    });
    std::vector<HazardRepair> tried;
    for (std::int64_t one : ids) {
      tried.push_back(OfFlag("id", id, one, [&, e = event, i = id](auto& f) {
        return f.event == e && f.id == i;
      }));
    }
    return Best(tried);
  }

  /// An event that the product has: of those that help most one with the same
  /// end.
  std::optional<HazardRepair> OfEvent() {
    const auto [event, id] = Flag();
    std::vector<isa::Event> events;
    for (isa::Event one : AllOfWords<isa::Event>()) {
      if (emulator::FlagExists(c_.product, one, id)) events.push_back(one);
    }
    SortStably(events, [from = event](isa::Event one) {
      return (isa::DestinationOf(one) == isa::DestinationOf(from) ? 0 : 1) +
             (isa::SourceOf(one) == isa::SourceOf(from) ? 0 : 1);
    });
    std::vector<HazardRepair> tried;
    for (isa::Event one : events) {
      tried.push_back(OfFlag("event", std::string(isa::Name(event)),
                             std::string(isa::Name(one)),
                             [&, e = event, i = id](auto& f) {
                               return f.event == e && f.id == i;
                             }));
    }
    return Best(tried);
  }

  /// A barrier of all pipes orders what that of any would.
  std::optional<HazardRepair> OfBarrier() {
    if (!HasBarrier(c_.product, isa::Pipe::kAll)) return std::nullopt;
    const isa::Pipe from = std::get<isa::PipeBarrier>(step()).pipe;
    const std::string all(isa::Name(isa::Pipe::kAll));
    HazardRepair repair;
    repair.changes = {{later(), "pipe", std::string(isa::Name(from)), all}};
    repair.text = fmt::format("pipe {} instead of {}", all, isa::Name(from));
    return Best({std::move(repair)});
  }

  /// The call works on as much as is written.
  std::optional<HazardRepair> OfAmount() {
    if (c_.program.size() > kLongProgramSteps) return std::nullopt;
    isa::Step copy = step();
    std::optional<HazardRepair> best;
    double nearest = 0;
    for (const Slot& slot : SlotsOf(copy)) {
      const auto now = IntegerOf(step(), slot.name);
      if (!now || *now <= 1 || !IsAmount(slot.name)) continue;
      const auto with = [&](std::int64_t value) {
        HazardRepair repair;
        repair.changes = {{later(), slot.name, *now, value}};
        repair.text =
            fmt::format("{} {} instead of {} reads only what is written",
                        slot.name, value, *now);
        return repair;
      };
      std::int64_t good = 0;  // too little is as legal, unless it is nothing
      for (std::int64_t bad = *now; bad - good > 1;) {
        const std::int64_t middle = good + (bad - good) / 2;
        (Left(with(middle)) < kNoHelp ? good : bad) = middle;
      }
      if (DoesNothing(With(step(), slot.name, good))) continue;
      good = Rounded(good, [&](std::int64_t value) {
        return Left(with(value)) < kNoHelp;
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
    const auto* const copy = std::get_if<isa::DataCopy>(&step());
    if (copy == nullptr || copy->form != isa::DataCopy::kCount) return count;
    const std::int64_t block =
        isa::kDataBlockBytes / isa::SizeBytes(copy->dtype);
    const std::int64_t whole = count / block * block;
    return whole > 0 && helps(whole) ? whole : count;
  }

  /// Who read the mask that another call left wrote less than was meant.
  std::optional<HazardRepair> OfCause() {
    for (const Hazard& cause : verdict_.hazards) {
      if (cause.rule != isa::state::kMaskLeftover || cause.fix.empty() ||
          cause.later.step >= later()) {
        continue;
      }
      if (++looks_ > kMostLooks) break;
      Case changed = c_;
      const auto at = static_cast<std::ptrdiff_t>(cause.later.step);
      changed.program.insert(changed.program.begin() + at, cause.fix.begin(),
                             cause.fix.end());
      const Verdict now = Lint(changed);
      const std::size_t moved = later() + cause.fix.size();
      if (std::ranges::any_of(
              now.hazards, [&](const Hazard& h) { return IsHere(h, moved); })) {
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
    constexpr std::size_t kMostTold = 4;
    // What was computed from unwritten bytes: those count.
    const std::size_t reader =
        hazard_.earlier ? hazard_.earlier->step : later();
    const std::string_view operand =
        hazard_.earlier ? std::string_view() : hazard_.later.operand;
    for (const InitRead& read : UnwrittenReads(c_, reader, operand)) {
      for (const Range& range : read.bytes) {
        const HazardRepair::Written part = {read.memory, range.begin,
                                            range.size()};
        if (std::ranges::find(repair.written, part) != repair.written.end()) {
          continue;
        }
        repair.written.push_back(part);
        if (places.size() == kMostTold) continue;
        places.push_back(fmt::format("{} bytes {} to {}",
                                     isa::Name(read.memory), range.begin,
                                     range.end - 1));
      }
    }
    if (repair.written.empty() || Left(repair) == kNoHelp) return std::nullopt;
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

  bool IsHere(const Hazard& h, std::size_t step_number) const {
    return h.rule == hazard_.rule && h.later.step == step_number &&
           h.later.operand == hazard_.later.operand;
  }

  const Case& c_;
  const Verdict& verdict_;
  const Hazard& hazard_;
  int looks_ = 0;
};

/// A region of zeros there, and of what stands there already.
void Write(const HazardRepair::Written& part, Case& c) {
  auto& image = c.memory[static_cast<std::size_t>(part.memory)];
  if (!image) {
    image = MemoryImage{.fill = 0,
                        .size = SizeOf(c, part.memory),
                        .regions = {},
                        .initialised = false};
  }
  Region region{.at = part.at, .dtype = {}, .bytes = {}};
  region.bytes.assign(static_cast<std::size_t>(part.bytes), image->fill);
  const auto behind = std::ranges::find_if(
      image->regions, [&](const Region& r) { return r.at > part.at; });
  image->regions.insert(behind, std::move(region));
}

}  // namespace

bool IsForRepair(const Hazard& hazard) {
  return hazard.rule == isa::sync::kInitRead ||
         hazard.rule == isa::sync::kFlagId ||
         hazard.rule == isa::sync::kFlagPipe ||
         hazard.rule == isa::sync::kBarrierPipe;
}

std::optional<HazardRepair> FindHazardRepair(const Case& c,
                                             const Verdict& verdict,
                                             const Hazard& hazard) {
  return HazardSearch(c, verdict, hazard).Run();
}

std::map<std::size_t, std::optional<HazardRepair>> FindHazardRepairs(
    const Case& c, const Verdict& verdict, bool (*is_wanted)(const Hazard&)) {
  std::map<std::size_t, std::optional<HazardRepair>> found;
  const std::size_t most = c.program.size() > kLongProgramSteps
                               ? kMostRepairedOfLong
                               : kMostRepaired;
  for (std::size_t i = 0; i < verdict.hazards.size(); ++i) {
    if (!is_wanted(verdict.hazards[i])) continue;
    if (found.size() == most) break;
    found[i] = FindHazardRepair(c, verdict, verdict.hazards[i]);
  }
  return found;
}

Case Repaired(const Case& c, const HazardRepair& repair) {
  Case repaired = c;
  for (const HazardRepair::Change& change : repair.changes) {
    isa::Step& step = repaired.program[change.step];
    const auto* const word = std::get_if<std::string>(&change.to);
    if (change.field == "event") {
      VisitFlag(step,
                [&](auto& f) { f.event = *isa::Parse<isa::Event>(*word); });
    } else if (change.field == "pipe") {
      std::get<isa::PipeBarrier>(step).pipe = *isa::Parse<isa::Pipe>(*word);
    } else if (change.field == "id") {
      VisitFlag(step,
                [&](auto& f) { f.id = std::get<std::int64_t>(change.to); });
    } else {
      step = With(step, change.field, std::get<std::int64_t>(change.to));
    }
  }
  for (const HazardRepair::Written& part : repair.written) {
    Write(part, repaired);
  }
  return repaired;
}

}  // namespace lanediff::lint
