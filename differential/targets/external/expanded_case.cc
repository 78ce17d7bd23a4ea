#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "differential/targets/external/hello.h"
#include "differential/testcase/case_writer.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

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
    text += ExpandedStepJson(c.program[i]).dump();
  }
  text += "]}";
  return text;
}

}  // namespace lanediff::diff
