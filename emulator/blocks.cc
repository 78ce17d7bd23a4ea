#include "emulator/blocks.h"

#include <algorithm>
#include <utility>

namespace lanediff::emulator {
namespace {

/// The sum of ⌊(step·i + start) / divisor⌋ over 0 ≤ i < n; no argument
/// negative. Counts the lattice points under the line, swapping the axes as
/// Euclid does.
std::int64_t FloorSum(std::int64_t n, std::int64_t divisor, std::int64_t step,
                      std::int64_t start) {
  std::int64_t sum = 0;
  while (true) {
    sum += n * (n - 1) / 2 * (step / divisor) + n * (start / divisor);
    step %= divisor;
    start %= divisor;
    const std::int64_t top = step * n + start;
    if (top < divisor) return sum;
    n = top / divisor;
    start = top % divisor;
    std::swap(divisor, step);
  }
}

/// Blocks with stride 0 are one block.
Blocks Distinct(Blocks blocks) {
  if (blocks.stride == 0) blocks.count = 1;
  return blocks;
}

std::int64_t EndOf(const Blocks& blocks) {
  return blocks.begin + (blocks.count - 1) * blocks.stride + blocks.bytes;
}

}  // namespace

bool Meet(Blocks a, Blocks b) {
  if (a.empty() || b.empty()) return false;
  a = Distinct(a);
  b = Distinct(b);
  if (EndOf(a) <= b.begin || EndOf(b) <= a.begin) return false;
  if (b.count == 1) std::swap(a, b);
  if (b.count == 1) return true;  // two single blocks whose extents meet

  // The blocks of `a` that meet the extent of `b`. If one of these reaches any
  // place begin + k·stride of `b` continued without end, it reaches a block.
  std::int64_t first = 0;
  std::int64_t last = 0;
  if (a.count > 1) {
    const std::int64_t before = b.begin - a.begin - a.bytes;
    first = before < 0 ? 0 : before / a.stride + 1;
    last = std::min(a.count - 1, (EndOf(b) - 1 - a.begin) / a.stride);
  }
  if (first > last) return false;

  // Block i of `a`, at x(i) from b.begin, meets a block at k·stride exactly if
  // x(i) - b.bytes < k·stride < x(i) + a.bytes. All such k are counted, moved
  // up by a multiple of the stride that leaves nothing negative.
  std::int64_t x = (a.begin + first * a.stride - b.begin) % b.stride;
  if (x < 0) x += b.stride;
  x += (b.bytes + b.stride - 1) / b.stride * b.stride;
  const std::int64_t n = last - first + 1;
  return FloorSum(n, b.stride, a.stride, x + a.bytes - 1) >
         FloorSum(n, b.stride, a.stride, x - b.bytes);
}

}  // namespace lanediff::emulator
