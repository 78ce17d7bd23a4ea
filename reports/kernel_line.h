#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "differential/testcase/record_json.h"

/// Pieces of a run's record (reports/kernel_record.h) as lines that one process
/// of ours sends to another.
namespace lanediff::reports {

std::string WriteKernelLine(const std::function<void(Json&)>& write);
std::optional<CaseError> ReadKernelLine(
    std::string_view line, const std::function<void(const Cursor&)>& read);

/// `piece` as JSON in one line, without its end: a Finding, Note, Refusal,
/// SiteRow, End, Counts or Settings. Texts may hold any bytes; each byte of 128
/// or more stands there as the character with that number, and is one byte
/// again when it is read.
template <class T>
std::string KernelLine(const T& piece) {
  return WriteKernelLine(
      [&](Json& json) { record_json::WriteRecord(piece, json); });
}

/// The piece that `KernelLine` wrote; else where and what is wrong.
template <class T>
std::expected<T, CaseError> ReadKernelLine(std::string_view line) {
  T piece;
  auto error = ReadKernelLine(
      line, [&](const Cursor& root) { piece = ReadRecord<T>(root); });
  if (error) return std::unexpected(*std::move(error));
  return piece;
}

}  // namespace lanediff::reports
