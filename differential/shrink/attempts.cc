#include "differential/shrink/attempts.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "differential/testcase/fuzz_input.h"
#include "isa/memory_map.h"

namespace lanediff::diff::shrink {
namespace {

/// Whether the case format can express `c`.
bool WellFormed(const Case& c) {
  if (c.program.empty()) return false;
  const auto exists = MemoriesOf(c);
  for (std::size_t m = 0; m < exists.size(); ++m) {
    const auto memory = static_cast<isa::Memory>(m);
    if (!c.memory[m]) {
      if (exists[m] && memory == isa::Memory::kGm) return false;
      continue;
    }
    const MemoryImage& image = *c.memory[m];
    const std::int64_t most = memory == isa::Memory::kGm
                                  ? kMaxMemoryBytes
                                  : isa::CapacityBytes(c.product, memory);
    if (image.size < 0 || image.size > most) return false;
    std::int64_t end = 0;
    for (const Region& region : image.regions) {
      if (region.at < end || region.end() > image.size) return false;
      end = region.end();
    }
  }
  return true;
}

std::string KeyOf(const Case& c) {
  const auto bytes = EncodeFuzzInput(c);
  return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
}

/// rows × cols elements in bytes, -1 where that is out of reckoning.
std::int64_t SizeOf(const isa::Tile& tile, isa::DType type) {
  if (tile.rows < 0 || tile.cols < 0) return -1;
  return isa::TileBytes(tile, type).value_or(-1);
}

}  // namespace

std::int64_t SpanOf(const std::array<std::uint64_t, 2>& mask_words) {
  const auto& [low, high] = mask_words;
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

std::vector<Place> PlacesOf(Case& c, std::size_t step) {
  const auto footprints = isa::FootprintsOf(c.program[step], c.product);
  std::vector<Place> places;
  isa::ForEachOperand(
      c.program[step],
      [&]<class T>(std::string_view, T& operand, isa::DType dtype) {
        dtype = operand.dtype.value_or(dtype);
        Place place{.memory = isa::MemoryAt(c.product, operand.position),
                    .dtype = dtype,
                    .at = &operand.at,
                    .touched = std::nullopt};
        if constexpr (requires { operand.rows; }) {
          place.size = SizeOf(operand, dtype);
        } else {
          place.bytes = &operand.bytes;
          place.size = operand.bytes;
          place.touched = footprints[places.size()].Touched();
          place.repeat_stride = footprints[places.size()].stride;
        }
        places.push_back(place);
      });
  return places;
}

std::vector<Place> PlacesOf(Case& c) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    std::ranges::copy(PlacesOf(c, i), std::back_inserter(places));
  }
  return places;
}

std::int64_t* RepeatField(Case& c, std::size_t step) {
  using enum isa::Param;
  auto* const call = std::get_if<isa::Call>(&c.program[step]);
  if (call == nullptr) return nullptr;
  for (const isa::Param param : {kRepeatTimes, kBlockCount}) {
    if (call->Has(param)) return &(*call)[param];
  }
  return nullptr;
}

Attempts::Attempts(Case c, Finding finding, Shows shows,
                   const ShrinkBudget& budget)
    : best_(std::move(c)),
      finding_(std::move(finding)),
      shows_(std::move(shows)),
      budget_(budget) {}

bool Attempts::Try(Case candidate) {
  if (exhausted() || candidate == best_ || !WellFormed(candidate)) return false;
  std::string key = KeyOf(candidate);
  if (failed_.contains(key)) return false;
  ++run_;
  auto finding = shows_(candidate);
  if (!finding) {
    if (!key.empty()) failed_.insert(std::move(key));
    return false;
  }
  best_ = std::move(candidate);
  finding_ = std::move(*finding);
  return true;
}

bool Attempts::Lower(std::int64_t now, std::int64_t simplest,
                     const std::function<void(Case&, std::int64_t)>& set) {
  const auto to = [&](std::int64_t value) {
    return Change([&](Case& c) { set(c, value); });
  };
  if (now == simplest) return false;
  if (to(simplest)) return true;
  const bool down = now > simplest;
  // As unsigned numbers: the ends of 64 bits are further apart than 2^63.
  std::uint64_t distance =
      static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(simplest);
  if (!down) distance = 0 - distance;
  bool any = false;
  for (std::uint64_t step = std::bit_floor(distance); step > 0; step /= 2) {
    while (distance > step) {
      const std::uint64_t left = distance - step;
      const auto value = static_cast<std::int64_t>(
          static_cast<std::uint64_t>(simplest) + (down ? left : 0 - left));
      if (!to(value)) break;
      distance = left;
      any = true;
    }
  }
  return any;
}

bool Attempts::exhausted() const {
  return run_ >= budget_.candidates ||
         (budget_.seconds && seconds() >= *budget_.seconds);
}

double Attempts::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                       start_)
      .count();
}

}  // namespace lanediff::diff::shrink
