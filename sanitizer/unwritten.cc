#include "sanitizer/unwritten.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace lanediff::lint {
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
    Of(memory).Set({0, size}, {kNoStep, kNoStep, 0xff});
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

std::vector<Unwritten::Piece> Unwritten::In(const Map& map,
                                            const isa::Interval& bytes) {
  std::vector<Piece> pieces;
  map.ForEach(bytes, [&](const isa::Interval& part, const Trace& trace) {
    pieces.push_back({part, trace.origin, trace.left_by, trace.bits});
  });
  return pieces;
}

isa::IntervalSet Unwritten::In(isa::Memory memory,
                               const isa::IntervalSet& bytes) const {
  isa::IntervalSet list;
  if (Of(memory).empty()) return list;
  for (const isa::Interval& range : bytes) {
    Of(memory).ForEach(range, [&](const isa::Interval& part, const Trace&) {
      list.Append(part);
    });
  }
  return list;
}

void Unwritten::Taint(Map& map, const Piece& piece) {
  map.Set(piece.bytes, {piece.origin, piece.left_by, piece.bits});
}

void Unwritten::ReadFirst(std::int32_t step, isa::Memory memory,
                          const isa::Interval& bytes) {
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
