#pragma once

#include <expected>
#include <string>

namespace lanediff::cli {

/// Makes `folder` anew: every case of `corpus` as fuzzer bytes in bytes/, and
/// as it is in json/ for the program that fuzzes the reader. Files that are no
/// cases are left out, with a line each on stderr. The error is one line.
std::expected<void, std::string> MakeSeeds(const std::string& corpus,
                                           const std::string& folder);

/// Removes the inputs in `folder`, kept by an earlier run, that are not of this
/// version: their bytes would mean other cases now. Says how many there were.
void DropOtherVersions(const std::string& folder);

}  // namespace lanediff::cli
