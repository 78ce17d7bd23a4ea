#pragma once

#include "tools/cli/verbs/fuzz/folders.h"
#include "tools/cli/verbs/fuzz/options.h"
#include "tools/cli/verbs/fuzz/programs.h"

namespace lanediff::cli {

/// What all parts of a run share.
struct FuzzSetup {
  const FuzzOptions& options;
  Fuzzers fuzzers;
  FuzzFolders folders;
};

}  // namespace lanediff::cli
