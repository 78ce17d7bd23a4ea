#include "differential/testcase/fuzz_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "isa/form.h"
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
/// Of a list of an unaudited call, so that no input is slow.
constexpr std::size_t kMostEntries = 64;
/// Of a write whose bytes are zeros or are listed.
constexpr std::size_t kMostWritten = 4096;
constexpr std::int64_t kMostAlign = 512;

/// What an encoding has by its first byte; any other is read like the first.
struct Version {
  std::uint8_t byte;
  isa::Edition edition;
  bool has_lint_facts;
  bool of_kernel;
};
constexpr Version kVersions[] = {
    {kFuzzInputVersion, isa::Edition::k2026, false, false},
    {kFuzzInputWithLintFacts, isa::Edition::k2026, true, false},
    {kFuzzInputWithKernelSteps, isa::Edition::k2026, true, true},
    {kFuzzInputVersion2024, isa::Edition::k2024, false, false},
    {2, isa::Edition::k2024, true, false},
    {5, isa::Edition::k2024, true, true},
};

/// Reads zeros past the end.
class ByteReader {
 public:
  static constexpr bool kReads = true;

  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }
  std::size_t size() const { return bytes_.size(); }

  std::uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  /// Zeros where there are none left.
  void Bytes(std::span<std::uint8_t> to) {
    const std::size_t count = std::min(to.size(), bytes_.size());
    if (count == 0) return;
    std::memcpy(to.data(), bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
  }
  /// LEB128; bits beyond the 64th are dropped.
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = Byte();
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80u) == 0) break;
    }
    return value;
  }
  void Varint(std::uint64_t& value) { value = Varint(); }
  /// Zigzag.
  void Signed(std::int64_t& number) {
    const std::uint64_t value = Varint();
    number = static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  template <class E>
  void Word(E& word) {
    word = static_cast<E>(Byte() % isa::kCount<E>);
  }
  /// 0, or one more than the word's index.
  template <class E>
  void OptionalWord(std::optional<E>& word) {
    const auto index = Byte() % (isa::kCount<E> + 1);
    word.reset();
    if (index != 0) word = static_cast<E>(index - 1);
  }
  /// A byte of flags, each a bit of its own.
  std::uint8_t Flags(std::uint8_t /*given*/) { return Byte(); }
  /// Up to 255 printable characters, at least one.
  void Text(std::string& text) {
    text.assign(Byte(), ' ');
    for (char& character : text) {
      character = static_cast<char>(' ' + (Byte() + 63) % 95);
    }
    if (text.empty()) text = "x";
  }
  /// A list whose entries `codec(entry)` reads in turn; `keeps(entry)`: whether
  /// one belongs there.
  template <class T, class Codec, class Keeps>
  void List(std::vector<T>& list, const Codec& codec, const Keeps& keeps) {
    for (std::size_t n = Byte() % (kMostEntries + 1); n > 0; --n) {
      T entry{};
      codec(entry);
      if (keeps(entry)) list.push_back(std::move(entry));
    }
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Writes what `ByteReader` reads, by functions of the same names.
class ByteWriter {
 public:
  static constexpr bool kReads = false;

  void Byte(std::size_t value) {
    bytes.push_back(static_cast<std::uint8_t>(value));
  }
  void Varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) Byte((value & 0x7f) | 0x80);
    Byte(value);
  }
  void Signed(std::int64_t value) {
    Varint(static_cast<std::uint64_t>(value) << 1 ^
           static_cast<std::uint64_t>(value >> 63));
  }
  template <class E>
  void Word(E value) {
    Byte(static_cast<std::size_t>(value));
  }
  template <class E>
  void OptionalWord(const std::optional<E>& word) {
    Byte(word ? static_cast<std::size_t>(*word) + 1 : 0);
  }
  std::uint8_t Flags(std::uint8_t given) {
    Byte(given);
    return given;
  }
  void Text(std::string_view text) {
    Byte(text.size());
    for (const char character : text) {
      Byte(static_cast<std::uint8_t>(character));
    }
  }
  template <class T, class Codec, class Keeps>
  void List(const std::vector<T>& list, const Codec& codec, const Keeps&) {
    Byte(list.size());
    for (const T& entry : list) codec(entry);
  }

  std::vector<std::uint8_t> bytes;
};

