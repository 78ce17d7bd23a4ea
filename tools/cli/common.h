#pragma once

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
#include "tools/cli/interrupt.h"
#include "tools/cli/options.h"
#include "tools/cli/status.h"

namespace lanediff::cli {

class ExaminedCases;

/// Prints "lanediff: MESSAGE", in one line, to stderr and returns `kUsage`.
int FailUsage(const std::string& message);

/// Ends the verb with this status (`CommandLine::Run`); its message is printed.
struct Exit {
  int status;
};

/// The value; in place of an error, which is a line behind `where`, ends the
/// verb as wrong usage.
template <class T>
T OrFail(std::expected<T, std::string> value, const std::string& where = "") {
  if (!value) throw Exit{FailUsage(where + value.error())};
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

/// Makes a folder and those above it, where they are not there; false, with a
/// message, if it can't be made.
bool MakeFolder(const std::string& folder);

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

/// Writes the text that `make` makes to `path`, if there is a path; false, with
/// a message, if it can't be written.
bool WriteTo(const std::string& path, const std::function<std::string()>& make);

/// The same, where "-" is standard output.
bool WriteOrPrint(const std::string& path,
                  const std::function<std::string()>& make);

/// Prints a line where --html names a page, as older versions did; whether it
/// does.
bool IsOldPage(const std::string& html);

/// Writes the report files that were requested; false, with a message, if one
/// can't be written. `status` is the exit status that the run comes to. Pages
/// show `examined`, if given, and examine what is not there.
bool WriteReports(const reports::RunRecord& record, const ReportFiles& files,
                  int status, const ExaminedCases* examined = nullptr);

/// Prints the lines of cases: of those that are well, and of the others, as
/// many as a screen has; all with --verbose.
class CaseLines {
 public:
  /// Without `well`, those that are well have no lines.
  explicit CaseLines(bool well = true) : well_{.on = well} {}
  /// Whether the next one has lines.
  bool Take(bool is_well);
  void Print(const reports::CaseRecord& record);
  /// Prints how many had no lines for want of a screen.
  void PrintRest(std::string_view thing = "case") const;

 private:
  struct Lines {
    bool on = true;
    std::uint64_t printed = 0;
    std::uint64_t left = 0;
  };
  Lines well_;
  Lines others_;
};

/// Prints what has changed since `baseline`, if there is one, and keeps it in
/// the record for its printers.
void PrintChanges(const std::optional<reports::RunBaseline>& baseline,
                  reports::RunRecord& record);

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
