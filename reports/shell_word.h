#pragma once

#include <string>

namespace lanediff::reports {

/// `text` as one word of a shell command, of bash where it has characters that
/// can't be shown in a line.
std::string ShellWord(const std::string& text);

}  // namespace lanediff::reports
