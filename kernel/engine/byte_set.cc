#include "kernel/engine/byte_set.h"

#include <iterator>

namespace lanediff::kernel {

void ByteSet::Set(const lint::Range& bytes, bool in) {
  if (bytes.end <= bytes.begin || (ends_.empty() && !in)) return;
  auto first = ends_.upper_bound(bytes.begin);
  if (first != ends_.begin() && std::prev(first)->second > bytes.begin) {
    --first;
  }
  while (first != ends_.end() && first->first < bytes.end) {
    const auto [begin, end] = *first;
    first = ends_.erase(first);
    if (begin < bytes.begin) ends_.emplace(begin, bytes.begin);
    if (end > bytes.end) first = ends_.emplace(bytes.end, end).first;
  }
  if (in) ends_.emplace(bytes.begin, bytes.end);
}

bool ByteSet::Has(const lint::Range& bytes) const {
  auto first = ends_.upper_bound(bytes.begin);
  if (first != ends_.begin() && std::prev(first)->second > bytes.begin) {
    --first;
  }
  return first != ends_.end() && first->first < bytes.end;
}

}  // namespace lanediff::kernel
