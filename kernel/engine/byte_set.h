#pragma once

#include <cstdint>
#include <iterator>
#include <map>

#include "sanitizer/ranges.h"

namespace lanediff::kernel {

/// Bytes of one memory, put in and taken out range by range.
class ByteSet {
 public:
  /// Puts the bytes in, or takes them out.
  void Set(const lint::Range& bytes, bool in) {
    if (bytes.empty() || (ends_.empty() && !in)) return;
    auto first = EndingBehind(bytes.begin);
    while (first != ends_.end() && first->first < bytes.end) {
      const auto [begin, end] = *first;
      first = ends_.erase(first);
      if (begin < bytes.begin) ends_.emplace(begin, bytes.begin);
      if (end > bytes.end) first = ends_.emplace(bytes.end, end).first;
    }
    if (in) ends_.emplace(bytes.begin, bytes.end);
  }
  /// Whether one of the bytes is in it.
  bool Has(const lint::Range& bytes) const {
    const auto first = EndingBehind(bytes.begin);
    return first != ends_.end() && first->first < bytes.end;
  }
  void Clear() { ends_.clear(); }

 private:
  using Ends = std::map<std::int64_t, std::int64_t>;

  /// The first run that ends behind `at`.
  Ends::const_iterator EndingBehind(std::int64_t at) const {
    const auto behind = ends_.upper_bound(at);
    if (behind == ends_.begin()) return behind;
    const auto before = std::prev(behind);
    return before->second > at ? before : behind;
  }

  Ends ends_;  ///< by the first byte
};

}  // namespace lanediff::kernel
