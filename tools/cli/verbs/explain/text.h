#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/vocabulary.h"
#include "reports/trace/text.h"

/// How the pages of `explain` spell numbers and break lines. No line that these
/// make is wider than `kPageWidth` columns, long words aside.
namespace lanediff::cli::explain {

inline constexpr std::size_t kPageWidth = 100;

/// Columns of a terminal that `text` (UTF-8) takes; ideographs take two.
std::size_t DisplayWidth(std::string_view text);

/// `text`, or as much of it as fits into `width` columns with "…" at its end,
/// cut between words.
std::string Cut(std::string_view text, std::size_t width);

/// The lines of `text` behind `head`, at most `width` columns wide, long words
/// aside; further lines start below the first word of the first line.
std::vector<std::string> Wrapped(const std::string& head, std::string_view text,
                                 std::size_t width = kPageWidth);

/// Prints `text` behind `head`, broken between words; further lines start below
/// the first word of the first line.
void PrintWrapped(const std::string& head, std::string_view text);

using view::Counted;
using view::ShortDecimal;

/// sizeof(T).
std::int64_t ElementBytes(isa::DType type);

/// Which of many alike are shown: the first `kHead` and the last, or all if
/// that is requested or leaves out but one.
class Shown {
 public:
  static constexpr std::int64_t kHead = 3;

  Shown(std::int64_t total, bool all)
      : total_(total), all_(all || total <= kHead + 2) {}

  bool operator()(std::int64_t i) const {
    return all_ || i < kHead || i == total_ - 1;
  }

 private:
  std::int64_t total_;
  bool all_;
};

}  // namespace lanediff::cli::explain
