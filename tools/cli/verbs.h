#pragma once

#include "tools/cli/command_line.h"

/// The verbs of lanediff. A verb is a file in tools/cli/verbs/: its options,
/// how they are declared and what it runs; here it has its word in both lists.
namespace lanediff::cli {

/// Adds one verb to `line`. The verb prints its results to stdout and
/// diagnostics to stderr, and returns the exit status (tools/cli/program.h).
using AddVerb = void(CommandLine& line);

AddVerb AddAudit, AddCampaign, AddCharacterise, AddCompletion, AddConvert,
    AddCoverage, AddExec, AddExplain, AddExport, AddFuzz, AddIndex, AddLint,
    AddLintCompare, AddLintFix, AddList, AddMerge, AddMutants, AddRun,
    AddShrink, AddTargetVerb, AddTest, AddWeaken;

/// All of them, in the order of --help; variants behind their verb.
inline constexpr AddVerb* kVerbs[] = {
    AddTest,     AddLint,       AddLintFix,    AddLintCompare,  AddRun,
    AddWeaken,   AddExplain,    AddShrink,     AddConvert,      AddExport,
    AddFuzz,     AddMutants,    AddAudit,      AddCharacterise, AddMerge,
    AddIndex,    AddCampaign,   AddTargetVerb, AddExec,         AddList,
    AddCoverage, AddCompletion,
};

}  // namespace lanediff::cli
