#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/record.h"

/// What has changed since an earlier run, the baseline. Printers show these
/// records and compute nothing.
namespace lanediff::reports {

/// A finding by what makes it the same one in another run: case and signature.
struct FindingKey {
  std::string id;  ///< of the case; its path where it has no id
  std::string signature;

  friend auto operator<=>(const FindingKey&, const FindingKey&) = default;
};

/// One finding of the baseline or of this run.
struct ChangedFinding {
  FindingKey key;
  std::string path;
  std::string message;
  /// Of one that is gone: whether this run looked at its case.
  bool looked_at = true;
};

struct RunChanges {
  std::string file;    ///< of the baseline
  std::string target;  ///< of the baseline
  std::vector<ChangedFinding> fresh = {};
  std::vector<ChangedFinding> gone = {};
  /// The same case and signature with another message.
  std::vector<ChangedFinding> updated = {};
  std::size_t unchanged = 0;
};

/// One rule on one product; nothing where a run has no such cell.
struct ChangedCell {
  std::string rule;
  isa::Product product = isa::Product::kAtlasA2;
  std::optional<audit::Verdict> before = {};
  std::optional<audit::Verdict> now = {};
};

/// How the target reads a place at which documents disagree.
struct ChangedReading {
  std::string id;
  std::optional<audit::Follows> before = {};
  std::optional<audit::Follows> now = {};
};

struct AuditChanges {
  std::string file;
  std::string target;
  std::vector<ChangedCell> cells = {};
  std::vector<ChangedReading> readings = {};
  std::size_t unchanged = 0;  ///< cells and readings
};

struct MutantsChanges {
  std::string file;
  std::vector<std::string> found = {};     ///< found now, not before
  std::vector<std::string> survived = {};  ///< found before, not now
  std::vector<std::string> added = {};     ///< not hunted to the end before
  std::vector<std::string> gone = {};      ///< not hunted to the end now
  std::size_t unchanged = 0;
};

/// A line for each change, then a line of sums.
std::string ChangesText(const RunChanges& changes);
std::string ChangesText(const AuditChanges& changes);
std::string ChangesText(const MutantsChanges& changes);

}  // namespace lanediff::reports
