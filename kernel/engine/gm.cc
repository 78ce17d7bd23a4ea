#include "kernel/engine/gm.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

namespace lanediff::kernel {
namespace {

constexpr std::int64_t kPlace = 512;  ///< buffers begin at multiples of it
constexpr std::int64_t kGranule = 8;  ///< of the poison
/// Pointers outside all buffers: far behind them, so far to either side of the
/// first one that all of one heap are in one piece.
constexpr std::int64_t kUnknownFrom = std::int64_t{1} << 42;
constexpr std::int64_t kUnknownReach = std::int64_t{1} << 31;

/// The poison at `at`, a multiple of 8, is seed + at / 8 * kStep.
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

std::uint64_t PoisonAt(std::uint64_t seed, std::int64_t at) {
  return seed + static_cast<std::uint64_t>(at / kGranule) * kStep;
}

using isa::Interval;
using isa::IntervalSet;
using isa::RoundUp;

struct Buffer {
  GmBuffer place;
  bool allocated = false;  ///< here, else named
  std::uint64_t seed = 0;  ///< of its poison
  IntervalSet unwritten;   ///< since the last look
};

/// Calls visit(at, bytes, poison) for each granule of `bytes`, or part of one.
template <class Visit>
void ForGranules(const Buffer& b, const Interval& bytes, const Visit& visit) {
  for (std::int64_t at = bytes.begin; at < bytes.end;) {
    const std::int64_t granule = at / kGranule * kGranule;
    const std::uint64_t word = PoisonAt(b.seed, granule);
    std::uint8_t poison[kGranule];
    std::memcpy(poison, &word, kGranule);
    const std::int64_t size = std::min(granule + kGranule, bytes.end) - at;
    visit(at, size, poison + (at - granule));
    at += size;
  }
}

void Poison(const Buffer& b, const Interval& bytes) {
  ForGranules(
      b, bytes,
      [&](std::int64_t where, std::int64_t size, const std::uint8_t* poison) {
        std::memcpy(b.place.host + (where - b.place.at), poison,
                    static_cast<std::size_t>(size));
      });
}

/// What of `bytes` still holds the poison.
IntervalSet StillUnwritten(const Buffer& b, const IntervalSet& bytes) {
  IntervalSet still;
  for (const Interval& part : bytes) {
    bool before = true;
    ForGranules(
        b, part,
        [&](std::int64_t where, std::int64_t size, const std::uint8_t* poison) {
          // A part of a granule may hold the poison by chance; it is
          // believed where the granule before holds it, too.
          const bool is =
              (size == kGranule || before) &&
              std::memcmp(b.place.host + (where - b.place.at), poison,
                          static_cast<std::size_t>(size)) == 0;
          if (is) still.Append({where, where + size});
          before = is;
        });
  }
  return still;
}

}  // namespace

struct Gm::State {
  std::map<const std::uint8_t*, Buffer> buffers;  ///< by the first byte
  /// Of unknown extent: the first pointer of a piece, and its place.
  std::vector<GmBuffer> unknown;
  std::int64_t next = kPlace;
  std::uint64_t seed = 0xa5c3965ae17f4b2d;
  IntervalSet unwritten;
  std::vector<GmArgument> arguments;
  bool changed = false;  ///< buffers came or went since the last look

