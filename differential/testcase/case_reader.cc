#include "differential/testcase/case_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "differential/testcase/document_parts.h"
#include "differential/testcase/json_cursor.h"
#include "differential/testcase/kernel_parts.h"
#include "isa/memory_map.h"

namespace lanediff {
namespace {

using isa::DType;
using isa::Memory;

// ---- Memory -----------------------------------------------------------------

MemoryImage ReadMemory(const Cursor& place, isa::Product product,
                       Memory memory) {
  ObjectCursor object(place);
  MemoryImage image;
  if (const auto fill = object.Optional("fill")) {
    const auto bytes = ReadHex(*fill);
    if (bytes.size() != 1) fill->Fail("one byte in two hex digits is allowed");
    image.fill = bytes[0];
  }
  const std::int64_t capacity = isa::CapacityBytes(product, memory);
  const std::int64_t largest =
      memory == Memory::kGm ? kMaxMemoryBytes : capacity;
  image.size = capacity;
  if (memory == Memory::kGm) {
    image.size = object.Required("size").IntegerIn(0, largest);
  } else if (const auto size = object.Optional("size")) {
    image.size = size->IntegerIn(0, largest);
  }
  if (const auto regions = object.Optional("regions")) {
    image.regions = ReadRegions(*regions, image.size);
  }
  if (const auto initialised = object.Optional("initialised")) {
    image.initialised = initialised->Boolean();
  }
  object.Finish();
  return image;
}

// ---- Program ----------------------------------------------------------------

/// Fills the fields of a step from its object.
struct StepReader {
  ObjectCursor& object;

  template <class E>
  void Word(std::string_view name, E& word) {
    word = object.Required(name).Word<E>();
  }
  void Integer(std::string_view name, std::int64_t& value) {
    value = object.Required(name).Integer();
  }
  void HexWord(std::string_view name, std::uint64_t& value) {
    value = object.Required(name).HexWord();
  }
  void Flag(std::string_view name, bool& flag) {
    flag = object.Required(name).Boolean();
  }
  void Flag(std::string_view name, bool& flag, bool otherwise) {
    const auto place = object.Optional(name);
    flag = place ? place->Boolean() : otherwise;
  }
  void Operand(std::string_view name, isa::Operand& operand) {
    const Cursor place = object.Required(name);
    ObjectCursor fields(place);
    ReadOperandFields(fields, operand);
    fields.Finish();
  }
  template <class T>
  void Part(std::string_view name, T& part) {
    ReadPart(object, name, part);
  }
  void Tile(std::string_view name, isa::Tile& tile) {
    const Cursor place = object.Required(name);
    ObjectCursor fields(place);
    tile.position = fields.Required("position").Word<isa::Position>();
    tile.at = fields.Required("at").Integer();
    tile.rows = fields.Required("rows").Integer();
    tile.cols = fields.Required("cols").Integer();
    tile.valid_row = fields.Required("validRow").Integer();
    tile.valid_col = fields.Required("validCol").Integer();
    tile.layout = fields.Required("layout").Word<isa::Layout>();
    if (const auto dtype = fields.Optional("dtype")) {
      tile.dtype = dtype->Word<DType>();
    }
    fields.Finish();
  }
  template <class E>
  void OptionalWord(std::string_view name, std::optional<E>& word) {
    if (const auto place = object.Optional(name)) word = place->Word<E>();
  }
  void MaskWords(std::string_view name, std::array<std::uint64_t, 2>& words) {
    const Cursor place = object.Required(name);
    std::size_t count = 0;
    place.ForEach([&](const Cursor& word) {
      if (count < words.size()) words[count] = word.HexWord();
      ++count;
    });
    if (count != words.size()) {
      place.Fail(
          fmt::format("found a list of {}; two hex words are allowed", count));
    }
  }
  void Element(std::string_view name, DType dtype, std::uint64_t& bits) {
    bits = ReadElement(object.Required(name), dtype);
  }
  template <class T>
  void Group(std::string_view name, T& group) {
    const Cursor place = object.Required(name);
    ObjectCursor fields(place);
    StepReader reader{fields};
    T::Fields(group, reader);
    fields.Finish();
  }
  template <std::size_t N>
  void Form(std::uint8_t& form, const std::array<isa::FormKey, N>& forms) {
    std::vector<std::string_view> keys;
    std::string_view given;
    for (const isa::FormKey& key : forms) {
      if (std::ranges::find(keys, key.key) != keys.end()) continue;
      keys.push_back(key.key);
      if (!object.Optional(key.key)) continue;
      if (!given.empty()) {
        object.place().Fail(
            fmt::format("both \"{}\" and \"{}\" are given; one "
                        "of the forms is allowed",
                        given, key.key));
      }
      given = key.key;
    }
    if (given.empty()) {
      object.place().Fail(fmt::format("one of the fields {} is missing",
                                      fmt::join(keys, ", ")));
    }
    const Cursor place = object.Required(given);
    for (std::size_t i = 0; i < N; ++i) {
      if (forms[i].key != given) continue;
      form = static_cast<std::uint8_t>(i);
      if (HasShape(place.value(), forms[i].shape)) return;
    }
    // Reading the last form with this key then reports what is wrong.
  }

