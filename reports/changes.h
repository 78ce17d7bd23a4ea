#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/testcase/record.h"
#include "reports/audit_record.h"

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

  static void Fields(auto& f, auto& v) {
    v.Required("id", f.key.id, kFilled);
    v.Required("path", f.path);
    v.Required("signature", f.key.signature, diff::kSignatureText);
    v.Required("message", f.message);
  }
};

/// One that is gone.
struct GoneFinding : ChangedFinding {
  bool looked_at = true;  ///< whether this run looked at its case

  static void Fields(auto& f, auto& v) {
    ChangedFinding::Fields(f, v);
    v.Required("lookedAt", f.looked_at);
  }
};

/// Findings by their signatures alone: in another run of a fuzzer the same one
/// has another case.
struct SignatureChanges {
  std::vector<std::string> fresh = {};
  std::vector<std::string> gone = {};
  /// Gone, but nothing was run that could have shown them.
  std::vector<std::string> not_looked_at = {};
  std::vector<std::string> still = {};

  /// "new", "still", or nothing where it is neither.
  std::string Since(const std::string& signature) const;

  static void Fields(auto& c, auto& v) {
    v.Required("new", c.fresh, {.each = &kFilled});
    v.Required("gone", c.gone, {.each = &kFilled});
    v.Required("notLookedAt", c.not_looked_at, {.each = &kFilled});
    v.Required("still", c.still, {.each = &kFilled});
  }
};

/// "since FILE: 1 finding new, 2 gone, 3 still there", and what could not be
/// seen.
std::string SinceText(const std::string& file, const SignatureChanges& changes);

struct RunChanges {
  std::string file;    ///< of the baseline
  std::string target;  ///< of the baseline
  std::vector<ChangedFinding> fresh = {};
  std::vector<GoneFinding> gone = {};
  /// The same case and signature with another message.
  std::vector<ChangedFinding> updated = {};
  std::size_t unchanged = 0;
  SignatureChanges signatures = {};

  static void Fields(auto& c, auto& v) {
    v.Required("file", c.file, kFilled);
    v.Required("target", c.target, kFilled);
    v.Required("signatures", c.signatures);
    v.Required("new", c.fresh);
    LANEDIFF_REQUIRED(v, c.gone, c.updated, c.unchanged);
  }
};

/// One rule on one product; nothing where a run has no such cell.
struct ChangedCell {
  std::string rule;
  isa::Product product = isa::Product::kAtlasA2;
  std::optional<audit::Verdict> before = {};
  std::optional<audit::Verdict> now = {};

  static void Fields(auto& c, auto& v) {
    v.Required("rule", c.rule, kRuleText);
    LANEDIFF_REQUIRED(v, c.product, c.before, c.now);
  }
};

/// How the target reads a place at which documents disagree.
struct ChangedReading {
  std::string id;
  std::optional<audit::Follows> before = {};
  std::optional<audit::Follows> now = {};

  static void Fields(auto& c, auto& v) {
    v.Required("id", c.id, kFilled);
    LANEDIFF_REQUIRED(v, c.before, c.now);
  }
};

struct AuditChanges {
  std::string file;
  std::string target;
  std::vector<ChangedCell> cells = {};
  std::vector<ChangedReading> readings = {};
  std::size_t unchanged = 0;  ///< cells and readings
  SignatureChanges signatures = {};

  static void Fields(auto& c, auto& v) {
    v.Required("file", c.file, kFilled);
    v.Required("target", c.target, kFilled);
    LANEDIFF_REQUIRED(v, c.signatures, c.cells);
    v.Required("disagreements", c.readings);
    v.Required("unchanged", c.unchanged);
  }
};

struct MutantsChanges {
  std::string file;
  std::vector<std::string> found = {};     ///< found now, not before
  std::vector<std::string> survived = {};  ///< found before, not now
  std::vector<std::string> added = {};     ///< not hunted to the end before
  std::vector<std::string> gone = {};      ///< not hunted to the end now
  std::size_t unchanged = 0;

  static void Fields(auto& c, auto& v) {
    v.Required("file", c.file, kFilled);
    v.Required("found", c.found, {.each = &kFilled});
    v.Required("survived", c.survived, {.each = &kFilled});
    v.Required("added", c.added, {.each = &kFilled});
    v.Required("gone", c.gone, {.each = &kFilled});
    v.Required("unchanged", c.unchanged);
  }
};

}  // namespace lanediff::reports