  /// A place for so many bytes, with a gap behind it.
  std::int64_t Place(std::int64_t bytes) {
    const std::int64_t at = next;
    next += RoundUp(bytes + 1, kPlace) + kPlace;
    return at;
  }
  /// The buffer that holds the byte.
  const Buffer* Holds(const std::uint8_t* pointer) const {
    auto after = buffers.upper_bound(pointer);
    if (after == buffers.begin()) return nullptr;
    const Buffer& b = std::prev(after)->second;
    return pointer - b.place.host < b.place.bytes ? &b : nullptr;
  }
};

Gm::Gm() : state_(std::make_unique<State>()) {}

std::uint64_t Gm::Digest() const {
  // FNV-1a, by words.
  std::uint64_t digest = 0xcbf29ce484222325;
  const auto mix = [&](std::uint64_t word) {
    digest = (digest ^ word) * 0x100000001b3;
  };
  std::map<std::int64_t, const Buffer*> by_place;
  for (const auto& [host, b] : state_->buffers) by_place[b.place.at] = &b;
  for (const auto& [at, b] : by_place) {
    mix(static_cast<std::uint64_t>(at));
    std::int64_t i = 0;
    for (; i + kGranule <= b->place.bytes; i += kGranule) {
      std::uint64_t word;
      std::memcpy(&word, b->place.host + i, kGranule);
      mix(word);
    }
    for (; i < b->place.bytes; ++i) mix(b->place.host[i]);
  }
  return digest;
}

Gm::~Gm() {
  for (const auto& [host, b] : state_->buffers) {
    if (b.allocated) std::free(b.place.host);
  }
}

void* Gm::Allocate(std::uint64_t bytes) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  if (bytes > kMost) return nullptr;
  const auto size = static_cast<std::int64_t>(bytes);
  void* const memory = std::aligned_alloc(
      kPlace, RoundUp(std::max<std::int64_t>(size, 1), kPlace));
  if (memory == nullptr) return nullptr;
  auto* const host = static_cast<std::uint8_t*>(memory);
  // What was named there is gone.
  std::erase_if(state_->buffers, [&](const auto& entry) {
    const GmBuffer& other = entry.second.place;
    return other.host < host + size && host < other.host + other.bytes;
  });
  Buffer b{.place = {.host = host, .at = state_->Place(size), .bytes = size},
           .allocated = true,
           .seed = state_->seed,
           .unwritten = {}};
  const Interval all{b.place.at, b.place.at + size};
  Poison(b, all);
  b.unwritten.Insert(all);
  state_->buffers.insert_or_assign(host, std::move(b));
  state_->changed = true;
  return memory;
}

bool Gm::Free(void* pointer) {
  const auto found =
      state_->buffers.find(static_cast<const std::uint8_t*>(pointer));
  if (found == state_->buffers.end() || !found->second.allocated) return false;
  std::free(found->second.place.host);
  state_->buffers.erase(found);
  state_->changed = true;
  return true;
}

void Gm::Name(const void* pointer, std::uint64_t bytes) {
  // What is named is not written by who names it.
  auto* const host =
      const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(pointer));
  const auto size = static_cast<std::int64_t>(bytes);
  if (const Buffer* const in = state_->Holds(host); in && in->allocated) return;
  std::int64_t at = 0;
  if (const auto known = state_->buffers.find(host);
      known != state_->buffers.end() && size <= known->second.place.bytes) {
    at = known->second.place.at;
  }
  // Buffers that were named there have been freed.
  std::erase_if(state_->buffers, [&](const auto& entry) {
    const Buffer& b = entry.second;
    return !b.allocated &&
           b.place.host < host + std::max<std::int64_t>(size, 1) &&
           host < b.place.host + std::max<std::int64_t>(b.place.bytes, 1);
  });
  if (at == 0) at = state_->Place(size);
  state_->buffers.insert_or_assign(
      host, Buffer{.place = {.host = host, .at = at, .bytes = size},
                   .unwritten = {}});
  state_->changed = true;
}

void Gm::NameOutput(const void* pointer, std::uint64_t bytes) {
  Name(pointer, bytes);
  const auto* const host = static_cast<const std::uint8_t*>(pointer);
  for (auto& [first, b] : state_->buffers) {
    const std::int64_t offset = host - b.place.host;
    if (offset < 0 || offset >= b.place.bytes) continue;
    if (b.seed == 0) b.seed = state_->seed;
    const std::int64_t at = b.place.at + offset;
    const Interval named{at, at + std::min(static_cast<std::int64_t>(bytes),
                                           b.place.bytes - offset)};
    Poison(b, named);
    b.unwritten.Insert(named);
    state_->changed = true;
    return;
  }
}

void Gm::AddArgument(const void* pointer, std::int64_t number,
                     std::int64_t element, bool output) {
  const auto buffer = Find(pointer);
  if (!buffer) return;
  const std::int64_t at =
      buffer->at + (static_cast<const std::uint8_t*>(pointer) - buffer->host);
  state_->arguments.push_back(
      {number, at, buffer->at + buffer->bytes, element, output});
}

const std::vector<GmArgument>& Gm::arguments() const {
  return state_->arguments;
}

const GmArgument* Gm::ArgumentAt(std::int64_t at) const {
  const GmArgument* nearest = nullptr;
  for (const GmArgument& one : state_->arguments) {
    if (at < one.at || at >= one.end) continue;
    if (nearest == nullptr || one.at > nearest->at) nearest = &one;
  }
  return nearest;
}

const GmArgument* Gm::ArgumentBefore(std::int64_t at) const {
  const GmArgument* nearest = nullptr;
  for (const GmArgument& one : state_->arguments) {
    if (one.end > at) continue;
    if (nearest == nullptr || one.end > nearest->end) nearest = &one;
  }
  return nearest;
}

void Gm::ClearArguments() { state_->arguments.clear(); }

