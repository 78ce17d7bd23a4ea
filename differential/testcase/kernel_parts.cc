#include "differential/testcase/kernel_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "differential/testcase/document_parts.h"

namespace lanediff {
namespace {

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
  if (const auto operand = fields.Optional("operand")) {
    one.operand = operand->Word<isa::OperandName>();
  }
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

}  // namespace

void ReadOperandFields(ObjectCursor& fields, isa::Operand& operand) {
  operand.position = fields.Required("position").Word<isa::Position>();
  operand.at = fields.Required("at").Integer();
  operand.bytes = fields.Required("bytes").Integer();
  if (const auto dtype = fields.Optional("dtype")) {
    operand.dtype = dtype->Word<isa::DType>();
  }
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
  if (const auto masked = fields.Optional("masked")) {
    mask.masked = masked->Boolean();
  }
  if (const auto own = fields.Optional("isSetMask")) {
    mask.is_set_mask = own->Boolean();
  }
  if (const auto leaves = fields.Optional("leaves")) ReadLeaves(*leaves, mask);
  if (const auto normal = fields.Optional("setsNormal")) {
    mask.sets_normal = normal->Boolean();
  }
  fields.Finish();
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedReads& reads) {
  const auto place = step.Optional(name);
  if (!place) return;
  place->ForEach([&](const Cursor& item) {
    ObjectCursor fields(item);
    isa::CarriedRead read;
    ReadPlace(fields, reads, read);
    read.bytes = fields.Required("bytes").Integer();
    fields.Finish();
    reads.push_back(read);
  });
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::CarriedWrites& writes) {
  const auto place = step.Optional(name);
  if (!place) return;
  place->ForEach([&](const Cursor& item) {
    ObjectCursor fields(item);
    isa::CarriedWrite write;
    ReadPlace(fields, writes, write);
    write.bytes = ReadHex(fields.Required("hex"));
    fields.Finish();
    writes.push_back(std::move(write));
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

}  // namespace lanediff
