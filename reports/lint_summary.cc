// What lint found and looked at, in sums.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/headline.h"
#include "reports/lint.h"

namespace lanediff::reports {

namespace {

std::string TakenText(const LintRecord::Sums& sums) {
  std::vector<std::string> memories;
  for (std::size_t m = 0; m < sums.taken_as_written.size(); ++m) {
    if (sums.taken_as_written[m] == 0) continue;
    memories.push_back(
        fmt::format("{} in {}", isa::Name(static_cast<isa::Memory>(m)),
                    Counted(sums.taken_as_written[m], "program")));
  }
  if (memories.empty()) return "";
  return fmt::format(
      "initcheck took every byte as written from the start: {}; "
      "\"initialised\": false counts the regions alone\n",
      fmt::join(memories, ", "));
}

}  // namespace

std::string EditionsOf(const LintRecord& record) {
  std::set<std::string_view> editions;
  for (const LintedCase& linted : record.cases) {
    editions.insert(isa::Name(linted.edition));
  }
  return fmt::format("{}", fmt::join(editions, ", "));
}

std::string LintSummary(const LintRecord& record) {
  const LintRecord::Sums sums = record.Sum();
  std::string text;
  for (const auto& [rule, count] : sums.by_rule) {
    text += fmt::format("  {}: {}\n", rule, count);
  }
  const auto groups = isa::Words<lint::Group>::kSpelling;
  std::vector<std::string> counts;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    counts.push_back(fmt::format("{} {}", groups[g], sums.by_group[g]));
  }
  text += fmt::format("found by group: {}\n", fmt::join(counts, ", "));
  text += fmt::format(
      "linted {}: {} clean, {} in {}, {} rejected at a step, {} unsupported; "
      "{} "
      "malformed; looked at {} steps, {} operations over {} bytes, {} flag "
      "and barrier steps, {}{}\n",
      Counted(record.cases.size(), "program"), sums.clean,
      Counted(sums.hazards, "hazard"), Counted(sums.hazardous, "program"),
      Counted(sums.rejected, "program"), sums.unsupported,
      Counted(record.malformed.size(), "file"), sums.steps, sums.operations,
      sums.bytes, sums.synchronizing, Counted(sums.masked, "masked call"),
      record.cases.empty() ? "" : ", edition " + EditionsOf(record));
  if (sums.no_racecheck > 0) {
    text += fmt::format(
        "racecheck was not done in {}: without \"sync\" each step ends "
        "before the next begins; pass --sync auto or manual for it\n",
        Counted(sums.no_racecheck, "program"));
  }
  text += TakenText(sums);
  if (sums.known > 0) {
    text += fmt::format("{} accepted as known issues\n",
                        Counted(sums.known, "finding"));
  }
  if (!record.unfinished.empty()) {
    text += fmt::format("not finished: {}\n", record.unfinished);
  }
  return text;
}

LintRecord::Sums LintRecord::Sum() const {
  Sums sums;
  const auto add = [&](isa::RuleId rule) {
    ++sums.by_rule[std::string(rule.text())];
    ++sums.by_group[static_cast<std::size_t>(lint::GroupOf(rule))];
  };
  for (const LintedCase& linted : cases) {
    const lint::Verdict& verdict = linted.verdict;
    sums.clean += linted.clean() ? 1 : 0;
    sums.hazards += verdict.hazards.size();
    sums.hazardous += verdict.hazards.empty() ? 0 : 1;
    sums.rejected += verdict.rejected ? 1 : 0;
    sums.unsupported += verdict.unsupported ? 1 : 0;
    sums.no_racecheck += verdict.racecheck ? 0 : 1;
    sums.steps += linted.ops.size();
    sums.operations += verdict.operations;
    sums.bytes += static_cast<std::uint64_t>(verdict.bytes);
    sums.synchronizing += verdict.synchronizing;
    sums.masked += verdict.masked;
    for (const isa::Memory memory : linted.taken_as_written) {
      ++sums.taken_as_written[static_cast<std::size_t>(memory)];
    }
    for (const LintFinding& finding : linted.findings) {
      ++(finding.known.empty() ? sums.news : sums.known);
    }
    for (const lint::Hazard& hazard : verdict.hazards) add(hazard.rule);
    if (!verdict.rejected) continue;
    for (isa::RuleId rule : verdict.rejected->rules) add(rule);
  }
  return sums;
}

}  // namespace lanediff::reports
