#pragma once

#include <string>
#include <string_view>

/// What comes from files and their names, made fit to be shown: control
/// characters, those that turn the direction of writing, and bytes that are no
/// UTF-8 become escapes, \n, \x1b or \u202e. Backslashes stay as they are.
namespace lanediff::reports {

/// For a line of a terminal.
std::string InOneLine(std::string_view text);

/// For a terminal, and for a document of XML 1.0, which can't hold control
/// characters, U+FFFE and U+FFFF at all; ends of lines and tabs stay.
std::string InLines(std::string_view text);

/// `text` as text of an element of HTML or of a quoted attribute.
std::string HtmlText(std::string_view text);

/// `text` as a part of an address: letters, digits and what is in `plain` stay,
/// other bytes become %XX.
std::string InAddress(std::string_view text, std::string_view plain);

/// `text` as one word of a shell command, of bash where it has characters that
/// can't be shown in a line.
std::string ShellWord(const std::string& text);

}  // namespace lanediff::reports
