#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case.h"
#include "reports/export/data.h"
#include "reports/export/export.h"
#include "reports/export/source.h"

namespace lanediff::exports {

/// `ExportCase` of a program of Ascend C's instructions and state steps.
std::expected<Snippet, std::string> ExportAscendc(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name);
/// The same of TROWPROD and state steps.
std::expected<Snippet, std::string> ExportPto(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name);
/// The same of vec_trans and state steps.
std::expected<Snippet, std::string> ExportTik(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name);

/// What the writers of all APIs have.
struct SnippetWriter {
  const Case& c_;
  const diff::ExpectedResult& expected_;
  const std::vector<MemoryData>& data_;
  Source& out_;

  bool Has(isa::Memory memory) const {
    return std::ranges::count(data_, memory, &MemoryData::memory) > 0;
  }
  /// The bytes of a memory; 0 where the case has none.
  std::int64_t BytesOf(isa::Memory memory) const {
    const auto found = std::ranges::find(data_, memory, &MemoryData::memory);
    return found == data_.end() ? 0 : found->size;
  }
};

/// What `ExportCase` does in every API: `Writer::Write` writes the
/// text, in a language whose comments start with
/// `comment`.
template <class Writer>
std::expected<Snippet, std::string> WriteSnippet(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name, std::string_view comment) {
  Snippet snippet;
  const auto data = DataOf(c, file_name, snippet.files);
  if (!data) return std::unexpected(data.error());
  Source out(comment);
  Writer(SnippetWriter{c, expected, *data, out}).Write();
  snippet.text = out.Take();
  return snippet;
}

}  // namespace lanediff::exports
