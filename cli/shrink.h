#pragma once

#include "cli/verbs.h"
#include "diff/target.h"

namespace lanediff::cli {

/// The verb `shrink` on targets that need not have a name on the command line;
/// those of `options` stand in the command that is printed.
int ShrinkCase(const ShrinkOptions& options, const diff::Target& target,
               const diff::Target& reference);

}  // namespace lanediff::cli
