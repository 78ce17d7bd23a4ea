#include "isa/documents.h"

#include <algorithm>

#include "isa/rule_files.h"

namespace lanediff::isa {

std::span<const Document> Documents() { return Files().documents; }

const Document* FindDocument(std::string_view title) {
  const auto all = Documents();
  const auto found = std::ranges::find(all, title, &Document::title);
  return found == all.end() ? nullptr : &*found;
}

std::vector<Citation> CitationsOf(std::string_view text) {
  std::vector<Citation> found;
  /// What stands before `mark`, which is taken off `rest` with it.
  const auto take = [](std::string_view& rest, std::string_view mark) {
    const std::size_t end = std::min(rest.find(mark), rest.size());
    const std::string_view first = rest.substr(0, end);
    rest.remove_prefix(std::min(end + mark.size(), rest.size()));
    return first;
  };
  while (!text.empty()) {
    std::string_view place = take(text, "; ");
    std::string_view titles = take(place, " · ");
    while (!titles.empty()) {
      const std::string_view title = take(titles, ", ");
      found.push_back({title, place, FindDocument(title)});
    }
  }
  return found;
}

std::string CitationText(std::string_view text, std::string_view quote) {
  if (text.empty()) return "assumed";
  std::string cited(text);
  if (quote.empty()) return cited;
  if (quote.starts_with(kNoQuotation)) {
    return cited.append(" (").append(quote).append(")");
  }
  return cited.append(": `").append(quote).append("`");
}

std::string InCell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

}  // namespace lanediff::isa