void Gm::KeepUnwritten(const IntervalSet& bytes) {
  for (auto& [host, b] : state_->buffers) {
    if (b.unwritten.empty()) continue;
    b.unwritten = StillUnwritten(b, Common(b.unwritten, bytes));
  }
  state_->changed = true;
}

bool Gm::IsUnwritten(const void* pointer, std::uint64_t bytes) {
  const auto* const host = static_cast<const std::uint8_t*>(pointer);
  const Buffer* const b = state_->Holds(host);
  if (b == nullptr) return false;
  const std::int64_t at = b->place.at + (host - b->place.host);
  const Interval wanted{at, at + static_cast<std::int64_t>(bytes)};
  return !StillUnwritten(*b, b->unwritten.In(wanted)).empty();
}

std::optional<GmBuffer> Gm::Find(const void* pointer) const {
  const auto* const host = static_cast<const std::uint8_t*>(pointer);
  const auto after = state_->buffers.upper_bound(host);
  if (after == state_->buffers.begin()) return std::nullopt;
  const GmBuffer& place = std::prev(after)->second.place;
  if (host - place.host > place.bytes) return std::nullopt;
  return place;
}

GmBuffer Gm::Unknown(const void* pointer) {
  auto* const host =
      const_cast<std::uint8_t*>(static_cast<const std::uint8_t*>(pointer));
  const auto address = reinterpret_cast<std::uintptr_t>(host);
  for (const GmBuffer& piece : state_->unknown) {
    const auto away = static_cast<std::int64_t>(
        address - reinterpret_cast<std::uintptr_t>(piece.host));
    if (away >= -kUnknownReach && away < kUnknownReach) {
      return {
          .host = host, .at = piece.at + away, .bytes = kUnknownReach - away};
    }
  }
  const auto pieces = static_cast<std::int64_t>(state_->unknown.size());
  return state_->unknown.emplace_back(
      host, kUnknownFrom + 2 * kUnknownReach * pieces, kUnknownReach);
}

void Gm::Look() {
  bool changed = std::exchange(state_->changed, false);
  for (auto& [host, b] : state_->buffers) {
    if (b.unwritten.empty()) continue;
    IntervalSet now = StillUnwritten(b, b.unwritten);
    changed = changed || !(now == b.unwritten);
    b.unwritten = std::move(now);
  }
  if (!changed) return;
  std::vector<Interval> all;
  for (const auto& [host, b] : state_->buffers) {
    all.insert(all.end(), b.unwritten.begin(), b.unwritten.end());
  }
  state_->unwritten = IntervalSet(std::move(all));
}

const IntervalSet& Gm::unwritten() const { return state_->unwritten; }

struct Gm::Saved {
  std::map<const std::uint8_t*, std::pair<Buffer, std::vector<std::uint8_t>>>
      buffers;
};

std::shared_ptr<const Gm::Saved> Gm::Save() const {
  auto saved = std::make_shared<Saved>();
  for (const auto& [host, b] : state_->buffers) {
    saved->buffers[host] = {b, {host, host + b.place.bytes}};
  }
  return saved;
}

void Gm::Restore(const Saved& saved) {
  for (auto& [host, b] : state_->buffers) {
    const auto then = saved.buffers.find(host);
    if (then == saved.buffers.end() ||
        then->second.first.place.bytes != b.place.bytes) {
      continue;
    }
    std::ranges::copy(then->second.second, b.place.host);
    b.unwritten = then->second.first.unwritten;
    b.seed = state_->seed;
    for (const Interval& bytes : b.unwritten) Poison(b, bytes);
  }
  state_->changed = true;
}

std::optional<Interval> Gm::DiffersFrom(const Saved& saved) {
  for (const auto& [host, b] : state_->buffers) {
    const auto then = saved.buffers.find(host);
    if (then == saved.buffers.end()) continue;
    const auto& bytes = then->second.second;
    const auto differs = [&](std::int64_t i) {
      return i < b.place.bytes && i < std::ssize(bytes) &&
             bytes[static_cast<std::size_t>(i)] != host[i] &&
             !b.unwritten.Intersects({b.place.at + i, b.place.at + i + 1});
    };
    std::int64_t first = 0;
    while (first < b.place.bytes && !differs(first)) ++first;
    std::int64_t end = first;
    while (differs(end)) ++end;
    if (end > first) return Interval{b.place.at + first, b.place.at + end};
  }
  return std::nullopt;
}

void Gm::SetPoison(std::uint64_t seed) { state_->seed = seed * kStep + kStep; }

}  // namespace lanediff::kernel
