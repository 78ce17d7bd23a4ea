#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/catalogue.h"
#include "isa/state.h"
#include "reports/lint.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using lint::Hazard;
using lint::Place;
using Line = Report::Line;

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
      text += ", " + Counted(bytes.folded, "more pair") + " of accesses";
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

/// Its missing calls and where they go; `shared`: those printed before.
std::string FixText(const Hazard& hazard, bool shared) {
  if (hazard.fix.empty()) return "";
  const auto& at = hazard.fix_at;
  if (shared) {
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

/// "1, 2, 3 and 5 more".
std::string FirstOf(const std::vector<std::size_t>& steps) {
  constexpr std::size_t kFew = 8;
  const std::size_t shown = std::min(steps.size(), kFew);
  const std::string more =
      shown < steps.size() ? fmt::format(" and {} more", steps.size() - shown)
                           : std::string();
  return fmt::format(
      "{}{}", fmt::join(steps.begin(), steps.begin() + shown, ", "), more);
}

/// The rejected step; below it each rule with what shows that it is broken, and
/// the repair.
Line RejectedLine(const LintedCase& linted,
                  const lint::RejectedStep& rejected) {
  std::vector<std::string_view> rules;
  for (isa::RuleId rule : rejected.rules) rules.push_back(rule.text());
  Line line = {fmt::format("step {} {} is rejected: {}", rejected.step,
                           linted.ops[rejected.step], fmt::join(rules, ", "))};
  if (!linted.where.empty() && !linted.where[rejected.step].empty()) {
    line.text += fmt::format(" [{}]", linted.where[rejected.step]);
  }
  const lint::Diagnosis* const diagnosis = DiagnosisOf(linted, rejected.step);
  if (diagnosis == nullptr) return line;
  isa::RuleId last;
  for (const lint::Witness& witness : diagnosis->witnesses) {
    if (witness.rule != last) {
      line.below.push_back({.text = std::string(witness.statement),
                            .label = std::string(witness.rule.text())});
    }
    last = witness.rule;
    line.below.back().below.push_back({witness.text()});
  }
  if (diagnosis->repair) {
    line.below.push_back(
        {.text = lint::TextOf(*diagnosis->repair), .label = "repair"});
  } else if (diagnosis->looked_for_repair) {
    line.below.push_back(
        {.text = std::string(lint::kNoRepair), .label = "repair"});
  }
  return line;
}

std::string BareSentence(const Hazard& hazard) {
  const std::string rule(hazard.rule.text());
  if (!hazard.bytes) {
    std::string text = fmt::format(
        "{}: {} {}", rule, PlaceText(hazard.later),
        hazard.what.empty() ? lint::MessageOf(hazard.rule) : hazard.what);
    if (hazard.earlier) {
      text += fmt::format(" (by {})", PlaceText(*hazard.earlier));
    }
    if (hazard.cause) text += "; " + hazard.cause->text;
    if (hazard.ids > 0) {
      text += fmt::format("; ids 0 to {} are allowed", hazard.ids - 1);
    }
    return text;
  }
  const auto [first, then] = Doings(hazard.rule);
  std::string text = fmt::format("{}: {} {} {}", rule, PlaceText(hazard.later),
                                 then, BytesText(*hazard.bytes));
  if (hazard.rule == isa::sync::kInitRead) {
    const auto& left_by =
        hazard.origin ? hazard.origin->left_by : std::optional<lint::Place>();
    const std::string how =
        left_by ? PlaceText(*left_by) + " left unspecified" : std::string();
    text +=
        hazard.earlier
            ? fmt::format(
                  ", computed from bytes that {} and that {} read first",
                  left_by ? how : "nothing wrote", PlaceText(*hazard.earlier))
            : fmt::format(", which {}", left_by ? how : "nothing has written");
    return text + (hazard.cause ? "; " + hazard.cause->text : "");
  }
  if (hazard.rule == isa::sync::kInitStale) {
    text += hazard.cause ? ", computed from bytes" : "";
    text += fmt::format(
        " that this use of a queue's buffer has not written, and that {} left "
        "there",
        PlaceText(*hazard.earlier));
    return text + (hazard.cause ? "; " + hazard.cause->text : "");
  }
  return text + fmt::format(" that {} {}, and nothing orders the two",
                            PlaceText(*hazard.earlier), first);
}

/// Without what would take it away.
std::string BareText(const Hazard& hazard) {
  const std::string text = BareSentence(hazard);
  return hazard.where.empty() ? text
                              : fmt::format("{} [{}]", text, hazard.where);
}

std::string RepairText(const std::optional<lint::HazardRepair>& repair) {
  return repair ? repair->text : std::string(lint::kNoRepair);
}

/// Adds the first `most` hazards, with the repairs below them.
void AddHazards(const std::vector<Hazard>& hazards, std::uint64_t most,
                const lint::HazardRepairs& repairs, std::vector<Line>& lines) {
  const std::size_t shown =
      most == 0 ? hazards.size() : std::min<std::size_t>(hazards.size(), most);
  std::set<std::tuple<isa::Event, std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < shown; ++i) {
    const Hazard& hazard = hazards[i];
    Line& line = lines.emplace_back(Line{BareText(hazard)});
    const auto repair = repairs.find(i);
    if (repair != repairs.end()) {
      line.below = {{.text = RepairText(repair->second), .label = "repair"}};
      continue;
    }
    const auto* const set = hazard.fix.empty()
                                ? nullptr
                                : std::get_if<isa::SetFlag>(&hazard.fix[0]);
    const bool is_new =
        set == nullptr || pairs
                              .emplace(set->event, hazard.fix_at.front().step,
                                       hazard.fix_at.back().step)
                              .second;
    line.text += FixText(hazard, hazard.shares_fix && !is_new);
  }
  if (shown < hazards.size()) {
    lines.push_back(
        {fmt::format("and {} more hazards, which --max-errors {} hides",
                     hazards.size() - shown, most)});
  }
}

}  // namespace

