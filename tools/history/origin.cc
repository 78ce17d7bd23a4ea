#include "tools/history/origin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace lanediff::campaign {
namespace {

using reports::CampaignFinding;

/// That a run which saw the finding compared with.
std::string ReferenceOf(Database& database, const CampaignFinding& found) {
  auto rows = database.Prepare(
      "SELECT run.reference FROM sighting "
      "JOIN part ON part.id = sighting.part JOIN run ON run.id = part.run "
      "JOIN finding ON finding.id = sighting.finding "
      "JOIN target ON target.id = finding.target "
      "WHERE target.name = ? AND finding.signature = ? "
      "ORDER BY run.date DESC, run.id LIMIT 1");
  const bool any = rows.Bind(std::string_view(found.target))
                       .Bind(std::string_view(found.signature))
                       .Next();
  return any ? rows.Text() : "";
}

}  // namespace

std::expected<Origin, std::string> OriginOf(Database& database,
                                            const HistoryOptions& options,
                                            const std::string& signature,
                                            const std::string& target) {
  const auto record = ReadHistory(database, options);
  std::vector<std::string> targets;
  const CampaignFinding* found = nullptr;
  for (const CampaignFinding& one : record.findings) {
    if (one.signature != signature) continue;
    targets.push_back(one.target);
    if (target.empty() || one.target == target) found = &one;
  }
  if (targets.empty()) {
    return std::unexpected(fmt::format(
        "{}: holds no finding \"{}\"; one that `lanediff campaign list` prints "
        "is allowed",
        database.path(), signature));
  }
  if (found == nullptr || (target.empty() && targets.size() > 1)) {
    return std::unexpected(
        fmt::format("{}: was found on {}; --of names the one that is meant",
                    signature, fmt::join(targets, " and ")));
  }
  const reports::CampaignPeriod& period = found->periods.back();
  return Origin{.target = found->target,
                .reference = ReferenceOf(database, *found),
                .case_text = KeptCase(database, *found),
                .good = period.before ? period.before->commit : "",
                .bad = period.seen.commit};
}

}  // namespace lanediff::campaign
