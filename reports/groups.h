#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/testcase/record.h"
#include "reports/audit_record.h"

/// The findings of a run or an audit by what they are about: a signature each,
/// worst first. A few cases of a run and a thousand show the same defect.
namespace lanediff::reports {

struct RunRecord;
struct AuditChanges;

/// Of a finding's message that a group shows.
inline constexpr std::size_t kMostMessageBytes = 400;
inline constexpr std::string_view kGroupClasses[] = {"failure", "legality",
                                                     "result", "notes"};
inline constexpr std::string_view kGroupSince[] = {"new", "still"};

/// Findings of one signature, and the smallest case that shows them: of fewest
/// steps, then of fewest arithmetic nodes, then the first.
struct FindingGroup {
  std::string signature;
  /// How bad, worst first: the target failed; it executes what is illegal,
  /// rejects what is legal, or names other rules; wrong bytes; notes.
  std::string badness;
  std::string instruction;  ///< the documents' word; empty: of machine state
  std::uint64_t cases = 0;  ///< that show it, of a sweep kept or not
  std::uint64_t times = 0;  ///< how often a fuzzer found it; 0: not counted
  std::string id;           ///< of the smallest case
  std::string path;
  std::string message;  ///< at most 400 bytes of it
  std::string reproduce;
  std::string since;  ///< "new" or "still", where there is a baseline
  std::vector<std::string> rules;     ///< of an audit: that it speaks against
  std::vector<std::string> products;  ///< of an audit

  template <class Self, class Visitor>
  static void Fields(Self& g, Visitor& v) {
    v.Required("signature", g.signature, diff::kSignatureText);
    v.Required("class", g.badness, {.words = kGroupClasses});
    v.Required("instruction", g.instruction);
    v.Required("cases", g.cases);
    v.Optional("times", g.times);
    v.Required("case", g.id);
    v.Required("path", g.path);
    v.Required("message", g.message);
    v.Required("reproduce", g.reproduce);
    v.Optional("since", g.since, {.words = kGroupSince});
    v.Optional("rules", g.rules);
    v.Optional("products", g.products);
  }
};

/// Of a run, those of known issues left out.
std::vector<FindingGroup> GroupsOf(const RunRecord& run);
/// Of an audit: its bad evidence.
std::vector<FindingGroup> GroupsOf(const audit::AuditRecord& record,
                                   const AuditChanges* changes);

/// Worst first: what ends the target, then legality, results, notes; within
/// each the kinds in this order, then what more cases show, then by signature.
void SortGroups(std::vector<FindingGroup>& groups);

/// Moves those that are not legal behind the others; both keep their order.
void PutLegalFirst(std::vector<FindingGroup>& groups,
                   const std::function<bool(const FindingGroup&)>& is_legal);

/// The documents' word for the instruction of a signature; empty where it is a
/// step that sets state.
std::string InstructionOf(std::string_view signature);

/// A line for each group, worst first; nothing where there are none.
std::string GroupsText(const std::vector<FindingGroup>& groups);

}  // namespace lanediff::reports
