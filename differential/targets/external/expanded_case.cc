#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "differential/targets/external/hello.h"
#include "differential/testcase/element.h"
#include "differential/testcase/kernel_json.h"
#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

/// Writes the members of an object. Words need no escapes.
struct StepText {
  std::string& text;
  isa::DType dtype = isa::DType::kHalf;  ///< the step's
  bool first = true;

  void Name(std::string_view name) {
    if (!first) text += ',';
    first = false;
    text += '"';
    text += name;
    text += "\":";
  }
  void Quoted(std::string_view word) {
    text += '"';
    text += word;
    text += '"';
  }
  void Number(std::int64_t value) {
    const fmt::format_int digits(value);
    text.append(digits.data(), digits.size());
  }
  void NamedNumber(std::string_view name, std::int64_t value) {
    Name(name);
    Number(value);
  }
  template <class E>
  void NamedWord(std::string_view name, const E& word) {
    Name(name);
    Quoted(isa::Name(word));
  }

  void Word(std::string_view name, const isa::DType& word) {
    dtype = word;
    NamedWord(name, word);
  }
  template <class E>
  void Word(std::string_view name, const E& word) {
    NamedWord(name, word);
  }
  void Integer(std::string_view name, const std::int64_t& value) {
    NamedNumber(name, value);
  }
  void HexWord(std::string_view name, const std::uint64_t& value) {
    Name(name);
    fmt::format_to(std::back_inserter(text), "\"0x{:x}\"", value);
  }
  void Flag(std::string_view name, const bool& flag, bool = false) {
    Name(name);
    text += flag ? "true" : "false";
  }
  template <class E>
  void OptionalWord(std::string_view name, const std::optional<E>& word) {
    if (word) NamedWord(name, *word);
  }
  void MaskWords(std::string_view name,
                 const std::array<std::uint64_t, 2>& words) {
    Name(name);
    fmt::format_to(std::back_inserter(text), "[\"0x{:x}\",\"0x{:x}\"]",
                   words[0], words[1]);
  }
  void Element(std::string_view name, isa::DType type,
               const std::uint64_t& bits) {
    Name(name);
    const ElementText value = ElementToText(type, bits);
    if (value.quoted) {
      Quoted(value.text);
    } else {
      text += value.text;
    }
  }
  void Operand(std::string_view name, const isa::Operand& operand) {
    StepText inner = Open(name);
    inner.NamedWord("position", operand.position);
    inner.NamedNumber("at", operand.at);
    inner.NamedNumber("bytes", operand.bytes);
    inner.NamedWord("dtype", operand.dtype.value_or(dtype));
    text += '}';
  }
  void Tile(std::string_view name, const isa::Tile& tile) {
    StepText inner = Open(name);
    inner.NamedWord("position", tile.position);
    inner.NamedNumber("at", tile.at);
    inner.NamedNumber("rows", tile.rows);
    inner.NamedNumber("cols", tile.cols);
    inner.NamedNumber("validRow", tile.valid_row);
    inner.NamedNumber("validCol", tile.valid_col);
    inner.NamedWord("layout", tile.layout);
    inner.NamedWord("dtype", tile.dtype.value_or(dtype));
    text += '}';
  }
  /// Of kernels; seldom, so that it may take its time.
  template <class T>
  void Part(std::string_view name, const T& part) {
    const nlohmann::ordered_json json = PartJson(part);
    if (json.empty()) return;
    Name(name);
    text += json.dump();
  }
  template <class T>
  void Group(std::string_view name, const T& group) {
    StepText inner = Open(name);
    T::Fields(group, inner);
    text += '}';
  }
  template <std::size_t N>
  void Form(const std::uint8_t&, const std::array<isa::FormKey, N>&) {}

  StepText Open(std::string_view name) {
    Name(name);
    text += '{';
    return StepText{text, dtype};
  }
};

void AddStep(const isa::Step& step, std::string& text) {
  text += '{';
  StepText writer{text};
  writer.Name("op");
  writer.Quoted(isa::OpName(step));
  std::visit([&](const auto& s) { s.Fields(s, writer); }, step);
  text += '}';
}