/// Whether `ByteReader::Text` gives it back.
bool IsFuzzText(std::string_view text) {
  return !text.empty() && text.size() <= 255 &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

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

// ---- Steps ------------------------------------------------------------------
//
// One codec for both directions: `io` is a `ByteReader`, whose values may
// change, or a `ByteWriter`. Any bytes are a step that a case may have.

constexpr std::uint8_t kIsText = 1;
constexpr std::uint8_t kHasRange = 2;

constexpr std::uint8_t kMasked = 1;
constexpr std::uint8_t kRegister = 2;
constexpr std::uint8_t kLeaves = 4;
constexpr std::uint8_t kLeavesUnknown = 8;
constexpr std::uint8_t kSetsNormal = 16;

template <class Io>
struct StepCodec {
  /// What the writer is given may not change.
  template <class T>
  using Ref = std::conditional_t<Io::kReads, T&, const T&>;

  Io& io;

  template <class E>
  void Word(std::string_view, E& word) {
    io.Word(word);
  }
  void Integer(std::string_view, Ref<std::int64_t> value) { io.Signed(value); }
  void HexWord(std::string_view, Ref<std::uint64_t> value) { io.Varint(value); }
  void Flag(std::string_view, Ref<bool> flag, bool = false) {
    const bool given = (io.Flags(flag ? 1 : 0) & 1) != 0;
    if constexpr (Io::kReads) flag = given;
  }
  void Operand(std::string_view, Ref<isa::Operand> operand) {
    io.Word(operand.position);
    io.OptionalWord(operand.dtype);
    io.Signed(operand.at);
    io.Signed(operand.bytes);
  }
  void Tile(std::string_view, Ref<isa::Tile> tile) {
    io.Word(tile.position);
    io.OptionalWord(tile.dtype);
    for (auto* const value :
         {&tile.at, &tile.rows, &tile.cols, &tile.valid_row, &tile.valid_col}) {
      io.Signed(*value);
    }
    io.Word(tile.layout);
  }
  template <class E>
  void OptionalWord(std::string_view, E& word) {
    io.OptionalWord(word);
  }
  template <class Words>
  void MaskWords(std::string_view, Words& words) {
    for (auto& word : words) io.Varint(word);
  }
  void Element(std::string_view, DType dtype, Ref<std::uint64_t> bits) {
    io.Varint(bits);
    if constexpr (Io::kReads) {
      const int unused = 64 - 8 * static_cast<int>(isa::SizeBytes(dtype));
      bits = bits << unused >> unused;
    }
  }
  template <class T>
  void Group(std::string_view, T& group) {
    std::remove_const_t<T>::Fields(group, *this);
  }
  template <std::size_t N>
  void Form(Ref<std::uint8_t> form, const std::array<isa::FormKey, N>&) {
    if constexpr (Io::kReads) {
      form = static_cast<std::uint8_t>(io.Byte() % N);
    } else {
      io.Byte(form);
    }
  }

  void Part(std::string_view, Ref<std::string> name) { io.Text(name); }
  void Part(std::string_view, Ref<isa::Arguments> parameters) {
    const auto is_new = [&](const isa::Argument& one) {
      return std::ranges::find(parameters, one.name, &isa::Argument::name) ==
             parameters.end();
    };
    io.List(
        parameters, [&](Ref<isa::Argument> one) { Parameter(one); }, is_new);
  }
  void Part(std::string_view, Ref<isa::CarriedMask> mask) {
    const std::uint8_t flags = io.Flags(static_cast<std::uint8_t>(
        (mask.masked ? kMasked : 0) | (mask.is_set_mask ? 0 : kRegister) |
        (mask.leaves ? kLeaves : 0) |
        (mask.leaves_unknown ? kLeavesUnknown : 0) |
        (mask.sets_normal ? kSetsNormal : 0)));
    if constexpr (Io::kReads) {
      mask.masked = (flags & kMasked) != 0;
      mask.is_set_mask = (flags & kRegister) == 0;
      mask.leaves_unknown = (flags & kLeavesUnknown) != 0;
      mask.sets_normal = (flags & kSetsNormal) != 0;
      if ((flags & kLeaves) != 0 && !mask.leaves_unknown) mask.leaves.emplace();
    }
    if (mask.leaves) MaskWords("", *mask.leaves);
  }
  void Part(std::string_view, Ref<isa::CarriedOperands> operands) {
    const auto is_new = [&](const isa::CarriedOperand& one) {
      return std::ranges::find(operands, one.name,
                               &isa::CarriedOperand::name) == operands.end();
    };
    const auto codec = [&](Ref<isa::CarriedOperand> one) {
      io.Word(one.name);
      Operand("", one.operand);
      auto align = static_cast<std::uint64_t>(one.align.value_or(0));
      io.Varint(align);
      if constexpr (Io::kReads) {
        align %= static_cast<std::uint64_t>(kMostAlign + 1);
        if (align > 0) one.align = static_cast<std::int64_t>(align);
      }
    };
    io.List(operands, codec, is_new);
  }
  void Part(std::string_view, Ref<isa::CarriedReads> reads) {
    std::int64_t before = 0;
    const auto codec = [&](Ref<isa::CarriedRead> one) {
      Place(one, before);
      io.Signed(one.bytes);
    };
    io.List(reads, codec, [](const auto&) { return true; });
  }
  /// Twice the number of bytes, and 1 more where they are listed.
  void Part(std::string_view, Ref<isa::CarriedWrites> writes) {
    std::int64_t before = 0;
    const auto codec = [&](Ref<isa::CarriedWrite> one) {
      Place(one, before);
      if constexpr (Io::kReads) {
        const std::uint64_t header = io.Varint();
        const auto count = static_cast<std::size_t>(
            std::min<std::uint64_t>(header >> 1, kMostWritten));
        if ((header & 1) == 0) {
          one.count = static_cast<std::int64_t>(count);
        } else {
          one.bytes.resize(std::min(count, io.size() + 1));
          io.Bytes(one.bytes);
        }
      } else {
        io.Varint(2 * static_cast<std::uint64_t>(one.size()) +
                  (one.bytes.empty() ? 0 : 1));
        io.bytes.insert(io.bytes.end(), one.bytes.begin(), one.bytes.end());
      }
    };
    io.List(writes, codec, [](const auto&) { return true; });
  }
  void Part(std::string_view, Ref<isa::Resource> resource) {
    for (const isa::ArgumentForm& form : isa::FormOf(resource.name)) {
      auto one = std::ranges::find(resource.arguments, form.name,
                                   &isa::Argument::name);
      bool given = Io::kReads || one != resource.arguments.end();
      if (form.optional) given = (io.Flags(given ? 1 : 0) & 1) != 0;
      if (!given) continue;
      if constexpr (Io::kReads) {
        one = resource.arguments.insert(
            one, isa::Argument{std::string(form.name), std::int64_t{0}});
      }
      Value(form.kind, one->value);
    }
  }

 private:
  using ArgumentValue = decltype(isa::Argument::value);

  void Parameter(Ref<isa::Argument> one) {
    io.Text(one.name);
    const bool is_text = std::holds_alternative<std::string>(one.value);
    const std::uint8_t kind = io.Flags(is_text     ? kIsText
                                       : one.range ? kHasRange
                                                   : 0);
    if ((kind & kIsText) != 0) {
      if constexpr (Io::kReads) one.value = std::string();
      io.Text(std::get<std::string>(one.value));
      return;
    }
    io.Signed(std::get<std::int64_t>(one.value));
    if ((kind & kHasRange) == 0) return;
    if constexpr (Io::kReads) one.range.emplace();
    io.Signed(one.range->low);
    io.Signed(one.range->high);
  }

  /// An argument of a resource: a number, a word of the list, or any text.
  void Value(isa::ArgumentKind kind, Ref<ArgumentValue> value) {
    const auto words = isa::WordsOf(kind);
    if (kind == isa::ArgumentKind::kInteger) {
      io.Signed(std::get<std::int64_t>(value));
    } else if (words.empty()) {
      if constexpr (Io::kReads) value = std::string();
      io.Text(std::get<std::string>(value));
    } else if constexpr (Io::kReads) {
      value = std::string(words[io.Byte() % words.size()]);
    } else {
      const auto word = std::ranges::find(words, std::get<std::string>(value));
      io.Byte(static_cast<std::size_t>(word - words.begin()));
    }
  }

  /// Iterations ascend: the distance from the one `before`.
  template <class T>
  void Place(T& one, std::int64_t& before) {
    io.Word(one.memory);
    io.Signed(one.at);
    auto distance = static_cast<std::uint64_t>(one.iteration - before);
    io.Varint(distance);
    if constexpr (Io::kReads) {
      const auto most = static_cast<std::uint64_t>(
          std::numeric_limits<std::int64_t>::max() - before);
      one.iteration =
          before + static_cast<std::int64_t>(std::min(distance, most));
    }
    before = one.iteration;
    io.OptionalWord(one.operand);
  }
};

bool IsEncoded(const isa::Argument& argument) {
  const auto* const text = std::get_if<std::string>(&argument.value);
  return IsFuzzText(argument.name) && (text == nullptr || IsFuzzText(*text));
}

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
  StepCodec<ByteReader> codec{in};
  std::visit([&](auto& s) { s.Fields(s, codec); }, step);
  if (auto* const call = std::get_if<isa::Carried>(&step)) {
    if (call->pipe == isa::Pipe::kAll) call->pipe = isa::Pipe::kV;
  }
  return step;
}

