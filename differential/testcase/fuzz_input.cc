#include "differential/testcase/fuzz_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/fuzz_bytes.h"
#include "isa/memory_map.h"
#include "isa/step.h"

namespace lanediff {
namespace {

using isa::DType;
using isa::Memory;

/// A run of equal elements shorter than this is written out.
constexpr std::size_t kShortestRunBytes = 4;
/// GM of a case that uses it without listing it; only arbitrary bytes do that.
constexpr std::int64_t kDefaultGmBytes = 65536;

/// What an encoding has by its first byte; any other is read like the first.
struct Version {
  std::uint8_t byte;
  isa::Edition edition;
  bool has_lint_facts;
  std::size_t kinds;  ///< of steps: those of `isa::StepKinds()` below it
};
constexpr std::size_t kOldestKinds = 20;
constexpr std::size_t kWithThoseOfKernels = 22;
constexpr std::size_t kAllKinds = 256;
/// Of several that fit, the first one is written.
constexpr Version kVersions[] = {
    {kFuzzInputVersion, isa::Edition::k2026, false, kOldestKinds},
    {kFuzzInputWithLintFacts, isa::Edition::k2026, true, kOldestKinds},
    {kFuzzInputWithKernelSteps, isa::Edition::k2026, true, kWithThoseOfKernels},
    {kFuzzInputWithAllSteps, isa::Edition::k2026, true, kAllKinds},
    {kFuzzInputVersion2024, isa::Edition::k2024, false, kOldestKinds},
    {2, isa::Edition::k2024, true, kOldestKinds},
    {5, isa::Edition::k2024, true, kWithThoseOfKernels},
    {7, isa::Edition::k2024, true, kAllKinds},
};

// ---- Regions ----------------------------------------------------------------
//
// A region is its distance from the end of the one before, its type (0 for
// hex), and chunks until a chunk header of 0: header 2n+1 is a run of n equal
// elements, header 2n are n elements as they are.

std::size_t ElementBytes(const std::optional<DType>& dtype) {
  return dtype ? static_cast<std::size_t>(isa::SizeBytes(*dtype)) : 1;
}

Region DecodeRegion(ByteReader& in, std::int64_t at, std::int64_t size) {
  Region region{.at = at, .dtype = std::nullopt, .bytes = {}};
  in.OptionalWord(region.dtype);
  const std::size_t element = ElementBytes(region.dtype);
  const auto capacity = static_cast<std::size_t>(size - at);
  while (const std::uint64_t header = in.Varint()) {
    const bool run = (header & 1) != 0;
    std::uint64_t count = std::min<std::uint64_t>(
        header >> 1, (capacity - region.bytes.size()) / element);
    if (!run) count = std::min<std::uint64_t>(count, in.size() / element + 1);
    const std::size_t begin = region.bytes.size();
    region.bytes.resize(begin + count * element);
    const std::span chunk = std::span(region.bytes).subspan(begin);
    if (!run) {
      in.Bytes(chunk);
      continue;
    }
    std::array<std::uint8_t, 8> value{};
    in.Bytes(std::span(value).first(element));
    for (std::size_t i = 0; i < chunk.size(); i += element) {
      std::memcpy(&chunk[i], value.data(), element);
    }
  }
  return region;
}

void EncodeRegion(const Region& region, ByteWriter& out) {
  out.OptionalWord(region.dtype);
  const std::size_t element = ElementBytes(region.dtype);
  const std::size_t count = region.bytes.size() / element;
  const auto at = [&](std::size_t i) {
    return region.bytes.begin() + static_cast<std::ptrdiff_t>(i * element);
  };
  const auto run_length = [&](std::size_t first) {
    std::size_t last = first + 1;
    while (last < count && std::equal(at(first), at(first + 1), at(last))) {
      ++last;
    }
    return last - first;
  };
  for (std::size_t i = 0; i < count;) {
    if (const std::size_t run = run_length(i); run >= kShortestRunBytes) {
      out.Varint(2 * run + 1);
      out.bytes.insert(out.bytes.end(), at(i), at(i + 1));
      i += run;
      continue;
    }
    std::size_t end = i + 1;
    while (end < count && run_length(end) < kShortestRunBytes) ++end;
    out.Varint(2 * (end - i));
    out.bytes.insert(out.bytes.end(), at(i), at(end));
    i = end;
  }
  out.Varint(0);
}

// ---- Memories ---------------------------------------------------------------

/// The size that the number 0 stands for.
std::int64_t UsualSize(isa::Product product, Memory memory) {
  return memory == Memory::kGm ? kMaxFuzzMemoryBytes
                               : isa::CapacityBytes(product, memory);
}

MemoryImage DecodeMemory(ByteReader& in, std::int64_t usual_size) {
  MemoryImage image{.fill = in.Byte(), .size = usual_size, .regions = {}};
  image.size -= static_cast<std::int64_t>(
      std::min(in.Varint(), static_cast<std::uint64_t>(usual_size)));
  std::int64_t end = 0;
  for (std::uint64_t n = in.Varint(); n > 0 && !in.empty(); --n) {
    const std::uint64_t gap = in.Varint();
    if (gap > static_cast<std::uint64_t>(image.size - end)) break;
    end += static_cast<std::int64_t>(gap);
    image.regions.push_back(DecodeRegion(in, end, image.size));
    end = image.regions.back().end();
  }
  return image;
}

void EncodeMemory(const MemoryImage& image, std::int64_t usual_size,
                  ByteWriter& out) {
  out.Byte(image.fill);
  out.Varint(static_cast<std::uint64_t>(usual_size - image.size));
  out.Varint(image.regions.size());
  std::int64_t end = 0;
  for (const Region& region : image.regions) {
    out.Varint(static_cast<std::uint64_t>(region.at - end));
    EncodeRegion(region, out);
    end = region.end();
  }
}

// ---- Lint facts -------------------------------------------------------------
//
// A byte of flags and one with a bit for each memory that is not initialised.
// Only encodings of cases that have something there have them.

constexpr std::size_t kSynchronized = 1;
constexpr std::size_t kAutomatic = 2;
constexpr std::size_t kStartUnknown = 4;
constexpr std::size_t kPropagate = 8;

std::size_t UninitialisedOf(const Case& c) {
  std::size_t bits = 0;
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    if (c.memory[m] && !c.memory[m]->initialised) bits |= std::size_t{1} << m;
  }
  return bits;
}

std::size_t LintFlagsOf(const LintFacts& facts) {
  std::size_t flags = 0;
  if (facts.sync) flags |= kSynchronized;
  if (facts.sync && facts.sync->automatic) flags |= kAutomatic;
  if (facts.start_unknown) flags |= kStartUnknown;
  if (facts.propagate) flags |= kPropagate;
  return flags;
}

LintFacts LintFactsOf(std::size_t flags) {
  LintFacts facts;
  if ((flags & kSynchronized) != 0) {
    facts.sync = {.automatic = (flags & kAutomatic) != 0};
  }
  facts.start_unknown = (flags & kStartUnknown) != 0;
  facts.propagate = (flags & kPropagate) != 0;
  return facts;
}

}  // namespace

