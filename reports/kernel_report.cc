#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"
#include "reports/kernel.h"
#include "reports/kernel_line.h"
#include "reports/kernel_record.h"
#include "reports/printable.h"
#include "reports/report.h"

namespace lanediff::reports {
namespace {

using Place = Report::Place;

Place PlaceOf(const kernel::Site& site, const std::string& op,
              std::string message = {}) {
  Place place = {
      .file = site.file,
      .line = static_cast<std::size_t>(std::max<std::int64_t>(site.line, 1)),
      .message = std::move(message)};
  if (!op.empty()) place.logical = {{InOneLine(op), "function"}};
  return place;
}

/// What stays the same when lines are added elsewhere.
Report::Texts PrintsOf(std::string_view rule, const kernel::Site& site,
                       const KernelSources& sources) {
  const std::string_view line = sources.Line(site.file, site.line);
  return {{"lanediffRuleFileLine/v1",
           fmt::format("{} {}: {}", InOneLine(rule), InOneLine(site.file),
                       line.empty() ? fmt::format("line {}", site.line)
                                    : InOneLine(line))}};
}

std::vector<Place> RelatedTo(const kernel::Finding& finding) {
  std::vector<Place> related;
  if (const auto& other = finding.earlier) {
    related.push_back(PlaceOf(
        other->site, other->op,
        fmt::format("the other access: {}{}", InOneLine(other->op),
                    other->pipe ? fmt::format(" on {}", isa::Name(*other->pipe))
                                : std::string())));
  }
  if (const auto& cause = finding.follows_from) {
    related.push_back(
        PlaceOf(cause->site, "", "the cause: " + InOneLine(cause->rule)));
  }
  return related;
}

Report::Finding ResultOf(const kernel::Finding& finding,
                         const KernelSources& sources) {
  Report::Finding result = {
      .rule = InOneLine(finding.rule),
      .level = "error",
      .message = fmt::format(
          "{}. First met in {}{}{}.{}", InOneLine(finding.message),
          OccurrenceText(finding), finding.missing.empty() ? "" : "; missing: ",
          InOneLine(finding.missing),
          finding.follows_from
              ? fmt::format(" Follows from {}.", CauseText(finding))
              : ""),
      .place = PlaceOf(finding.later.site, finding.later.op),
      .related = RelatedTo(finding),
      .fingerprints = PrintsOf(finding.rule, finding.later.site, sources),
      .known = finding.suppressed,
      .times = finding.times,
      .properties = {{"group", isa::Name(finding.group)}}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) result.properties[name] = text;
  };
  add("followsFrom", CauseText(finding));
  add("unknown", UnknownText(finding));
  add("repair", InOneLine(finding.repair));
  add("case", InOneLine(finding.case_path));
  add("reproduce", ReproduceText(finding));
  return result;
}

/// A test for each site, in the order of the sites.
std::map<kernel::Site, Report::Test> TestsOf(const kernel::RunRecord& record) {
  using enum Report::Outcome;
  std::map<kernel::Site, Report::Test> tests;
  const auto at = [&](const kernel::Site& site,
                      const std::string& op) -> Report::Test& {
    const std::string name =
        fmt::format("line {} {}{}", site.line, InOneLine(op),
                    site.call > 1 ? fmt::format(" (call {})", site.call) : "");
    const std::string group = "lanediff.kernel." + InOneLine(site.file);
    return tests.try_emplace(site, Report::Test{group, name}).first->second;
  };
  for (const kernel::SiteRow& row : record.sites) at(row.site, row.op);
  // What is suppressed counts where nothing else is wrong.
  for (const kernel::Finding& finding : record.findings) {
    if (finding.suppressed.empty()) continue;
    Report::Test& test = at(finding.later.site, finding.later.op);
    test.outcome = kSkipped;
    test.text +=
        fmt::format("suppressed: {}\n{}", InOneLine(finding.suppressed),
                    KernelFindingText(finding));
  }
  const auto add = [&](Report::Test& test, Report::Outcome outcome,
                       const std::string& message, const std::string& rule,
                       const std::string& text) {
    if (test.outcome == kPassed || test.outcome == kSkipped) {
      test.outcome = outcome;
      test.message = message;
      test.type = rule;
      test.text.clear();
    }
    test.text += text;
  };
  for (const kernel::Finding& finding : record.findings) {
    if (!finding.suppressed.empty()) continue;
    add(at(finding.later.site, finding.later.op), kFailed,
        InOneLine(finding.message), InOneLine(finding.rule),
        KernelFindingText(finding));
  }
  for (const kernel::Refusal& refusal : record.refusals) {
    const std::string text = RefusalText(refusal);
    add(at(refusal.site, refusal.name), kError, text, "", text + '\n');
  }
  return tests;
}

std::string_view ExitWords(int status) {
  constexpr std::string_view kTexts[] = {
      "no finding", "findings",
      "wrong usage, a source that does not compile, a refused call, or nothing "
      "was checked",
      "the program crashed, timed out or failed"};
  return kTexts[static_cast<std::size_t>(status)];
}

}  // namespace

