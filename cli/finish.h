#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "cli/verbs.h"
#include "diff/target.h"
#include "make/exhaust/state.h"
#include "reports/baseline.h"
#include "reports/mutant_record.h"
#include "reports/record.h"

/// How each verb ends, whether it ran what it tells of or merged shards of it:
/// prints the results, writes the reports that were asked for and returns the
/// exit status.
namespace lanediff::cli {

/// Prints what follows the lines of cases.
int FinishCheck(reports::RunRecord& run,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files);

/// Prints all. `part` says that it is a shard's.
int FinishSweep(reports::RunRecord& run, bool part,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files);

/// What went wrong when fuzz programs ran.
struct FuzzTroubles {
  bool failed = false;     ///< a program failed for another reason than this:
  bool unwritten = false;  ///< something could not be saved
  bool untold = false;     ///< something disagreed that no finding tells of
};

/// What a run prints behind the lines of its fuzz programs.
std::string FuzzRatesText(const reports::RunRecord& run);

/// Prints what follows the lines of fuzz programs and cases, kept in `out`.
int FinishFuzz(reports::RunRecord& run, FuzzTroubles troubles,
               const std::string& out,
               const std::optional<reports::RunBaseline>& baseline,
               const ReportFiles& files);

/// Prints all.
int FinishMutants(reports::MutantsRecord& record,
                  const std::optional<reports::MutantsBaseline>& baseline,
                  const ReportFiles& files);

/// Prints nothing, as a run prints one space after the other. `kept` says that
/// whatever had to be saved is saved, `unfinished` why not all was done, or
/// nothing.
int FinishExhaust(const std::vector<make::exhaust::State>& states,
                  const std::string& unfinished, bool kept,
                  const std::string& json);

/// What an audit is asked for; an error, in one line, is a usage error.
std::expected<audit::AuditOptions, std::string> AuditSettings(
    const AuditOptions& options);

/// The target of an audit; an error, in one line, is a usage error.
std::expected<const diff::Target*, std::string> AuditTarget(
    const std::string& name);

/// Prints all and writes everything below `out`, which exists.
int FinishAudit(const audit::Audit& audit, const diff::Target& target,
                const std::optional<reports::AuditBaseline>& baseline,
                const std::string& out);

}  // namespace lanediff::cli
