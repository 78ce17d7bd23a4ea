#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"
#include "reports/kernel.h"

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

using Expected = Expectations::ExpectedFinding;

/// `line` up to the comment, which begins at its start or behind a blank.
std::string_view BeforeComment(std::string_view line) {
  for (std::size_t at = 0; (at = line.find('#', at)) != line.npos; ++at) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') {
      return line.substr(0, at);
    }
  }
  return line;
}

/// The words of a line; the last one of "finding" has all the rest, as names of
/// files may have blanks.
std::vector<std::string> WordsOf(std::string_view line) {
  std::vector<std::string> words;
  std::istringstream in{std::string(line)};
  for (std::string word; words.size() < 2 && in >> word;) words.push_back(word);
  std::string rest;
  std::getline(in >> std::ws, rest);
  rest.erase(rest.find_last_not_of(" \t\r") + 1);
  if (!rest.empty()) words.push_back(rest);
  return words;
}

/// Why the line names no rule, or no group where one may stand; empty if it
/// does.
std::string NoName(const std::vector<std::string>& words) {
  const bool is_finding = words[0] == "finding";
  if (!is_finding && words[0] != "note") return "";
  if (is_finding && isa::Parse<kernel::Group>(words[1])) return "";
  std::string why = NoRule(words[1]);
  if (!why.empty() && is_finding) why += ", and so is a group, as memcheck";
  return why;
}

/// Takes one line; false if it is none.
bool Take(const std::vector<std::string>& words, Expectations& expected) {
  if (words.size() == 3 && words[0] == "finding") {
    const auto colon = words[2].rfind(':');
    if (colon == std::string::npos || colon == 0) return false;
    const auto line = ToNumber<std::int64_t>(words[2].substr(colon + 1));
    if (line.value_or(-1) < 0) return false;
    expected.findings.push_back({words[1], words[2].substr(0, colon), *line});
    return true;
  }
  if (words.size() != 2) return false;
  if (words[0] == "note") {
    expected.notes.push_back(words[1]);
    return true;
  }
  if (words[0] != "status" || expected.status) return false;
  expected.status = ToNumber<int>(words[1]);
  return 0 <= expected.status.value_or(-1) && *expected.status <= 3;
}

bool Means(const Expected& expected, const Finding& finding) {
  return (expected.word == finding.rule ||
          expected.word == isa::Name(finding.group)) &&
         expected.line == finding.later.site.line &&
         MeansFile(expected.file, finding.later.site.file);
}

/// Gives expectations findings of their own, as many as can have one: which has
/// each finding. `missing`: those without one.
std::vector<std::optional<std::size_t>> OwnersOf(
    const std::vector<Expected>& expected,
    const std::vector<const Finding*>& findings,
    std::vector<std::size_t>& missing) {
  std::vector<std::optional<std::size_t>> owners(findings.size());
  std::vector<bool> visited;
  // Finds one for `who`, if need be by giving its owner another one.
  const auto place = [&](const auto& self, std::size_t who) -> bool {
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (visited[i] || !Means(expected[who], *findings[i])) continue;
      visited[i] = true;
      if (owners[i] && !self(self, *owners[i])) continue;
      owners[i] = who;
      return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    visited.assign(findings.size(), false);
    if (!place(place, i)) missing.push_back(i);
  }
  return owners;
}

}  // namespace

std::optional<CaseError> Suppression::Fault() const {
  if (line.has_value() == text.empty()) return std::nullopt;
  return CaseError{
      "", line ? "has \"line\" and \"text\"; one of the two is allowed"
               : "has neither \"line\" nor \"text\"; one of the two is needed"};
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
      record.suppression_faults.push_back(
          fmt::format("{} expired: accepted until {}, today is {}; correct the "
                      "defect, or give it a later day",
                      EntryText(suppressions, entry), entry.expires, today));
    } else if (!met && saw_everything) {
      record.suppression_faults.push_back(fmt::format(
          "{} met nothing in this run; remove the entry if the defect is gone",
          EntryText(suppressions, entry)));
    }
  }
}

std::expected<Expectations, std::string> ReadExpectations(
    std::string_view text) {
  Expectations expected;
  std::istringstream in{std::string(text)};
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const auto words = WordsOf(BeforeComment(line));
    if (words.empty()) continue;
    if (Take(words, expected)) {
      const std::string why = NoName(words);
      if (why.empty()) continue;
      return std::unexpected(fmt::format("{}: {}", number, why));
    }
    return std::unexpected(
        fmt::format("{}: found \"{}\"; finding RULE-or-GROUP FILE:LINE, note "
                    "RULE, one status 0 to 3, or a comment behind # is allowed",
                    number, Quote(line)));
  }
  return expected;
}

std::expected<Expectations, std::string> ReadExpectationsFile(
    const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return std::unexpected(path + ": " + text.error());
  auto expected = ReadExpectations(*text);
  if (!expected) return std::unexpected(path + ":" + expected.error());
  return expected;
}

std::vector<std::string> Unexpected(const Expectations& expected,
                                    const kernel::RunRecord& record) {
  std::vector<const Finding*> findings;
  for (const Finding& finding : record.findings) {
    if (finding.suppressed.empty()) findings.push_back(&finding);
  }
  std::vector<std::size_t> missing;
  const auto owners = OwnersOf(expected.findings, findings, missing);
  std::vector<std::string> lines;
  for (const std::size_t i : missing) {
    const Expected& one = expected.findings[i];
    lines.push_back(
        fmt::format("missing: {} {}:{}", one.word, one.file, one.line));
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (owners[i]) continue;
    lines.push_back(
        fmt::format("not expected: {} {} {}", isa::Name(findings[i]->group),
                    findings[i]->rule, SiteText(findings[i]->later.site)));
  }
  for (const std::string& rule : expected.notes) {
    if (std::ranges::find(record.notes, rule, &kernel::Note::rule) ==
        record.notes.end()) {
      lines.push_back(fmt::format("missing: note {}", rule));
    }
  }
  const int status = KernelRunStatus(record);
  const int wanted =
      expected.status.value_or(expected.findings.empty() ? 0 : 1);
  if (status != wanted) {
    lines.push_back(
        fmt::format("the run has status {}, expected is {}", status, wanted));
  }
  return lines;
}

}  // namespace lanediff::reports
