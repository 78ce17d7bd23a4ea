#include <algorithm>
#include <iterator>

#include "audit/fault_localization.h"
#include "audit/tally.h"

namespace lanediff::audit {
namespace {

/// Of what one rule explains under the same conditions.
constexpr std::size_t kShown = 2;
/// Of one rule; more are only counted.
constexpr std::size_t kMostShown = 8;

/// The best of some candidates goes to those that are shown.
void Show(std::vector<Candidate> candidates, std::vector<Candidate>& bad) {
  std::ranges::sort(candidates, {}, &Candidate::Rank);
  for (std::size_t i = 0; i < candidates.size() && i < kShown; ++i) {
    if (bad.size() < kMostShown) bad.push_back(std::move(candidates[i]));
  }
}

void AddOnce(std::string_view form, std::vector<std::string>& forms) {
  if (form.empty() || std::ranges::find(forms, form) != forms.end()) return;
  forms.emplace_back(form);
  std::ranges::sort(forms);
}

/// One part for each of the conditions.
void AddPart(const WrongPart& part, std::vector<WrongPart>& parts) {
  const auto same = std::ranges::find(parts, part.where, &WrongPart::where);
  if (same == parts.end()) {
    parts.push_back(part);
    return;
  }
  same->wrong += part.wrong;
  for (std::string_view form : part.forms) AddOnce(form, same->forms);
  std::erase_if(same->right_forms, [&](std::string_view form) {
    return std::ranges::find(same->forms, form) != same->forms.end();
  });
}

/// In which forms calls are wrong, and in which all are right.
void AddForms(const std::vector<FailingRuns>& failing,
              const std::vector<PassingRuns>& passing, const Fault& fault,
              WrongPart& part) {
  Conditions ops = 0;
  for (std::size_t i : fault.failing) {
    ops |= OpIn(failing[i].conditions);
    AddOnce(FormIn(failing[i].conditions), part.forms);
  }
  for (const PassingRuns& runs : passing) {
    if (!std::ranges::binary_search(runs.rules, fault.rule) ||
        (OpIn(runs.conditions) & ops) == 0) {
      continue;
    }
    const std::string_view form = FormIn(runs.conditions);
    if (std::ranges::find(part.forms, form) == part.forms.end()) {
      AddOnce(form, part.right_forms);
    }
  }
}

}  // namespace

void Tally::Attribute(const std::vector<Measurement>& measured) {
  while (!failing_.empty()) AttributeOn(failing_.front().product, measured);
}

void Tally::AttributeOn(isa::Product product,
                        const std::vector<Measurement>& measured) {
  // They are in the order of their products.
  const auto end =
      std::ranges::upper_bound(failing_, product, {}, &FailureTally::product);
  std::vector<FailureTally> tallies(std::make_move_iterator(failing_.begin()),
                                    std::make_move_iterator(end));
  failing_.erase(failing_.begin(), end);
  std::vector<FailingRuns> failing;
  for (const FailureTally& one : tallies) failing.push_back(one.runs);
  std::vector<PassingRuns> passing;
  for (const PassTally& one : passing_) {
    if (one.product == product) passing.push_back(one.runs);
  }
  const auto rests_on = [&](isa::RuleId rule, std::uint64_t count,
                            const Fault& fault) {
    CellTally& cell = cells_[{rule.text(), product}];
    cell.cases += count;
    if (rule != fault.rule) cell.elsewhere[fault.rule] += count;
  };
  for (const Fault& fault : LocalizeFaults(failing, passing, measured)) {
    CellTally& cell = cells_[{fault.rule.text(), product}];
    WrongPart part{.where = TextOf(fault.conditions), .right = fault.right};
    std::vector<Candidate> candidates;
    for (std::size_t i : fault.failing) {
      part.wrong += failing[i].cases;
      for (isa::RuleId suspect : failing[i].suspects) {
        rests_on(suspect, failing[i].cases, fault);
      }
      for (const ClearedRule& one : tallies[i].cleared) {
        rests_on(one.rule, one.cases, fault);
      }
      cell.numeric.largest_ulp =
          std::max(cell.numeric.largest_ulp, tallies[i].largest_ulp);
      std::ranges::move(tallies[i].best, std::back_inserter(candidates));
    }
    AddForms(failing, passing, fault, part);
    cell.alone[static_cast<std::size_t>(Showing::kDifferently)] += part.wrong;
    AddPart(part, cell.parts);
    Show(std::move(candidates), cell.bad);
    for (isa::RuleId rule : fault.co_suspects) {
      cell.co_suspects.insert(rule);
      cells_[{rule.text(), product}].suspected = true;
    }
  }
}

}  // namespace lanediff::audit
