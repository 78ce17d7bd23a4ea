#include "differential/testcase/fuzz_kernel_steps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace lanediff {
namespace {

/// Of a list, so that no input is slow.
constexpr std::size_t kMostEntries = 64;
/// Of a write whose bytes are zeros or are listed.
constexpr std::size_t kMostWritten = 4096;
constexpr std::int64_t kMostAlign = 512;

std::size_t Entries(ByteReader& in) { return in.Byte() % (kMostEntries + 1); }

/// 0, or one more than the word's index.
template <class E>
std::optional<E> OptionalWord(ByteReader& in) {
  const auto index = in.Byte() % (isa::kCount<E> + 1);
  if (index == 0) return std::nullopt;
  return static_cast<E>(index - 1);
}
template <class E>
void OptionalWord(const std::optional<E>& word, ByteWriter& out) {
  out.Byte(word ? static_cast<std::size_t>(*word) + 1 : 0);
}

/// Iterations ascend: the distance from the one before.
template <class T>
void DecodePlace(ByteReader& in, const std::vector<T>& before, T& one) {
  one.memory = in.Word<isa::Memory>();
  one.at = in.Signed();
  const std::int64_t least = before.empty() ? 0 : before.back().iteration;
  const auto most = static_cast<std::uint64_t>(
      std::numeric_limits<std::int64_t>::max() - least);
  one.iteration =
      least + static_cast<std::int64_t>(std::min(in.Varint(), most));
  one.operand = OptionalWord<isa::OperandName>(in);
}
template <class T>
void EncodePlace(const T& one, std::int64_t before, ByteWriter& out) {
  out.Word(one.memory);
  out.Signed(one.at);
  out.Varint(static_cast<std::uint64_t>(one.iteration - before));
  OptionalWord(one.operand, out);
}

constexpr std::uint8_t kIsText = 1;
constexpr std::uint8_t kHasRange = 2;

constexpr std::uint8_t kMasked = 1;
constexpr std::uint8_t kRegister = 2;
constexpr std::uint8_t kLeaves = 4;
constexpr std::uint8_t kLeavesUnknown = 8;
constexpr std::uint8_t kSetsNormal = 16;

bool IsEncoded(const isa::Argument& argument) {
  const auto* const text = std::get_if<std::string>(&argument.value);
  return IsFuzzText(argument.name) && (text == nullptr || IsFuzzText(*text));
}

}  // namespace

void DecodePart(ByteReader& in, std::string& name) { name = in.Text(); }
void EncodePart(const std::string& name, ByteWriter& out) { out.Text(name); }

void DecodePart(ByteReader& in, isa::Arguments& parameters) {
  for (std::size_t n = Entries(in); n > 0; --n) {
    isa::Argument one{in.Text(), std::int64_t{0}};
    const std::uint8_t kind = in.Byte();
    if ((kind & kIsText) != 0) {
      one.value = in.Text();
    } else {
      one.value = in.Signed();
      if ((kind & kHasRange) != 0) one.range = {in.Signed(), in.Signed()};
    }
    const bool is_new =
        std::ranges::find(parameters, one.name, &isa::Argument::name) ==
        parameters.end();
    if (is_new) parameters.push_back(std::move(one));
  }
}
void EncodePart(const isa::Arguments& parameters, ByteWriter& out) {
  out.Byte(parameters.size());
  for (const isa::Argument& one : parameters) {
    out.Text(one.name);
    if (const auto* const text = std::get_if<std::string>(&one.value)) {
      out.Byte(kIsText);
      out.Text(*text);
      continue;
    }
    out.Byte(one.range ? kHasRange : 0);
    out.Signed(std::get<std::int64_t>(one.value));
    if (!one.range) continue;
    out.Signed(one.range->low);
    out.Signed(one.range->high);
  }
}

void DecodePart(ByteReader& in, isa::CarriedMask& mask) {
  const std::uint8_t flags = in.Byte();
  mask.masked = (flags & kMasked) != 0;
  mask.is_set_mask = (flags & kRegister) == 0;
  mask.leaves_unknown = (flags & kLeavesUnknown) != 0;
  mask.sets_normal = (flags & kSetsNormal) != 0;
  if ((flags & kLeaves) != 0 && !mask.leaves_unknown) {
    auto& words = mask.leaves.emplace();
    for (std::uint64_t& word : words) word = in.Varint();
  }
}
void EncodePart(const isa::CarriedMask& mask, ByteWriter& out) {
  out.Byte((mask.masked ? kMasked : 0) | (mask.is_set_mask ? 0 : kRegister) |
           (mask.leaves ? kLeaves : 0) |
           (mask.leaves_unknown ? kLeavesUnknown : 0) |
           (mask.sets_normal ? kSetsNormal : 0));
  if (!mask.leaves) return;
  for (const std::uint64_t word : *mask.leaves) out.Varint(word);
}

