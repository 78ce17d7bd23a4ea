#include <cstring>

#include "tools/bench/yardsticks.h"

namespace lanediff::bench {

bool HasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
}

__attribute__((noinline)) void CopyBytes(std::uint8_t* dst,
                                         const std::uint8_t* src,
                                         std::size_t bytes) {
  std::memcpy(dst, src, bytes);
}

}  // namespace lanediff::bench