Reasons ReasonsOf(const kernel::RunRecord& record) {
  Reasons reasons;
  for (const kernel::Refusal& refusal : record.refusals) {
    reasons.push_back({.text = RefusalText(refusal),
                       .place = PlaceOf(refusal.site, refusal.name),
                       .has_test = true});
  }
  for (std::string& line : EndLines(record)) {
    reasons.push_back({.text = std::move(line), .has_test = true});
  }
  return reasons;
}

Report ToReport(const kernel::RunRecord& record, const KernelSources& sources) {
  const int status = KernelStatus(record);
  Report report = {
      .category = "lanediff/run/",
      .group = "lanediff.run",
      .properties = {{"program", InOneLine(record.program)},
                     {"product",
                      std::string(isa::Name(record.settings.product))},
                     {"edition",
                      std::string(isa::Name(record.settings.edition))}},
      .counts = {{"counts", RecordJson(record.counts)}},
      .suites = {{"lanediff.kernel"}},
      .reasons = ReasonsOf(record),
      .exit_status = status,
      .exit_text = ExitWords(status),
      .lists_catalogue = false};
  for (const kernel::Finding& finding : record.findings) {
    report.findings.push_back(ResultOf(finding, sources));
  }
  for (const kernel::Note& note : record.notes) {
    report.findings.push_back(
        {.rule = InOneLine(note.rule),
         .level = "note",
         .message = InOneLine(note.message),
         .place = PlaceOf(note.site, ""),
         .fingerprints = PrintsOf(note.rule, note.site, sources),
         .times = note.times});
  }
  for (auto& [site, test] : TestsOf(record)) {
    report.suites.front().tests.push_back(std::move(test));
  }
  const auto add = [&](const char* group, Report::Outcome outcome,
                       const std::string& line) {
    report.suites.front().tests.push_back({group, line, outcome, line});
  };
  const auto add_faults = [&](const char* group,
                              const std::vector<std::string>& faults) {
    for (const std::string& fault : faults) {
      report.notifications.push_back({InOneLine(fault)});
      add(group, Report::Outcome::kFailed, InOneLine(fault));
    }
  };
  add_faults("lanediff.suppressions", record.suppression_faults);
  add_faults("lanediff.expectations", record.expectation_faults);
  for (const std::string& line : EndLines(record)) {
    add("lanediff.run", Report::Outcome::kError, line);
  }
  AddForPeople(record, sources, report);
  return report;
}

