#include "campaign/folding_audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/folding.h"
#include "campaign/sightings.h"
#include "case/record_json.h"
#include "reports/groups.h"

namespace lanediff::campaign {
namespace {

/// A case that speaks against a rule; one that is as it should be, or crashed
/// the target, has no signature.
void FoldEvidence(const Cursor& place, Part& part) {
  ObjectCursor evidence(place);
  const std::string signature = evidence.Required("signature").String();
  if (signature.empty()) return;
  const std::string file = evidence.Required("file").String();
  AddSighting(signature,
              {.times = 1,
               .message = Short(evidence.Required("message").String()),
               .case_name = evidence.Required("id").String(),
               .path = file,
               .reproduce = evidence.Required("reproduce").String()},
              part);
}

}  // namespace

void FoldRule(const Cursor& place, Part& part) {
  ObjectCursor rule(place);
  const std::string room = RoomOf(rule.Required("instruction").String());
  rule.Required("cells").ForEach([&](const Cursor& item) {
    ObjectCursor cell(item);
    const std::uint64_t compared = cell.Required("compared").Count();
    if (compared == 0) return;
    part.scope.only.insert(cell.Required("product").String());
    part.looked[room] += compared;
    const std::string verdict = cell.Required("verdict").String();
    if (verdict != "violated" && verdict != "contradicted") return;
    cell.Required("evidence").ForEach([&](const Cursor& evidence) {
      FoldEvidence(evidence, part);
    });
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
  if (audit.Required("interrupted").Boolean()) {
    part.unfinished = "interrupted";
  }
  const std::string stopped = audit.Required("stopped").String();
  if (!stopped.empty()) part.unfinished = stopped;
  FoldScope(audit, part);
  audit.Required("groups").ForEach([&](const Cursor& item) {
    const auto group =
        ReadRecord<reports::FindingGroup>(item, UnknownFields::kNotLookedAt);
    // It tells how many show it, of which rules have some.
    part.findings.erase(group.signature);
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
