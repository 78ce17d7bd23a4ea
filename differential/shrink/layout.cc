// Cuts memories, windows and regions to what the program names and moves
// operands toward 0 and together.

#include <algorithm>
#include <utility>

#include "differential/memory/memory_set.h"
#include "differential/shrink/attempts.h"
#include "differential/testcase/case.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::diff::shrink {
namespace {

using isa::kDataBlockBytes;
using isa::RoundUp;

/// A range of bytes that moves as a whole.
struct Cluster {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t new_begin = 0;
};

/// What moves as a whole.
enum class Of { kWindows, kWindowsAndData };

/// The windows of `memory`, with the regions if they are requested, those that
/// overlap joined, in ascending order.
std::vector<Cluster> ClustersOf(Case& c, isa::Memory memory, Of of) {
  std::vector<Cluster> ranges;
  for (const Place& place : PlacesOf(c)) {
    if (place.memory != memory || !place.sane()) continue;
    ranges.push_back({*place.at, place.end()});
  }
  const auto& image = c.memory[memory];
  if (of == Of::kWindowsAndData && image) {
    for (const Region& region : image->regions) {
      ranges.push_back({region.at, region.end()});
    }
  }
  std::ranges::sort(ranges, {}, &Cluster::begin);
  std::vector<Cluster> clusters;
  for (const Cluster& range : ranges) {
    if (!clusters.empty() && range.begin < clusters.back().end) {
      clusters.back().end = std::max(clusters.back().end, range.end);
    } else {
      clusters.push_back(range);
    }
  }
  return clusters;
}

/// The image of `memory`, made if the program only names it.
MemoryImage* ImageOf(Case& c, isa::Memory memory) {
  auto& image = c.memory[memory];
  if (!image && MemoriesOf(c)[memory]) {
    image = MemoryImage{.fill = 0, .size = SizeOf(c, memory), .regions = {}};
  }
  return image ? &*image : nullptr;
}

/// The part of `region` in `cluster`, in whole elements; empty if there is
/// none.
Region CutTo(const Region& region, const Cluster& cluster) {
  const std::int64_t element = region.dtype ? isa::SizeBytes(*region.dtype) : 1;
  const std::int64_t first =
      std::max<std::int64_t>(0, cluster.begin - region.at) / element * element;
  const std::int64_t last = std::min(region.end(), cluster.end) - region.at;
  const std::int64_t end =
      std::min<std::int64_t>(RoundUp(last, element), region.end() - region.at);
  Region part{.at = region.at + first, .dtype = region.dtype, .bytes = {}};
  if (first < end) {
    part.bytes.assign(region.bytes.begin() + first, region.bytes.begin() + end);
  }
  return part;
}

/// Keeps of the regions of `memory` what lies in clusters, and moves windows
/// and data from `begin` to `new_begin` of their clusters.
void Move(Case& c, isa::Memory memory, const std::vector<Cluster>& clusters) {
  const auto shift = [&](std::int64_t at) {
    std::int64_t by = 0;
    for (const Cluster& cluster : clusters) {
      if (cluster.begin <= at) by = cluster.begin - cluster.new_begin;
    }
    return by;
  };
  for (const Place& place : PlacesOf(c)) {
    if (place.memory == memory && place.sane()) *place.at -= shift(*place.at);
  }
  MemoryImage* const image = ImageOf(c, memory);
  if (image == nullptr) return;
  std::vector<Region> kept;
  for (const Cluster& cluster : clusters) {
    for (const Region& region : image->regions) {
      Region part = CutTo(region, cluster);
      if (part.bytes.empty()) continue;
      part.at -= cluster.begin - cluster.new_begin;
      const bool free = kept.empty() || kept.back().end() <= part.at;
      if (part.at >= 0 && free) kept.push_back(std::move(part));
    }
  }
  image->regions = std::move(kept);
}

/// Places the clusters from `first` on as low as they go without a change of
/// their order or of their place in a DataBlock.
void Pack(std::vector<Cluster>& clusters, std::size_t first) {
  std::int64_t free = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    Cluster& cluster = clusters[i];
    cluster.new_begin = cluster.begin;
    if (i >= first) {
      const std::int64_t phase = cluster.begin % kDataBlockBytes;
      cluster.new_begin = free <= phase ? phase : phase + RoundUp(free - phase);
    }
    free = cluster.new_begin + cluster.end - cluster.begin;
  }
}

/// How the size of a memory follows its last cluster.
enum class Cut { kToEnd, kKeepSlack, kNot };

