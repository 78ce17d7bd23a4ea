#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "lanediff/kernel_abi.h"
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

}  // namespace lanediff::kernel
