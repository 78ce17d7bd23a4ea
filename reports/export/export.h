#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case.h"
#include "isa/vocabulary.h"

namespace lanediff::exports {

/// `isa::Api`, in the words that `--as` takes.
enum class Api : std::uint8_t { kAscendc, kPto, kTik };

/// Bytes that a snippet loads from a file beside it.
struct DataFile {
  std::string name;  ///< file name without a folder
  std::vector<std::uint8_t> bytes;
};

struct Snippet {
  std::string text;
  std::vector<DataFile> files;
};

/// The API that has the calls of `c`; a program of state steps alone is
/// Ascend C. The error is one line that names two steps of different APIs.
std::expected<Api, std::string> ApiOf(const Case& c);

/// `c` as source text in its API: initial memory, every step up to the first
/// that is rejected, which is included, and `expected` as comments. Data that
/// don't fit go to files named after `file_name`; without a name that is an
/// error. The same case always gives the same bytes.
std::expected<Snippet, std::string> ExportCase(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name);

}  // namespace lanediff::exports

template <>
struct lanediff::isa::Words<lanediff::exports::Api> {
  static constexpr std::array<std::string_view, 3> kSpelling = {"ascendc",
                                                                "pto", "tik"};
};
