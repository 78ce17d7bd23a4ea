// Built without the compiler's vectors (tools/bench/CMakeLists.txt), or
// "scalar" would depend on what it finds.

#include <array>

#include "tools/bench/yardsticks.h"

namespace lanediff::bench {

void ReduceSumHalfScalar(std::uint16_t* dst, const std::uint16_t* src,
                         std::size_t repeats) {
  std::array<float, kHalvesInRepeat> nodes;
  for (std::size_t r = 0; r < repeats; ++r) {
    for (std::size_t i = 0; i < kHalvesInRepeat; ++i) {
      nodes[i] = WidenHalf(src[r * kHalvesInRepeat + i]);
    }
    for (std::size_t left = kHalvesInRepeat / 2; left > 0; left /= 2) {
      for (std::size_t i = 0; i < left; ++i) {
        nodes[i] = WidenHalf(NarrowSaturated(nodes[2 * i] + nodes[2 * i + 1]));
      }
    }
    dst[r] = NarrowSaturated(nodes[0]);
  }
}

void LeftFoldHalfScalar(std::uint16_t* dst, const std::uint16_t* src,
                        std::size_t rows, std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) {
    float product = 1.0f;
    for (std::size_t j = 0; j < cols; ++j) {
      product =
          WidenHalf(NarrowSaturated(product * WidenHalf(src[i * cols + j])));
    }
    dst[i] = NarrowSaturated(product);
  }
}

void LeftFoldFloatScalar(float* dst, const float* src, std::size_t rows,
                         std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) {
    float product = 1.0f;
    for (std::size_t j = 0; j < cols; ++j) product *= src[i * cols + j];
    dst[i] = product;
  }
}

}  // namespace lanediff::bench
