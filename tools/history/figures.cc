#include "tools/history/figures.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "tools/history/part.h"

namespace lanediff::campaign {
namespace {

/// Calls `take(run, row)` for each row that `rows` has of a part that counts.
/// They come in the order of the runs: sums and what is replaced depend on it.
template <class Take>
void ForEachRow(const std::vector<Run>& runs, Database::Statement rows,
                const Take& take) {
  for (const Run& run : runs) {
    for (const RunPart& part : run.parts) {
      if (!part.counts) continue;
      rows.Bind(part.id);
      while (rows.Next()) take(run, rows);
    }
  }
}

void AddRates(Database& database, const std::vector<Run>& runs,
              reports::CampaignRecord& record) {
  // Date, target, instruction, build.
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Rate>
      rates;
  auto find = database.Prepare(
      "SELECT instruction, build, seconds, cases, legal, findings, nodes FROM "
      "rate WHERE part = ? ORDER BY instruction, build");
  ForEachRow(runs, std::move(find), [&](const Run& run, auto& rows) {
    const std::string instruction = rows.Text();
    const std::string build = rows.Text();
    Rate& sum = rates[{run.date, run.target, instruction, build}];
    sum.seconds += rows.Real();
    sum.cases += static_cast<std::uint64_t>(rows.Integer());
    sum.legal += static_cast<std::uint64_t>(rows.Integer());
    sum.findings += static_cast<std::uint64_t>(rows.Integer());
    sum.nodes += static_cast<std::uint64_t>(rows.Integer());
  });
  for (const auto& [key, sum] : rates) {
    if (sum.seconds <= 0) continue;
    const auto& [date, target, instruction, build] = key;
    const auto a_second = [&](std::uint64_t number) {
      return static_cast<double>(number) / sum.seconds;
    };
    record.rates.push_back({.date = date,
                            .target = target,
                            .instruction = instruction,
                            .build = build,
                            .cases = a_second(sum.cases),
                            .legal = a_second(sum.legal),
                            .nodes = a_second(sum.nodes),
                            .findings = a_second(sum.findings)});
  }
}

std::set<std::string> Lines(const std::string& text) {
  std::set<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.insert(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

/// What of an instruction was never reached.
struct Module {
  std::uint64_t bins = 0;
  std::uint64_t never = 0;
  std::set<std::string> holes = {};

  void Add(Module more) {
    if (more.bins != bins) {
      *this = std::move(more);
      return;
    }
    std::erase_if(holes, [&](const std::string& hole) {
      return !more.holes.contains(hole);
    });
    never = std::min(never, more.never);
  }
};

void AddCoverage(Database& database, const std::vector<Run>& runs,
                 reports::CampaignRecord& record) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, Module> dates;  // target, instruction, date
  auto find = database.Prepare(
      "SELECT instruction, bins, never, holes FROM coverage WHERE part = ?");
  ForEachRow(runs, std::move(find), [&](const Run& run, auto& rows) {
    const std::string instruction = rows.Text();
    Module slug;
    slug.bins = static_cast<std::uint64_t>(rows.Integer());
    slug.never = static_cast<std::uint64_t>(rows.Integer());
    slug.holes = Lines(rows.Text());
    const auto [place, fresh] =
        dates.try_emplace(Key{run.target, instruction, run.date}, slug);
    if (!fresh) place->second.Add(std::move(slug));
  });
  std::map<Key, std::uint64_t> cases;
  auto made =
      database.Prepare("SELECT instruction, cases FROM rate WHERE part = ?");
  ForEachRow(runs, std::move(made), [&](const Run& run, auto& rows) {
    const std::string instruction = rows.Text();
    cases[{run.target, instruction, run.date}] +=
        static_cast<std::uint64_t>(rows.Integer());
  });
  Module so_far;
  std::uint64_t tried = 0;
  const Key* before = nullptr;
  for (const auto& [key, slug] : dates) {
    const auto& [target, instruction, date] = key;
    const bool same = before != nullptr && std::get<0>(*before) == target &&
                      std::get<1>(*before) == instruction;
    if (!same) {
      so_far = slug;
      tried = 0;
    } else {
      so_far.Add(slug);
    }
    before = &key;
    tried += cases[key];
    record.coverage.push_back(
        {.date = date,
         .target = target,
         .instruction = instruction,
         .cases = tried,
         .reached = so_far.bins -
                    std::min<std::uint64_t>(so_far.bins, so_far.holes.size()),
         .bins = so_far.bins - std::min(so_far.bins, so_far.never)});
  }
}

}  // namespace

void AddFigures(Database& database, const std::vector<Run>& runs,
                reports::CampaignRecord& record) {
  AddRates(database, runs, record);
  AddCoverage(database, runs, record);
}

}  // namespace lanediff::campaign
