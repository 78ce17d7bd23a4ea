#include "reports/mutant_record.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "differential/testcase/record_json.h"

namespace lanediff::reports {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr double kHardForBaseline = 1000;

const CheckerRecord* Find(const MutantRecord& mutant, std::string_view name) {
  const auto found =
      std::ranges::find(mutant.checkers, name, &CheckerRecord::checker);
  return found == mutant.checkers.end() ? nullptr : &*found;
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

}  // namespace lanediff::reports