std::vector<std::uint8_t> BytesOf(const Region& region) {
  if (!region.series) return region.bytes;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(region.size()));
  region.series->Write(0, bytes);
  return bytes;
}

void AddWhole(const MemoryImage& image, std::string& text) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(image.size),
                                  image.fill);
  for (const Region& region : image.regions) {
    const auto from = BytesOf(region);
    std::ranges::copy(from, bytes.begin() + region.at);
  }
  text += ",\"hex\":\"";
  text += HexBytes(bytes);
  text += '"';
}

void AddSparse(const MemoryImage& image, std::string& text) {
  text += ",\"fill\":\"";
  text += HexBytes({&image.fill, 1});
  text += "\",\"regions\":[";
  bool first = true;
  for (const Region& region : image.regions) {
    if (!first) text += ',';
    first = false;
    fmt::format_to(std::back_inserter(text), "{{\"at\":{},\"hex\":\"",
                   region.at);
    if (region.series) {
      text += HexBytes(BytesOf(region));
    } else {
      text += HexBytes(region.bytes);
    }
    text += "\"}";
  }
  text += ']';
}

/// Bytes that `image` takes in hex, roughly.
std::size_t HexSize(const MemoryImage& image, MemoryText memory) {
  std::int64_t bytes = memory == MemoryText::kWhole ? image.size : 0;
  if (memory == MemoryText::kSparse) {
    for (const Region& region : image.regions) bytes += region.size() + 32;
  }
  return 2 * static_cast<std::size_t>(bytes);
}

void AddMemories(const Case& c, MemoryText memory, std::string& text) {
  const auto exists = MemoriesOf(c);
  bool first = true;
  for (std::size_t m = 0; m < exists.size(); ++m) {
    if (!exists[m]) continue;
    const auto name = static_cast<isa::Memory>(m);
    MemoryImage unlisted;
    if (!c.memory[m]) unlisted.size = SizeOf(c, name);
    const MemoryImage& image = c.memory[m] ? *c.memory[m] : unlisted;
    fmt::format_to(std::back_inserter(text), "{}\"{}\":{{\"size\":{}",
                   first ? "" : ",", isa::Name(name), image.size);
    first = false;
    if (memory == MemoryText::kWhole) {
      AddWhole(image, text);
    } else {
      AddSparse(image, text);
    }
    text += '}';
  }
}

std::size_t SpaceFor(const Case& c, MemoryText memory) {
  const auto exists = MemoriesOf(c);
  std::size_t bytes = 1024 + 1024 * c.program.size();
  for (std::size_t m = 0; m < exists.size(); ++m) {
    if (c.memory[m]) {
      bytes += HexSize(*c.memory[m], memory);
    } else if (exists[m] && memory == MemoryText::kWhole) {
      bytes +=
          2 * static_cast<std::size_t>(SizeOf(c, static_cast<isa::Memory>(m)));
    }
  }
  return bytes;
}

}  // namespace

std::expected<std::string, std::string> WriteExpandedCase(const Case& c,
                                                          MemoryText memory) {
  const std::size_t most_bytes = SpaceFor(c, memory);
  if (most_bytes > kMostLineBytes) {
    return std::unexpected(fmt::format(
        "the case takes more than the {} bytes that a line may have{}",
        kMostLineBytes,
        memory == MemoryText::kWhole ? "; \"memory\": \"sparse\" takes less"
                                     : ""));
  }
  std::string text;
  text.reserve(most_bytes);
  fmt::format_to(std::back_inserter(text),
                 "{{\"format\":\"{}\",\"id\":\"{}\",\"product\":\"{}\","
                 "\"edition\":\"{}\",\"memory\":{{",
                 FormatOf(c), c.id, isa::Name(c.product), isa::Name(c.edition));
  AddMemories(c, memory, text);
  text += "},\"program\":[";
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    if (i > 0) text += ',';
    AddStep(c.program[i], text);
  }
  text += "]}";
  return text;
}

}  // namespace lanediff::diff