  static bool HasShape(const Json& value, isa::FormShape shape) {
    switch (shape) {
      case isa::FormShape::kInteger:
        return value.As<JsonNumber>() != nullptr;
      case isa::FormShape::kWords:
        return value.As<JsonArray>() != nullptr;
      case isa::FormShape::kObject:
        return value.As<JsonObject>() != nullptr;
    }
    return false;
  }
};

/// Tries each step type in turn that the format has.
template <std::size_t I = 0>
isa::Step MakeStep(const Cursor& op, bool of_kernel) {
  constexpr std::size_t kAll = std::variant_size_v<isa::Step>;
  if constexpr (I < kAll) {
    using T = std::variant_alternative_t<I, isa::Step>;
    const bool known = of_kernel || I < isa::kFuzzSteps;
    return known && op.String() == T::kOp ? isa::Step(T{})
                                          : MakeStep<I + 1>(op, of_kernel);
  } else {
    std::vector<std::string_view> known;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      (known.push_back(std::variant_alternative_t<J, isa::Step>::kOp), ...);
    }(std::make_index_sequence<kAll>{});
    if (!of_kernel) known.resize(isa::kFuzzSteps);
    op.Fail(fmt::format("found \"{}\"; {} is allowed", Quote(op.String()),
                        fmt::join(known, ", ")));
  }
}

/// Appends a step and, in the format of kernels, where it was called.
void ReadStep(const Cursor& place, bool of_kernel, Case& c) {
  ObjectCursor object(place);
  isa::Step step = MakeStep(object.Required("op"), of_kernel);
  StepReader reader{object};
  std::visit([&](auto& s) { s.Fields(s, reader); }, step);
  const auto* const carried = std::get_if<isa::Carried>(&step);
  if (carried != nullptr && carried->pipe == isa::Pipe::kAll) {
    object.Required("pipe").Fail("found \"ALL\"; one pipe is allowed");
  }
  c.program.push_back(std::move(step));
  if (of_kernel) {
    const auto source = object.Optional("source");
    c.sources.push_back(source ? std::optional(ReadSource(*source))
                               : std::nullopt);
  }
  object.Finish();
}

// ---- Lint facts -------------------------------------------------------------

/// One of two words: whether it is the second.
bool IsSecond(const Cursor& place, std::string_view first,
              std::string_view second) {
  if (place.String() == second) return true;
  if (place.String() != first) {
    place.Fail(fmt::format("found \"{}\"; {} or {} is allowed",
                           Quote(place.String()), first, second));
  }
  return false;
}

LintFacts ReadLintFacts(ObjectCursor& object) {
  LintFacts facts;
  if (const auto sync = object.Optional("sync")) {
    ObjectCursor fields(*sync);
    facts.sync = {.automatic = fields.Required("auto").Boolean()};
    fields.Finish();
  }
  if (const auto start = object.Optional("start")) {
    ObjectCursor fields(*start);
    facts.start_unknown = IsSecond(fields.Required("mask"), "ones", "unknown");
    fields.Finish();
  }
  if (const auto init = object.Optional("init")) {
    facts.propagate = IsSecond(*init, "first-read", "propagate");
  }
  return facts;
}

// ---- Expectation and the rest -----------------------------------------------

/// What must be in memory at the end; nothing where an executed case leaves it
/// open. A rejected one does so by saying nothing: each case has one spelling.
std::optional<RegionsByMemory> ReadExpectedMemory(const Cursor& place,
                                                  const Case& c,
                                                  bool rejected) {
  if (!place.value().As<std::string>()) return ReadChangedMemory(place, c);
  if (rejected) {
    place.Fail(
        fmt::format("found \"{}\"; regions by memory are allowed, and a "
                    "rejected case leaves memory open by leaving this out",
                    Quote(place.String())));
  }
  if (place.String() != kAnyMemory) {
    place.Fail(
        fmt::format("found \"{}\"; regions by memory or \"{}\" is allowed",
                    Quote(place.String()), kAnyMemory));
  }
  return std::nullopt;
}

Expectation ReadExpectation(const Cursor& place, bool of_kernel,
                            const Case& c) {
  ObjectCursor object(place);
  Expectation expect;
  const Cursor outcome = object.Required("outcome");
  expect.rejected = outcome.String() == "rejected";
  if (!expect.rejected && outcome.String() != "executed") {
    outcome.Fail(fmt::format("found \"{}\"; executed or rejected is allowed",
                             Quote(outcome.String())));
  }
  if (expect.rejected) {
    const auto last = static_cast<std::int64_t>(c.program.size()) - 1;
    expect.step =
        static_cast<std::size_t>(object.Required("step").IntegerIn(0, last));
    expect.rules = ReadRules(object.Required("rules"));
  } else {
    expect.memory.emplace();
  }
  if (of_kernel) {
    const auto findings = object.Optional("findings");
    if (findings) expect.findings = ReadRules(*findings);
  }
  if (const auto notes = object.Optional("notes")) {
    expect.notes = ReadRules(*notes);
  }
  if (const auto memory = object.Optional("memory")) {
    expect.memory = ReadExpectedMemory(*memory, c, expect.rejected);
  }
  object.Finish();
  return expect;
}

Origin ReadOrigin(const Cursor& place) {
  ObjectCursor object(place);
  const auto text = [&](std::string_view name) -> std::optional<std::string> {
    const auto field = object.Optional(name);
    if (!field) return std::nullopt;
    return field->String();
  };
  Origin origin{.tool = text("tool"),
                .seed = std::nullopt,
                .target = text("target"),
                .signature = text("signature"),
                .date = text("date")};
  if (const auto seed = object.Optional("seed")) {
    if (seed->value().As<std::string>()) {
      origin.seed = seed->String();
    } else {
      origin.seed = seed->Integer();
    }
  }
  object.Finish();
  return origin;
}

std::string ReadId(const Cursor& place) {
  const std::string& id = place.String();
  constexpr std::string_view kAlphabet =
      "abcdefghijklmnopqrstuvwxyz0123456789._/-";
  if (id.empty() || id.find_first_not_of(kAlphabet) != std::string::npos) {
    place.Fail(
        fmt::format("found \"{}\"; one or more of a-z 0-9 . _ / - are "
                    "allowed",
                    Quote(id)));
  }
  return id;
}

void ReadMemories(const Cursor& place, Case& c) {
  place.ForEachMember([&](std::string_view name, const Cursor& image) {
    const auto memory = isa::Parse<Memory>(name);
    if (!memory) image.FailWord<Memory>(name);
    c.memory[static_cast<std::size_t>(*memory)] =
        ReadMemory(image, c.product, *memory);
  });
}

Case ReadCaseAt(const Cursor& root) {
  ObjectCursor object(root);
  const Cursor format = object.Required("format");
  const bool of_kernel = format.String() == kKernelCaseFormat;
  if (!of_kernel && format.String() != kCaseFormat) {
    format.Fail(fmt::format("found \"{}\"; {} or {} is allowed",
                            Quote(format.String()), kCaseFormat,
                            kKernelCaseFormat));
  }
  Case c;
  c.id = ReadId(object.Required("id"));
  if (const auto note = object.Optional("note")) c.note = note->String();
  c.product = object.Required("product").Word<isa::Product>();
  if (const auto edition = object.Optional("edition")) {
    c.edition = edition->Word<isa::Edition>();
  }
  const Cursor memory = object.Required("memory");
  ReadMemories(memory, c);
  c.lint = ReadLintFacts(object);
  const Cursor program = object.Required("program");
  program.ForEach([&](const Cursor& step) { ReadStep(step, of_kernel, c); });
  if (std::ranges::none_of(c.sources, [](const auto& s) { return !!s; })) {
    c.sources.clear();
  }
  if (c.program.empty()) program.Fail("empty; at least one step is allowed");
  const auto gm = static_cast<std::size_t>(Memory::kGm);
  if (MemoriesOf(c)[gm] && !c.memory[gm]) {
    memory.Fail(
        "GM is missing; the program uses it and its size must be given");
  }
  if (const auto expect = object.Optional("expect")) {
    c.expect = ReadExpectation(*expect, of_kernel, c);
  }
  if (const auto origin = object.Optional("origin")) {
    c.origin = ReadOrigin(*origin);
  }
  if (const auto requirement = object.Optional("requirement")) {
    c.requirement = ReadRules(*requirement);
  }
  object.Finish();
  return c;
}

}  // namespace

std::expected<Case, CaseError> ReadCase(std::string_view text) {
  return ReadDocument(text, ReadCaseAt, kMaxCaseFileBytes);
}

std::expected<std::string, std::string> ReadFile(const std::string& path,
                                                 std::size_t most) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) {
    return std::unexpected(fmt::format("can't be read: {}", strerror(errno)));
  }
  if (!S_ISREG(info.st_mode)) return std::unexpected("is no regular file");
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path.c_str(), "rb"),
                                                   fclose);
  if (!file) {
    return std::unexpected(fmt::format("can't be read: {}", strerror(errno)));
  }
  // One byte more than allowed, so that a file that is too large shows as such.
  std::string text(
      std::min<std::size_t>(static_cast<std::size_t>(info.st_size), most + 1),
      '\0');
  text.resize(fread(text.data(), 1, text.size(), file.get()));
  if (ferror(file.get()) != 0) return std::unexpected("can't be read");
  return text;
}

std::expected<Case, std::string> ReadCaseFile(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return std::unexpected(text.error());
  auto c = ReadCase(*text);
  if (c) return std::move(*c);
  return std::unexpected(LineOf(c.error()));
}

}  // namespace lanediff
