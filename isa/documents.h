#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The documents that rules and readings cite, and where to find each.
namespace lanediff::isa {

/// In the place of a quotation: the reason follows.
inline constexpr std::string_view kNoQuotation = "no quotation: ";

struct Document {
  std::string_view title;  ///< as citations have it, unique: "older Max"
  std::string_view edition;
  std::string address;  ///< an https address, or "no address: " and why
};

/// All documents that a citation may name.
std::span<const Document> Documents();
/// Null if no document has the title.
const Document* FindDocument(std::string_view title);

/// One place in a document.
struct Citation {
  std::string_view title;
  std::string_view section;
  const Document* document = nullptr;  ///< null: no document has the title
};

/// The places in a citation "TITLE, TITLE · SECTION; TITLE · SECTION", each
/// title by itself; none in an empty one.
std::vector<Citation> CitationsOf(std::string_view text);

/// The citation and its quotation: "Min · 函数原型: `int32_t`"; "assumed" of an
/// empty one.
std::string CitationText(std::string_view text, std::string_view quote);

/// `text` for a cell of a Markdown table, which '|' would end.
std::string InCell(std::string_view text);

}  // namespace lanediff::isa
