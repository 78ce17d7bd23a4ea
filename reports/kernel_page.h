#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "reports/kernel_record.h"
#include "reports/kernel_sources.h"

/// Parts of the page over a run of a kernel, as markup.
namespace lanediff::reports {

/// Where the page shows lines of sources: a number for each file that a site
/// names, in the order of their names.
class KernelPlaces {
 public:
  explicit KernelPlaces(const kernel::RunRecord& record);

  /// "FILE:LINE" as a link to the line.
  std::string Link(const kernel::Site& site) const;
  /// The id of a line's row.
  std::string Id(const std::string& file, std::int64_t line) const;
  const std::map<std::string, std::size_t>& files() const { return files_; }

 private:
  std::map<std::string, std::size_t> files_;
};

/// `text` in one line, as text of an element.
std::string Shown(std::string_view text);

/// The id of the list entry of finding `number`, from 0.
std::string FindingId(std::size_t number);

/// A table for each file: line numbers, how often calls on the line ran, the
/// text, and beside it what was found there.
std::string SourcesMarkup(const kernel::RunRecord& record,
                          const KernelSources& sources,
                          const KernelPlaces& places);

}  // namespace lanediff::reports
