// Findings that follow from others, and what depends on calls that were
// skipped.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <ranges>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "isa/carried.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "isa/units.h"
#include "kernel/engine/inside.h"

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

/// Bytes of the last DataBlock of a buffer that hosts round up to.
constexpr std::int64_t kPadding = isa::kDataBlockBytes;

/// Bytes of an element of the call's operand; 1 where nothing gives its type.
std::int64_t ElementOf(const isa::Step& step, std::string_view operand) {
  return std::visit(
      [&]<class S>(const S& s) -> std::int64_t {
        if constexpr (std::same_as<S, isa::Carried>) {
          for (const isa::CarriedOperand& one : s.operands) {
            if (isa::Name(one.name) == operand && one.operand.dtype) {
              return isa::SizeBytes(*one.operand.dtype);
            }
          }
          return 1;
        } else if constexpr (std::same_as<S, isa::Call>) {
          const auto specs = s.signature->operands;
          const auto found =
              std::ranges::find(specs, operand, &isa::OperandSpec::name);
          if (found == specs.end()) return isa::SizeBytes(s.dtype);
          return isa::SizeBytes(
              s.TypeOf(static_cast<std::size_t>(found - specs.begin())));
        } else if constexpr (requires { s.dtype; }) {
          return isa::SizeBytes(s.dtype);
        } else {
          return 1;
        }
      },
      step);
}

