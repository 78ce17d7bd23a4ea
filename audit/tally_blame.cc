#include <algorithm>
#include <iterator>

#include "audit/blaming.h"
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

void AddOnce(std::string_view form, std::vector<std::string_view>& forms) {
  if (form.empty() || std::ranges::find(forms, form) != forms.end()) return;
  forms.push_back(form);
  std::ranges::sort(forms);
}

/// One part for each of the conditions.
void AddPart(const WrongPart& part, std::vector<WrongPart>& parts) {
  const auto same = std::ranges::find(parts, part.where, &WrongPart::where);
  if (same == parts.end()) {
    parts.push_back(part);
  } else {
    same->wrong += part.wrong;
    for (std::string_view form : part.forms) AddOnce(form, same->forms);
    std::erase_if(same->right_forms, [&](std::string_view form) {
      return std::ranges::find(same->forms, form) != same->forms.end();
    });
  }
}

/// In which forms calls are wrong, and in which all are right.
void AddForms(const std::vector<Wrong>& wrongs,
              const std::vector<Right>& rights, const Blame& blame,
              WrongPart& part) {
  Conditions ops = 0;
  for (std::size_t i : blame.wrongs) {
    ops |= OpIn(wrongs[i].conditions);
    AddOnce(FormIn(wrongs[i].conditions), part.forms);
  }
  for (const Right& right : rights) {
    if (!std::ranges::binary_search(right.rules, blame.rule) ||
        (OpIn(right.conditions) & ops) == 0) {
      continue;
    }
    const std::string_view form = FormIn(right.conditions);
    if (std::ranges::find(part.forms, form) == part.forms.end()) {
      AddOnce(form, part.right_forms);
    }
  }
}

}  // namespace

void Tally::Attribute(const std::vector<Measurement>& measured) {
  while (!doubts_.empty()) {
    AttributeOn(std::get<0>(doubts_.begin()->first), measured);
  }
}

void Tally::AttributeOn(isa::Product product,
                        const std::vector<Measurement>& measured) {
  std::vector<Wrong> wrongs;
  std::vector<DoubtTally> doubts;
  for (auto entry = doubts_.begin(); entry != doubts_.end();) {
    const auto& [where, made_for, suspects, conditions, mismatch] =
        entry->first;
    if (where != product) {
      ++entry;
      continue;
    }
    wrongs.push_back(
        {suspects, made_for, conditions, mismatch, entry->second.cases});
    doubts.push_back(std::move(entry->second));
    entry = doubts_.erase(entry);
  }
  std::vector<Right> rights;
  for (const auto& [key, count] : proofs_) {
    const auto& [where, conditions, rules] = key;
    if (where == product) rights.push_back({rules, conditions, count});
  }
  for (const Blame& blame : FindBlame(wrongs, rights, measured)) {
    CellTally& cell = cells_[{blame.rule, product}];
    WrongPart part{.where = TextOf(blame.conditions), .right = blame.right};
    std::vector<Candidate> candidates;
    for (std::size_t i : blame.wrongs) {
      const std::uint64_t count = wrongs[i].cases;
      part.wrong += count;
      for (std::string_view suspect : wrongs[i].suspects) {
        CellTally& other = cells_[{suspect, product}];
        other.cases += count;
        if (suspect != blame.rule) other.elsewhere[blame.rule] += count;
      }
      for (const auto& [rule, rest] : doubts[i].cleared) {
        CellTally& other = cells_[{rule, product}];
        other.cases += rest;
        if (rule != blame.rule) other.elsewhere[blame.rule] += rest;
      }
      cell.numeric.largest_ulp =
          std::max(cell.numeric.largest_ulp, doubts[i].largest_ulp);
      std::ranges::move(doubts[i].best, std::back_inserter(candidates));
    }
    AddForms(wrongs, rights, blame, part);
    cell.alone[static_cast<std::size_t>(Showing::kDifferently)] += part.wrong;
    AddPart(part, cell.parts);
    Show(std::move(candidates), cell.bad);
    for (std::string_view rule : blame.co_suspects) {
      cell.co_suspects.insert(rule);
      cells_[{rule, product}].suspected = true;
    }
  }
}

}  // namespace lanediff::audit
