#pragma once

#include <cstdint>
#include <string>

#include "differential/subprocess/process.h"
#include "differential/targets/target.h"
#include "reports/record.h"
#include "tools/cli/command_line.h"

/// The target of a verb: its options, how it is found, and what it comes to.
namespace lanediff::cli {

struct TargetOptions {
  std::string name = "emulator";
  double timeout_seconds = diff::TheOutsideOptions().timeout_seconds;
  std::int64_t max_restarts = diff::TheOutsideOptions().max_restarts;
  bool legal_only = false;
  std::string product;  ///< of all cases; empty: any
  bool allow_unsupported = false;
};

/// --target and what goes with it.
void AddTarget(Verb& verb, TargetOptions& options,
               const char* help = "what is under test");

/// What goes with it alone.
void AddTargetLimits(Verb& verb, TargetOptions& options);

/// Of verbs that make cases.
void AddAnyNumber(Verb& verb);

/// Of verbs that run many cases and judge what comes out.
void AddLegalOnly(Verb& verb, TargetOptions& options);

/// Of verbs that make cases: those of one product.
void AddProduct(Verb& verb, TargetOptions& options);

/// Of verbs that compare: status 0 though claimed cases are unsupported.
void AddAllowUnsupported(Verb& verb, TargetOptions& options);

/// Of verbs whose report describes the target under test: what characterise
/// --json left, for its character.
void AddCharacter(Verb& verb, std::string& file);

/// Who is under test, with the character in `file`, if one is given; throws
/// an `Exit` where it can't be read.
reports::TargetRecord AboutTarget(const diff::Target& target,
                                  const std::string& file);

/// Which targets a verb takes: all, or those that run any case.
enum class Takes : std::uint8_t { kAny, kRunning };

/// `target` as far as the options narrow it.
const diff::Target& Narrow(const diff::Target& target,
                           const TargetOptions& options);

/// The target that was requested; ends the verb where there is none.
const diff::Target* FindTarget(const TargetOptions& options, Takes takes);

/// The same and the reference; of one side beside itself the message ends with
/// `why`.
struct Sides {
  const diff::Target* target;
  const diff::StepwiseTarget* reference;
};
Sides FindSides(const TargetOptions& options, const std::string& reference,
                Takes takes, const char* why);

/// Ends all processes of targets, for a process that is about to end itself.
void EndTargetsAtOnce();

/// The worse of two exit statuses: 1, 3, 2, 0.
int Worse(int a, int b);

/// Prints what a target that is not part of lanediff left undone, and lets its
/// processes end. Returns what the exit status comes to, which was `status`.
int FinishTarget(const diff::Target& target, int status);

/// Why a comparison without findings is no success: legal cases that the target
/// claims and does not support, unless they are allowed. Empty if there are
/// none.
std::string LackingOf(const diff::Target& target, const TargetOptions& options);

/// `FinishTarget` of a verb that compares: status 2 at best where the target
/// lacks what it claims.
int FinishComparison(const diff::Target& target, const TargetOptions& options,
                     int status);

/// Keeps the account of `target`, where there is one, for the printers; what it
/// lacks, unless that is allowed. That of a `part` of a run is kept even if it
/// is empty: the merged one counts all cases.
void KeepAccount(const diff::Target& target, const TargetOptions& options,
                 bool part, reports::RunRecord& run);

}  // namespace lanediff::cli
