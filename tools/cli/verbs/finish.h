#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "differential/compare/known_issues.h"
#include "differential/records/exhaust_state.h"
#include "differential/targets/target.h"
#include "generators/exhaustive/space.h"
#include "reports/baseline.h"
#include "reports/mutant_record.h"
#include "reports/reasons.h"
#include "reports/record.h"
#include "tools/cli/options.h"

/// How verbs that have shards end.
namespace lanediff::cli {

class CaseLines;
class ExaminedCases;

/// Notes which known issues a case shows, and accepts one that can be read and
/// shows no others.
void AcceptKnown(diff::KnownIssueFilter& known, reports::CaseRecord& record);

/// How `check` ends, of one run or of merged shards: prints all, as `PrintRun`,
/// writes the requested reports and returns the exit status.
int FinishCheck(reports::RunRecord& run, const CaseLines& lines,
                const std::string& details,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files,
                const ExaminedCases* examined = nullptr);

/// How `sweep` ends, of one run or of merged shards: prints all, writes the
/// requested reports and returns the exit status. `part`: it is a shard's.
int FinishSweep(reports::RunRecord& run, bool part,
                const std::optional<reports::RunBaseline>& baseline,
                const ReportFiles& files);

/// How `fuzz` ends, of one run or of merged shards, with cases kept in `out`:
/// prints all, writes the requested reports and returns the exit status.
/// `unreported`: something disagreed that is in no finding. `failed`: a program
/// did, but not to save something.
int FinishFuzz(reports::RunRecord& run, bool unreported, bool failed,
               const std::string& out,
               const std::optional<reports::RunBaseline>& baseline,
               const ReportFiles& files);

/// How `mutants` ends, of one run or of merged shards: prints all, writes the
/// requested reports and returns the exit status.
int FinishMutants(reports::MutantsRecord& record,
                  const std::optional<reports::MutantsBaseline>& baseline,
                  const ReportFiles& files);

/// How `exhaust` ends, of one run or of merged shards: writes the requested
/// reports and returns the exit status. Prints nothing, as a run prints one
/// space after the other. `run` gets what `states` have; `kept`: all that had
/// to be saved is saved.
int FinishExhaust(reports::RunRecord run,
                  const std::vector<make::exhaust::State>& states, bool kept,
                  const ReportFiles& files);

/// One space of a run: how much there is, how much ran, what was found.
std::string ExhaustText(const make::exhaust::State& state);

/// "disagree MESSAGE" and the command that shows it again.
std::string FindingText(const make::exhaust::SavedFinding& finding,
                        const std::string& target);

struct AuditOptions {
  std::string instruction;  ///< empty: all
  std::string product;      ///< empty: all
  std::string edition;      ///< empty: the newest
  /// One after the other; of shards and of what follows the one in `target`.
  std::vector<std::string> targets = {TargetOptions().name};
  TargetOptions target;
  std::int64_t cases = 0;  ///< of each rule; 0: all
  bool sample = false;     ///< --sample: less than all is enough
  std::string corpus;      ///< cases that are run, too; empty: none
  std::string shard;       ///< "i/n"; empty: from the environment, else all
  std::int64_t jobs = 0;   ///< 0: one for each processor
  std::string baseline;    ///< audit.json of an earlier run; empty: none
  std::string character;   ///< JSON of characterise; empty: probe it
  bool no_character = false;
  std::string out;  ///< new folder of the report
};

/// Both throw an `Exit` on wrong usage.
audit::AuditOptions AuditSettings(const AuditOptions& options);
const diff::Target& AuditTarget(const TargetOptions& options);

/// Audits the first of `options.targets`; its exit status.
int AuditOne(const AuditOptions& options);

/// Audits each of `options.targets`, one after the other, in a process of its
/// own and into a folder of its own below --out. Then leaves and prints what
/// they come to side by side. Returns the worst of the statuses.
int AuditEach(const AuditOptions& options);

/// Adds the character of the target to `about`, or why it has none: in a
/// process of its own the target is probed, as far as `settings` go.
void AddCharacterTo(reports::TargetRecord& about, const AuditOptions& options,
                    const audit::AuditOptions& settings,
                    const diff::Target& target,
                    const audit::ProcessPoolResult& pool);

/// How `audit` ends, of one run or of merged shards: prints all, writes
/// everything below `out`, which exists, and returns the exit status.
int FinishAudit(const audit::Audit& audit, const diff::Target& target,
                const reports::TargetRecord& about,
                const std::optional<reports::AuditBaseline>& baseline,
                const std::string& out);

}  // namespace lanediff::cli
