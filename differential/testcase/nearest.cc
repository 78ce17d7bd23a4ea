#include "differential/testcase/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace lanediff {
namespace {

/// Small letters and digits alone: "WholeReduceSum" as "wholereducesum".
std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, 64)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      plain += static_cast<char>(std::tolower(byte));
    }
  }
  return plain;
}

/// How many letters have to be put in, taken away, changed or exchanged with
/// the next one.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  // Of the first i letters of `a` and the first j of `b`.
  std::vector rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        rows[i][j] = i + j;
        continue;
      }
      const std::size_t changed = a[i - 1] == b[j - 1] ? 0 : 1;
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1,
                             rows[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string DidYouMean(std::string_view word,
                       const std::vector<std::string_view>& allowed) {
  const std::string wanted = Plain(word);
  std::string_view nearest;
  std::size_t least = wanted.size() / 3 + 1;
  for (const std::string_view one : allowed) {
    const std::size_t distance = EditDistance(wanted, Plain(one));
    if (distance >= least) continue;
    least = distance;
    nearest = one;
  }
  return nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest);
}

}  // namespace lanediff
