#pragma once

#include <cstdint>
#include <map>

#include "sanitizer/ranges.h"

namespace lanediff::kernel {

/// Bytes of one memory, put in and taken out range by range.
class ByteSet {
 public:
  /// Puts the bytes in, or takes them out.
  void Set(const lint::Range& bytes, bool in);
  /// Whether one of the bytes is in it.
  bool Has(const lint::Range& bytes) const;
  void Clear() { ends_.clear(); }

 private:
  std::map<std::int64_t, std::int64_t> ends_;  ///< by the first byte
};

}  // namespace lanediff::kernel
