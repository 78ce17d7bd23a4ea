#include "kernel/engine/findings.h"

#include <algorithm>
#include <utility>

#include "differential/records/hazard.h"
#include "isa/carried.h"
#include "isa/resource.h"

namespace lanediff::kernel {
namespace {

/// Rejects of calls with rules: bounds are memcheck, all else is paramcheck.
Group GroupOfReject(isa::RuleId rule) {
  return rule.text().ends_with("-BOUNDS") ? Group::kMemcheck
                                          : Group::kParamcheck;
}

}  // namespace

Group GroupOf(isa::RuleId rule) {
  if (rule == isa::carried::kAlign) return Group::kMemcheck;
  switch (lint::GroupOf(rule)) {
    case lint::Group::kRacecheck:
      return Group::kRacecheck;
    case lint::Group::kInitcheck:
      return Group::kInitcheck;
    case lint::Group::kSynccheck:
      return Group::kSynccheck;
    case lint::Group::kMaskcheck:
      return Group::kMaskcheck;
    case lint::Group::kMemcheck:
      return rule.text().starts_with("KRN-") ? Group::kMemcheck
                                             : GroupOfReject(rule);
    case lint::Group::kLegality:
      return Group::kParamcheck;
  }
  return Group::kParamcheck;
}

std::optional<std::size_t> Findings::Found(
    Finding finding, const std::function<void(Finding&)>& make) {
  if (!settings_.checks.empty() &&
      std::ranges::find(settings_.checks, finding.group) ==
          settings_.checks.end()) {
    return std::nullopt;
  }
  std::optional<Site> other;
  if (finding.earlier) other = finding.earlier->site;
  const auto [found, is_new] = numbers_.try_emplace(
      {finding.rule, finding.later.site, other}, findings_.size());
  const std::size_t index = found->second;
  if (seen_in_launch_.insert(index).second) {
    ++of_launch_[static_cast<std::size_t>(finding.group)];
  }
  if (!is_new) {
    sink_.FoundAgain(index, ++findings_[index].times);
    return std::nullopt;
  }
  if (make) make(finding);
  findings_.push_back(std::move(finding));
  sink_.Found(index, findings_.back());
  return index;
}

void Findings::Noted(Note note, bool once) {
  const auto [found, is_new] =
      note_numbers_.try_emplace({note.rule, note.site}, note_numbers_.size());
  const bool is_again = !notes_of_launch_.insert(found->second).second;
  if (is_new) {
    note_times_.push_back(1);
    sink_.Noted(found->second, note);
    return;
  }
  if (once && is_again) return;
  sink_.NotedAgain(found->second, ++note_times_[found->second]);
}

void Findings::SetCase(std::size_t index, const std::string& path,
                       const std::string& no_case) {
  findings_[index].case_path = path;
  findings_[index].no_case = no_case;
  sink_.Saved(index, path, no_case);
}

void Findings::SetUnknown(const Cause& cause, std::uint64_t bytes,
                          const std::string& where) {
  const auto found =
      numbers_.lower_bound({cause.rule, cause.site, std::nullopt});
  if (found == numbers_.end() || std::get<0>(found->first) != cause.rule ||
      std::get<1>(found->first) != cause.site) {
    return;
  }
  sink_.LeftUnknown(found->second, bytes, where);
}

bool Findings::IsKnown(std::string_view rule, const Site& later,
                       const std::optional<Site>& earlier) const {
  return numbers_.contains({std::string(rule), later, earlier});
}

void Findings::BeginLaunch() {
  seen_in_launch_.clear();
  notes_of_launch_.clear();
  of_launch_ = {};
}

}  // namespace lanediff::kernel