std::string HazardText(const Hazard& hazard,
                       const std::optional<lint::HazardRepair>* repair) {
  return BareText(hazard) + (repair == nullptr
                                 ? FixText(hazard, hazard.shares_fix)
                                 : "; repair: " + RepairText(*repair));
}

const lint::Diagnosis* DiagnosisOf(const LintedCase& linted, std::size_t step) {
  const auto found =
      std::ranges::find(linted.diagnoses, step, &lint::Diagnosis::step);
  return found == linted.diagnoses.end() ? nullptr : &*found;
}

Report::Line LintLine(const LintedCase& linted, std::uint64_t most) {
  const lint::Verdict& verdict = linted.verdict;
  Line line = {fmt::format(
      "{} {} on {}{}",
      linted.clean()    ? "clean"
      : verdict.clean() ? "unsupported"
                        : "found",
      linted.path, isa::Name(linted.product),
      linted.edition == isa::kNewestEdition
          ? ""
          : fmt::format(", edition {}", isa::Name(linted.edition)))};
  AddHazards(verdict.hazards, most, linted.hazard_repairs, line.below);
  for (const LintFinding& finding : linted.findings) {
    if (!finding.known.empty()) {
      line.below.push_back(
          {.text = fmt::format("{}: {}", finding.signature, finding.known),
           .label = "known"});
    }
    if (!finding.alone.empty()) {
      line.below.push_back(
          {.text = fmt::format("{} at step {}: {}", finding.rule.text(),
                               finding.step, finding.alone),
           .label = "alone",
           .page_only = true});
    }
  }
  for (const auto& [rule, steps] : verdict.notes) {
    line.below.push_back(
        {.text = fmt::format(
             "{}: step{} {}: {}", rule.text(), steps.size() == 1 ? "" : "s",
             FirstOf(steps),
             isa::FindRule(rule.text())->StatementIn(linted.edition)),
         .label = "note"});
  }
  if (verdict.unsupported) {
    line.below.push_back({fmt::format(
        "step {} {} is unsupported; nothing after it was looked at",
        *verdict.unsupported, linted.ops[*verdict.unsupported])});
  }
  if (!verdict.racecheck) {
    line.below.push_back({.text = "races were not looked for: the case does "
                                  "not specify its synchronization",
                          .look = Report::Look::kSoft,
                          .page_only = true});
  }
  if (!verdict.rejected) return line;
  line.below.push_back(RejectedLine(linted, *verdict.rejected));
  if (verdict.after->empty()) return line;
  Line& after = line.below.emplace_back(Line{fmt::format(
      "after step {}, as if it did nothing:", verdict.rejected->step)});
  for (const lint::RejectedStep& rejected : verdict.after->rejected) {
    after.below.push_back(RejectedLine(linted, rejected));
  }
  AddHazards(verdict.after->hazards, most, {}, after.below);
  if (verdict.after->at_end.empty()) return line;
  Line& open = after.below.emplace_back(
      Line{"open at the end, and not judged as it is not reached:"});
  AddHazards(verdict.after->at_end, most, {}, open.below);
  return line;
}

std::string LintText(const LintedCase& linted, std::uint64_t most) {
  return ToText(LintLine(linted, most));
}

}  // namespace lanediff::reports
