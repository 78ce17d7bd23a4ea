#pragma once

#include <span>
#include <string_view>

/// The styles of the page over a run of a kernel, compiled in.
namespace lanediff::reports::kernel_page {

struct EmbeddedText {
  std::string_view file;  ///< relative to `reports/html/`
  std::string_view text;
};

/// In the order in which the page has them.
std::span<const EmbeddedText> EmbeddedTexts();

}  // namespace lanediff::reports::kernel_page
