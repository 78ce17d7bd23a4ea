#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "differential/testcase/record_json.h"

/// Pieces of a run's record (reports/kernel_record.h) as lines that one process
/// of ours sends to another.
namespace lanediff::reports {

std::string WriteKernelLine(Json json);
std::expected<Json, CaseError> ParseKernelLine(std::string_view line);

/// `piece` as JSON in one line, without its end: a Finding, Note, Refusal,
/// SiteRow, End, Counts or Settings. Texts may hold any bytes; each byte of 128
/// or more stands there as the character with that number, and is one byte
/// again when it is read.
template <class T>
std::string KernelLine(const T& piece) {
  return WriteKernelLine(RecordJson(piece));
}

/// The piece that `KernelLine` wrote; else where and what is wrong.
template <class T>
std::expected<T, CaseError> ReadKernelLine(std::string_view line) {
  const auto json = ParseKernelLine(line);
  if (!json) return std::unexpected(json.error());
  try {
    return ReadRecord<T>(Cursor(*json));
  } catch (const CaseError& error) {
    return std::unexpected(error);
  }
}

}  // namespace lanediff::reports