/// "elements 8 to 11", "element 8", "bytes 0 to 31".
std::string ElementsText(const GmArgument& argument, std::int64_t element,
                         std::int64_t at, std::int64_t end) {
  const std::string_view unit = element > 1 ? "element" : "byte";
  const std::int64_t first = (at - argument.at) / element;
  const std::int64_t last = (end - 1 - argument.at) / element;
  return first >= last ? fmt::format("{} {}", unit, first)
                       : fmt::format("{}s {} to {}", unit, first, last);
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
  constexpr isa::Interval kAll{0, std::numeric_limits<std::int64_t>::max()};
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

// ---- Global memory by arguments, and what no block has written of an output -

std::string Engine::Inside::PlaceInGm(std::int64_t at, std::int64_t end) const {
  const GmArgument* const argument = gm.ArgumentAt(at);
  if (argument == nullptr) return fmt::format("GM [{},{})", at, end);
  return fmt::format(
      "argument {}, {}", argument->number,
      ElementsText(*argument, std::max<std::int64_t>(argument->element, 1), at,
                   std::min(end, argument->end)));
}

std::string Engine::Inside::ArgumentText(std::int64_t at, std::int64_t end,
                                         std::size_t step,
                                         std::string_view operand) const {
  const GmArgument* argument = gm.ArgumentAt(at);
  if (argument == nullptr) argument = gm.ArgumentBefore(at);
  if (argument == nullptr) return "";
  const Logged* const logged = log.At(step);
  std::int64_t element = argument->element;
  if (element == 0) {
    element = logged == nullptr ? 1 : ElementOf(logged->step, operand);
  }
  return fmt::format(
      " (argument {}, {}{})", argument->number,
      ElementsText(*argument, element, at, end),
      end > argument->end
          ? fmt::format(" of {}", (argument->end - argument->at) / element)
          : "");
}

// ---- Copies that are cut to whole DataBlocks --------------------------------

void Engine::Inside::NoteCut(isa::RuleId rule, std::size_t step) {
  const Logged* const logged = log.At(step);
  const auto* const copy =
      logged == nullptr ? nullptr : std::get_if<isa::Call>(&logged->step);
  if (copy == nullptr || (rule != copy->Rule(isa::CallRule::kCountFloor) &&
                          rule != copy->Rule(isa::CallRule::kCountEmpty))) {
    return;
  }
  const std::int64_t bytes =
      (*copy)[isa::Param::kCount] * isa::SizeBytes(copy->dtype);
  const std::int64_t copied =
      bytes / isa::kDataBlockBytes * isa::kDataBlockBytes;
  constexpr std::size_t kMost = 10'000;
  if (cuts.size() >= kMost) cuts.erase(cuts.begin());
  cuts.push_back({.memory = isa::MemoryAt(facts.product, copy->dst().position),
                  .block = block,
                  .at = copy->dst().at + copied,
                  .end = copy->dst().at + bytes,
                  .step = step,
                  .bytes = bytes,
                  .rule = rule});
}

/// The last copy that left one of the bytes out; null if there is none.
const Engine::Inside::Cut* Engine::Inside::CutOf(isa::Memory memory,
                                                 std::int64_t at,
                                                 std::int64_t end) const {
  const auto cut = std::find_if(cuts.rbegin(), cuts.rend(), [&](const Cut& c) {
    return c.memory == memory && c.at < end && at < c.end &&
           (memory == isa::Memory::kGm || c.block == block);
  });
  return cut == cuts.rend() ? nullptr : &*cut;
}

/// "; DataCopy a.cpp:27 copies 32 of 48 bytes, whole DataBlocks of 32 alone
/// (DC-COUNT-FLOOR)"; "" of none.
std::string Engine::Inside::CutText(const Cut* cut) const {
  if (cut == nullptr) return "";
  return fmt::format(
      "; {} copies {} of {} bytes, whole DataBlocks of 32 alone "
      "({})",
      CallText(cut->step), cut->bytes - (cut->end - cut->at), cut->bytes,
      cut->rule.text());
}

// ---- INIT-OUTPUT ------------------------------------------------------------

/// What kernels have left unwritten is known from here on, to each byte.
void Engine::Inside::KeepUnwritten() {
  std::vector<isa::Interval> left;
  for (const isa::Interval& bytes : gm.unwritten()) {
    std::ranges::copy(
        walk->unwritten().In(isa::Memory::kGm, isa::IntervalSet({bytes})),
        std::back_inserter(left));
  }
  gm.KeepUnwritten(isa::IntervalSet(std::move(left)));
  gm.Look();
}

/// Of a launch whose blocks all came to their end. Else the bytes are unknown,
/// because of the call that ended a block.
void Engine::Inside::ReportOutputs() {
  const bool refused = counts.refused != refused_before;
  for (const GmArgument& argument : gm.arguments()) {
    if (!argument.output) continue;
    if (!refused && !cut_short) {
      ReportOutput(argument);
      continue;
    }
    for (const auto& [begin, end] :
         gm.unwritten().In({argument.at, argument.end})) {
      if (refused || ended_by.empty()) {
        counts.unknown_bytes += static_cast<std::uint64_t>(end - begin);
      } else {
        CountUnknown(SourceOf(ended_by.begin()->second), end - begin,
                     PlaceInGm(begin, end));
      }
    }
  }
}

void Engine::Inside::ReportOutput(const GmArgument& argument) {
  const isa::IntervalSet left = gm.unwritten().In({argument.at, argument.end});
  if (left.empty()) return;
  const std::int64_t bytes = left.bytes();
  const std::int64_t element = std::max<std::int64_t>(argument.element, 1);
  const Cut* cut = nullptr;
  std::vector<std::string> ranges;
  constexpr std::size_t kMostRanges = 4;
  for (const auto& [begin, end] : left) {
    if (cut == nullptr) cut = CutOf(isa::Memory::kGm, begin, end);
    if (ranges.size() < kMostRanges) {
      ranges.push_back(ElementsText(argument, element, begin, end));
    }
  }
  if (ranges.size() < left.size()) {
    ranges.push_back(
        fmt::format("{} ranges more", left.size() - ranges.size()));
  }
  const std::string_view unit = element > 1 ? "elements" : "bytes";
  const std::string message = fmt::format(
      "{} leaves {} of argument {} unwritten, {} of {} {}{}", kernel,
      fmt::join(ranges, ", "), argument.number, (bytes + element - 1) / element,
      (argument.end - argument.at) / element, unit, CutText(cut));
  const Site site =
      sites[sites.Of(launched_at, isa::Name(isa::ResourceName::kLaunch))].site;
  // One whole DataBlock at the end may be what the host has rounded up to.
  const bool is_padding =
      left.size() == 1 && cut == nullptr && left.back().end == argument.end &&
      bytes == kPadding && left.front().begin > argument.at &&
      (left.front().begin - argument.at) % kPadding == 0;
  if (is_padding) {
    findings.Noted({std::string(isa::sync::kInitOutput.text()), site,
                    message + "; if the host has rounded its size up, declare "
                              "it in-out",
                    1});
    return;
  }
  Finding finding;
  finding.rule = isa::sync::kInitOutput.text();
  finding.group = Group::kInitcheck;
  finding.later.site = site;
  finding.later.op = kernel;
  finding.bytes = Bytes{isa::Memory::kGm, left.front().begin,
                        left.back().end - left.front().begin};
  finding.launch = std::max<std::int64_t>(launch, 0);
  finding.message = message;
  if (cut != nullptr) {
    finding.follows_from =
        Reported({std::string(cut->rule.text()), SiteOf(cut->step)});
  }
  finding.no_case = "bytes that no step writes are in no case";
  findings.Found(std::move(finding));
}

}  // namespace lanediff::kernel
