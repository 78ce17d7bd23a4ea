#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "audit/audit.h"
#include "differential/targets/target.h"
#include "reports/baseline.h"
#include "tools/cli/target_options.h"

namespace lanediff::cli {

struct AuditOptions {
  std::string instruction;  ///< empty: all
  std::string product;      ///< empty: all
  std::string edition;      ///< empty: the newest
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

/// The options of an audit; an error, in one line, is a usage error.
std::expected<audit::AuditOptions, std::string> AuditSettings(
    const AuditOptions& options);

/// The target of an audit; an error, in one line, is a usage error.
std::expected<const diff::Target*, std::string> AuditTarget(
    const TargetOptions& options);

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
