#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "differential/testcase/record_json.h"
#include "reports/campaign.h"
#include "reports/headline.h"
#include "reports/html.h"
#include "reports/printable.h"

namespace lanediff::reports {
namespace {

std::string At(const CampaignMoment& moment) {
  return moment.commit.empty()
             ? moment.date
             : fmt::format("{} ({})", moment.date, moment.commit);
}

std::string LineOf(const CampaignFinding& found) {
  const CampaignPeriod& last = found.periods.back();
  std::string line = fmt::format(
      "{:<9} {}  {}\n          first seen {}, last seen {}", found.state,
      InOneLine(found.signature), InOneLine(found.target),
      At(found.periods.front().seen), At(last.last_seen));
  for (std::size_t p = 0; p < found.periods.size(); ++p) {
    const CampaignPeriod& period = found.periods[p];
    if (p > 0) line += ", came back " + At(period.seen);
    if (period.fixed) line += ", fixed " + At(*period.fixed);
  }
  line += fmt::format("; {} on {}", Counted(found.times, "time"),
                      Counted(found.days, "day"));
  if (found.silent > 0) {
    line += fmt::format("; silent since for {}, too few for a fix",
                        Counted(found.silent, "day"));
  }
  if (!found.accepted.empty()) line += "; " + InOneLine(found.accepted);
  return InLines(line) + "\n";
}

/// Of a run that is not complete; else empty.
std::string LineOf(const CampaignRun& run) {
  if (run.unfinished.empty()) return "";
  return InLines(fmt::format("{:<9} {} {} of {}: {}", "partly", run.date,
                             run.verb, InOneLine(run.target),
                             InOneLine(run.unfinished))) +
         "\n";
}

}  // namespace

std::string ClassOf(std::string_view signature) {
  if (signature.starts_with("survived/")) {
    return std::string(kCampaignClasses.back());
  }
  return std::string(BadnessOf(signature));
}

std::uint64_t CampaignRecord::Count(std::string_view state) const {
  return static_cast<std::uint64_t>(
      std::ranges::count(findings, state, &CampaignFinding::state));
}

std::string CampaignRecord::Sentence() const {
  if (days.empty()) return "nothing was added yet";
  std::vector<std::string> counts;
  for (const std::string_view state : kCampaignStates) {
    if (Count(state) == 0) continue;
    counts.push_back(fmt::format("{} {}", Count(state), state));
  }
  std::uint64_t incomplete = 0;
  for (const CampaignDay& day : days) {
    incomplete += day.incomplete > 0 ? 1 : 0;
  }
  std::string text = fmt::format(
      "{}; {}",
      counts.empty() ? "no findings"
                     : fmt::format("{}", fmt::join(counts, ", ")),
      days.size() == 1 ? "one day, " + days.front().date.substr(0, 10)
                       : fmt::format("{} days from {} to {}", days.size(),
                                     days.front().date.substr(0, 10),
                                     days.back().date.substr(0, 10)));
  if (incomplete > 0) {
    text += fmt::format("; {} NOT complete", incomplete);
  }
  if (!missing.empty()) text += fmt::format("; {} missing", missing.size());
  return text;
}

std::string CampaignText(const CampaignRecord& record) {
  std::string text = record.Sentence() + "\n";
  for (const CampaignFinding& found : record.findings) text += LineOf(found);
  for (const CampaignRun& run : record.runs) text += LineOf(run);
  return text;
}

std::string CampaignJson(const CampaignRecord& record) {
  return RecordText(record);
}

std::string CampaignHtml(const CampaignRecord& record) {
  return RecordPage(
      "lanediff campaign", "campaign", "campaign", RecordJson(record), 1,
      "<p class=\"lead\">" + HtmlText(record.Sentence()) + "</p>\n");
}

}  // namespace lanediff::reports
