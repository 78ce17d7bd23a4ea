#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "differential/testcase/fuzz_bytes.h"
#include "isa/memory_map.h"
#include "isa/signature.h"

namespace lanediff {
namespace {

using isa::DType;

/// Of a write whose bytes are zeros or are listed.
constexpr std::size_t kMostWritten = 4096;
constexpr std::int64_t kMostAlign = 512;

constexpr std::uint8_t kIsText = 1;
constexpr std::uint8_t kHasRange = 2;

constexpr std::uint8_t kMasked = 1;
constexpr std::uint8_t kRegister = 2;
constexpr std::uint8_t kLeaves = 4;
constexpr std::uint8_t kLeavesUnknown = 8;
constexpr std::uint8_t kSetsNormal = 16;

/// One codec for both directions: `io` is a `ByteReader`, whose values may
/// change, or a `ByteWriter`.
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
  void Form(Ref<std::uint8_t> form, std::span<const isa::FormKey> forms) {
    if constexpr (Io::kReads) {
      form = static_cast<std::uint8_t>(io.Byte() % forms.size());
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
          one.bytes.resize(count);  // zeros, as a case is written
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

}  // namespace

isa::Step DecodeStep(ByteReader& in, std::span<const isa::Step> kinds) {
  isa::Step step = kinds[in.Byte() % kinds.size()];
  StepCodec<ByteReader> codec{in};
  std::visit([&](auto& s) { s.Fields(s, codec); }, step);
  if (auto* const call = std::get_if<isa::Carried>(&step)) {
    if (call->pipe == isa::Pipe::kAll) call->pipe = isa::Pipe::kV;
  }
  return step;
}

void EncodeStep(const isa::Step& step, ByteWriter& out) {
  out.Byte(isa::NumberOf(step));
  StepCodec<ByteWriter> codec{out};
  std::visit([&](const auto& s) { s.Fields(s, codec); }, step);
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