namespace {

/// Each byte as the character with its number.
std::string Widened(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

/// The other way; a character of more than a byte, which `Widened` never
/// writes, stays as it is.
std::string Narrowed(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if ((lead == 0xc2 || lead == 0xc3) && i + 1 < text.size()) {
      bytes += static_cast<char>((lead & 3) << 6 | (text[++i] & 0x3f));
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

/// Every text that is a value through `change`.
template <class F>
void Change(Json& json, const F& change) {
  if (auto* text = json.get_ptr<std::string*>()) {
    *text = change(*text);
  } else if (json.is_structured()) {
    for (Json& item : json) Change(item, change);
  }
}

}  // namespace

std::string WriteKernelLine(const std::function<void(Json&)>& write) {
  Json json;
  write(json);
  Change(json, Widened);
  return json.dump();
}

std::optional<CaseError> ReadKernelLine(
    std::string_view line, const std::function<void(const Cursor&)>& read) {
  auto json = ParseJson(line);
  if (!json) return json.error();
  Change(*json, Narrowed);
  try {
    read(Cursor(*json));
    return std::nullopt;
  } catch (const CaseError& error) {
    return error;
  }
}

std::string KernelJson(const kernel::RunRecord& record) {
  return RecordText(KernelDocument{record});
}

KernelSources::KernelSources(std::map<std::string, std::string> texts) {
  for (auto& [file, text] : texts) {
    std::istringstream in(std::move(text));
    std::vector<std::string>& lines = lines_[file];
    for (std::string line; std::getline(in, line);) {
      if (line.ends_with('\r')) line.pop_back();
      lines.push_back(std::move(line));
    }
  }
}

const std::vector<std::string>& KernelSources::Lines(
    const std::string& file) const {
  static const std::vector<std::string> kNone;
  const auto found = lines_.find(file);
  return found == lines_.end() ? kNone : found->second;
}

std::string_view KernelSources::Line(const std::string& file,
                                     std::int64_t line) const {
  const auto& lines = Lines(file);
  if (line < 1 || static_cast<std::uint64_t>(line) > lines.size()) return "";
  std::string_view text = lines[static_cast<std::size_t>(line - 1)];
  constexpr std::string_view kBlanks = " \t\f\v";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

KernelSources KernelSources::Shown(
    const kernel::RunRecord& record,
    const std::set<std::string>& compiled) const {
  namespace fs = std::filesystem;
  const auto canonical = [](const std::string& file) {
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    return error ? file : path.string();
  };
  std::set<std::string> known;
  for (const std::string& file : compiled) known.insert(canonical(file));
  const auto is_source = [&](const std::string& file) {
    if (!known.empty()) return known.contains(canonical(file));
    if (file.ends_with(".py")) return true;
    return std::ranges::any_of(record.sites, [&](const kernel::SiteRow& row) {
      return row.site.file == file && !row.op.empty() &&
             Line(file, row.site.line).contains(row.op);
    });
  };
  KernelSources shown;
  for (const auto& [file, lines] : lines_) {
    if (is_source(file)) shown.lines_.emplace(file, lines);
  }
  return shown;
}

std::set<std::string> FilesOf(const kernel::RunRecord& record) {
  std::set<std::string> files;
  for (const kernel::Finding& finding : record.findings) {
    files.insert(finding.later.site.file);
    if (finding.earlier) files.insert(finding.earlier->site.file);
  }
  for (const kernel::Note& note : record.notes) files.insert(note.site.file);
  for (const kernel::Hidden& hidden : record.hidden) {
    files.insert({hidden.later.file, hidden.earlier.file});
  }
  for (const kernel::Refusal& refusal : record.refusals) {
    files.insert(refusal.site.file);
  }
  for (const kernel::SiteRow& row : record.sites) files.insert(row.site.file);
  return files;
}

KernelSources ReadSources(const kernel::RunRecord& record) {
  std::map<std::string, std::string> texts;
  for (const std::string& file : FilesOf(record)) {
    if (file == kMainOfKernel) continue;
    if (auto text = ReadFile(file)) texts.emplace(file, std::move(*text));
  }
  return KernelSources(std::move(texts));
}

bool MeansFile(std::string_view name, std::string_view file) {
  if (name == file) return true;
  return !name.empty() && file.size() > name.size() && file.ends_with(name) &&
         file[file.size() - name.size() - 1] == '/';
}

}  // namespace lanediff::reports
