#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace lanediff {

/// Writes `text` to the file that `path` leads to; links stay links. A regular
/// file, or one that is new, gets it by way of a temporary file beside it, so
/// that a reader sees all of it or what was there before. A device, a pipe or
/// a FIFO gets it as it is, and so does a file that is open as one of ours,
/// such as /dev/stdout. The error is one line. Threads may call it at once.
///
/// Temporary files are called .lanediff-PID-N.tmp. Those that lie beside the
/// file, are older than a day, and whose process lives no more are removed.
std::expected<void, std::string> WriteFile(const std::string& path,
                                           const std::string& text);

/// Writes all of it, also where `file` doesn't block; 0, or the error's number.
int WriteAll(int file, std::string_view text);

/// Removes the temporary file that is being written, if there is one: for a
/// handler of a signal that ends the process, which may call it at any time.
void RemoveTemporaryFile() noexcept;

}  // namespace lanediff
