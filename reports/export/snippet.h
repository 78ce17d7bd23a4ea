#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case.h"
#include "reports/export/data.h"
#include "reports/export/export.h"
#include "reports/export/source.h"

namespace lanediff::exports {

/// What `ExportCase` does in every API: `Writer(c, expected, data,
/// out).Write()` writes the text, in a language whose comments start with
/// `comment`.
template <class Writer>
std::expected<Snippet, std::string> WriteSnippet(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name, std::string_view comment) {
  Snippet snippet;
  const auto data = DataOf(c, file_name, snippet.files);
  if (!data) return std::unexpected(data.error());
  Source out(comment);
  Writer(c, expected, *data, out).Write();
  snippet.text = out.Take();
  return snippet;
}

}  // namespace lanediff::exports
