#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/ambiguities/disagreements.h"
#include "audit/applicable_rules.h"
#include "audit/audit.h"
#include "audit/child.h"
#include "audit/tally.h"
#include "differential/compare/keep_finding.h"
#include "differential/testcase/record_json.h"

namespace lanediff::audit {
namespace {

/// A case of a few steps; the worker pool allows a case as much.
constexpr double kHangSeconds = 10;

/// The cases of the entry, each as its chosen reading has it.
std::vector<Case> ChosenCasesOf(const Disagreement& entry) {
  std::vector<Case> cases;
  for (const std::string& name : entry.cases) {
    cases.push_back(CasesOf(entry, name).front());
  }
  return cases;
}

bool IsAskedFor(const Disagreement& entry, const AuditOptions& options,
                std::string_view op) {
  const std::vector<Case> cases = ChosenCasesOf(entry);
  if (options.product && !cases.empty() &&
      std::ranges::find(cases, *options.product, &Case::product) ==
          cases.end()) {
    return false;
  }
  return op.empty() || std::ranges::any_of(entry.rules, [&](isa::RuleId id) {
           return IsUsedBy(*isa::FindRule(id.text()), op);
         });
}

/// What a child answers on the target, which may write to anything in it.
struct Answer {
  Follows follows = Follows::kUndecided;
  FailureCounts failures;
  std::string message;

  static void Fields(auto& a, auto& v) {
    LANEDIFF_REQUIRED(v, a.follows, a.failures);
    v.Required("message", a.message, kPlain);
  }
};

AuditedDisagreement JudgeApart(const Disagreement& entry,
                               const diff::Target& target) {
  const Apart apart = RunApart(
      [&](Beacon&) {
        const AuditedDisagreement on = Judge(entry, target);
        return RecordText(Answer{on.follows, on.failures, on.message});
      },
      kHangSeconds);
  AuditedDisagreement judged = Described(entry);
  const auto answer = ReadDocument<Answer>(apart.bytes);
  if (apart.end == Child::End::kDone && answer) {
    judged.follows = answer->follows;
    judged.failures = answer->failures;
    judged.message = answer->message;
    return judged;
  }
  judged.message = WhyNoAnswer(apart.end);
  if (apart.end != Child::End::kNoMemory) {
    judged.failures = {.crashed = apart.end != Child::End::kHung,
                       .hung = apart.end == Child::End::kHung};
  }
  return judged;
}

/// What the target has of the entry's cases and can't be read is malformed, as
/// it is of any other case.
void NoteMalformed(const Disagreement& entry, const diff::Target& target,
                   AuditRecord& record) {
  for (const Case& c : ChosenCasesOf(entry)) {
    const auto found = target.Run(c);
    if (found || found.error().kind != diff::NoOutcome::Kind::kMalformed) {
      continue;
    }
    ++record.malformed;
    record.problems.push_back(found.error().why);
  }
}

}  // namespace

void AddDisagreements(const diff::Target& target, const AuditOptions& options,
                      std::string_view op, Audit& audit) {
  for (const Disagreement& entry : Disagreements()) {
    if (!IsAskedFor(entry, options, op)) continue;
    if (!target.runs_any_case()) NoteMalformed(entry, target, audit.record);
    // Only who goes through its steps in this process can end it.
    AuditedDisagreement judged = target.stepwise() != nullptr
                                     ? JudgeApart(entry, target)
                                     : Judge(entry, target);
    if (!judged.file.empty()) {
      judged.reproduce = diff::CheckCommand(judged.file, options.target_word);
      for (const Case& c : ChosenCasesOf(entry)) {
        audit.files.emplace("cases/" + c.id + ".json", c);
      }
    }
    audit.record.crashed += judged.failures.crashed;
    audit.record.hung += judged.failures.hung;
    audit.record.failures[std::string(judged.Source())].Add(judged.failures);
    audit.record.disagreements.push_back(std::move(judged));
  }
  std::ranges::stable_sort(audit.record.disagreements, std::greater(),
                           &AuditedDisagreement::differ);
}

}  // namespace lanediff::audit
