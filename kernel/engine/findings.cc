#include "kernel/engine/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
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

/// What the source has no call of: a tile is placed where it is used first, and
/// a kernel that is called begins a launch.
bool IsMade(std::string_view op) {
  return op == isa::Name(isa::ResourceName::kLocalTensor) ||
         op == isa::Name(isa::ResourceName::kLaunch);
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

std::optional<std::size_t> Findings::Found(Finding finding) {
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
  sink_.Found(index, findings_[index]);
}

void Findings::SetUnknown(const Cause& cause, std::uint64_t bytes,
                          const std::string& where) {
  const auto found =
      numbers_.lower_bound({cause.rule, cause.site, std::nullopt});
  if (found == numbers_.end() || std::get<0>(found->first) != cause.rule ||
      std::get<1>(found->first) != cause.site) {
    return;
  }
  Finding& finding = findings_[found->second];
  finding.unknown_bytes = bytes;
  finding.unknown = where;
  sink_.Found(found->second, finding);
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

// ---- Sites ------------------------------------------------------------------

std::size_t Sites::Of(lanediff_site site, std::string_view op) {
  const Pointers pointers{site.file, site.line, op.data()};
  const auto known = fast_.find(pointers);
  if (known != fast_.end()) return known->second;
  const std::string file = site.file == nullptr ? "" : site.file;
  const auto [found, is_new] =
      numbers_.try_emplace({file, site.line, std::string(op)}, rows_.size());
  if (is_new) {
    SiteRow row;
    const std::int64_t call = IsMade(op) ? 1 : ++calls_[{file, site.line}];
    row.site = {file, std::abs(site.line), call, site.line < 0};
    row.op = op;
    rows_.push_back(std::move(row));
  }
  fast_.emplace(pointers, found->second);
  return found->second;
}

void Sites::CountExecution(std::size_t index) {
  ++rows_[index].executions;
  std::vector<std::int64_t>& counts = executions_[block_];
  if (counts.size() <= index) counts.resize(rows_.size());
  ++counts[index];
}

std::int64_t Sites::ExecutionOf(std::size_t index) const {
  const auto counts = executions_.find(block_);
  if (counts == executions_.end() || counts->second.size() <= index) return 1;
  return std::max<std::int64_t>(counts->second[index], 1);
}

std::string PlaceText(const Site& site) {
  return fmt::format("{}{}:{}", site.after ? "after " : "", site.file,
                     site.line);
}

}  // namespace lanediff::kernel
