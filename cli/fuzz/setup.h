#pragma once

#include "cli/fuzz/folders.h"
#include "cli/fuzz/programs.h"
#include "cli/verbs.h"

namespace lanediff::cli {

/// What all parts of a run share.
struct FuzzSetup {
  const FuzzOptions& options;
  Fuzzers fuzzers;
  FuzzFolders folders;
};

}  // namespace lanediff::cli
