#include "cli/explain/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/explain/text.h"
#include "diff/check.h"
#include "diff/element.h"
#include "diff/memory_compare.h"
#include "diff/memory_set.h"
#include "diff/rule_text.h"
#include "oracle/oracle.h"

namespace lanediff::cli::explain {
namespace {

/// Elements that are shown.
constexpr std::size_t kFewElements = 6;
/// Elements that are shown where none differs.
constexpr std::size_t kSomeElements = 2;

/// What one column of the table shows.
struct Side {
  std::string name;
  std::string outcome;
  std::optional<diff::MemorySet> memory;  ///< none: not looked at
};

diff::MemorySet Overwritten(const diff::Case& c,
                            const diff::RegionsByMemory& regions) {
  diff::MemorySet memory(c);
  for (const isa::Memory m : diff::kAllMemories) {
    for (const diff::Region& region : regions[static_cast<std::size_t>(m)]) {
      std::ranges::copy(region.bytes, memory[m].begin() + region.at);
    }
  }
  return memory;
}

std::string OutcomeText(bool rejected, std::size_t step,
                        const std::vector<isa::RuleId>& rules,
                        const std::vector<isa::RuleId>& notes) {
  std::string text = rejected ? fmt::format("rejected at step {}{}", step,
                                            diff::RuleList(rules))
                              : "executed";
  if (!notes.empty()) text += ", noted" + diff::RuleList(notes);
  return text;
}

Side Expected(const diff::Case& c, const diff::Expectation& expect) {
  Side side{"expect",
            OutcomeText(expect.rejected, expect.step, expect.rules,
                        expect.notes.value_or(std::vector<isa::RuleId>())),
            std::nullopt};
  if (!expect.notes) side.outcome += ", notes not looked at";
  if (expect.memory) side.memory = Overwritten(c, *expect.memory);
  return side;
}

Side Actual(const diff::Case& c, const char* target) {
  const diff::Outcome outcome = diff::RunCase(c, **diff::FindTarget(target));
  if (outcome.status == diff::Outcome::Status::kUnsupported) {
    return {target, fmt::format("unsupported at step {}", outcome.step),
            Overwritten(c, outcome.changed)};
  }
  return {target,
          OutcomeText(outcome.status == diff::Outcome::Status::kRejected,
                      outcome.step, outcome.rules, outcome.notes),
          Overwritten(c, outcome.changed)};
}

/// Who writes what, by the oracle, and the types that the expectation names.
std::vector<diff::TypedRun> RunsOf(const diff::Case& c) {
  std::vector<diff::TypedRun> runs;
  if (c.expect && c.expect->memory) {
    for (const isa::Memory m : diff::kAllMemories) {
      for (const diff::Region& region :
           (*c.expect->memory)[static_cast<std::size_t>(m)]) {
        if (!region.dtype) continue;
        runs.push_back({m, region.at,
                        static_cast<std::int64_t>(region.bytes.size()),
                        *region.dtype, "", 0, 0});
      }
    }
  }
  diff::MemorySet memory(c);
  oracle::Oracle oracle(c.product, memory.view());
  for (const isa::Step& step : c.program) {
    if (oracle.Execute(step).status != isa::StepResult::Status::kExecuted) {
      break;
    }
    for (const diff::TypedRun& run : diff::WritesOf(oracle.accesses())) {
      runs.push_back(run);
    }
  }
  return runs;
}

/// Where an element stands, in the order of the table.
using Place = std::pair<isa::Memory, std::int64_t>;
using Rows = std::map<Place, diff::ElementDifference>;

/// Adds the first elements in which `other` differs from `base`.
void AddDifferences(const Side& base, Side other,
                    const std::vector<diff::TypedRun>& runs, Rows& rows) {
  for (std::size_t i = 0; i < kFewElements; ++i) {
    const auto found = diff::CompareMemory(*base.memory, *other.memory, runs);
    if (!found) return;
    rows.emplace(Place{found->memory, found->at}, *found);
    const auto bytes = ElementBytes(found->dtype);
    std::copy_n((*base.memory)[found->memory].begin() + found->at, bytes,
                (*other.memory)[found->memory].begin() + found->at);
  }
}

/// The first elements that were written, where none differs.
Rows FirstWritten(const std::vector<diff::TypedRun>& runs) {
  Rows rows;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    const std::int64_t bytes = ElementBytes(run->dtype);
    for (std::int64_t i = 0; i < run->bytes / bytes; ++i) {
      if (i == static_cast<std::int64_t>(kSomeElements)) break;
      const std::int64_t at = run->at + i * bytes;
      rows.emplace(Place{run->memory, at},
                   diff::ElementDifference{.memory = run->memory,
                                           .at = at,
                                           .dtype = run->dtype,
                                           .operand = std::string(run->operand),
                                           .iteration = run->iteration,
                                           .lane = run->lane + i});
    }
  }
  while (rows.size() > kSomeElements) rows.erase(std::prev(rows.end()));
  return rows;
}

std::string PlaceText(const diff::ElementDifference& e) {
  std::string text = fmt::format("{} {}", isa::Name(e.memory), e.at);
  if (!e.operand.empty()) {
    text += fmt::format(" {} of iteration {} lane {}", e.operand, e.iteration,
                        e.lane);
  }
  return text;
}

void PrintRows(const std::vector<Side>& sides, const Rows& rows) {
  std::string head;
  for (const Side& side : sides) head += fmt::format(" {:<18}", side.name);
  fmt::print("  {:<34}{}\n", "element",
             head.substr(0, head.find_last_not_of(' ') + 1));
  for (const auto& [place, element] : rows) {
    std::string line;
    std::uint64_t first = 0;
    bool differs = false;
    for (const Side& side : sides) {
      const std::uint64_t bits = diff::LoadElement(
          element.dtype, std::span((*side.memory)[element.memory])
                             .subspan(static_cast<std::size_t>(element.at)));
      const bool same = &side == &sides.front() ||
                        diff::SameElement(element.dtype, first, bits);
      if (&side == &sides.front()) first = bits;
      differs = differs || !same;
      line +=
          fmt::format(" {:<18}", diff::DescribeElement(element.dtype, bits));
    }
    line += differs ? " DIFFERS" : "";
    fmt::print("  {:<34}{}\n", PlaceText(element),
               line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

/// How each side ended, those that say the same in one line.
void PrintOutcomes(const std::vector<Side>& sides) {
  for (std::size_t i = 0; i < sides.size();) {
    std::string names;
    std::size_t end = i;
    for (; end < sides.size() && sides[end].outcome == sides[i].outcome;
         ++end) {
      names += (names.empty() ? "" : ", ") + sides[end].name;
    }
    PrintWrapped(fmt::format("  {}: ", names), sides[i].outcome);
    i = end;
  }
}

void PrintTable(const std::vector<Side>& sides,
                const std::vector<diff::TypedRun>& runs) {
  Rows rows;
  for (const Side& side : sides) AddDifferences(sides[0], side, runs, rows);
  const bool differ = !rows.empty();
  if (!differ) rows = FirstWritten(runs);
  if (rows.empty()) {
    fmt::print("  no byte is written\n");
    return;
  }
  PrintRows(sides, rows);
  std::int64_t bytes = 0;
  for (const diff::TypedRun& run : runs) {
    if (!run.operand.empty()) bytes += run.bytes;
  }
  if (differ && rows.size() >= kFewElements) {
    fmt::print("  … the first elements that differ\n");
  } else if (!differ) {
    fmt::print("  … the first of {} bytes that the program writes\n", bytes);
  }
}

}  // namespace

void PrintOutcome(const diff::Case& c, const diff::Comparison& compared) {
  fmt::print("\nexpected against actual: {}\n",
             compared.findings.empty() ? "all agree" : "DISAGREE");
  for (const diff::Finding& finding : compared.findings) {
    PrintWrapped(fmt::format("  {}: ", isa::Name(finding.kind)),
                 fmt::format("{} against {}: {}", finding.side,
                             finding.reference, finding.message));
  }
  std::vector<Side> sides;
  if (c.expect) sides.push_back(Expected(c, *c.expect));
  sides.push_back(Actual(c, "oracle"));
  sides.push_back(Actual(c, "emulator"));
  PrintOutcomes(sides);
  std::erase_if(sides, [](const Side& side) { return !side.memory; });
  PrintTable(sides, RunsOf(c));
  fmt::print(
      "  compared {} and {} bytes of emulator against oracle{}\n",
      Counted(static_cast<std::int64_t>(compared.steps), "step"),
      compared.compared_bytes,
      c.expect ? ", and both against expect" : "; the case expects nothing");
}

}  // namespace lanediff::cli::explain
