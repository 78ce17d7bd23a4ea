#pragma once

#include <span>
#include <string_view>

/// The files of `reports/html/`, compiled in.
namespace lanediff::reports {

struct EmbeddedText {
  std::string_view file;  ///< relative to `reports/html/`
  std::string_view text;
};

/// Styles and scripts in the order in which a page has them, and the page
/// itself, `index.html`.
namespace html {
std::span<const EmbeddedText> EmbeddedTexts();
}

/// The styles of a page without scripts, in its order.
namespace styles {
std::span<const EmbeddedText> EmbeddedTexts();
}

}  // namespace lanediff::reports
