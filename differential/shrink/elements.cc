#include "differential/shrink/elements.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "differential/memory/memory_set.h"
#include "differential/shrink/places.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::diff::shrink {
namespace {

using Bytes = std::span<std::uint8_t>;

bool IsZero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t b) { return b == 0; });
}

/// The bytes of element `i` of `bytes`; the last one may be cut off.
Bytes ElementOf(Bytes bytes, std::size_t i, std::size_t size) {
  return bytes.subspan(i * size, std::min(size, bytes.size() - i * size));
}

std::size_t CountOf(Bytes bytes, std::size_t size) {
  return (bytes.size() + size - 1) / size;
}

Bytes BytesOf(MemorySet& memories, const Window& window) {
  return Bytes(memories[window.memory])
      .subspan(static_cast<std::size_t>(window.begin),
               static_cast<std::size_t>(window.end - window.begin));
}

/// From the first to the last element of `window` that is not zero; empty if
/// there is none.
Region RegionOf(MemorySet& memories, const Window& window) {
  const Bytes bytes = BytesOf(memories, window);
  const auto size = static_cast<std::size_t>(isa::SizeBytes(window.type));
  std::size_t first = 0;
  std::size_t last = CountOf(bytes, size);
  while (first < last && IsZero(ElementOf(bytes, first, size))) ++first;
  while (first < last && IsZero(ElementOf(bytes, last - 1, size))) --last;
  const std::size_t end = std::min(last * size, bytes.size());
  Region region{.at = window.begin + static_cast<std::int64_t>(first * size),
                .dtype = window.type,
                .bytes = {}};
  if (first >= last) return region;
  const Bytes used = bytes.subspan(first * size, end - first * size);
  region.bytes.assign(used.begin(), used.end());
  if (used.size() % size != 0) region.dtype.reset();
  return region;
}

/// Gives `c` the data of `memories`, as far as it is in windows.
void Rebuild(Case& c, MemorySet& memories, const std::vector<Window>& windows) {
  for (auto& image : c.memory) {
    if (!image) continue;
    image->fill = 0;
    image->regions.clear();
  }
  for (const Window& window : windows) {
    Region region = RegionOf(memories, window);
    if (region.bytes.empty()) continue;
    c.memory[static_cast<std::size_t>(window.memory)]->regions.push_back(
        std::move(region));
  }
}

}  // namespace

std::vector<ElementRef> NonZeroElements(const Case& c) {
  std::vector<ElementRef> elements;
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    if (!c.memory[m]) continue;
    for (std::size_t r = 0; r < c.memory[m]->regions.size(); ++r) {
      const Region& region = c.memory[m]->regions[r];
      const isa::DType type = region.dtype.value_or(isa::DType::kUint8);
      const auto size = static_cast<std::size_t>(isa::SizeBytes(type));
      const std::span<const std::uint8_t> bytes = region.bytes;
      for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        if (!IsZero(bytes.subspan(at, size))) {
          elements.push_back({m, r, at, type});
        }
      }
    }
  }
  return elements;
}

std::uint64_t Load(const Case& c, const ElementRef& element) {
  const Region& region = c.memory[element.memory]->regions[element.region];
  return LoadElement(element.type,
                     std::span(region.bytes).subspan(element.offset));
}

void Store(Case& c, const ElementRef& element, std::uint64_t bits) {
  std::vector<std::uint8_t> bytes;
  AppendElement(element.type, bits, bytes);
  Region& region = c.memory[element.memory]->regions[element.region];
  std::ranges::copy(bytes, region.bytes.begin() +
                               static_cast<std::ptrdiff_t>(element.offset));
}

std::vector<Window> WindowsOf(const Case& c) {
  Case copy = c;
  std::vector<Window> all;
  for (const Place& place : PlacesOf(copy)) {
    const auto& image = c.memory[static_cast<std::size_t>(place.memory)];
    if (!image || !place.sane()) continue;
    all.push_back({place.memory, place.dtype, *place.at,
                   std::min(place.end(), image->size)});
  }
  std::ranges::sort(all, {}, [](const Window& w) {
    return std::tuple(w.memory, w.begin, -w.end);
  });
  std::vector<Window> windows;
  for (Window window : all) {
    if (!windows.empty() && windows.back().memory == window.memory) {
      window.begin = std::max(window.begin, windows.back().end);
    }
    if (window.begin < window.end) windows.push_back(window);
  }
  return windows;
}

void Normalize(Case& c, Fill fill) {
  if (fill == Fill::kZero) {
    for (auto& image : c.memory) {
      if (image) image->fill = 0;
    }
  }
  MemorySet memories(c);
  Rebuild(c, memories, WindowsOf(c));
}

void GatherWindow(Case& c, std::size_t w, bool dense) {
  const std::vector<Window> windows = WindowsOf(c);
  MemorySet memories(c);
  const Bytes bytes = BytesOf(memories, windows[w]);
  const auto size = static_cast<std::size_t>(isa::SizeBytes(windows[w].type));
  std::size_t next = 0;  // where the next element goes
  bool begun = false;
  for (std::size_t i = 0; i < bytes.size() / size; ++i) {
    const Bytes from = ElementOf(bytes, i, size);
    const bool zero = IsZero(from);
    begun = begun || !zero;
    if (dense ? zero : !begun) continue;
    const Bytes to = ElementOf(bytes, next++, size);
    if (to.data() == from.data()) continue;
    std::ranges::copy(from, to.begin());
    std::ranges::fill(from, std::uint8_t{0});
  }
  Rebuild(c, memories, windows);
}

}  // namespace lanediff::diff::shrink
