#include "sanitizer/unwritten.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace lanediff::lint {
namespace {

/// The first entry that ends behind `at`.
template <class Map>
auto FirstBehind(Map& map, std::int64_t at) {
  auto entry = map.upper_bound(at);
  if (entry != map.begin() && std::prev(entry)->second.end > at) --entry;
  return entry;
}

}  // namespace

std::vector<isa::Memory> TakenAsWritten(const Case& c) {
  std::vector<isa::Memory> taken;
  const auto named = MemoriesOf(c);
  for (std::size_t m = 0; m < named.size(); ++m) {
    const auto& image = c.memory[m];
    if (!named[m] || !image || !image->initialised) continue;
    const auto memory = static_cast<isa::Memory>(m);
    std::int64_t covered = 0;
    for (const Region& region : image->regions) {
      covered += region.end() - region.at;
    }
    if (covered < SizeOf(c, memory)) taken.push_back(memory);
  }
  return taken;
}

Unwritten::Unwritten(const Case& c) {
  const auto named = MemoriesOf(c);
  for (std::size_t m = 0; m < named.size(); ++m) {
    if (!named[m]) continue;
    const auto memory = static_cast<isa::Memory>(m);
    const auto& image = c.memory[m];
    const std::int64_t size = SizeOf(c, memory);
    if ((image && image->initialised) || size == 0) continue;
    Of(memory)[0] = {size, kNoStep, kNoStep, 0xff};
    if (!image) continue;
    for (const Region& region : image->regions) {
      Write(memory, {region.at, region.end()});
    }
  }
  start_ = memories_;
}

void Unwritten::Exchange(Maps maps) {
  constexpr auto kGm = static_cast<std::size_t>(isa::Memory::kGm);
  std::swap(maps[kGm], memories_[kGm]);
  memories_ = std::move(maps);
}

void Unwritten::EnterBlock(std::int64_t block) {
  if (block == block_) return;
  left_[block_] = memories_;
  const auto entered = left_.find(block);
  Exchange(entered == left_.end() ? start_ : entered->second);
  block_ = block;
}

void Unwritten::Launch() {
  left_.clear();
  Exchange(start_);
  block_ = 0;
}

std::vector<Unwritten::Piece> Unwritten::In(isa::Memory memory,
                                            const Range& bytes) const {
  return In(Of(memory), bytes);
}

std::vector<Unwritten::Piece> Unwritten::In(const Map& map,
                                            const Range& bytes) {
  std::vector<Piece> pieces;
  for (auto entry = FirstBehind(map, bytes.begin);
       entry != map.end() && entry->first < bytes.end; ++entry) {
    const Rest& rest = entry->second;
    pieces.push_back({Common(Range{entry->first, rest.end}, bytes), rest.origin,
                      rest.left_by, rest.bits});
  }
  return pieces;
}

RangeList Unwritten::In(isa::Memory memory, const RangeList& bytes) const {
  RangeList list;
  if (Of(memory).empty()) return list;
  for (const Range& range : bytes) {
    for (const Piece& piece : In(memory, range)) list.Append(piece.bytes);
  }
  return list;
}

void Unwritten::Write(isa::Memory memory, const Range& bytes) {
  Write(Of(memory), bytes);
}

void Unwritten::Write(Map& map, const Range& bytes) {
  auto entry = FirstBehind(map, bytes.begin);
  while (entry != map.end() && entry->first < bytes.end) {
    const std::int64_t begin = entry->first;
    const Rest rest = entry->second;
    entry = map.erase(entry);
    if (begin < bytes.begin) {
      map[begin] = rest;
      map[begin].end = bytes.begin;
    }
    if (bytes.end < rest.end) map[bytes.end] = rest;
  }
}

void Unwritten::Taint(isa::Memory memory, const Piece& piece) {
  Taint(Of(memory), piece);
}

void Unwritten::Taint(Map& map, const Piece& piece) {
  if (piece.bytes.empty()) return;
  Write(map, piece.bytes);
  auto entry =
      map.insert({piece.bytes.begin,
                  {piece.bytes.end, piece.origin, piece.left_by, piece.bits}})
          .first;
  // One entry for what touches and came about alike.
  const auto next = std::next(entry);
  if (next != map.end() && next->first == entry->second.end &&
      next->second.Continues(entry->second)) {
    entry->second.end = next->second.end;
    map.erase(next);
  }
  if (entry == map.begin()) return;
  const auto before = std::prev(entry);
  if (before->second.end == entry->first &&
      before->second.Continues(entry->second)) {
    before->second.end = entry->second.end;
    map.erase(entry);
  }
}

void Unwritten::ReadFirst(std::int32_t step, isa::Memory memory,
                          const Range& bytes) {
  FirstRead& read = first_reads_.try_emplace(step, memory).first->second;
  if (read.memory == memory) read.bytes.Append(bytes);
}

std::optional<Unwritten::FirstRead> Unwritten::FirstReadOf(
    std::int32_t step) const {
  const auto found = first_reads_.find(step);
  if (found == first_reads_.end()) return std::nullopt;
  FirstRead read = found->second;
  read.bytes.Tidy();
  return read;
}

}  // namespace lanediff::lint