/// What of the step has no encoding, in a few words; empty if all has.
std::string_view BeyondFuzzInputs(const isa::Step& step) {
  if (const auto* const resource = std::get_if<isa::Resource>(&step)) {
    return std::ranges::all_of(resource->arguments, IsEncoded)
               ? ""
               : "an argument of characters that a fuzzer input does not have";
  }
  const auto* const call = std::get_if<isa::Carried>(&step);
  if (call == nullptr) return "";
  if (!IsFuzzText(call->name) ||
      !std::ranges::all_of(call->parameters, IsEncoded)) {
    return "a name of characters that a fuzzer input does not have";
  }
  const std::size_t most =
      std::max({call->parameters.size(), call->operands.size(),
                call->reads.size(), call->writes.size()});
  if (most > kMostEntries) {
    return "an unaudited call of more than 64 reads, writes or parameters";
  }
  const bool small =
      std::ranges::all_of(call->writes, [](const isa::CarriedWrite& one) {
        return one.size() <= static_cast<std::int64_t>(kMostWritten);
      });
  return small ? "" : "an unaudited call that writes more than 4096 bytes";
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
  for (std::size_t steps = 1 + in.Byte() % kMaxFuzzSteps; steps > 0; --steps) {
    c.program.push_back(DecodeStep(
        in, form.of_kernel ? std::variant_size_v<isa::Step> : isa::kFuzzSteps));
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
  const bool has_lint_facts = flags != 0 || uninitialised != 0 || of_kernel;
  out.Byte(std::ranges::find_if(kVersions, [&](const Version& form) {
             return form.edition == c.edition && form.of_kernel == of_kernel &&
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
  StepCodec<ByteWriter> codec{out};
  for (const isa::Step& step : c.program) {
    out.Byte(step.index());
    std::visit([&](const auto& s) { s.Fields(s, codec); }, step);
  }
  return std::move(out.bytes);
}

}  // namespace lanediff
