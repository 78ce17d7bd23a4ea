#include "differential/testcase/case_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "differential/testcase/document_parts.h"
#include "differential/testcase/json_cursor.h"
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
  object.Read("initialised", image.initialised);
  object.Finish();
  return image;
}

// ---- What only cases of kernels have ----------------------------------------

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
/// No page requires more.
constexpr std::int64_t kMostAlign = 512;

std::string TextAt(const Cursor& place) {
  if (place.String().empty()) place.Fail("empty; a name is allowed");
  return place.String();
}

/// A word of the list, or any text where there is no list.
std::string WordAt(const Cursor& place, isa::ArgumentKind kind) {
  std::string text = TextAt(place);
  const auto words = isa::WordsOf(kind);
  if (!words.empty() && std::ranges::find(words, text) == words.end()) {
    place.Fail(fmt::format("found \"{}\"; {} is allowed", Quote(text),
                           fmt::join(words, ", ")));
  }
  return text;
}

isa::Argument ReadParameter(std::string_view name, const Cursor& place) {
  isa::Argument parameter{std::string(name), std::int64_t{0}};
  if (name.empty()) place.Fail("a parameter without name");
  if (place.value().As<std::string>()) {
    parameter.value = place.String();
  } else if (place.value().As<JsonObject>()) {
    ObjectCursor fields(place);
    parameter.value = fields.Required("value").Integer();
    parameter.range = {.low = fields.Required("low").Integer(),
                       .high = fields.Required("high").Integer()};
    fields.Finish();
  } else {
    parameter.value = place.Integer();
  }
  return parameter;
}

/// Where bytes lie and when they were touched; not before those of `touched`.
template <class T>
void ReadPlace(ObjectCursor& fields, const std::vector<T>& touched, T& one) {
  one.memory = fields.Required("memory").Word<isa::Memory>();
  one.at = fields.Required("at").Integer();
  const std::int64_t least = touched.empty() ? 0 : touched.back().iteration;
  const auto iteration = fields.Optional("iteration");
  if (iteration) one.iteration = iteration->IntegerIn(least, kMost);
  if (!iteration && least != 0) {
    fields.place().Fail(fmt::format(
        "no iteration, which means 0; {} or more is allowed behind iteration "
        "{}",
        least, least));
  }
  fields.Read("operand", one.operand);
}

/// Two words of bits, or that they are unknown.
void ReadLeaves(const Cursor& place, isa::CarriedMask& mask) {
  if (place.value().As<std::string>()) {
    if (place.String() != isa::kUnknownMask) {
      place.Fail(
          fmt::format("found \"{}\"; {} or two words of bits are "
                      "allowed",
                      Quote(place.String()), isa::kUnknownMask));
    }
    mask.leaves_unknown = true;
    return;
  }
  std::array<std::uint64_t, 2> words{};
  std::size_t count = 0;
  place.ForEach([&](const Cursor& word) {
    if (count < words.size()) words[count] = word.HexWord();
    ++count;
  });
  if (count != words.size()) {
    place.Fail(fmt::format("found {} words; 2 are allowed", count));
  }
  mask.leaves = words;
}

void ReadOperandFields(ObjectCursor& fields, isa::Operand& operand) {
  operand.position = fields.Required("position").Word<isa::Position>();
  operand.at = fields.Required("at").Integer();
  operand.bytes = fields.Required("bytes").Integer();
  fields.Read("dtype", operand.dtype);
}

void ReadPart(ObjectCursor& step, std::string_view name, std::string& text) {
  text = TextAt(step.Required(name));
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::Resource& resource) {
  const auto forms = isa::FormOf(resource.name);
  const auto place = step.Optional(name);
  if (!place) {
    if (std::ranges::all_of(forms, &isa::ArgumentForm::optional)) return;
    step.place().Fail(fmt::format("the field \"{}\" is missing", name));
  }
  ObjectCursor fields(*place);
  for (const isa::ArgumentForm& form : forms) {
    const auto value =
        form.optional ? fields.Optional(form.name) : fields.Required(form.name);
    if (!value) continue;
    isa::Argument argument{std::string(form.name), std::int64_t{0}};
    if (form.kind == isa::ArgumentKind::kInteger) {
      argument.value = value->Integer();
    } else {
      argument.value = WordAt(*value, form.kind);
    }
    resource.arguments.push_back(std::move(argument));
  }
  fields.Finish();
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::Arguments& parameters) {
  const auto place = step.Optional(name);
  if (!place) return;
  place->ForEachMember([&](std::string_view key, const Cursor& value) {
    parameters.push_back(ReadParameter(key, value));
  });
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedOperands& operands) {
  const auto place = step.Optional(name);
  if (!place) return;
  place->ForEachMember([&](std::string_view key, const Cursor& value) {
    const auto word = isa::Parse<isa::OperandName>(key);
    if (!word) value.FailWord<isa::OperandName>(key);
    isa::CarriedOperand one;
    one.name = *word;
    ObjectCursor fields(value);
    ReadOperandFields(fields, one.operand);
    if (const auto align = fields.Optional("align")) {
      one.align = align->IntegerIn(1, kMostAlign);
    }
    fields.Finish();
    operands.push_back(one);
  });
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedMask& mask) {
  const auto place = step.Optional(name);
  if (!place) return;
  ObjectCursor fields(*place);
  fields.Read("masked", mask.masked);
  fields.Read("isSetMask", mask.is_set_mask);
  if (const auto leaves = fields.Optional("leaves")) ReadLeaves(*leaves, mask);
  fields.Read("setsNormal", mask.sets_normal);
  fields.Finish();
}

