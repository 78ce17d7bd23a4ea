#pragma once

#include <string_view>

namespace lanediff::audit {

/// Whether `text` is UTF-8 without control characters, as every text is that
/// an audit prints: what came from a process of a target may be anything.
bool IsPlainText(std::string_view text);

}  // namespace lanediff::audit
