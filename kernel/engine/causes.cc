// Findings that follow from others, and what depends on calls that were
// skipped.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <ranges>
#include <string_view>
#include <utility>
#include <variant>

#include "isa/carried.h"
#include "isa/catalogue.h"
#include "isa/state.h"
#include "kernel/engine/inside.h"
#include "sanitizer/ranges.h"

namespace lanediff::kernel {
namespace {

/// How many findings of a launch are remembered as causes.
constexpr std::size_t kMostFaults = 1000;
constexpr std::size_t kMostPlaces = 4;

using Pipes = std::pair<isa::Pipe, isa::Pipe>;

/// Which pipes a flag or barrier orders, or an event that is taken.
std::optional<Pipes> PipesOf(const isa::Step& step) {
  const auto of_event = [](isa::Event event) {
    return Pipes{isa::SourceOf(event), isa::DestinationOf(event)};
  };
  return std::visit(
      [&]<class S>(const S& s) -> std::optional<Pipes> {
        if constexpr (requires { s.event; }) {
          return of_event(s.event);
        } else if constexpr (std::same_as<S, isa::PipeBarrier>) {
          return Pipes{s.pipe, s.pipe};
        } else if constexpr (std::same_as<S, isa::Resource>) {
          const auto event = isa::Parse<isa::Event>(s.Text("event"));
          return event ? std::optional(of_event(*event)) : std::nullopt;
        } else {
          return std::nullopt;
        }
      },
      step);
}

bool IsRace(isa::RuleId rule) {
  return rule == isa::sync::kRaw || rule == isa::sync::kWar ||
         rule == isa::sync::kWaw;
}

/// A flag or barrier that orders nothing, as it breaks a rule.
bool IsFailedSync(isa::RuleId rule) {
  return rule == isa::sync::kFlagId || rule == isa::sync::kFlagPipe ||
         rule == isa::sync::kFlagTwice || rule == isa::sync::kFlagUnset ||
         rule == isa::sync::kBarrierPipe;
}

bool Overlap(const lint::HazardBytes& a, const lint::HazardBytes& b) {
  return a.memory == b.memory && a.at < b.end && b.at < a.end;
}

}  // namespace

/// INIT-READ: the bytes that nothing wrote.
std::optional<lint::HazardBytes> Engine::Inside::MissingOf(
    const lint::Hazard& hazard) {
  if (hazard.rule != isa::sync::kInitRead || !hazard.bytes) return std::nullopt;
  if (hazard.origin && hazard.origin->first) return hazard.origin->first;
  return hazard.bytes;
}

/// Nothing where --check leaves the cause out.
std::optional<Cause> Engine::Inside::Reported(Cause cause) const {
  const isa::Rule* const rule = isa::FindRule(cause.rule);
  const bool left_out =
      rule == nullptr ||
      (!settings.checks.empty() &&
       std::ranges::find(settings.checks, GroupOf(rule->id)) ==
           settings.checks.end());
  return left_out ? std::nullopt : std::optional(std::move(cause));
}

std::optional<Cause> Engine::Inside::CauseOf(const lint::Hazard& hazard) const {
  const std::size_t step = hazard.later.step;
  const Logged* const logged = log.At(step);
  const std::int64_t at_block = logged == nullptr ? block : logged->block;
  const bool of_flag =
      IsFailedSync(hazard.rule) || hazard.rule == isa::sync::kFlagUnwaited;
  const Site site = SiteOf(step);
  const auto missing = MissingOf(hazard);
  if (missing) {
    const Cut* const cut = CutOf(missing->memory, missing->at, missing->end);
    if (cut != nullptr) {
      return Reported({std::string(cut->rule.text()), SiteOf(cut->step)});
    }
  }
  std::optional<Pipes> pipes;
  if (of_flag && logged != nullptr) pipes = PipesOf(logged->step);
  if (IsRace(hazard.rule) && hazard.earlier && hazard.earlier->pipe &&
      hazard.later.pipe) {
    pipes = Pipes{*hazard.earlier->pipe, *hazard.later.pipe};
  }
  const auto is_wait = [&](const Fault& fault) {
    const Logged* const wait = log.At(fault.step);
    return wait != nullptr && IsFailedSync(fault.rule) &&
           std::holds_alternative<isa::WaitFlag>(wait->step);
  };
  const auto causes = [&](const Fault& fault) {
    const bool at_either =
        hazard.earlier &&
        (fault.step == step || fault.step == hazard.earlier->step);
    if (fault.block != at_block) return false;
    if (fault.rule == isa::krn::kFreed) {
      return at_either &&
             (IsRace(hazard.rule) || hazard.rule == isa::sync::kInitStale);
    }
    if (IsRace(hazard.rule)) {
      return IsFailedSync(fault.rule) && fault.pipes == pipes &&
             hazard.earlier->step < fault.step && fault.step < step;
    }
    if (fault.rule == isa::krn::kEvent) {
      return of_flag && fault.step < step && fault.pipes == pipes;
    }
    if (hazard.rule == isa::sync::kFlagUnset) {
      return fault.rule != hazard.rule && IsFailedSync(fault.rule) &&
             fault.step < step && fault.pipes == pipes;
    }
    if (hazard.rule == isa::sync::kFlagUnwaited) {
      return is_wait(fault) && fault.step > step && fault.pipes == pipes;
    }
    if (fault.cause.site == site) return false;
    if (hazard.rule == isa::sync::kInitStale && hazard.earlier) {
      return fault.stale == std::pair(hazard.earlier->step,
                                      hazard.cause ? hazard.cause->step : step);
    }
    return missing && fault.bytes && Overlap(*missing, *fault.bytes);
  };
  const auto found = std::ranges::find_if(faults | std::views::reverse, causes);
  if (found != faults.rend()) return Reported(found->cause);
  const auto ended = ended_by.find(at_block);
  if (hazard.rule == isa::sync::kFlagUnwaited && ended != ended_by.end()) {
    return Reported(ended->second);
  }
  return std::nullopt;
}

void Engine::Inside::NoteFault(const lint::Hazard& hazard,
                               const Finding& finding) {
  const std::size_t step = hazard.later.step;
  const Logged* const logged = log.At(step);
  if (logged == nullptr) return;
  Fault fault{.rule = hazard.rule,
              .cause = {finding.rule, finding.later.site},
              .step = step,
              .block = logged->block,
              .pipes = PipesOf(logged->step),
              .bytes = MissingOf(hazard),
              .stale = std::nullopt};
  if (hazard.rule == isa::sync::kInitStale && hazard.earlier) {
    fault.stale = {hazard.earlier->step,
                   hazard.cause ? hazard.cause->step : step};
  }
  // Of bytes that are missing at several places the first one is the cause.
  if (finding.follows_from && (fault.bytes || fault.stale)) {
    fault.cause = *finding.follows_from;
  }
  faults.push_back(std::move(fault));
  if (faults.size() > kMostFaults) faults.pop_front();
}

/// Of a call that is skipped: a buffer that ends beyond its memory, or offsets
/// that a call before would have written.
std::optional<Cause> Engine::Inside::CauseOfReject(
    isa::RuleId rule, std::size_t step, const Finding& finding) const {
  const bool of_bounds = rule.text().ends_with("-BOUNDS");
  if (of_bounds && finding.bytes) {
    const auto buffer = BufferOf(*finding.bytes);
    const auto beyond = std::ranges::find_if(faults, [&](const Fault& fault) {
      return fault.rule == isa::krn::kUbCapacity && fault.block == block &&
             buffer && fault.cause.site == buffer->site;
    });
    if (beyond != faults.end()) return Reported(beyond->cause);
  }
  const Logged* const logged = log.At(step);
  const auto* const call =
      logged == nullptr ? nullptr : std::get_if<isa::Carried>(&logged->step);
  if (call == nullptr || (!of_bounds && rule != isa::carried::kContents)) {
    return std::nullopt;
  }
  for (const isa::CarriedRead& read : call->reads) {
    if (of_bounds && read.operand != isa::OperandName::kOffset) continue;
    const auto pieces =
        walk->unknown().In(read.memory, {read.at, read.at + read.bytes});
    if (pieces.empty()) continue;
    return Reported(
        unknown[static_cast<std::size_t>(pieces.front().left_by)].cause);
  }
  return std::nullopt;
}

// ---- Bytes that depend on calls that were skipped ---------------------------

std::int32_t Engine::Inside::SourceOf(const Cause& cause) {
  const auto known = std::ranges::find(unknown, cause, &Unknown::cause);
  if (known == unknown.end()) {
    unknown.push_back({cause, 0, 0, {}});
    return static_cast<std::int32_t>(unknown.size() - 1);
  }
  return static_cast<std::int32_t>(known - unknown.begin());
}

void Engine::Inside::LeaveUnknown(const std::vector<isa::Access>& accesses) {
  const std::int32_t source = SourceOf(rejected_by);
  for (const isa::Access& access : accesses) {
    if (!access.write) continue;
    walk->unknown().Leave(access.memory, {access.at, access.at + access.bytes},
                          source);
  }
}

void Engine::Inside::CountUnknown(std::int32_t source, std::int64_t bytes,
                                  const std::string& where) {
  Unknown& one = unknown[static_cast<std::size_t>(source)];
  one.bytes += static_cast<std::uint64_t>(bytes);
  counts.unknown_bytes += static_cast<std::uint64_t>(bytes);
  if (std::ranges::find(one.places, where) != one.places.end()) return;
  if (one.places.size() < kMostPlaces) {
    one.places.push_back(where);
  } else if (one.places.size() == kMostPlaces) {
    one.places.emplace_back("others");
  }
}

/// Elements that GetValue returns.
void Engine::Inside::CountUnknownReads() {
  for (const lint::InitRead& read : walk->TakeUnknownReads()) {
    CountUnknown(*read.left_by, read.bytes.bytes(), CallText(last_step));
  }
}

void Engine::Inside::ReportUnknown() {
  constexpr lint::Range kAll{0, std::numeric_limits<std::int64_t>::max()};
  for (const auto& piece : walk->unknown().In(isa::Memory::kGm, kAll)) {
    CountUnknown(piece.left_by, piece.bytes.size(),
                 PlaceInGm(piece.bytes.begin, piece.bytes.end));
  }
  for (Unknown& one : unknown) {
    if (one.bytes == std::exchange(one.reported, one.bytes)) continue;
    findings.SetUnknown(one.cause, one.bytes,
                        fmt::format("{}", fmt::join(one.places, "; ")));
  }
}

}  // namespace lanediff::kernel
