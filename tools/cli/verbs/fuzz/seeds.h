#pragma once

#include <expected>
#include <string>

#include "tools/cli/verbs/fuzz/folders.h"

namespace lanediff::cli {

/// Makes the seeds again: every case of `corpus` as fuzzer bytes, and as it is
/// for the program that fuzzes the reader. Bytes are of `edition`, if one is
/// given. Files that are no cases are left out, with a line each on stderr. The
/// error is one line.
std::expected<void, std::string> MakeSeeds(const std::string& corpus,
                                           const std::string& edition,
                                           const FuzzFolders& folders);

/// The folder of the seeds for `instruction`'s program.
std::string SeedsFor(const std::string& instruction,
                     const FuzzFolders& folders);

/// Removes the inputs in `folder`, kept by an earlier run, that are not of this
/// version: their bytes would mean other cases now. Inputs are files that
/// libFuzzer named, by their hash. Prints how many there were.
void DropOtherVersions(const std::string& folder);

}  // namespace lanediff::cli
