#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/rule.h"
#include "kernel/engine/engine.h"
#include "reports/kernel_record.h"

namespace lanediff::kernel {

/// The places from which a program calls, numbered in the order of their first
/// call. Calls of different names on one line are different places; two of one
/// name are one.
class Sites {
 public:
  /// A negative line is that line and `Site::after`.
  std::size_t Of(lanediff_site site, std::string_view op);

  SiteRow& operator[](std::size_t index) { return rows_[index]; }
  const SiteRow& operator[](std::size_t index) const { return rows_[index]; }
  const std::vector<SiteRow>& rows() const { return rows_; }

  /// A call begins there.
  void CountExecution(std::size_t index);
  /// How often the place was called in the block at hand, the last time
  /// included; at least 1.
  std::int64_t ExecutionOf(std::size_t index) const;
  void EnterBlock(std::int64_t block) { block_ = block; }
  void BeginLaunch() { executions_.clear(); }

 private:
  using Text = std::tuple<std::string, std::int64_t, std::string>;
  struct Pointers {
    const char* file;
    std::int32_t line;
    const char* op;
    bool operator==(const Pointers&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Pointers& p) const {
      return (reinterpret_cast<std::size_t>(p.file) * 31 +
              reinterpret_cast<std::size_t>(p.op)) *
                 1000003 +
             static_cast<std::size_t>(p.line);
    }
  };

  std::unordered_map<Pointers, std::size_t, Hash> fast_;
  std::map<Text, std::size_t> numbers_;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> calls_;
  std::vector<SiteRow> rows_;
  std::int64_t block_ = 0;
  /// Of each block of the launch, by place.
  std::map<std::int64_t, std::vector<std::int64_t>> executions_;
};

/// "add.cpp:24", "after add.cpp:24".
std::string PlaceText(const Site& site);

/// The group of a rule that a run reports (kernels.md, Rules).
Group GroupOf(isa::RuleId rule);

/// What a run has found: each (rule, site, other site) once.
class Findings {
 public:
  Findings(const Settings& settings, Sink& sink)
      : settings_(settings), sink_(sink) {}

  /// The finding's number if it is a new one.
  std::optional<std::size_t> Found(Finding finding);
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
