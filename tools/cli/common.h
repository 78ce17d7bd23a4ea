#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/thrown.h"
#include "reports/baseline.h"
#include "reports/printable.h"
#include "reports/record.h"
#include "tools/cli/options.h"
#include "tools/cli/program.h"

namespace lanediff::cli {

class ExaminedCases;

/// Prints "lanediff: MESSAGE", in one line, to stderr and returns `kUsage`.
int FailUsage(const std::string& message);

/// The same of a text that is formatted.
template <class First, class... Others>
int FailUsage(fmt::format_string<First, Others...> text, First&& first,
              Others&&... others) {
  return FailUsage(fmt::format(text, std::forward<First>(first),
                               std::forward<Others>(others)...));
}

/// Ends the verb with this status (`CommandLine::Run`); its message is printed.
struct Exit {
  int status;
};

/// Ends the verb as wrong usage, with the line that `FailUsage` prints.
[[noreturn]] void Fail(const std::string& message);
template <class First, class... Others>
[[noreturn]] void Fail(fmt::format_string<First, Others...> text, First&& first,
                       Others&&... others) {
  Fail(fmt::format(text, std::forward<First>(first),
                   std::forward<Others>(others)...));
}

/// The value; in place of an error, which is a line behind `where`, ends the
/// verb as wrong usage.
template <class T>
T OrFail(std::expected<T, std::string> value, const std::string& where = "") {
  if (!value) Fail(where + value.error());
  return *std::move(value);
}

/// A case file that was found, or what kept it from being looked at.
struct CasePath {
  std::string path;
  std::string error;
};

/// The case files in `paths`: files as they are, folders searched for *.json,
/// but not *.schema.json and known_issues.json, in order of their names. Links
/// to files are followed; one to a folder or to nothing, and a *.json that is
/// no regular file, is an error.
std::vector<CasePath> FindCases(const std::vector<std::string>& paths);

/// The cases of --corpus, read as for `ReadAs`; ends the verb where
/// one can't be read.
std::vector<Case> ReadCorpus(const std::string& folder,
                             const std::string& edition = "",
                             const std::string& product = "");

/// Makes a folder and those above it, where they are not there; false, with a
/// message, if it can't be made.
bool MakeFolder(const std::string& folder, std::string_view option = "");

/// Makes a folder of results, which must be new or empty; false, with a
/// message, if it can't be.
bool MakeNewFolder(const std::string& out);

using diff::Thrown;

double SecondsSince(std::chrono::steady_clock::time_point start);

/// A rate; 0 if no time has passed.
double PerSecond(std::uint64_t count, double seconds);

/// How many threads or processes `--jobs` requests, 0 for all processors; fewer
/// where a limit of memory (RLIMIT_AS, RLIMIT_DATA) has no space for them.
std::size_t JobsOf(std::int64_t option);

/// Writes the text that `make` makes to `path`, if there is a path, or prints
/// it where that is "-"; false, with a message, if it can't be written.
bool WriteTo(const std::string& path, const std::function<std::string()>& make);

/// Prints a line where --html names a page, as older versions did; whether it
/// does.
bool IsOldPage(const std::string& html);

/// Writes the report files that were requested; false, with a message, if one
/// can't be written. `status` is the exit status that the run comes to. Pages
/// show `examined`, if given, and examine what is not there.
bool WriteReports(const reports::RunRecord& record, const ReportFiles& files,
                  int status, const ExaminedCases* examined = nullptr);

/// The lines of cases, those with findings or errors first, as many as a screen
/// has; with --verbose all, in the order of the cases. --quiet omits those
/// without.
class CaseLines {
 public:
  /// `thing`: what they are of, for the count of those that are left out.
  explicit CaseLines(std::string_view thing = "case") : thing_(thing) {}
  /// Of all cases of `run`.
  explicit CaseLines(const reports::RunRecord& run) : CaseLines() {
    for (const reports::CaseRecord& record : run.cases) Add(record);
  }
  /// `text` is whole lines.
  void Add(bool is_well, std::string text);
  void Add(const reports::CaseRecord& record);
  std::string Text() const;

 private:
  struct Lines {
    std::vector<std::string> kept = {};
    std::uint64_t count = 0;
  };
  std::string thing_;
  Lines well_;
  Lines others_;
};

/// Prints a run in the order of all verbs: the headline, which states what was
/// not done, the findings worst first, the lines of cases, then `details`,
/// known issues that are out of date, and what has changed since `baseline`, if
/// there is one, which the record keeps. The verb's counts follow.
void PrintRun(reports::RunRecord& run, const CaseLines& lines,
              const std::string& details,
              const std::optional<reports::RunBaseline>& baseline);

using reports::ShellWord;

/// The command that shows again what the case in `path` shows on `target`
/// beside `reference`.
std::string Reproduce(const std::string& path, const std::string& target,
                      const std::string& reference = "oracle");

/// The same of a case on which lint and its model differ.
std::string ReproduceLintDifference(const std::string& path);

/// Where a run keeps its findings, below its folder of results.
std::string FindingsBelow(const std::string& out);

}  // namespace lanediff::cli
