#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/kernel_record.h"

namespace lanediff::reports {

/// What sites call the program that --kernel puts around a kernel; no file.
inline constexpr std::string_view kMainOfKernel = "main of --kernel";

/// The lines of source files by the names that sites have. A file that can't be
/// read has none.
class KernelSources {
 public:
  KernelSources() = default;
  explicit KernelSources(std::map<std::string, std::string> texts);

  const std::vector<std::string>& Lines(const std::string& file) const;
  /// Line `line`, from 1, without blanks at its ends; empty if there is none.
  std::string_view Line(const std::string& file, std::int64_t line) const;

  /// Those of files that a page may show: what a directive `#line` names is not
  /// for that a file of the program. `compiled` are the files that a compiler
  /// read; where none are known, lines at sites must have the names of calls.
  KernelSources Shown(const kernel::RunRecord& record,
                      const std::set<std::string>& compiled) const;

 private:
  std::map<std::string, std::vector<std::string>> lines_;
};

/// The files that the record's sites name.
std::set<std::string> FilesOf(const kernel::RunRecord& record);

/// Reads the files that the record's sites name, as they are now.
KernelSources ReadSources(const kernel::RunRecord& record);

/// Whether `name`, as users write it, means `file`, as passed to the compiler:
/// the same path, or its last parts.
bool MeansFile(std::string_view name, std::string_view file);

}  // namespace lanediff::reports
