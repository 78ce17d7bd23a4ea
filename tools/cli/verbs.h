#pragma once

#include "tools/cli/command_line.h"

/// The verbs of lanediff. A verb is a file in tools/cli/verbs/: its options,
/// how they are declared and what it runs; here it has its word in both lists.
namespace lanediff::cli {

/// Adds one verb to `line`. The verb prints its results to stdout and
/// diagnostics to stderr, and returns the exit status (tools/cli/status.h).
using AddVerb = void(CommandLine& line);

AddVerb AddAudit, AddCampaign, AddCharacterise, AddCheck, AddCompletion,
    AddConvert, AddCoverage, AddExec, AddExhaust, AddExplain, AddExport,
    AddFuzz, AddGenerate, AddIndex, AddLint, AddList, AddMerge, AddMutants,
    AddRun, AddShrink, AddSweep, AddTargetVerb, AddWeaken;

/// All of them, in the order of --help.
inline constexpr AddVerb* kVerbs[] = {
    AddCheck,   AddLint,         AddRun,        AddWeaken,   AddExec,
    AddShrink,  AddExplain,      AddFuzz,       AddGenerate, AddSweep,
    AddAudit,   AddCharacterise, AddIndex,      AddCoverage, AddMutants,
    AddExhaust, AddMerge,        AddCampaign,   AddConvert,  AddExport,
    AddList,    AddTargetVerb,   AddCompletion,
};

}  // namespace lanediff::cli
