#include "differential/records/sample_size.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanediff::make {

std::string SampleText(const SampleSize& size) {
  if (size.of == 0) return "a sample of 0 of 0 cases";
  const double share =
      100 * static_cast<double>(size.cases) / static_cast<double>(size.of);
  return fmt::format("a sample of {} of {} cases ({:.3g} %)", size.cases,
                     size.of,
                     size.cases < size.of ? std::min(share, 99.9) : share);
}

}  // namespace lanediff::make
