#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record.h"
#include "reports/audit_record.h"
#include "reports/groups.h"

/// The one sentence with which a report opens.
namespace lanediff::reports {

struct RunRecord;
struct TargetRecord;

inline constexpr std::string_view kTones[] = {"good", "incomplete", "bad"};

/// What came out, in one sentence and its numbers. Nothing that was not
/// compared is reported as good.
struct Headline {
  std::string sentence;
  /// "bad": something is wrong; "incomplete": nothing that was compared is, but
  /// not all was compared; "good": all was, and all agrees.
  std::string tone;
  std::uint64_t findings = 0;      ///< of different signatures
  std::uint64_t instructions = 0;  ///< that were compared
  std::uint64_t wrong = 0;         ///< instructions with findings
  std::uint64_t enforced = 0;      ///< rules, each under its worst verdict
  std::uint64_t tolerated = 0;
  std::uint64_t violated = 0;
  std::uint64_t confirmed = 0;      ///< of an audit: notes and semantics
  std::uint64_t contradicted = 0;   ///< likewise
  std::uint64_t suspected = 0;      ///< likewise
  std::uint64_t not_exercised = 0;  ///< of an audit: on no product
  /// What was not compared or not judged, a few words each.
  std::vector<std::string> not_compared;

  template <class Self, class Visitor>
  static void Fields(Self& h, Visitor& v) {
    v.Required("sentence", h.sentence, kFilled);
    v.Required("tone", h.tone, {.words = kTones});
    v.Required("findings", h.findings);
    v.Required("instructions", h.instructions);
    v.Required("instructionsWithFindings", h.wrong);
    v.Required("rulesEnforced", h.enforced);
    v.Required("rulesTolerated", h.tolerated);
    v.Required("rulesViolated", h.violated);
    v.Required("rulesConfirmed", h.confirmed);
    v.Required("rulesContradicted", h.contradicted);
    v.Required("rulesSuspected", h.suspected);
    v.Required("rulesNotExercised", h.not_exercised);
    v.Required("notCompared", h.not_compared, {.each = &kFilled});
  }
};

Headline HeadlineOf(const RunRecord& run);
/// `groups` are the audit's findings, `about` its target, null if not known.
Headline HeadlineOf(const audit::AuditRecord& record,
                    const std::vector<FindingGroup>& groups,
                    const TargetRecord* about);

/// "1 case", "2 cases".
std::string Counted(std::uint64_t count, std::string_view one,
                    std::string_view many = {});

/// Makes tone and sentence from the rest: `rules` is the sentence's part on
/// rules, empty for nothing; `compared` is whether anything was compared.
void PutIntoWords(Headline& headline, const std::vector<FindingGroup>& groups,
                  const std::string& rules, bool compared, bool wrong);

}  // namespace lanediff::reports
