#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/process_pool.h"
#include "differential/records/shard.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "reports/audit_record.h"

/// The audit: every rule of the catalogue on both sides of its boundaries, on
/// every product it speaks of, alone and beside others.
namespace lanediff::audit {

/// Where `shard` is a part there is no evidence and nothing of the documents'
/// disagreements: these are made once, for all parts together.
struct AuditOptions : RunOptions {
  std::string instruction;              ///< of one instruction only; empty: all
  std::optional<isa::Product> product;  ///< of one product only
  /// Numbers of each rule in each instruction, at most; 0: all.
  std::uint64_t sample = 0;
  /// Cases of a corpus that are run, too; what is wrong in them speaks against
  /// the rules that they name.
  std::vector<Case> given;
  bool sample_is_meant = false;  ///< it is all that is wanted
  /// What probes of their own found of the target (`characterise`).
  std::vector<Measurement> measured;
  /// The `--target` that reproduces a finding; empty for the emulator.
  std::string target_word;
  /// Called now and then with cases run and cases there are; false ends it.
  std::function<bool(std::uint64_t, std::uint64_t)> goes_on;
};

struct Audit {
  AuditRecord record;
  /// The evidence by the name of its file, relative to the report.
  std::map<std::string, Case> files;
};

/// Those that `options` request.
std::vector<isa::Product> ProductsFor(const AuditOptions& options);

/// Runs a given case on `target` in a process of its own. One of a corpus that
/// is wrong speaks against the rules that it names in `requirement`, and
/// against no other.
Tally RunGivenCase(const AuditCase& c, const diff::Target& target,
                   double hang_seconds);

/// Runs the cases of an audit of `target` against the oracle. Needs a process
/// without other threads: cases run in children.
ProcessPoolResult RunCases(const diff::Target& target,
                           const AuditOptions& options);

/// The verdicts on `target` from what its cases showed, in any process; makes
/// the evidence, on `target` too.
Audit Judge(const diff::Target& target, const AuditOptions& options,
            const ProcessPoolResult& pool);

/// Both, one after the other.
Audit RunAudit(const diff::Target& target, const AuditOptions& options);

/// Judges the target on the documents' disagreements that `options` request,
/// about `op` (a `kOp`; empty: all of them), and adds them, those that touch
/// most legal calls first, with their cases, to `audit`. Each runs in a process
/// of its own; a target that ends or hangs there leaves its entry undecided.
void AddDisagreements(const diff::Target& target, const AuditOptions& options,
                      std::string_view op, Audit& audit);

}  // namespace lanediff::audit
