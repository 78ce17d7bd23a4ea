#include "reports/kernel_suppressions.h"

#include <fmt/format.h>

#include <utility>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"

namespace lanediff::reports {
namespace {

using kernel::Finding;

bool Meets(const Suppression& entry, const Finding& finding,
           const KernelSources& sources) {
  const kernel::Site& site = finding.later.site;
  if (entry.rule != finding.rule || !MeansFile(entry.file, site.file)) {
    return false;
  }
  if (entry.line) return *entry.line == site.line;
  return sources.Line(site.file, site.line) == entry.text;
}

/// "list.json: SYNC-RAW at add.cpp:24".
std::string EntryText(const Suppressions& suppressions,
                      const Suppression& entry) {
  return fmt::format("{}: {} at {}", suppressions.file, entry.rule,
                     entry.line
                         ? fmt::format("{}:{}", entry.file, *entry.line)
                         : fmt::format("{}: {}", entry.file, entry.text));
}

}  // namespace

std::optional<CaseError> Suppression::Fault() const {
  if (line.has_value() == text.empty()) return std::nullopt;
  return CaseError{"", line ? "has \"line\" and \"text\"; one of the two is "
                              "allowed"
                            : "has neither \"line\" nor \"text\"; one of the "
                              "two is needed"};
}

std::expected<Suppressions, std::string> ReadSuppressions(
    const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return std::unexpected(path + ": " + text.error());
  auto read = ReadDocument<Suppressions>(*text);
  if (!read) return std::unexpected(path + ": " + LineOf(read.error()));
  read->file = path;
  return std::move(*read);
}

void Suppress(const Suppressions& suppressions, const KernelSources& sources,
              std::string_view today, kernel::RunRecord& record) {
  const bool saw_everything = record.end.how == kernel::End::How::kEnded &&
                              record.settings.checks.empty();
  for (const Suppression& entry : suppressions.list) {
    bool met = false;
    for (Finding& finding : record.findings) {
      if (!Meets(entry, finding, sources)) continue;
      met = true;
      if (finding.suppressed.empty()) finding.suppressed = entry.reason;
    }
    if (entry.expires < today) {
      record.suppression_faults.push_back(fmt::format(
          "{} expired: accepted until {}, today is {}; correct the defect, or "
          "give it a later day",
          EntryText(suppressions, entry), entry.expires, today));
    } else if (!met && saw_everything) {
      record.suppression_faults.push_back(fmt::format(
          "{} met nothing in this run; remove the entry if the defect is gone",
          EntryText(suppressions, entry)));
    }
  }
}

}  // namespace lanediff::reports
