#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

/// The folders below OUT: findings/ what is told, raw/ what programs found and
/// nobody looked at yet, unconfirmed/ what did not show again, artifacts/
/// inputs that ended a program, logs/, fuzz-corpus/ and seeds/.
namespace lanediff::cli {

/// Makes them, sees that each can be written to, and removes what an
/// interrupted writing left. The error is one line.
std::expected<void, std::string> MakeFolders(const std::string& out);

/// The files in `folder` whose names end in `suffix`, sorted.
std::vector<std::string> FilesIn(const std::string& folder,
                                 std::string_view suffix);

/// The files whose paths begin with `prefix`, which has a folder, sorted.
std::vector<std::string> FilesBeginningWith(const std::string& prefix);

}  // namespace lanediff::cli
