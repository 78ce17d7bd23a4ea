#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "differential/testcase/record_json.h"
#include "reports/mutant_record.h"
#include "reports/printers.h"
#include "reports/report.h"
#include "reports/target_record.h"

namespace lanediff::reports {
namespace {

using Line = Report::Line;
using Look = Report::Look;
using enum Report::Column::Kind;

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr double kHardForBaseline = 1000;

const CheckerRecord* Find(const MutantRecord& mutant, std::string_view name) {
  const auto found =
      std::ranges::find(mutant.checkers, name, &CheckerRecord::checker);
  return found == mutant.checkers.end() ? nullptr : &*found;
}

/// Cases until it was found; what happened else.
std::string CellText(const CheckerRecord& checker) {
  if (checker.left_out) return "";
  if (!checker.error.empty()) return "not run";
  const auto median = checker.Median();
  if (median) return std::to_string(*median);
  if (checker.found()) return "seldom";
  return checker.capped ? "capped" : "-";
}

Report::Section MutantsSection(const MutantsRecord& record) {
  constexpr auto kWords = isa::Words<MutantVerdict>::kSpelling;
  Report::Section section = {
      .title = "Planted bugs and who found them",
      .columns = {{"mutant"},
                  {.title = "outcome", .words = {kWords.begin(), kWords.end()}},
                  {"violates"}},
      .noun = "mutant",
      .in = Report::Section::In::kBoth};
  if (record.mutants.empty()) return section;
  for (const CheckerRecord& checker : record.mutants.front().checkers) {
    section.columns.push_back({checker.checker, kNumber});
  }
  for (const MutantRecord& mutant : record.mutants) {
    const bool found = mutant.found();
    const Line defect = {
        .text = mutant.defect, .look = Look::kSoft, .page_only = found};
    Report::Row row = {
        .cells = {{.text = mutant.name, .below = {defect}},
                  {.text = std::string(isa::Name(mutant.verdict())),
                   .look = found ? Look::kGood : Look::kBad},
                  {mutant.rule}},
        .verbose = found};
    for (const CheckerRecord& checker : mutant.checkers) {
      row.cells.push_back({CellText(checker)});
    }
    row.cells.resize(section.columns.size());
    section.rows.push_back(std::move(row));
  }
  return section;
}

/// What checker `i` made of all mutants.
std::string Sums(const MutantsRecord& r, std::size_t i) {
  std::size_t found = 0;
  std::size_t left_out = 0;
  std::uint64_t tried = 0;
  for (const MutantRecord& mutant : r.mutants) {
    if (i >= mutant.checkers.size()) continue;
    found += mutant.checkers[i].found();
    left_out += mutant.checkers[i].left_out;
    tried += mutant.checkers[i].tried;
  }
  const CheckerRecord& first = r.mutants.front().checkers[i];
  std::string text =
      fmt::format("{}: {} of {} found, {} cases on mutants", first.checker,
                  found, r.mutants.size() - left_out, tried);
  if (left_out > 0) {
    text += fmt::format("; {} left out, found before", left_out);
  }
  const auto failed =
      std::ranges::find_if(r.mutants, [&](const MutantRecord& m) {
        return i < m.checkers.size() && !m.checkers[i].error.empty();
      });
  if (failed != r.mutants.end()) text += "; " + failed->checkers[i].error;
  return text + '\n';
}

/// The mutant that its best checker took longest to find.
const MutantRecord* Slowest(const MutantsRecord& record, std::uint64_t& cases) {
  const MutantRecord* slowest = nullptr;
  for (const MutantRecord& mutant : record.mutants) {
    std::optional<std::uint64_t> best;
    for (const CheckerRecord& checker : mutant.checkers) {
      const auto median = checker.Median();
      if (median) best = std::min(best.value_or(*median), *median);
    }
    if (best && (slowest == nullptr || *best > cases)) {
      slowest = &mutant;
      cases = *best;
    }
  }
  return slowest;
}

std::string SummaryOf(const MutantsRecord& r) {
  if (r.mutants.empty()) return "mutants: none\n";
  std::string text = fmt::format(
      "cases until found{}; -: not within {} cases; capped: not within the "
      "time; blank: not run, found before\n",
      r.seeds > 1 ? fmt::format(", median of {} seeds from {}", r.seeds, r.seed)
                  : fmt::format(", seed {}", r.seed),
      r.cases);
  for (std::size_t i = 0; i < r.mutants.front().checkers.size(); ++i) {
    text += Sums(r, i);
  }
  if (const auto ratio = r.GuidedToBaseline()) {
    text += fmt::format(
        "guided needs {:.3f} of the baseline's cases (geometric mean over the "
        "{} mutants that take the baseline more than 1000), {:.2f} on the "
        "worst, {}\n",
        ratio->mean, ratio->mutants, ratio->worst, ratio->worst_mutant);
  }
  std::uint64_t cases = 0;
  if (const MutantRecord* const slowest = Slowest(r, cases)) {
    text += fmt::format("slowest: {}, {} cases by its best checker\n",
                        slowest->name, cases);
  }
  text += fmt::format("mutants of {}: {} of {} found",
                      TargetText("emulator", r.vectors), r.found(),
                      r.mutants.size());
  for (const auto verdict :
       {MutantVerdict::kNotFound, MutantVerdict::kNotFinished}) {
    if (const std::size_t count = r.Count(verdict)) {
      text += fmt::format(", {} {}", count, isa::Name(verdict));
    }
  }
  text += fmt::format(" in {:.0f} s{}\n", r.seconds,
                      r.edition.empty() ? "" : ", edition " + r.edition);
  return text;
}

}  // namespace

std::optional<std::uint64_t> CheckerRecord::Median() const {
  std::vector<std::uint64_t> counts;
  for (const auto& count : found_after)
    counts.push_back(count.value_or(kNever));
  if (counts.empty()) return std::nullopt;
  const auto middle =
      counts.begin() + static_cast<std::ptrdiff_t>((counts.size() - 1) / 2);
  std::ranges::nth_element(counts, middle);
  if (*middle == kNever) return std::nullopt;
  return *middle;
}

bool CheckerRecord::found() const {
  return std::ranges::any_of(found_after,
                             [](const auto& c) { return c.has_value(); });
}

std::optional<CaseError> MutantRecord::Fault() const {
  if (checkers.empty()) return CaseError{"", "found no checker"};
  for (const CheckerRecord& checker : checkers) {
    if (!checker.found_after.empty()) continue;
    return CaseError{"", "found no result of " + Quote(checker.checker)};
  }
  return std::nullopt;
}

MutantVerdict MutantRecord::verdict() const {
  if (std::ranges::any_of(checkers, &CheckerRecord::found)) {
    return MutantVerdict::kFound;
  }
  const bool open = std::ranges::any_of(checkers, [](const CheckerRecord& one) {
    return one.capped || !one.error.empty();
  });
  return open ? MutantVerdict::kNotFinished : MutantVerdict::kNotFound;
}

std::size_t MutantsRecord::Count(MutantVerdict verdict) const {
  return static_cast<std::size_t>(
      std::ranges::count(mutants, verdict, &MutantRecord::verdict));
}

MutantsRecord::Summary MutantsRecord::Sums() const {
  return {.mutants = mutants.size(),
          .found = found(),
          .not_found = Count(MutantVerdict::kNotFound),
          .not_finished = Count(MutantVerdict::kNotFinished),
          .guided_to_baseline = GuidedToBaseline()};
}

std::optional<MutantsRecord::Ratio> MutantsRecord::GuidedToBaseline() const {
  Ratio ratio;
  double logarithms = 0;
  for (const MutantRecord& mutant : mutants) {
    const CheckerRecord* const guided = Find(mutant, kGuided);
    const CheckerRecord* const plain = Find(mutant, kBaseline);
    if (guided == nullptr || plain == nullptr) continue;
    if (guided->left_out || plain->left_out) continue;
    const auto budget = static_cast<double>(cases);
    const auto count = [&](const CheckerRecord& checker) {
      const auto median = checker.Median();
      return median ? static_cast<double>(*median) : budget;
    };
    if (count(*plain) <= kHardForBaseline) continue;
    const double here = count(*guided) / count(*plain);
    logarithms += std::log(here);
    ++ratio.mutants;
    if (here > ratio.worst) {
      ratio.worst = here;
      ratio.worst_mutant = mutant.name;
    }
  }
  if (ratio.mutants == 0) return std::nullopt;
  ratio.mean = std::exp(logarithms / static_cast<double>(ratio.mutants));
  return ratio;
}

std::string MutantsJson(const MutantsRecord& record) {
  return RecordText(record);
}

Reasons ReasonsOf(const MutantsRecord& record) {
  Reasons reasons;
  if (record.interrupted) reasons.push_back({"interrupted"});
  if (record.mutants.empty()) reasons.push_back({"nothing was compared"});
  if (const auto open = record.Count(MutantVerdict::kNotFinished); open > 0) {
    reasons.push_back(
        {.text = Counted(open, "hunt was", "hunts were") + " not finished",
         .has_test = true});
  }
  return reasons;
}

Report ToReport(const MutantsRecord& record) {
  const Reasons reasons = ReasonsOf(record);
  const std::size_t survived = record.Count(MutantVerdict::kNotFound);
  Report report = {
      .title = "Planted bugs and who found them",
      .opening = IncompleteText(reasons),
      .sentence = fmt::format("{} of {} found", record.found(),
                              Counted(record.mutants.size(), "planted bug")),
      .tone = survived > 0      ? Look::kBad
              : reasons.empty() ? Look::kGood
                                : Look::kMild,
      .summary = SummaryOf(record),
      .group = "lanediff.mutants",
      .properties = {{"vectors", record.vectors}, {"edition", record.edition}},
      .suites = {{"lanediff.mutants"}},
      .reasons = reasons};
  if (record.changes) {
    report.sections.push_back(ChangesSection(*record.changes));
  }
  report.sections.push_back(MutantsSection(record));
  for (const MutantRecord& mutant : record.mutants) {
    Report::Test test = {"lanediff.mutants." + mutant.instruction, mutant.name};
    if (!mutant.found()) {
      const bool ended = mutant.verdict() == MutantVerdict::kNotFound;
      test.outcome = ended ? Report::Outcome::kFailed : Report::Outcome::kError;
      test.message = ended ? "mutant survived" : "the hunt was not finished";
      test.text = mutant.defect + '\n';
      for (const CheckerRecord& checker : mutant.checkers) {
        test.text += fmt::format(
            "{}: {} cases{}{}\n", checker.checker, checker.tried,
            checker.capped ? ", ended by the clock" : "",
            checker.error.empty() ? "" : ", not run: " + checker.error);
      }
    }
    report.suites.front().tests.push_back(std::move(test));
  }
  return report;
}

}  // namespace lanediff::reports
