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

  /// For reports (differential/testcase/record.h).
  static void Fields(auto& d, auto& v) {
    v.Required("title", d.title, {.filled = true});
    v.Required("edition", d.edition, {.filled = true});
    v.Required("address", d.address, {.pattern = "^(https://|no address: )"});
  }
};

/// All documents that a citation may name.
std::span<const Document> Documents();

/// One place in a document.
struct Citation {
  std::string_view title;
  std::string_view section;
  const Document* document = nullptr;  ///< null: no document has the title

  static void Fields(auto& c, auto& v) {
    v.Required(
        "title", c.title,
        {.description = "one of the report's documents", .filled = true});
    v.Required("section", c.section, {.filled = true});
  }
};

/// The places in a citation "TITLE, TITLE · SECTION; TITLE · SECTION", each
/// title by itself; none in an empty one.
std::vector<Citation> CitationsOf(std::string_view text);

/// The fields of a report's source or reading: what it cites, the document's
/// own words or why there are none, and the places.
void CitationFields(auto& visitor, const std::string& document,
                    std::string_view quote) {
  const bool none = quote.starts_with(kNoQuotation);
  const std::string_view reason =
      none ? quote.substr(kNoQuotation.size()) : std::string_view();
  const std::string_view words = none ? std::string_view() : quote;
  visitor.Required("document", document);
  visitor.Optional("quote", words,
                   {.description = "the document's own words, at most 40 "
                                   "characters",
                    .filled = true});
  visitor.Optional(
      "noQuotation", reason,
      {.description = "why the document's words are not here", .filled = true});
  visitor.Derived("citations", [&] { return CitationsOf(document); },
                  {.description = "the places of document, one by one"});
}

/// The citation and its quotation for a cell of a Markdown table: "Min ·
/// 函数原型: `int32_t`"; "assumed" of an empty one.
std::string CitationText(std::string_view text, std::string_view quote);

}  // namespace lanediff::isa
