#include "oracle/copies.h"

#include <cstddef>

namespace lanediff::oracle {

bool ShareBytes(const std::vector<ByteRun>& a, const std::vector<ByteRun>& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].end() <= b[j].at) {
      ++i;  // a's run lies before b's, and so before all that follow in b
    } else if (b[j].end() <= a[i].at) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace lanediff::oracle
