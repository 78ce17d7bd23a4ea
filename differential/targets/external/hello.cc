#include "differential/targets/external/hello.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "differential/compare/signature.h"
#include "differential/testcase/json_cursor.h"
#include "differential/testcase/kernel_json.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/step.h"

namespace lanediff::diff {
namespace {

constexpr std::int64_t kMostWindow = 4096;

/// A name of the list of instructions. State steps may be in it; they claim
/// nothing, as every program may have them.
std::string ReadInstruction(const Cursor& place) {
  const isa::Step* const kind = isa::FindStepKind(place.String());
  if (kind != nullptr && !isa::IsOfKernel(*kind)) return place.String();
  std::vector<std::string_view> ops;
  for (const isa::Instruction& each : isa::Instructions()) {
    ops.push_back(each.op);
  }
  place.Fail(fmt::format("found \"{}\"; {} are allowed", Quote(place.String()),
                         fmt::join(ops, ", ")));
}

bool ReadMode(const Cursor& place) {
  return place.OneOf({"on", "off"}, "on and off are allowed") == 0;
}

/// Spellings of `Capabilities::Legality`.
const std::initializer_list<std::string_view> kLegality = {"rules", "yes",
                                                           "none"};

std::string ReadForm(const Cursor& place) {
  place.OneOf({"count", "mask", "mask-words", "register", "params", "padParams",
               kPlainForm},
              "count, mask, mask-words, register, params, padParams, plain are "
              "allowed");
  return place.String();
}

template <class T, class Read>
void ReadList(ObjectCursor& object, std::string_view name, const Read& read,
              std::optional<std::vector<T>>& into) {
  const auto place = object.Optional(name);
  if (!place) return;
  into.emplace();
  place->ForEach([&](const Cursor& item) { into->push_back(read(item)); });
}

void ReadCapabilitiesAt(const Cursor& place, OutsideSelf& self) {
  ObjectCursor object(place);
  ReadList(object, "instructions", ReadInstruction, self.can.instructions);
  ReadList(object, "products", std::mem_fn(&Cursor::Word<isa::Product>),
           self.can.products);
  ReadList(object, "dtypes", std::mem_fn(&Cursor::Word<isa::DType>),
           self.can.dtypes);
  ReadList(object, "orders", std::mem_fn(&Cursor::Word<isa::Order>),
           self.can.orders);
  ReadList(object, "saturation", ReadMode, self.can.saturation);
  ReadList(object, "forms", ReadForm, self.can.forms);
  if (const auto legality = object.Optional("legality")) {
    self.can.legality = static_cast<Capabilities::Legality>(
        legality->OneOf(kLegality, "rules, yes or none is allowed"));
  }
  object.Read("notes", self.can.notes);
  if (const auto window = object.Optional("window")) {
    self.window = window->IntegerIn(1, kMostWindow);
  }
  if (const auto memory = object.Optional("memory")) {
    self.memory = static_cast<MemoryText>(
        memory->OneOf({"whole", "sparse"}, "sparse is allowed, or nothing"));
  }
  object.Finish();
}

OutsideSelf ReadHelloAt(const Cursor& root) {
  ObjectCursor outer(root);
  const Cursor hello = outer.Required("hello");
  outer.Finish();
  ObjectCursor object(hello);
  OutsideSelf self;
  object.Required("protocol").IntegerIn(1, 1);
  object.Read("name", self.name);
  object.Read("version", self.version);
  if (const auto capabilities = object.Optional("capabilities")) {
    ReadCapabilitiesAt(*capabilities, self);
  }
  object.Finish();
  return self;
}

// ---- Cases for small readers ------------------------------------------------

std::vector<std::uint8_t> BytesOf(const Region& region) {
  if (!region.series) return region.bytes;
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(region.size()));
  region.series->Write(0, bytes);
  return bytes;
}

std::string WholeText(const MemoryImage& image) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(image.size),
                                  image.fill);
  for (const Region& region : image.regions) {
    std::ranges::copy(BytesOf(region), bytes.begin() + region.at);
  }
  return fmt::format(",\"hex\":\"{}\"", HexBytes(bytes));
}

std::string SparseText(const MemoryImage& image) {
  std::string text =
      fmt::format(",\"fill\":\"{}\",\"regions\":[", HexBytes({&image.fill, 1}));
  for (const Region& region : image.regions) {
    text += fmt::format("{}{{\"at\":{},\"hex\":\"{}\"}}",
                        text.back() == '[' ? "" : ",", region.at,
                        HexBytes(BytesOf(region)));
  }
  return text + ']';
}

/// Calls `visit(name, image)` for each memory that `c` has.
template <class Visit>
void ForEachImage(const Case& c, const Visit& visit) {
  const auto exists = MemoriesOf(c);
  for (std::size_t m = 0; m < exists.size(); ++m) {
    if (!exists[m]) continue;
    const auto name = static_cast<isa::Memory>(m);
    MemoryImage unlisted;
    if (!c.memory[m]) unlisted.size = SizeOf(c, name);
    visit(isa::Name(name), c.memory[m] ? *c.memory[m] : unlisted);
  }
}

/// Bytes that `c` takes, roughly.
std::size_t SpaceFor(const Case& c, MemoryText memory) {
  std::size_t bytes = 1024 + 1024 * c.program.size();
  ForEachImage(c, [&](auto, const MemoryImage& image) {
    std::int64_t all = memory == MemoryText::kWhole ? image.size : 0;
    if (memory == MemoryText::kSparse) {
      for (const Region& region : image.regions) all += region.size() + 32;
    }
    bytes += 2 * static_cast<std::size_t>(all);
  });
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
  ForEachImage(c, [&](std::string_view name, const MemoryImage& image) {
    if (text.back() != '{') text += ',';
    fmt::format_to(std::back_inserter(text), "\"{}\":{{\"size\":{}", name,
                   image.size);
    text += memory == MemoryText::kWhole ? WholeText(image) : SparseText(image);
    text += '}';
  });
  text += "},\"program\":[";
  for (const isa::Step& step : c.program) {
    if (text.back() != '[') text += ',';
    text += ExpandedStepJson(step).dump();
  }
  text += "]}";
  return text;
}

std::string SelfLine(const OutsideSelf& self) {
  const Capabilities& can = self.can;
  std::string line = fmt::format(
      "{} {}: {}; legality {}, {}", Quote(self.name), Quote(self.version),
      can.instructions ? fmt::format("{}", fmt::join(*can.instructions, ", "))
                       : std::string("all instructions"),
      kLegality.begin()[static_cast<std::size_t>(can.legality)],
      can.notes ? "notes" : "no notes");
  if (can.products) line += fmt::format(", {} products", can.products->size());
  if (can.dtypes) line += fmt::format(", {} types", can.dtypes->size());
  if (can.forms) line += fmt::format(", {} forms", can.forms->size());
  if (self.window > 1) line += fmt::format(", window {}", self.window);
  return line;
}

std::expected<OutsideSelf, CaseError> ReadHello(std::string_view line) {
  return ReadDocument(line, ReadHelloAt);
}

std::expected<void, CaseError> ReadCapabilities(std::string_view text,
                                                OutsideSelf& self) {
  const auto read = ReadDocument(text, [&](const Cursor& root) {
    ReadCapabilitiesAt(root, self);
    return true;
  });
  if (!read) return std::unexpected(read.error());
  return {};
}

}  // namespace lanediff::diff
