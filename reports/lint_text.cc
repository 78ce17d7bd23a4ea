#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/state.h"
#include "reports/headline.h"
#include "reports/lint.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

using lint::Hazard;
using lint::Place;

std::string_view Plural(std::uint64_t count) { return count == 1 ? "" : "s"; }

/// "step 3 Min src0 iteration 2 on V".
std::string PlaceText(const Place& place) {
  std::string text = fmt::format("step {} {}", place.step, place.op);
  if (!place.operand.empty()) {
    text += fmt::format(" {} iteration {}", place.operand, place.iteration);
  }
  if (place.pipe) text += fmt::format(" on {}", isa::Name(*place.pipe));
  return text;
}

/// What the two places of a hazard of memory do with the bytes.
std::pair<std::string_view, std::string_view> Doings(isa::RuleId rule) {
  if (rule == isa::sync::kRaw) return {"writes", "reads"};
  if (rule == isa::sync::kWar) return {"reads", "writes"};
  if (rule == isa::sync::kWaw) return {"writes", "writes"};
  return {"first reads unwritten bytes", "reads"};
}

std::string BytesText(const lint::HazardBytes& bytes) {
  std::string text = fmt::format("{} bytes {} to {}", isa::Name(bytes.memory),
                                 bytes.at, bytes.at + bytes.bytes - 1);
  if (bytes.total != bytes.bytes) {
    text += fmt::format(" (of {} bytes", bytes.total);
    if (bytes.folded > 0) {
      text += fmt::format(", {} more pair{} of accesses", bytes.folded,
                          Plural(bytes.folded));
    }
    text += ")";
  }
  return text;
}

std::string CallText(const isa::Step& step) {
  if (const auto* set = std::get_if<isa::SetFlag>(&step)) {
    return fmt::format("SetFlag {} {}", isa::Name(set->event), set->id);
  }
  if (const auto* wait = std::get_if<isa::WaitFlag>(&step)) {
    return fmt::format("WaitFlag {} {}", isa::Name(wait->event), wait->id);
  }
  if (const auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
    return fmt::format("PipeBarrier {}", isa::Name(barrier->pipe));
  }
  if (const auto* mask = std::get_if<isa::SetVectorMask>(&step)) {
    return fmt::format("SetVectorMask 0x{:x} 0x{:x}", mask->high, mask->low);
  }
  return std::string(isa::OpName(step));
}

std::string FixText(const Hazard& hazard) {
  if (hazard.fix.empty()) return "";
  const auto& at = hazard.fix_at;
  if (hazard.shares_fix) {
    return fmt::format(
        "; the pair from step {} to step {} orders these as well",
        at.front().step, at.back().step);
  }
  std::vector<std::string> calls;
  for (std::size_t i = 0; i < at.size(); ++i) {
    calls.push_back(fmt::format("{} {} step {}", CallText(hazard.fix[i]),
                                at[i].behind ? "behind" : "before",
                                at[i].step));
  }
  return fmt::format("; put {}", fmt::join(calls, " and "));
}

std::string_view MessageOf(isa::RuleId rule) {
  namespace sync = isa::sync;
  namespace state = isa::state;
  const std::pair<isa::RuleId, std::string_view> kMessages[] = {
      {sync::kFlagPipe, "names an event that the product does not have"},
      {sync::kFlagId, "names a flag that the product does not have"},
      {sync::kFlagTwice, "sets a flag that is set already"},
      {sync::kFlagUnset, "waits for a flag that nothing sets before it"},
      {sync::kFlagUnwaited, "sets a flag that nothing waits for"},
      {sync::kBarrierPipe, "is of a pipe that has no barrier here"},
      {state::kMaskUnknown, "reads a mask register that nothing has set"},
      {state::kModeUnknown, "runs in a mask mode that nothing has set"},
      {state::kMaskLeftover, "reads the mask that another call left"},
      {state::kMaskCounter, "runs in counter mode"},
      {state::kCounterLeft, "is still in force when the program ends"},
  };
  for (const auto& [id, message] : kMessages) {
    if (id == rule) return message;
  }
  return "";
}

