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
  if (!linted.where.empty() && !linted.where[rejected.step].empty()) {
    text.insert(text.size() - 1,
                fmt::format(" [{}]", linted.where[rejected.step]));
  }
  const lint::Diagnosis* const diagnosis = DiagnosisOf(linted, rejected.step);
  if (diagnosis == nullptr) return text;
  isa::RuleId last;
  for (const lint::Witness& witness : diagnosis->witnesses) {
    if (witness.rule != last) {
      text += fmt::format("{}  {}: {}\n", indent, witness.rule.text(),
                          witness.statement);
    }
    last = witness.rule;
    text += fmt::format("{}    {}\n", indent, witness.text());
  }
  if (diagnosis->repair) {
    text += fmt::format("{}  repair: {}\n", indent,
                        lint::TextOf(*diagnosis->repair));
  } else if (diagnosis->looked_for_repair) {
    text += fmt::format("{}  repair: {}\n", indent, lint::kNoRepair);
  }
  return text;
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
  return fmt::format("repair: {}",
                     repair ? repair->text : std::string(lint::kNoRepair));
}

/// The first `most` hazards, each in a line, with the repairs below them.
std::string HazardLines(const std::vector<Hazard>& hazards, std::uint64_t most,
                        std::string_view indent,
                        const lint::HazardRepairs& repairs = {}) {
  std::string text;
  const std::size_t shown =
      most == 0 ? hazards.size() : std::min<std::size_t>(hazards.size(), most);
  std::set<std::tuple<isa::Event, std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < shown; ++i) {
    const Hazard& hazard = hazards[i];
    text += fmt::format("{}{}", indent, BareText(hazard));
    const auto repair = repairs.find(i);
    if (repair != repairs.end()) {
      text += fmt::format("\n{}  {}\n", indent, RepairText(repair->second));
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
    text += FixText(hazard, hazard.shares_fix && !is_new) + "\n";
  }
  if (shown < hazards.size()) {
    text += fmt::format("{}and {} more hazards, which --max-errors {} hides\n",
                        indent, hazards.size() - shown, most);
  }
  return text;
}

}  // namespace

std::string HazardText(const Hazard& hazard,
                       const std::optional<lint::HazardRepair>* repair) {
  return BareText(hazard) + (repair == nullptr
                                 ? FixText(hazard, hazard.shares_fix)
                                 : "; " + RepairText(*repair));
}

const lint::Diagnosis* DiagnosisOf(const LintedCase& linted, std::size_t step) {
  const auto found =
      std::ranges::find(linted.diagnoses, step, &lint::Diagnosis::step);
  return found == linted.diagnoses.end() ? nullptr : &*found;
}

std::string LintText(const LintedCase& linted, std::uint64_t most) {
  const lint::Verdict& verdict = linted.verdict;
  std::string text =
      fmt::format("{} {} on {}{}\n",
                  linted.clean()    ? "clean"
                  : verdict.clean() ? "unsupported"
                                    : "found",
                  InOneLine(linted.path), isa::Name(linted.product),
                  linted.edition == isa::kNewestEdition
                      ? ""
                      : fmt::format(", edition {}", isa::Name(linted.edition)));
  text += HazardLines(verdict.hazards, most, "  ", linted.hazard_repairs);
  for (const LintFinding& finding : linted.findings) {
    if (!finding.known.empty()) {
      text += fmt::format("  known: {}: {}\n", finding.signature,
                          InOneLine(finding.known));
    }
  }
  for (const auto& [rule, steps] : verdict.notes) {
    text +=
        fmt::format("  note: {}: step{} {}: {}\n", rule.text(),
                    Plural(steps.size()), FirstOf(steps),
                    isa::FindRule(rule.text())->StatementIn(linted.edition));
  }
  if (verdict.unsupported) {
    text += fmt::format(
        "  step {} {} is unsupported; nothing after it was looked at\n",
        *verdict.unsupported, linted.ops[*verdict.unsupported]);
  }
  if (!verdict.rejected) return text;
  text += RejectedText(linted, *verdict.rejected, "  ");
  if (!verdict.after->empty()) {
    text += fmt::format("  after step {}, as if it did nothing:\n",
                        verdict.rejected->step);
  }
  for (const lint::RejectedStep& rejected : verdict.after->rejected) {
    text += RejectedText(linted, rejected, "    ");
  }
  text += HazardLines(verdict.after->hazards, most, "    ");
  if (verdict.after->at_end.empty()) return text;
  return text + "    open at the end, and not judged as it is not reached:\n" +
         HazardLines(verdict.after->at_end, most, "      ");
}

}  // namespace lanediff::reports
