#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "differential/testcase/json.h"

/// Pieces of a run's record (reports/kernel_record.h) as lines that one process
/// of ours sends to another.
namespace lanediff::reports {

/// `piece` as JSON in one line, without its end: a Finding, Note, Refusal,
/// SiteRow, End, Counts or Settings. Texts may hold any bytes; each byte of 128
/// or more stands there as the character with that number, and is one byte
/// again when it is read.
template <class T>
std::string KernelLine(const T& piece);

/// The piece that `KernelLine` wrote; else where and what is wrong.
template <class T>
std::expected<T, CaseError> ReadKernelLine(std::string_view line);

}  // namespace lanediff::reports
