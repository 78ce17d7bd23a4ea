#include "differential/testcase/fuzz_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "differential/testcase/content_hash.h"
#include "differential/testcase/fuzz_bytes.h"
#include "differential/testcase/fuzz_kernel_steps.h"
#include "isa/form.h"
#include "isa/memory_map.h"

namespace lanediff {
namespace {

using isa::DType;
using isa::Memory;

/// A run of equal elements shorter than this is written out.
constexpr std::size_t kShortestRunBytes = 4;
/// GM of a case that uses it without listing it; only arbitrary bytes do that.
constexpr std::int64_t kDefaultGmBytes = 65536;

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
  if (const int type = in.Byte() % (isa::kCount<DType> + 1); type != 0) {
    region.dtype = static_cast<DType>(type - 1);
  }
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
  out.Byte(region.dtype ? static_cast<std::size_t>(*region.dtype) + 1 : 0);
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

// ---- Steps ------------------------------------------------------------------

struct StepDecoder {
  ByteReader& in;

  template <class E>
  void Word(std::string_view, E& word) {
    word = in.Word<E>();
  }
  void Integer(std::string_view, std::int64_t& value) { value = in.Signed(); }
  void HexWord(std::string_view, std::uint64_t& value) { value = in.Varint(); }
  void Flag(std::string_view, bool& flag, bool = false) {
    flag = (in.Byte() & 1) != 0;
  }
  void Operand(std::string_view, isa::Operand& operand) {
    operand.position = in.Word<isa::Position>();
    const int type = in.Byte() % (isa::kCount<DType> + 1);
    if (type != 0) operand.dtype = static_cast<DType>(type - 1);
    operand.at = in.Signed();
    operand.bytes = in.Signed();
  }
  void Tile(std::string_view, isa::Tile& tile) {
    tile.position = in.Word<isa::Position>();
    const int type = in.Byte() % (isa::kCount<DType> + 1);
    if (type != 0) tile.dtype = static_cast<DType>(type - 1);
    for (std::int64_t* value :
         {&tile.at, &tile.rows, &tile.cols, &tile.valid_row, &tile.valid_col}) {
      *value = in.Signed();
    }
    tile.layout = in.Word<isa::Layout>();
  }
  template <class E>
  void OptionalWord(std::string_view, std::optional<E>& word) {
    const int index = in.Byte() % (isa::kCount<E> + 1);
    if (index != 0) word = static_cast<E>(index - 1);
  }
  void MaskWords(std::string_view, std::array<std::uint64_t, 2>& words) {
    for (std::uint64_t& word : words) word = in.Varint();
  }
  void Element(std::string_view, DType dtype, std::uint64_t& bits) {
    const int unused = 64 - 8 * static_cast<int>(isa::SizeBytes(dtype));
    bits = in.Varint() << unused >> unused;
  }
  template <class T>
  void Part(std::string_view, T& part) {
    DecodePart(in, part);
  }
  template <class T>
  void Group(std::string_view, T& group) {
    T::Fields(group, *this);
  }
  template <std::size_t N>
  void Form(std::uint8_t& form, const std::array<isa::FormKey, N>&) {
    form = static_cast<std::uint8_t>(in.Byte() % N);
  }
};

struct StepEncoder {
  ByteWriter& out;

