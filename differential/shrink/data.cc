// Makes the data few and simple: zeros, then ones and small numbers.

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "differential/memory/memory_set.h"
#include "differential/shrink/attempts.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"

namespace lanediff::diff::shrink {
namespace {

using isa::DType;

/// One element of a region: of the region's type, else a byte.
struct ElementRef {
  std::size_t memory;
  std::size_t region;
  std::size_t offset;  ///< bytes from the start of the region
  isa::DType type;
};

/// A range of bytes of one type, from an operand's window. Windows of one case
/// share no byte: of two that overlap the lower one has what both hold.
struct Window {
  isa::Memory memory;
  isa::DType type;
  std::int64_t begin;
  std::int64_t end;  ///< the last element may be cut off
};

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
    c.memory[window.memory]->regions.push_back(std::move(region));
  }
}

/// The elements whose bits are not all zero.
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

/// The windows inside the memories that `c` lists, in ascending order in each.
std::vector<Window> WindowsOf(const Case& c) {
  Case copy = c;
  std::vector<Window> all;
  for (const Place& place : PlacesOf(copy)) {
    const auto& image = c.memory[place.memory];
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

/// What becomes of the bytes that no region covers.
enum class Fill { kZero, kWrittenOut };

/// Gives every memory the fill 0 and one region for each window, from its first
/// to its last element other than zero. What lies in no window goes.
void Normalize(Case& c, Fill fill) {
  if (fill == Fill::kZero) {
    for (auto& image : c.memory) {
      if (image) image->fill = 0;
    }
  }
  MemorySet memories(c);
  Rebuild(c, memories, WindowsOf(c));
}

/// Moves the elements other than zero of window `w` to its start, in their
/// order: `dense` without the zeros between them, else as they stand. Leaves
/// `c` normalized.
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

/// Sets runs of `elements` by `set`: all of them, then halves, quarters and so
/// on of those that are left. Gives up early where every one seems to matter.
bool SetRuns(Attempts& attempts, std::vector<ElementRef> elements,
             const std::function<std::uint64_t(const ElementRef&)>& bits) {
  constexpr int kHopeless = 64;
  bool any = false;
  int failures = 0;
  for (std::size_t run = elements.size(); run > 0; run /= 2) {
    for (std::size_t first = 0; first < elements.size();) {
      const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(first);
      const std::size_t count = std::min(run, elements.size() - first);
      const auto end = begin + static_cast<std::ptrdiff_t>(count);
      const bool set = attempts.Change([&](Case& c) {
        for (auto it = begin; it != end; ++it) Store(c, *it, bits(*it));
      });
      if (set) {
        elements.erase(begin, end);
        any = true;
        continue;
      }
      first += count;
      if (!any && ++failures > kHopeless && elements.size() > kHopeless) {
        return false;
      }
    }
  }
  return any;
}

/// Simple values of `type`, the simplest one first.
std::vector<std::uint64_t> SimpleValues(DType type) {
  std::vector<std::uint64_t> values;
  for (const char* number : {"1", "2", "3", "4", "8", "-1", "-2", "0.5"}) {
    if (const auto bits = ElementFromNumber(type, number)) {
      values.push_back(*bits);
    }
  }
  return values;
}

/// `bits` with its fraction cut to `kept` bits: fewer digits to read.
std::uint64_t CutFraction(DType type, std::uint64_t bits, int kept) {
  const int fraction = FractionBits(type);
  if (kept >= fraction) return bits;
  return bits & ~((std::uint64_t{1} << (fraction - kept)) - 1);
}

bool SimplifyElement(Attempts& attempts, const ElementRef& element) {
  const std::uint64_t now = Load(attempts.best(), element);
  const auto to = [&](std::uint64_t bits) {
    return bits != now &&
           attempts.Change([&](Case& c) { Store(c, element, bits); });
  };
  for (std::uint64_t value : SimpleValues(element.type)) {
    if (value == now) return false;
    if (to(value)) return true;
  }
  if (!IsFloating(element.type)) return false;
  if (IsNan(element.type, now)) {
    return to(ElementFromString(element.type, "nan").value());
  }
  for (int kept : {0, 1, 2, 4, 8, 16}) {
    const std::uint64_t cut = CutFraction(element.type, now, kept);
    if (cut != 0 && to(cut)) return true;
  }
  return false;
}

bool SimplifyAll(Attempts& attempts) {
  constexpr std::size_t kMost = 64;  // more are looked at together only
  const auto one = [](const ElementRef& element) {
    return SimpleValues(element.type).front();
  };
  std::vector<ElementRef> elements = NonZeroElements(attempts.best());
  std::erase_if(elements, [&](const ElementRef& element) {
    return Load(attempts.best(), element) == one(element);
  });
  bool any = SetRuns(attempts, elements, one);
  if (elements.size() > kMost) return any;
  for (const ElementRef& element : elements) {
    any |= SimplifyElement(attempts, element);
  }
  return any;
}

/// Moves the elements of windows to where they begin: all windows at once, else
/// one after the other; without gaps, else as they stand.
bool Gather(Attempts& attempts) {
  Case c = attempts.best();
  const std::size_t windows = WindowsOf(c).size();
  bool any = false;
  for (bool dense : {true, false}) {
    any |= attempts.Change([&](Case& to) {
      for (std::size_t w = 0; w < windows; ++w) GatherWindow(to, w, dense);
    });
    for (std::size_t w = 0; w < windows; ++w) {
      any |= attempts.Change([&](Case& to) { GatherWindow(to, w, dense); });
    }
  }
  return any;
}

}  // namespace

std::int64_t CountNonZeroElements(const Case& c) {
  return std::ssize(NonZeroElements(c));
}

bool ShrinkData(Attempts& attempts) {
  bool any = attempts.Change([](Case& c) { Normalize(c, Fill::kZero); });
  any |= attempts.Change([](Case& c) { Normalize(c, Fill::kWrittenOut); });
  any |= SetRuns(attempts, NonZeroElements(attempts.best()),
                 [](const ElementRef&) { return std::uint64_t{0}; });
  any |= attempts.Change([](Case& c) { Normalize(c, Fill::kWrittenOut); });
  any |= Gather(attempts);
  any |= SimplifyAll(attempts);
  return any;
}

}  // namespace lanediff::diff::shrink