/// `read(fields, one)` reads what reads and writes do not have in common.
template <class T, class Read>
void ReadTouched(ObjectCursor& step, std::string_view name,
                 std::vector<T>& touched, const Read& read) {
  const auto place = step.Optional(name);
  if (!place) return;
  place->ForEach([&](const Cursor& item) {
    ObjectCursor fields(item);
    T one;
    ReadPlace(fields, touched, one);
    read(fields, one);
    fields.Finish();
    touched.push_back(std::move(one));
  });
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedReads& reads) {
  ReadTouched(step, name, reads, [](ObjectCursor& fields, auto& read) {
    read.bytes = fields.Required("bytes").Integer();
  });
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedWrites& writes) {
  ReadTouched(step, name, writes, [](ObjectCursor& fields, auto& write) {
    write.bytes = ReadHex(fields.Required("hex"));
  });
}

StepSource ReadSource(const Cursor& place) {
  ObjectCursor fields(place);
  StepSource source;
  source.file = TextAt(fields.Required("file"));
  source.line = fields.Required("line").IntegerIn(1, kMost);
  const auto number = [&](std::string_view name,
                          std::int64_t least) -> std::optional<std::int64_t> {
    const auto given = fields.Optional(name);
    if (!given) return std::nullopt;
    return given->IntegerIn(least, kMost);
  };
  source.call = number("call", 1);
  source.block = number("block", 0);
  source.execution = number("execution", 1);
  fields.Finish();
  return source;
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
    flag = otherwise;
    object.Read(name, flag);
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
    fields.Read("dtype", tile.dtype);
    fields.Finish();
  }
  template <class E>
  void OptionalWord(std::string_view name, std::optional<E>& word) {
    object.Read(name, word);
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

LintFacts ReadLintFacts(ObjectCursor& object) {
  LintFacts facts;
  if (const auto sync = object.Optional("sync")) {
    ObjectCursor fields(*sync);
    facts.sync = {.automatic = fields.Required("auto").Boolean()};
    fields.Finish();
  }
  if (const auto start = object.Optional("start")) {
    ObjectCursor fields(*start);
    facts.start_unknown =
        fields.Required("mask").OneOf({"ones", "unknown"},
                                      "ones or unknown is allowed") == 1;
    fields.Finish();
  }
  if (const auto init = object.Optional("init")) {
    facts.propagate = init->OneOf({"first-read", "propagate"},
                                  "first-read or propagate is allowed") == 1;
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
  expect.rejected =
      object.Required("outcome").OneOf({"executed", "rejected"},
                                       "executed or rejected is allowed") == 1;
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
  Origin origin;
  object.Read("tool", origin.tool);
  object.Read("target", origin.target);
  object.Read("signature", origin.signature);
  object.Read("date", origin.date);
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
  const bool of_kernel =
      object.Required("format").OneOf(
          {kCaseFormat, kKernelCaseFormat},
          "lanediff-case/1 or lanediff-case/2 is allowed") == 1;
  Case c;
  c.id = ReadId(object.Required("id"));
  object.Read("note", c.note);
  c.product = object.Required("product").Word<isa::Product>();
  object.Read("edition", c.edition);
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

/// Where the string that begins at `at` ends: behind its second quote.
std::size_t EndOfString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
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

std::vector<std::size_t> StepLines(std::string_view text) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  int depth = 0;
  bool in_program = false;
  std::string_view last;  // the last string of the document's own members
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = EndOfString(text, at);
      if (depth == 1) last = text.substr(at, end - at);
      at = end;
      continue;
    }
    if (c == '\n') ++line;
    if (c == '{' || c == '[') {
      if (c == '{' && depth == 2 && in_program) lines.push_back(line);
      ++depth;
      if (c == '[' && depth == 2) in_program = last == "\"program\"";
    } else if (c == '}' || c == ']') {
      --depth;
      if (depth < 2) in_program = false;
    }
    ++at;
  }
  return lines;
}

}  // namespace lanediff