  template <class E>
  void Word(std::string_view, const E& word) {
    out.Word(word);
  }
  void Integer(std::string_view, const std::int64_t& value) {
    out.Signed(value);
  }
  void HexWord(std::string_view, const std::uint64_t& value) {
    out.Varint(value);
  }
  void Flag(std::string_view, const bool& flag, bool = false) {
    out.Byte(flag ? 1 : 0);
  }
  void Operand(std::string_view, const isa::Operand& operand) {
    out.Word(operand.position);
    out.Byte(operand.dtype ? static_cast<std::size_t>(*operand.dtype) + 1 : 0);
    out.Signed(operand.at);
    out.Signed(operand.bytes);
  }
  void Tile(std::string_view, const isa::Tile& tile) {
    out.Word(tile.position);
    out.Byte(tile.dtype ? static_cast<std::size_t>(*tile.dtype) + 1 : 0);
    for (std::int64_t value :
         {tile.at, tile.rows, tile.cols, tile.valid_row, tile.valid_col}) {
      out.Signed(value);
    }
    out.Word(tile.layout);
  }
  template <class E>
  void OptionalWord(std::string_view, const std::optional<E>& word) {
    out.Byte(word ? static_cast<std::size_t>(*word) + 1 : 0);
  }
  void MaskWords(std::string_view, const std::array<std::uint64_t, 2>& words) {
    for (std::uint64_t word : words) out.Varint(word);
  }
  void Element(std::string_view, DType, const std::uint64_t& bits) {
    out.Varint(bits);
  }
  template <class T>
  void Part(std::string_view, const T& part) {
    EncodePart(part, out);
  }
  template <class T>
  void Group(std::string_view, const T& group) {
    T::Fields(group, *this);
  }
  template <std::size_t N>
  void Form(const std::uint8_t& form, const std::array<isa::FormKey, N>&) {
    out.Byte(form);
  }
};

template <std::size_t... I>
isa::Step StepOfIndex(std::size_t index, std::index_sequence<I...>) {
  isa::Step step;
  ((I == index ? void(step.emplace<I>()) : void()), ...);
  return step;
}

/// `count`: how many kinds of steps the version has.
isa::Step DecodeStep(ByteReader& in, std::size_t count) {
  isa::Step step =
      StepOfIndex(in.Byte() % count,
                  std::make_index_sequence<std::variant_size_v<isa::Step>>{});
  StepDecoder decoder{in};
  std::visit([&](auto& s) { s.Fields(s, decoder); }, step);
  if (auto* const call = std::get_if<isa::Carried>(&step)) {
    if (call->pipe == isa::Pipe::kAll) call->pipe = isa::Pipe::kV;
  }
  return step;
}

}  // namespace

Case DecodeFuzzInput(std::span<const std::uint8_t> bytes) {
  ByteReader in(bytes);
  const std::uint8_t version = in.Byte();
  const bool of_kernel = version == kFuzzInputWithKernelSteps ||
                         version == kFuzzInputWithKernelSteps2024;
  const bool has_lint_facts = of_kernel || version == kFuzzInputWithLintFacts ||
                              version == kFuzzInputWithLintFacts2024;
  const bool is_2024 = version == kFuzzInputVersion2024 ||
                       version == kFuzzInputWithLintFacts2024 ||
                       version == kFuzzInputWithKernelSteps2024;
  Case c;
  c.edition = is_2024 ? isa::Edition::k2024 : isa::Edition::k2026;
  std::size_t uninitialised = 0;
  if (has_lint_facts) {
    c.lint = LintFactsOf(in.Byte());
    uninitialised = in.Byte();
  }
  c.id = "fuzz/" + ContentHash(bytes);
  c.product = in.Word<isa::Product>();
  const std::uint8_t present = in.Byte();
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    if ((present >> m & 1) == 0) continue;
    const auto memory = static_cast<Memory>(m);
    c.memory[m] = DecodeMemory(in, UsualSize(c.product, memory));
    c.memory[m]->initialised = (uninitialised >> m & 1) == 0;
  }
  for (std::size_t steps = 1 + in.Byte() % kMaxFuzzSteps; steps > 0; --steps) {
    c.program.push_back(DecodeStep(
        in, of_kernel ? std::variant_size_v<isa::Step> : isa::kFuzzSteps));
    if (in.empty()) break;
  }
  const auto gm = static_cast<std::size_t>(Memory::kGm);
  if (MemoriesOf(c)[gm] && !c.memory[gm]) {
    c.memory[gm] =
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
  const bool of_kernel = std::ranges::any_of(c.program, isa::IsOfKernel);
  for (const isa::Step& step : c.program) {
    const std::string_view beyond = BeyondFuzzInputs(step);
    if (!beyond.empty()) return std::unexpected(std::string(beyond));
  }
  ByteWriter out;
  const std::size_t flags = LintFlagsOf(c.lint);
  const std::size_t uninitialised = UninitialisedOf(c);
  const bool is_2024 = c.edition == isa::Edition::k2024;
  if (flags == 0 && uninitialised == 0 && !of_kernel) {
    out.Byte(is_2024 ? kFuzzInputVersion2024 : kFuzzInputVersion);
  } else {
    out.Byte(of_kernel ? is_2024 ? kFuzzInputWithKernelSteps2024
                                 : kFuzzInputWithKernelSteps
             : is_2024 ? kFuzzInputWithLintFacts2024
                       : kFuzzInputWithLintFacts);
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
  StepEncoder encoder{out};
  for (const isa::Step& step : c.program) {
    out.Byte(step.index());
    std::visit([&](const auto& s) { s.Fields(s, encoder); }, step);
  }
  return std::move(out.bytes);
}

std::string ContentHash(std::span<const std::uint8_t> bytes) {
  ContentHasher hasher;
  hasher.Add(bytes);
  return hasher.Text();
}

}  // namespace lanediff
