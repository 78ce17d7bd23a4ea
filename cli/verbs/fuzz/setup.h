#pragma once

#include "cli/verbs/fuzz/folders.h"
#include "cli/verbs/fuzz/options.h"
#include "cli/verbs/fuzz/programs.h"

namespace lanediff::cli {

/// What all parts of a run share.
struct FuzzSetup {
  const FuzzOptions& options;
  Fuzzers fuzzers;
  FuzzFolders folders;
};

}  // namespace lanediff::cli
