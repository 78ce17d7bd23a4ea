#include "oracle/copies.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanediff::oracle {

std::vector<ByteRun> Merged(std::vector<ByteRun> runs) {
  std::ranges::sort(runs, {}, &ByteRun::at);
  std::vector<ByteRun> merged;
  for (const ByteRun& run : runs) {
    if (merged.empty() || merged.back().end() < run.at) {
      merged.push_back(run);
    } else if (merged.back().end() < run.end()) {
      merged.back().bytes =
          static_cast<std::int64_t>(run.end() - merged.back().at);
    }
  }
  return merged;
}

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
