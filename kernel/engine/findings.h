#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "isa/rule.h"
#include "kernel/engine/engine.h"
#include "reports/kernel_record.h"

namespace lanediff::kernel {

/// The group of a rule that a run reports (kernels.md, Rules).
Group GroupOf(isa::RuleId rule);

/// What a run has found: each (rule, site, other site) once.
class Findings {
 public:
  Findings(const Settings& settings, Sink& sink)
      : settings_(settings), sink_(sink) {}

  /// The finding's number if it is a new one; `make` completes it then.
  std::optional<std::size_t> Found(
      Finding finding, const std::function<void(Finding&)>& make = {});
  /// `once`: it counts once a launch, however many blocks it is of.
  void Noted(Note note, bool once = false);

  void SetCase(std::size_t index, const std::string& path,
               const std::string& no_case);

  /// How many bytes depend on the finding of the cause, and where.
  void SetUnknown(const Cause& cause, std::uint64_t bytes,
                  const std::string& where);

  bool IsKnown(std::string_view rule, const Site& later,
               const std::optional<Site>& earlier) const;
  /// --max-errors is reached.
  bool IsFull() const {
    return settings_.max_errors != 0 &&
           findings_.size() >= settings_.max_errors;
  }
  const std::vector<Finding>& all() const { return findings_; }

  void BeginLaunch();
  const std::array<std::uint64_t, isa::kCount<Group>>& of_launch() const {
    return of_launch_;
  }
  std::uint64_t notes_of_launch() const { return notes_of_launch_.size(); }

 private:
  using Key = std::tuple<std::string, Site, std::optional<Site>>;

  const Settings& settings_;
  Sink& sink_;
  std::vector<Finding> findings_;
  std::map<Key, std::size_t> numbers_;
  std::map<std::pair<std::string, Site>, std::size_t> note_numbers_;
  std::vector<std::uint64_t> note_times_;
  std::set<std::size_t> seen_in_launch_;
  std::set<std::size_t> notes_of_launch_;
  std::array<std::uint64_t, isa::kCount<Group>> of_launch_{};
};

}  // namespace lanediff::kernel
