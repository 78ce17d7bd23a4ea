#include "tools/history/history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "differential/compare/signature.h"
#include "tools/history/runs.h"
#include "tools/history/scope.h"
#include "tools/history/timeline.h"

namespace lanediff::campaign {
namespace {

using reports::CampaignDay;
using reports::CampaignFinding;
using reports::CampaignRecord;

struct FindingRow {
  std::int64_t id = 0;
  std::string target = {};
  std::string signature = {};
  std::string instruction = {};
};

std::vector<FindingRow> ReadFindings(Database& database) {
  std::vector<FindingRow> all;
  auto rows = database.Prepare(
      "SELECT finding.id, target.name, signature, instruction FROM finding "
      "JOIN target ON target.id = finding.target ORDER BY target.name, "
      "signature");
  while (rows.Next()) {
    FindingRow& row = all.emplace_back();
    row.id = rows.Integer();
    row.target = rows.Text();
    row.signature = rows.Text();
    row.instruction = rows.Text();
  }
  return all;
}

std::map<std::string, std::vector<Day>> DaysOf(const std::vector<Run>& runs) {
  std::map<std::string, std::vector<Day>> days;
  for (const Run& run : runs) {
    auto& of_target = days[run.target];
    if (of_target.empty() || of_target.back().front()->date != run.date) {
      of_target.emplace_back();
    }
    of_target.back().push_back(&run);
  }
  return days;
}

std::map<std::string, Failing> FailingOf(const std::vector<Run>& runs,
                                         const std::vector<FindingRow>& rows) {
  std::map<std::int64_t, const FindingRow*> failures;
  for (const FindingRow& row : rows) {
    const auto kind = diff::KindIn(row.signature);
    if (kind && diff::IsFailure(*kind)) failures[row.id] = &row;
  }
  std::map<std::string, Failing> failing;
  for (const Run& run : runs) {
    for (const auto& [id, row] : failures) {
      if (run.seen.contains(id)) {
        failing[run.target][row->instruction].insert(&run);
      }
    }
  }
  return failing;
}

/// The smallest case of the day on which it was seen last; a kept case comes
/// before others.
void ShowCase(Database::Statement& find, std::int64_t id,
              const std::vector<Day>& days, CampaignFinding& found) {
  const auto seen_on = [&](const Day& day) {
    return std::ranges::any_of(
        day, [&](const Run* run) { return run->seen.contains(id); });
  };
  const auto last = std::ranges::find_if(days.rbegin(), days.rend(), seen_on);
  if (last == days.rend()) return;
  auto best = std::tuple(true, std::uint64_t{0}, std::uint64_t{0},
                         std::string(), std::string());
  bool first = true;
  for (const Run* run : *last) {
    const auto seen = run->seen.find(id);
    if (seen == run->seen.end()) continue;
    find.Bind(run->parts[seen->second.place].id).Bind(id);
    while (find.Next()) {
      const std::string message = find.Text();
      const std::string name = find.Text();
      const std::string reproduce = find.Text();
      const bool kept = find.MaybeInteger().has_value();
      auto rank = std::tuple(!kept, seen->second.steps, seen->second.nodes,
                             name, message + reproduce);
      if (!first && rank >= best) continue;
      first = false;
      best = std::move(rank);
      found.message = message;
      found.reference = run->reference;
      found.case_name = name;
      found.reproduce = reproduce;
      found.accepted = seen->second.known;
    }
  }
}

void Count(const CampaignFinding& found, std::vector<CampaignDay>& days) {
  const auto kind = static_cast<std::size_t>(
      std::ranges::find(reports::kCampaignClasses, found.badness) -
      reports::kCampaignClasses.begin());
  const auto on = [&](const std::string& date) -> CampaignDay& {
    return *std::ranges::find(days, date, &CampaignDay::date);
  };
  for (std::size_t p = 0; p < found.periods.size(); ++p) {
    const auto& period = found.periods[p];
    (p == 0 ? on(period.seen.date).fresh : on(period.seen.date).came_back)
        .push_back(found.signature);
    if (period.fixed) on(period.fixed->date).fixed.push_back(found.signature);
    for (CampaignDay& day : days) {
      if (day.date < period.seen.date ||
          (period.fixed && day.date >= period.fixed->date)) {
        continue;
      }
      const auto since = period.accepted.upper_bound(day.date);
      if (std::prev(since)->second) {
        ++day.accepted;
      } else {
        ++day.open[kind];
      }
    }
  }
}

void AddRuns(const std::vector<Run>& runs, CampaignRecord& record) {
  for (const Run& run : runs) {
    if (record.days.empty() || record.days.back().date != run.date) {
      CampaignDay& day = record.days.emplace_back();
      day.date = run.date;
      day.open.resize(reports::kCampaignClasses.size());
    }
    const std::string unfinished = run.Unfinished();
    ++record.days.back().runs;
    record.days.back().incomplete += unfinished.empty() ? 0 : 1;
    record.runs.push_back(
        {.date = run.date,
         .verb = run.verb,
         .target = run.target,
         .version = run.version,
         .commit = run.commit,
         .label = run.label,
         .edition = run.scope.edition.empty()
                        ? std::string(isa::Name(isa::kNewestEdition))
                        : run.scope.edition,
         .shards = run.shards,
         .there = run.There(),
         .unfinished = unfinished,
         .doubted = run.joined,
         .cases = run.Sum(&RunPart::cases),
         .nodes = run.Sum(&RunPart::nodes),
         .seconds = run.Sum(&RunPart::seconds),
         .findings = run.seen.size()});
  }
}

void Sort(std::vector<CampaignFinding>& findings) {
  const auto rank = [](const CampaignFinding& found) {
    const auto state =
        std::ranges::find(reports::kCampaignStates, found.state) -
        reports::kCampaignStates.begin();
    const auto badness =
        std::ranges::find(reports::kCampaignClasses, found.badness) -
        reports::kCampaignClasses.begin();
    return std::tuple(state, badness, found.signature, found.target);
  };
  std::ranges::sort(findings, {}, rank);
}

CampaignRecord HistoryOf(Database& database, const HistoryOptions& options) {
  const std::vector<Run> runs = LoadRuns(database);
  const auto rows = ReadFindings(database);
  const auto days = DaysOf(runs);
  const auto failing = FailingOf(runs, rows);
  CampaignRecord record;
  record.silent_days = options.silent_days;
  AddRuns(runs, record);
  auto find = database.Prepare(
      "SELECT message, case_name, reproduce, stored_case FROM sighting WHERE "
      "part = ? AND finding = ?");
  for (const FindingRow& row : rows) {
    const auto of_target = days.find(row.target);
    if (of_target == days.end()) continue;
    static const Failing none;
    const auto fails = failing.find(row.target);
    CampaignFinding found{.target = row.target,
                          .signature = row.signature,
                          .instruction = row.instruction,
                          .badness = reports::ClassOf(row.signature)};
    Follow(row.id, of_target->second,
           fails == failing.end() ? none : fails->second, options.silent_days,
           found);
    if (found.periods.empty()) continue;  // of shards of a merged run
    ShowCase(find, row.id, of_target->second, found);
    if (found.state != "accepted") found.accepted.clear();
    Count(found, record.days);
    record.findings.push_back(std::move(found));
  }
  Sort(record.findings);
  std::vector<std::string> dates;
  for (const CampaignDay& day : record.days) dates.push_back(day.date);
  record.missing = MissingDays(dates);
  AddFigures(database, runs, record);
  return record;
}

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

CampaignRecord ReadHistory(Database& database, const HistoryOptions& options) {
  const Database::Transaction snapshot(database, Database::For::kReading);
  try {
    CampaignRecord record = HistoryOf(database, options);
    database.MustBeUnwritten();
    return record;
  } catch (const std::out_of_range&) {  // rows that refer to none
    throw DatabaseError(database.path() +
                        ": is damaged: its tables do not fit together; a copy "
                        "of an earlier day is allowed");
  }
}

std::string KeptCase(Database& database, const CampaignFinding& found) {
  auto find = database.Prepare(
      "SELECT text FROM sighting JOIN stored_case ON stored_case.id = "
      "stored_case JOIN finding ON finding.id = finding JOIN target ON "
      "target.id = finding.target WHERE target.name = ? AND signature = ? AND "
      "case_name = ? AND message = ? ORDER BY stored_case.digest LIMIT 1");
  find.Bind(found.target)
      .Bind(found.signature)
      .Bind(found.case_name)
      .Bind(found.message);
  return find.Next() ? find.Text() : "";
}

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
