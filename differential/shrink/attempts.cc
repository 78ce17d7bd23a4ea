#include "differential/shrink/attempts.h"

#include <algorithm>
#include <bit>

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

}  // namespace

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
