#include "tools/cli/verbs/explain/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "differential/testcase/element.h"

namespace lanediff::cli::explain {
namespace {

/// Bytes of the UTF-8 sequence that starts with `first`.
std::size_t SequenceBytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/// From U+3000 on are the ideographs and their punctuation.
bool IsWide(std::string_view sequence) {
  return sequence.size() >= 3 && static_cast<unsigned char>(sequence[0]) > 0xe2;
}

/// What belongs to the number before it: its bits, how often, its unit.
bool BelongsTo(std::string_view number, std::string_view word) {
  constexpr std::string_view kUnits[] = {
      "byte",  "bytes", "element",   "elements",   "lane",     "lanes",
      "ULP",   "row",   "DataBlock", "DataBlocks", "rows",     "step",
      "steps", "times", "iteration", "iterations", "matrices", "fields"};
  if (word.starts_with("(0x") || word.starts_with("×")) return true;
  const std::size_t end = std::min(word.find_first_of(",;:."), word.size());
  return number.find_first_not_of("-0123456789") == std::string_view::npos &&
         std::ranges::find(kUnits, word.substr(0, end)) != std::end(kUnits);
}

/// What must not be parted at the end of a line.
std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  std::string_view last;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!words.empty() && BelongsTo(last, word)) {
      words.back() += fmt::format(" {}", word);
    } else {
      words.emplace_back(word);
    }
    last = word;
  }
  return words;
}

}  // namespace

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view sequence = text.substr(i, SequenceBytes(text[i]));
    width += IsWide(sequence) ? 2 : 1;
    i += sequence.size();
  }
  return width;
}

std::string Cut(std::string_view text, std::size_t width) {
  if (DisplayWidth(text) <= width) return std::string(text);
  const std::size_t indent = text.find_first_not_of(' ');
  std::string line(indent, ' ');
  for (const std::string& word : Words(text)) {
    if (DisplayWidth(line) + DisplayWidth(word) + 3 > width) break;
    line += (line.size() == indent ? "" : " ") + word;
  }
  return line + " …";
}

std::vector<std::string> Wrapped(const std::string& head, std::string_view text,
                                 std::size_t width) {
  std::vector<std::string> lines;
  const std::size_t indent = DisplayWidth(head);
  std::string line = head;
  bool is_first = true;
  for (const std::string& word : Words(text)) {
    if (!is_first && DisplayWidth(line) + 1 + DisplayWidth(word) > width) {
      lines.push_back(std::move(line));
      line.assign(indent, ' ');
      is_first = true;
    }
    if (!is_first) line += ' ';
    line += word;
    is_first = false;
  }
  lines.push_back(std::move(line));
  return lines;
}

void PrintWrapped(const std::string& head, std::string_view text) {
  for (const std::string& line : Wrapped(head, text)) fmt::print("{}\n", line);
}

std::int64_t ElementBytes(isa::DType type) {
  std::vector<std::uint8_t> bytes;
  AppendElement(type, 0, bytes);
  return static_cast<std::int64_t>(bytes.size());
}

}  // namespace lanediff::cli::explain
