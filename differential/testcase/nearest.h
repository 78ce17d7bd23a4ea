#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanediff {

/// ", did you mean WORD?" with the word of `allowed` that `word` was most
/// likely to be; empty where none is near.
std::string DidYouMean(std::string_view word,
                       const std::vector<std::string_view>& allowed);

}  // namespace lanediff