bool PackMemory(Attempts& attempts, isa::Memory memory, Of of,
                std::size_t first, Cut cut) {
  return attempts.Change([&](Case& c) {
    std::vector<Cluster> clusters = ClustersOf(c, memory, of);
    Pack(clusters, first);
    Move(c, memory, clusters);
    MemoryImage* const image = ImageOf(c, memory);
    if (image == nullptr || cut == Cut::kNot) return;
    const Cluster last = clusters.empty() ? Cluster{0, 0} : clusters.back();
    const std::int64_t end = last.new_begin + last.end - last.begin;
    const std::int64_t size =
        cut == Cut::kToEnd ? RoundUp(end) : image->size - (last.end - end);
    image->size = std::min(size, image->size);
    FitMemories(c);
  });
}

/// The end of the last window that lies in `memory`, in whole DataBlocks: a
/// case whose windows leave their memory is about that and nothing else.
std::int64_t LeastSize(Case& c, isa::Memory memory, std::int64_t size) {
  std::int64_t end = 0;
  for (const Place& place : PlacesOf(c)) {
    if (place.memory != memory || !place.sane() || place.end() > size) continue;
    end = std::max(end, place.end());
  }
  return std::min(RoundUp(end), size);
}

bool ShrinkMemory(Attempts& attempts, isa::Memory memory) {
  for (Of of : {Of::kWindows, Of::kWindowsAndData}) {
    for (Cut cut : {Cut::kToEnd, Cut::kKeepSlack, Cut::kNot}) {
      if (PackMemory(attempts, memory, of, 0, cut)) return true;
    }
    Case c = attempts.best();
    const std::size_t clusters = ClustersOf(c, memory, of).size();
    for (std::size_t first = 1; first <= clusters && first < 16; ++first) {
      if (PackMemory(attempts, memory, of, first, Cut::kToEnd)) return true;
    }
  }
  Case c = attempts.best();
  const MemoryImage* const image = ImageOf(c, memory);
  if (image == nullptr) return false;
  const std::int64_t least = LeastSize(c, memory, image->size);
  return attempts.Lower(image->size, least, [&](Case& to, std::int64_t size) {
    ImageOf(to, memory)->size = size;
    FitMemories(to);
  });
}

/// Windows become what the call touches, then still less if that is enough.
bool CutWindows(Attempts& attempts) {
  bool any = attempts.Change([](Case& c) {
    for (const Place& place : PlacesOf(c)) {
      if (place.bytes == nullptr || !place.touched) continue;
      if (*place.touched > 0 && *place.touched < *place.bytes) {
        *place.bytes = *place.touched;
      }
    }
  });
  Case c = attempts.best();
  const std::vector<Place> places = PlacesOf(c);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].bytes == nullptr) continue;
    const std::int64_t now = *places[i].bytes;
    const std::int64_t touched = places[i].touched.value_or(0);
    const auto set = [&](Case& to, std::int64_t bytes) {
      *PlacesOf(to)[i].bytes = bytes;
    };
    if (touched > 0 && touched < now && attempts.Lower(now, touched, set)) {
      any = true;
      continue;
    }
    const bool odd = now < 0 || now > kDataBlockBytes;
    if (odd && now != touched) any |= attempts.Lower(now, kDataBlockBytes, set);
  }
  return any;
}

/// Operands alone and without their data: those that no packing moves, being
/// negative or far away, and those that overlap where no overlap matters.
bool LowerAddresses(Attempts& attempts) {
  bool any = false;
  Case c = attempts.best();
  const std::vector<Place> places = PlacesOf(c);
  for (std::size_t i = 0; i < places.size(); ++i) {
    any |= attempts.Lower(*places[i].at, 0, [&](Case& to, std::int64_t at) {
      *PlacesOf(to)[i].at = at;
    });
  }
  return any;
}

bool DropMemories(Attempts& attempts) {
  bool any = false;
  for (isa::Memory memory : kAllMemories) {
    // Only one that no operand names: the others would have their full size.
    any |= attempts.Change([&](Case& c) {
      const auto image = std::exchange(c.memory[memory], std::nullopt);
      if (MemoriesOf(c)[memory]) c.memory[memory] = image;
    });
    any |= attempts.Change([&](Case& c) {
      if (auto& image = c.memory[memory]) image->regions.clear();
    });
  }
  return any;
}

}  // namespace

bool ShrinkLayout(Attempts& attempts) {
  bool any = DropMemories(attempts);
  any |= CutWindows(attempts);
  any |= LowerAddresses(attempts);
  for (isa::Memory memory : kAllMemories) {
    any |= ShrinkMemory(attempts, memory);
  }
  return any;
}

}  // namespace lanediff::diff::shrink
