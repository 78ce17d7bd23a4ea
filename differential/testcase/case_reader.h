#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/case_error.h"

namespace lanediff {

/// A larger case file is refused before it is parsed.
inline constexpr std::size_t kMaxCaseFileBytes = std::size_t{16} << 20;

/// Reads one `lanediff-case/1` or `lanediff-case/2` document. Strict: an
/// unknown, missing or repeated field, a wrong type or a value outside its list
/// is an error that names its JSON pointer. What the document claims is never
/// allocated beyond `kMaxMemoryBytes` for a memory.
std::expected<Case, CaseError> ReadCase(std::string_view text);

/// The file's text, or one line on why it can't be read. Of a file of
/// more than `most` bytes the first `most` + 1.
std::expected<std::string, std::string> ReadFile(
    const std::string& path, std::size_t most = kMaxCaseFileBytes);

/// The case in `path`; the error is one line "pointer: message".
std::expected<Case, std::string> ReadCaseFile(const std::string& path);

/// Of each step of the case that `text` spells the line, from 1, on which it
/// begins. `text` is one that the case reader takes.
std::vector<std::size_t> StepLines(std::string_view text);

}  // namespace lanediff
