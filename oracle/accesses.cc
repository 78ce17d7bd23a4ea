#include "oracle/accesses.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanediff::oracle {

void AppendAccesses(const Access& common, std::span<const ElementAt> elements,
                    std::int64_t element_bytes, std::vector<Access>& accesses) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const ElementAt& element = elements[i];
    const bool continues = i > 0 && element.lane == elements[i - 1].lane + 1 &&
                           element.at == elements[i - 1].at + element_bytes;
    if (!continues) {
      accesses.push_back(common);
      accesses.back().at = static_cast<std::int64_t>(element.at);
      accesses.back().lane = element.lane;
      accesses.back().bytes = 0;
    }
    accesses.back().bytes += element_bytes;
  }
}

}  // namespace lanediff::oracle
