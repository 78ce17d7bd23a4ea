#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "reports/audit_record.h"
#include "reports/headline.h"
#include "reports/target_record.h"

namespace lanediff::reports {
namespace {

/// The worst of the cells that were exercised; nothing where none was.
std::optional<audit::Verdict> StandingOf(const audit::AuditedRule& rule) {
  std::optional<audit::Verdict> worst;
  for (const audit::Cell& cell : rule.cells) {
    if (cell.verdict == audit::Verdict::kNotExercised) continue;
    worst = worst ? audit::Worse(*worst, cell.verdict) : cell.verdict;
  }
  return worst;
}

std::uint64_t& CountOf(std::optional<audit::Verdict> standing, Headline& h) {
  if (!standing) return h.not_exercised;
  switch (*standing) {
    case audit::Verdict::kEnforced:
      return h.enforced;
    case audit::Verdict::kTolerated:
      return h.tolerated;
    case audit::Verdict::kViolated:
      return h.violated;
    case audit::Verdict::kConfirmed:
      return h.confirmed;
    case audit::Verdict::kContradicted:
      return h.contradicted;
    case audit::Verdict::kSuspected:
      return h.suspected;
    case audit::Verdict::kNotExercised:
      break;
  }
  return h.not_exercised;
}

void AddNotCompared(const audit::AuditRecord& r, const TargetRecord* about,
                    Headline& h) {
  const auto add = [&](std::string words) {
    h.not_compared.push_back(std::move(words));
  };
  if (r.interrupted) add("the rest: the audit was interrupted");
  if (!r.stopped.empty()) add("the rest: " + Shortened(r.stopped, 200));
  if (r.recorded) add("what was not recorded");
  if (r.IsSampled()) add("all but " + make::SampleText(*r.sample));
  const bool legal_only = about != nullptr && about->legal_only;
  if (r.unsupported > 0) {
    add(legal_only ? Counted(r.unsupported, "case") +
                         " unsupported, or left out as the documents refuse "
                         "them (legal only)"
                   : Counted(r.unsupported, "unsupported case"));
  } else if (legal_only) {
    add("calls that the documents refuse (legal only)");
  }
  if (r.malformed > 0) {
    add(Counted(r.malformed, "unreadable recorded outcome"));
  }
  if (r.skipped > 0) {
    add(Counted(r.skipped, "case") + " that could not be run here");
  }
  if (h.not_exercised > 0) {
    add(Counted(h.not_exercised, "rule") + " not exercised");
  }
}

}  // namespace

Headline HeadlineOf(const audit::AuditRecord& record,
                    const std::vector<FindingGroup>& groups,
                    const TargetRecord* about) {
  Headline h;
  std::set<std::string_view> instructions;
  for (const audit::AuditedRule& rule : record.rules) {
    ++CountOf(StandingOf(rule), h);
    const bool compared = std::ranges::any_of(
        rule.cells, [](const audit::Cell& cell) { return cell.compared > 0; });
    if (compared && rule.rule->instruction != "common") {
      instructions.insert(rule.rule->instruction);
    }
  }
  h.instructions = instructions.size();
  AddNotCompared(record, about, h);
  PutIntoWords(
      h, groups,
      fmt::format(
          "{} enforced, {} tolerated, {} violated; {} confirmed, {} "
          "contradicted{}",
          Counted(h.enforced, "rule"), h.tolerated, h.violated, h.confirmed,
          h.contradicted,
          h.suspected > 0 ? fmt::format(", {} suspected", h.suspected) : ""),
      record.Compared() > 0, record.crashed + record.hung > 0);
  return h;
}

}  // namespace lanediff::reports
