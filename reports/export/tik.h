#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case.h"
#include "reports/export/export.h"

namespace lanediff::exports {

/// `ExportCase` of a program of vec_trans and state steps.
std::expected<Snippet, std::string> ExportTik(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name);

}  // namespace lanediff::exports