std::string RepairText(const lint::Repair& repair) {
  std::string text = repair.text;
  if (!repair.then_rejected.empty()) {
    text += fmt::format("; step{} {} {} then rejected",
                        Plural(repair.then_rejected.size()),
                        fmt::join(repair.then_rejected, ", "),
                        repair.then_rejected.size() == 1 ? "is" : "are");
  }
  return text;
}

/// The rejected step in a line; below it, further in, each rule with what
/// shows that it is broken, and the repair.
std::string RejectedText(const LintedCase& linted,
                         const lint::RejectedStep& rejected,
                         const std::string& indent) {
  std::vector<std::string_view> rules;
  for (isa::RuleId rule : rejected.rules) rules.push_back(rule.text());
  std::string text =
      fmt::format("{}step {} {} is rejected: {}\n", indent, rejected.step,
                  linted.ops[rejected.step], fmt::join(rules, ", "));
  const lint::Told* const told = ToldOf(linted, rejected.step);
  if (told == nullptr) return text;
  isa::RuleId last;
  for (const lint::Witness& witness : told->witnesses) {
    if (witness.rule != last) {
      text += fmt::format("{}  {}: {}\n", indent, witness.rule.text(),
                          witness.statement);
    }
    last = witness.rule;
    text += fmt::format("{}    {}\n", indent, witness.text());
  }
  if (told->repair) {
    text += fmt::format("{}  repair: {}\n", indent, RepairText(*told->repair));
  } else if (told->looked_for_repair) {
    text += fmt::format("{}  {}\n", indent, lint::kNoRepair);
  }
  return text;
}

using HazardRepairs = std::map<std::size_t, std::optional<lint::HazardRepair>>;

/// The first `most` hazards, each in a line, with the repairs below them.
std::string HazardLines(const std::vector<Hazard>& hazards, std::uint64_t most,
                        std::string_view indent,
                        const HazardRepairs& repairs = {}) {
  std::string text;
  const std::size_t shown =
      most == 0 ? hazards.size() : std::min<std::size_t>(hazards.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}{}\n", indent, HazardText(hazards[i]));
    const auto repair = repairs.find(i);
    if (repair == repairs.end()) continue;
    if (repair->second) {
      const std::string_view lead =
          repair->second->follows_from ? "" : "repair: ";
      text += fmt::format("{}  {}{}\n", indent, lead, repair->second->text);
    } else {
      text += fmt::format("{}  {}\n", indent, lint::kNoHazardRepair);
    }
  }
  if (shown < hazards.size()) {
    text += fmt::format("{}and {} more hazards, which --max-errors {} hides\n",
                        indent, hazards.size() - shown, most);
  }
  return text;
}

}  // namespace

std::string HazardText(const Hazard& hazard) {
  const std::string rule(hazard.rule.text());
  if (!hazard.bytes) {
    std::string text = fmt::format("{}: {} {}", rule, PlaceText(hazard.later),
                                   MessageOf(hazard.rule));
    if (hazard.earlier) {
      text += fmt::format(" (by {})", PlaceText(*hazard.earlier));
    }
    if (hazard.ids > 0) {
      text += fmt::format("; ids 0 to {} are allowed", hazard.ids - 1);
    }
    return text + FixText(hazard);
  }
  const auto [first, then] = Doings(hazard.rule);
  std::string text = fmt::format("{}: {} {} {}", rule, PlaceText(hazard.later),
                                 then, BytesText(*hazard.bytes));
  if (hazard.rule == isa::sync::kInitRead) {
    text += hazard.earlier ? fmt::format(
                                 ", computed from bytes that nothing wrote and "
                                 "that {} read first",
                                 PlaceText(*hazard.earlier))
                           : ", which nothing has written";
    return text;
  }
  text += fmt::format(" that {} {}, and nothing orders the two",
                      PlaceText(*hazard.earlier), first);
  return text + FixText(hazard);
}

const lint::Told* ToldOf(const LintedCase& linted, std::size_t step) {
  const auto found = std::ranges::find(linted.told, step, &lint::Told::step);
  return found == linted.told.end() ? nullptr : &*found;
}

