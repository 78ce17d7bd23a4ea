#include "generators/coverage/layout.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "isa/memory_map.h"

namespace lanediff::make::coverage {
namespace {

using isa::Access;

struct Extent {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();

  void Add(const Access& access) {
    begin = std::min(begin, access.at);
    end = std::max(end, access.at + access.bytes);
  }
  bool empty() const { return begin >= end; }
};

/// Accesses of overlapping extents, byte by byte of what both may touch.
Layout ByBytes(std::span<const Access> accesses, std::string_view source,
               const Extent& read, const Extent& written) {
  const std::int64_t begin = std::max(read.begin, written.begin);
  const std::int64_t end = std::min(read.end, written.end);
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> first_write(static_cast<std::size_t>(end - begin),
                                        kNever);
  const auto each = [&](const Access& access, auto visit) {
    const std::int64_t last = std::min(access.at + access.bytes, end);
    for (std::int64_t at = std::max(access.at, begin); at < last; ++at) {
      visit(first_write[static_cast<std::size_t>(at - begin)]);
    }
  };
  for (const Access& access : accesses) {
    if (!access.write) continue;
    each(access, [&](std::int64_t& first) {
      first = std::min(first, access.iteration);
    });
  }
  bool common = false;
  bool later = false;
  for (const Access& access : accesses) {
    if (access.write || access.operand != source) continue;
    each(access, [&](std::int64_t first) {
      common |= first != kNever;
      later |= first < access.iteration;
    });
  }
  if (later) return Layout::kRunning;
  if (!common) return Layout::kInterleaved;
  return read.begin == written.begin ? Layout::kSameStart : Layout::kShifted;
}

}  // namespace

Layout LayoutOf(std::span<const Access> accesses, std::string_view source) {
  Extent read;
  Extent written;
  for (const Access& access : accesses) {
    if (access.write) {
      written.Add(access);
    } else if (access.operand == source) {
      read.Add(access);
    }
  }
  if (read.empty() || written.empty()) return Layout::kOneEmpty;
  if (read.end == written.begin || written.end == read.begin) {
    return Layout::kTouching;
  }
  if (read.end < written.begin || written.end < read.begin) {
    return Layout::kApart;
  }
  return ByBytes(accesses, source, read, written);
}

Lanes LanesOf(std::span<const Access> accesses, std::string_view source,
              std::int64_t lanes) {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (const Access& access : accesses) {
    if (access.iteration > 0) break;
    if (access.write || access.operand != source) continue;
    const std::int64_t size = access.bytes / isa::SizeBytes(access.dtype);
    for (std::int64_t i = access.lane; i < access.lane + size; ++i) {
      (i < 64 ? low : high) |= std::uint64_t{1} << (i % 64);
    }
  }
  const int count = std::popcount(low) + std::popcount(high);
  if (count == 0) return Lanes::kNone;
  if (count == 1) return Lanes::kOne;
  if (count == lanes) return Lanes::kAll;
  const int first =
      low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
  const int last =
      high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
  if (last - first + 1 == count) {
    return first == 0 ? Lanes::kFirst : Lanes::kRun;
  }
  if (high == 0) return Lanes::kLow;
  return low == 0 ? Lanes::kHigh : Lanes::kSpread;
}

}  // namespace lanediff::make::coverage
