#include "tools/history/folding_audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "differential/testcase/record_json.h"
#include "reports/groups.h"
#include "reports/headline.h"
#include "tools/history/folding.h"
#include "tools/history/sightings.h"

namespace lanediff::campaign {
namespace {

/// Why not all was done; empty if all was.
std::string UnfinishedOf(ObjectCursor& audit) {
  const std::string stopped = audit.Required("stopped").String();
  if (!stopped.empty()) return stopped;
  if (audit.Required("interrupted").Boolean()) return "interrupted";
  const std::uint64_t skipped = audit.Required("skipped").Count();
  if (skipped > 0) return reports::Counted(skipped, "case") + " not run";
  return audit.Required("complete").Boolean() ? "" : "not complete";
}

}  // namespace

void FoldRule(const Cursor& place, Part& part) {
  ObjectCursor rule(place);
  const std::string slug = SlugOf(rule.Required("instruction").String());
  rule.Required("cells").ForEach([&](const Cursor& item) {
    ObjectCursor cell(item);
    const std::uint64_t compared = cell.Required("compared").Count();
    if (compared == 0) return;
    part.scope.only.insert(cell.Required("product").String());
    AddTo(part.looked[slug], compared);
  });
}

void FoldAudit(const Cursor& place, Part& part) {
  ObjectCursor audit(place);
  part.target = audit.Required("target").String();
  part.reference = audit.Required("reference").String();
  part.cases = audit.Required("cases").Count();
  part.steps = audit.Required("steps").Count();
  part.compared_bytes = audit.Required("comparedBytes").Count();
  part.nodes = audit.Required("nodes").Count();
  part.unfinished = UnfinishedOf(audit);
  // An audit does not list unsupported cases by instruction.
  std::uint64_t left_out = audit.Required("unsupported").Count();
  AddTo(left_out, audit.Required("beyond").Count());
  for (const auto& [slug, cases] : part.looked) part.left_out[slug] = left_out;
  FoldScope(audit, part);
  audit.Required("groups").ForEach([&](const Cursor& item) {
    const auto group =
        ReadRecord<reports::FindingGroup>(item, UnknownFields::kNotLookedAt);
    AddSighting(group.signature,
                {.times = std::max<std::uint64_t>(group.cases, 1),
                 .message = group.message,
                 .case_name = group.id,
                 .path = group.path,
                 .reproduce = group.reproduce},
                part);
  });
}

}  // namespace lanediff::campaign
