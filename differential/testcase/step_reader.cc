#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "differential/testcase/document_parts.h"
#include "differential/testcase/record_json.h"
#include "isa/step.h"

namespace lanediff {
namespace {

using isa::DType;

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
    place.FailWord(text, {words.begin(), words.end()});
  }
  return text;
}

isa::Argument ReadParameter(std::string_view name, const Cursor& place) {
  isa::Argument parameter{std::string(name), std::int64_t{0}};
  if (name.empty()) place.Fail("a parameter without name");
  if (place.IsString()) {
    parameter.value = place.String();
  } else if (place.IsObject()) {
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

/// Reads two words of bits; how many stand there.
std::size_t ReadWords(const Cursor& place,
                      std::array<std::uint64_t, 2>& words) {
  std::size_t count = 0;
  place.ForEach([&](const Cursor& word) {
    if (count < words.size()) words[count] = word.HexWord();
    ++count;
  });
  return count;
}

/// Two words of bits, or that they are unknown.
void ReadLeaves(const Cursor& place, isa::CarriedMask& mask) {
  if (place.IsString()) {
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
  if (const std::size_t count = ReadWords(place, words); count != 2) {
    place.Fail(fmt::format("found {} words; 2 are allowed", count));
  }
  mask.leaves = words;
}

/// Reads members of an object; it may have others.
template <class T>
void ReadFields(ObjectCursor& object, T& group);

void ReadPart(ObjectCursor& step, std::string_view name, std::string& text) {
  text = TextAt(step.Required(name));
}

void ReadPart(ObjectCursor& step, std::string_view name,
              isa::Resource& resource) {
  const auto forms = isa::FormOf(resource.name);
  const auto place = step.Optional(name);
  if (!place) {
    if (std::ranges::all_of(forms, &isa::ArgumentForm::optional)) return;
    step.Required(name);
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
    ReadFields(fields, one.operand);
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
  ReadFields(fields, mask);
  fields.Finish();
}

/// What was read or written, in the order of iterations.
template <class T>
void ReadPart(ObjectCursor& step, std::string_view name,
              std::vector<T>& touched) {
  const auto place = step.Optional(name);
  if (!place) return;
  place->ForEach([&](const Cursor& item) {
    ObjectCursor fields(item);
    T one;
    ReadFields(fields, one);
    const std::int64_t least = touched.empty() ? 0 : touched.back().iteration;
    if (const auto iteration = fields.Optional("iteration")) {
      iteration->IntegerIn(least, kMost);
    } else if (least != 0) {
      item.Fail(fmt::format(
          "no iteration, which means 0; {} or more is allowed behind iteration "
          "{}",
          least, least));
    }
    fields.Finish();
    touched.push_back(std::move(one));
  });
}

// ---- Steps ------------------------------------------------------------------

/// Fills the fields of a step from its object.
struct StepReader {
  ObjectCursor& object;

  template <class E>
  void Word(std::string_view name, E& word) {
    object.Need(name, word);
  }
  void Integer(std::string_view name, std::int64_t& value) {
    object.Need(name, value);
  }
  void HexWord(std::string_view name, std::uint64_t& value) {
    if (const auto place = object.Needed(name)) value = place->HexWord();
  }
  void Flag(std::string_view name, bool& flag) { object.Need(name, flag); }
  void Flag(std::string_view name, bool& flag, bool otherwise) {
    flag = otherwise;
    object.Read(name, flag);
  }
  void Operand(std::string_view name, isa::Operand& operand) {
    Group(name, operand);
  }
  void Tile(std::string_view name, isa::Tile& tile) { Group(name, tile); }
  void Iteration(std::string_view name, std::int64_t& iteration) {
    object.Read(name, iteration);
  }
  void Written(std::string_view name, isa::CarriedWrite& write) {
    write.bytes = ReadHex(object.Required(name));
  }
  void Leaves(std::string_view name, isa::CarriedMask& mask) {
    if (const auto leaves = object.Optional(name)) ReadLeaves(*leaves, mask);
  }
  template <class T>
  void Part(std::string_view name, T& part) {
    ReadPart(object, name, part);
  }
  template <class E>
  void OptionalWord(std::string_view name, std::optional<E>& word) {
    object.Read(name, word);
  }
  void MaskWords(std::string_view name, std::array<std::uint64_t, 2>& words) {
    const auto place = object.Needed(name);
    if (!place) return;
    if (const std::size_t count = ReadWords(*place, words); count != 2) {
      place->Fail(
          fmt::format("found a list of {}; two hex words are allowed", count));
    }
  }
  void Element(std::string_view name, DType dtype, std::uint64_t& bits) {
    if (const auto place = object.Needed(name)) {
      bits = ReadElement(*place, dtype);
    }
  }
  template <class T>
  void Group(std::string_view name, T& group) {
    const auto place = object.Needed(name);
    if (!place) return;
    ObjectCursor fields(*place);
    ReadFields(fields, group);
    fields.Finish();
  }
  void Form(std::uint8_t& form, std::span<const isa::FormKey> forms) {
    std::vector<std::string_view> keys;
    std::string_view given;
    for (const isa::FormKey& key : forms) {
      if (key.key.empty() || std::ranges::find(keys, key.key) != keys.end()) {
        continue;
      }
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
      // The last form, which may be the one without a key.
      if (!forms.back().key.empty()) object.OneIsMissing(keys);
      form = static_cast<std::uint8_t>(forms.size() - 1);
      return;
    }
    const Cursor place = object.Required(given);
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if (forms[i].key != given) continue;
      form = static_cast<std::uint8_t>(i);
      if (HasShape(place, forms[i].shape)) return;
    }
    // Reading the last form with this key then reports what is wrong.
  }

  static bool HasShape(const Cursor& place, isa::FormShape shape) {
    switch (shape) {
      case isa::FormShape::kInteger:
        return place.IsNumber();
      case isa::FormShape::kWords:
        return place.IsArray();
      case isa::FormShape::kObject:
        return place.IsObject();
    }
    return false;
  }
};

template <class T>
void ReadFields(ObjectCursor& object, T& group) {
  StepReader reader{object};
  T::Fields(group, reader);
}

/// The kind of step called `op`, which the format must have.
isa::Step MakeStep(const Cursor& op, bool of_kernel) {
  const auto has = [&](const isa::Step& kind) {
    return of_kernel || !isa::IsOfKernel(kind);
  };
  const isa::Step* const kind = isa::FindStepKind(op.String());
  if (kind != nullptr && has(*kind)) return *kind;
  std::vector<std::string_view> known;
  for (const isa::Step& each : isa::StepKinds()) {
    if (has(each)) known.push_back(isa::OpName(each));
  }
  op.FailWord(op.String(), known);
}

}  // namespace

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
    c.sources.push_back(source ? std::optional(ReadRecord<StepSource>(*source))
                               : std::nullopt);
  }
  object.Finish();
}

}  // namespace lanediff