std::string ContentHasher::Text() const {
  return fmt::format("{:016x}", hash_);
}

Case DecodeFuzzInput(std::span<const std::uint8_t> bytes) {
  ByteReader in(bytes);
  const std::uint8_t version = in.Byte();
  const auto known = std::ranges::find(kVersions, version, &Version::byte);
  const Version& form = known != std::end(kVersions) ? *known : kVersions[0];
  Case c;
  c.edition = form.edition;
  std::size_t uninitialised = 0;
  if (form.has_lint_facts) {
    c.lint = LintFactsOf(in.Byte());
    uninitialised = in.Byte();
  }
  c.id = "fuzz/" + ContentHash(bytes);
  in.Word(c.product);
  const std::uint8_t present = in.Byte();
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    if ((present >> m & 1) == 0) continue;
    const auto memory = static_cast<Memory>(m);
    c.memory[m] = DecodeMemory(in, UsualSize(c.product, memory));
    c.memory[m]->initialised = (uninitialised >> m & 1) == 0;
  }
  const auto all = isa::StepKinds();
  const auto kinds = all.first(std::min(form.kinds, all.size()));
  for (std::size_t steps = 1 + in.Byte() % kMaxFuzzSteps; steps > 0; --steps) {
    c.program.push_back(DecodeStep(in, kinds));
    if (in.empty()) break;
  }
  if (MemoriesOf(c)[Memory::kGm] && !c.memory[Memory::kGm]) {
    c.memory[Memory::kGm] =
        MemoryImage{.fill = 0, .size = kDefaultGmBytes, .regions = {}};
  }
  return c;
}

std::expected<std::vector<std::uint8_t>, std::string> EncodeFuzzInput(
    const Case& c) {
  if (c.program.size() > kMaxFuzzSteps) {
    return std::unexpected(
        fmt::format("{} steps; a fuzzer input has at most {}", c.program.size(),
                    kMaxFuzzSteps));
  }
  std::size_t kinds = 0;
  for (const isa::Step& step : c.program) {
    kinds = std::max(kinds, isa::NumberOf(step) + 1);
    const std::string_view beyond = BeyondFuzzInputs(step);
    if (!beyond.empty()) return std::unexpected(std::string(beyond));
  }
  ByteWriter out;
  const std::size_t flags = LintFlagsOf(c.lint);
  const std::size_t uninitialised = UninitialisedOf(c);
  const bool has_lint_facts =
      flags != 0 || uninitialised != 0 || kinds > kOldestKinds;
  out.Byte(std::ranges::find_if(kVersions, [&](const Version& form) {
             return form.edition == c.edition && form.kinds >= kinds &&
                    form.has_lint_facts == has_lint_facts;
           })->byte);
  if (has_lint_facts) {
    out.Byte(flags);
    out.Byte(uninitialised);
  }
  out.Word(c.product);
  std::size_t present = 0;
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    if (c.memory[m]) present |= std::size_t{1} << m;
  }
  out.Byte(present);
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    if (!c.memory[m]) continue;
    const auto memory = static_cast<Memory>(m);
    if (c.memory[m]->size > kMaxFuzzMemoryBytes) {
      return std::unexpected(fmt::format(
          "{} has {} bytes; a memory of a fuzzer input has at most {}",
          isa::Name(memory), c.memory[m]->size, kMaxFuzzMemoryBytes));
    }
    EncodeMemory(*c.memory[m], UsualSize(c.product, memory), out);
  }
  out.Byte(c.program.size() - 1);
  for (const isa::Step& step : c.program) EncodeStep(step, out);
  return std::move(out.bytes);
}

}  // namespace lanediff