std::string LintText(const LintedCase& linted, std::uint64_t most) {
  const lint::Verdict& verdict = linted.verdict;
  std::string text =
      fmt::format("{} {} on {}\n",
                  linted.clean()    ? "clean"
                  : verdict.clean() ? "unsupported"
                                    : "found",
                  InOneLine(linted.path), isa::Name(linted.product));
  text += HazardLines(verdict.hazards, most, "  ", linted.hazard_repairs);
  for (const LintFinding& finding : linted.findings) {
    if (!finding.known.empty()) {
      text += fmt::format("  known: {}: {}\n", finding.signature,
                          InOneLine(finding.known));
    }
  }
  if (verdict.unsupported) {
    text += fmt::format(
        "  step {} {} is unsupported; nothing after it was "
        "looked at\n",
        *verdict.unsupported, linted.ops[*verdict.unsupported]);
  }
  if (!verdict.rejected) return text;
  text += RejectedText(linted, *verdict.rejected, "  ");
  if (!verdict.after->hazards.empty() || !verdict.after->rejected.empty()) {
    text += fmt::format("  after step {}, as if it did nothing:\n",
                        verdict.rejected->step);
  }
  for (const lint::RejectedStep& rejected : verdict.after->rejected) {
    text += RejectedText(linted, rejected, "    ");
  }
  return text + HazardLines(verdict.after->hazards, most, "    ");
}

std::string LintSummary(const LintRecord& record) {
  const LintRecord::Sums sums = record.Sum();
  std::string text;
  for (const auto& [rule, count] : sums.by_rule) {
    text += fmt::format("  {}: {}\n", rule, count);
  }
  const auto groups = isa::Words<lint::Group>::kSpelling;
  std::vector<std::string> counts;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    counts.push_back(fmt::format("{} {}", groups[g], sums.by_group[g]));
  }
  text += fmt::format("found by group: {}\n", fmt::join(counts, ", "));
  text += fmt::format(
      "linted {} case{}: {} clean, {} hazard{}, {} rejected, {} unsupported, "
      "{} malformed; looked at {} steps, {} operations over {} bytes, {} flag "
      "and barrier steps, {} masked call{}\n",
      record.cases.size(), Plural(record.cases.size()), sums.clean,
      sums.hazards, Plural(sums.hazards), sums.rejected, sums.unsupported,
      record.malformed.size(), sums.steps, sums.operations, sums.bytes,
      sums.synchronizing, sums.masked, Plural(sums.masked));
  if (sums.no_racecheck > 0) {
    text += fmt::format(
        "racecheck was not done in {} case{}: without \"sync\" each step ends "
        "before the next begins; --sync auto or manual asks for it\n",
        sums.no_racecheck, Plural(sums.no_racecheck));
  }
  if (sums.known > 0) {
    text += fmt::format("{} accepted as known issues\n",
                        Counted(sums.known, "finding"));
  }
  if (!record.unfinished.empty()) {
    text += fmt::format("not finished: {}\n", record.unfinished);
  }
  return text;
}

LintRecord::Sums LintRecord::Sum() const {
  Sums sums;
  const auto add = [&](isa::RuleId rule) {
    ++sums.by_rule[std::string(rule.text())];
    ++sums.by_group[static_cast<std::size_t>(lint::GroupOf(rule))];
  };
  for (const LintedCase& linted : cases) {
    const lint::Verdict& verdict = linted.verdict;
    sums.clean += linted.clean() ? 1 : 0;
    sums.hazards += verdict.hazards.size();
    sums.rejected += verdict.rejected ? 1 : 0;
    sums.unsupported += verdict.unsupported ? 1 : 0;
    sums.no_racecheck += verdict.racecheck ? 0 : 1;
    sums.steps += linted.ops.size();
    sums.operations += verdict.operations;
    sums.bytes += static_cast<std::uint64_t>(verdict.bytes);
    sums.synchronizing += verdict.synchronizing;
    sums.masked += verdict.masked;
    for (const LintFinding& finding : linted.findings) {
      ++(finding.known.empty() ? sums.news : sums.known);
    }
    for (const Hazard& hazard : verdict.hazards) add(hazard.rule);
    if (!verdict.rejected) continue;
    for (isa::RuleId rule : verdict.rejected->rules) add(rule);
  }
  return sums;
}

}  // namespace lanediff::reports