void DecodePart(ByteReader& in, isa::CarriedOperands& operands) {
  for (std::size_t n = Entries(in); n > 0; --n) {
    isa::CarriedOperand one;
    one.name = in.Word<isa::OperandName>();
    one.operand.position = in.Word<isa::Position>();
    one.operand.dtype = OptionalWord<isa::DType>(in);
    one.operand.at = in.Signed();
    one.operand.bytes = in.Signed();
    const auto align = static_cast<std::int64_t>(
        in.Varint() % static_cast<std::uint64_t>(kMostAlign + 1));
    if (align > 0) one.align = align;
    const bool is_new =
        std::ranges::find(operands, one.name, &isa::CarriedOperand::name) ==
        operands.end();
    if (is_new) operands.push_back(one);
  }
}
void EncodePart(const isa::CarriedOperands& operands, ByteWriter& out) {
  out.Byte(operands.size());
  for (const auto& [name, operand, align] : operands) {
    out.Word(name);
    out.Word(operand.position);
    OptionalWord(operand.dtype, out);
    out.Signed(operand.at);
    out.Signed(operand.bytes);
    out.Varint(static_cast<std::uint64_t>(align.value_or(0)));
  }
}

void DecodePart(ByteReader& in, isa::CarriedReads& reads) {
  for (std::size_t n = Entries(in); n > 0; --n) {
    isa::CarriedRead one;
    DecodePlace(in, reads, one);
    one.bytes = in.Signed();
    reads.push_back(one);
  }
}
void EncodePart(const isa::CarriedReads& reads, ByteWriter& out) {
  out.Byte(reads.size());
  std::int64_t before = 0;
  for (const isa::CarriedRead& one : reads) {
    EncodePlace(one, before, out);
    out.Signed(one.bytes);
    before = one.iteration;
  }
}

/// Twice the number of bytes, and 1 more where they are listed.
void DecodePart(ByteReader& in, isa::CarriedWrites& writes) {
  for (std::size_t n = Entries(in); n > 0; --n) {
    isa::CarriedWrite one;
    DecodePlace(in, writes, one);
    const std::uint64_t header = in.Varint();
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(header >> 1, kMostWritten));
    if ((header & 1) == 0) {
      one.count = static_cast<std::int64_t>(count);
    } else {
      one.bytes.resize(std::min(count, in.size() + 1));
      in.Bytes(one.bytes);
    }
    writes.push_back(std::move(one));
  }
}
void EncodePart(const isa::CarriedWrites& writes, ByteWriter& out) {
  out.Byte(writes.size());
  std::int64_t before = 0;
  for (const isa::CarriedWrite& one : writes) {
    EncodePlace(one, before, out);
    out.Varint(2 * static_cast<std::uint64_t>(one.size()) +
               (one.bytes.empty() ? 0 : 1));
    out.bytes.insert(out.bytes.end(), one.bytes.begin(), one.bytes.end());
    before = one.iteration;
  }
}

void DecodePart(ByteReader& in, isa::Resource& resource) {
  for (const isa::ArgumentForm& form : isa::FormOf(resource.name)) {
    if (form.optional && (in.Byte() & 1) == 0) continue;
    isa::Argument one{std::string(form.name), std::int64_t{0}};
    const auto words = isa::WordsOf(form.kind);
    if (form.kind == isa::ArgumentKind::kInteger) {
      one.value = in.Signed();
    } else if (words.empty()) {
      one.value = in.Text();
    } else {
      one.value = std::string(words[in.Byte() % words.size()]);
    }
    resource.arguments.push_back(std::move(one));
  }
}
void EncodePart(const isa::Resource& resource, ByteWriter& out) {
  for (const isa::ArgumentForm& form : isa::FormOf(resource.name)) {
    const auto one =
        std::ranges::find(resource.arguments, form.name, &isa::Argument::name);
    const bool given = one != resource.arguments.end();
    if (form.optional) out.Byte(given ? 1 : 0);
    if (!given) continue;
    const auto words = isa::WordsOf(form.kind);
    if (form.kind == isa::ArgumentKind::kInteger) {
      out.Signed(std::get<std::int64_t>(one->value));
    } else if (words.empty()) {
      out.Text(std::get<std::string>(one->value));
    } else {
      const auto word =
          std::ranges::find(words, std::get<std::string>(one->value));
      out.Byte(static_cast<std::size_t>(word - words.begin()));
    }
  }
}

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

}  // namespace lanediff
