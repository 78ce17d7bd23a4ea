#include "differential/targets/external/hello.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "differential/testcase/json_cursor.h"
#include "isa/catalogue.h"
#include "isa/step.h"

namespace lanediff::diff {
namespace {

constexpr std::int64_t kMostWindow = 4096;

/// Whether cases outside kernels have a state step called `op`.
bool IsStateStep(std::string_view op) {
  return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    return (... ||
            (isa::StateStep<std::variant_alternative_t<kIndex, isa::Step>> &&
             std::variant_alternative_t<kIndex, isa::Step>::kOp == op));
  }(std::make_index_sequence<isa::kFuzzSteps>());
}

/// A name of the list of instructions. State steps may be in it; they claim
/// nothing, as every program may have them.
std::string ReadInstruction(const Cursor& place) {
  if (IsStateStep(place.String())) return place.String();
  for (const isa::Instruction& instruction : isa::Instructions()) {
    if (instruction.op == place.String()) return std::string(instruction.op);
  }
  std::vector<std::string_view> ops;
  for (const isa::Instruction& each : isa::Instructions()) {
    ops.push_back(each.op);
  }
  place.Fail(fmt::format("found \"{}\"; {} are allowed", Quote(place.String()),
                         fmt::join(ops, ", ")));
}

bool ReadMode(const Cursor& place) {
  if (place.String() == "on") return true;
  if (place.String() == "off") return false;
  place.Fail(fmt::format("found \"{}\"; on and off are allowed",
                         Quote(place.String())));
}

Capabilities::Legality ReadLegality(const Cursor& place) {
  using enum Capabilities::Legality;
  if (place.String() == "rules") return kRules;
  if (place.String() == "yes") return kYes;
  if (place.String() == "none") return kNone;
  place.Fail(fmt::format("found \"{}\"; rules, yes or none is allowed",
                         Quote(place.String())));
}

std::string ReadForm(const Cursor& place) {
  constexpr std::string_view kForms[] = {"count", "mask", "mask-words",
                                         "register", "params"};
  if (std::ranges::find(kForms, place.String()) != std::end(kForms)) {
    return place.String();
  }
  place.Fail(fmt::format("found \"{}\"; {} are allowed", Quote(place.String()),
                         fmt::join(kForms, ", ")));
}

MemoryText ReadMemoryText(const Cursor& place) {
  if (place.String() == "sparse") return MemoryText::kSparse;
  if (place.String() == "whole") return MemoryText::kWhole;
  place.Fail(fmt::format("found \"{}\"; sparse is allowed, or nothing",
                         Quote(place.String())));
}

template <class T, class Read>
void ReadList(ObjectCursor& object, std::string_view name, const Read& read,
              std::optional<std::vector<T>>& into) {
  const auto place = object.Optional(name);
  if (!place) return;
  into.emplace();
  place->ForEach([&](const Cursor& item) { into->push_back(read(item)); });
}

template <class E>
E ReadWord(const Cursor& place) {
  return place.Word<E>();
}

void ReadCapabilitiesAt(const Cursor& place, OutsideSelf& self) {
  ObjectCursor object(place);
  ReadList(object, "instructions", ReadInstruction, self.can.instructions);
  ReadList(object, "products", ReadWord<isa::Product>, self.can.products);
  ReadList(object, "dtypes", ReadWord<isa::DType>, self.can.dtypes);
  ReadList(object, "orders", ReadWord<isa::Order>, self.can.orders);
  ReadList(object, "saturation", ReadMode, self.can.saturation);
  ReadList(object, "forms", ReadForm, self.can.forms);
  if (const auto legality = object.Optional("legality")) {
    self.can.legality = ReadLegality(*legality);
  }
  if (const auto notes = object.Optional("notes")) {
    self.can.notes = notes->Boolean();
  }
  if (const auto window = object.Optional("window")) {
    self.window = window->IntegerIn(1, kMostWindow);
  }
  if (const auto memory = object.Optional("memory")) {
    self.memory = ReadMemoryText(*memory);
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
  if (const auto name = object.Optional("name")) self.name = name->String();
  if (const auto version = object.Optional("version")) {
    self.version = version->String();
  }
  if (const auto capabilities = object.Optional("capabilities")) {
    ReadCapabilitiesAt(*capabilities, self);
  }
  object.Finish();
  return self;
}

}  // namespace

std::string SelfLine(const OutsideSelf& self) {
  constexpr std::string_view kLegality[] = {"rules", "yes", "none"};
  const Capabilities& can = self.can;
  std::string line = fmt::format(
      "{} {}: {}; legality {}, {}", Quote(self.name), Quote(self.version),
      can.instructions ? fmt::format("{}", fmt::join(*can.instructions, ", "))
                       : std::string("all instructions"),
      kLegality[static_cast<std::size_t>(can.legality)],
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
