// What shows that a value of a call is not among those that a rule allows.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "sanitizer/value_witness.h"

namespace lanediff::lint {

/// Every value of the kind of `value`, if that is a word of a list.
std::vector<SlotValue> Alternatives(const SlotValue& value) {
  return std::visit(
      []<class T>(const T&) {
        std::vector<SlotValue> all;
        if constexpr (std::is_enum_v<T>) {
          for (std::size_t i = 0; i < isa::kCount<T>; ++i) {
            all.emplace_back(static_cast<T>(i));
          }
        }
        return all;
      },
      value);
}

std::string Or(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  if (words.size() == 1) return words[0];
  return fmt::format("{} or {}",
                     fmt::join(words.begin(), words.end() - 1, ", "),
                     words.back());
}

/// "VECIN, VECCALC or VECOUT is allowed".
std::string Allowed(const std::vector<std::string>& words) {
  return words.empty() ? "no value of it alone is allowed here"
                       : Or(words) + " is allowed";
}

void ValueWitness::Ranges() {
  const auto type = TypeOf(step_);
  for (const isa::Range& range :
       isa::FindRule(rule_.text())->RangesIn(s_.c.edition)) {
    const auto value = IntegerOf(step_, range.field);
    const bool of_width =
        range.element_bits == 0 ||
        (type && isa::SizeBytes(*type) * 8 == range.element_bits);
    if (!value || !of_width) continue;
    if (*value >= range.low && *value <= range.high) continue;
    std::string needed =
        fmt::format("{} to {} is allowed", range.low, range.high);
    if (range.element_bits != 0) {
      needed += fmt::format(" for types of {} bits", range.element_bits);
    }
    Add(range.field, Is(range.field), std::move(needed));
  }
}

void ValueWitness::Product() {
  std::vector<std::string> have;
  for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
    const auto product = static_cast<isa::Product>(p);
    if (s_.judge.BrokenOn(product, step_).Contains(rule_)) continue;
    have.emplace_back(isa::Name(product));
  }
  Add("product", fmt::format("the product is {}", isa::Name(s_.c.product)),
      have.empty() ? "no product has such a call"
                   : fmt::format("{} has it", Or(have)));
}

/// Operands whose own type is not the call's.
void ValueWitness::OwnTypes() {
  const auto type = TypeOf(step_);
  for (const std::string& operand : OperandsOf(step_)) {
    const std::string field = operand + ".dtype";
    const auto value = ValueOf(step_, field);
    if (!value || !type) continue;
    const auto own = std::get<std::optional<isa::DType>>(*value);
    if (!own || own == type) continue;
    Add(field, Is(field),
        fmt::format("{}, the call's type, is", isa::Name(*type)));
  }
}

/// Words that are to be of a list: each field that is none, while the others
/// are.
void ValueWitness::Choose(const std::vector<std::string>& fields) {
  const auto now = ValueOf(step_, fields[0]);
  if (!now) return;
  // What all of them may be is what each may be.
  std::vector<std::string> words;
  isa::Step healed = step_;
  for (const SlotValue& value : Alternatives(*now)) {
    isa::Step all = step_;
    for (const std::string& field : fields) all = With(all, field, value);
    if (Breaks(all)) continue;
    words.push_back(Text(value));
    healed = all;
  }
  for (const std::string& field : fields) {
    const auto mine = ValueOf(step_, field);
    if (words.empty() || (mine && Breaks(With(healed, field, *mine)))) {
      Add(field, Is(field), Allowed(words));
    }
  }
}

void ValueWitness::Align() {
  isa::Step healed = step_;
  const auto operands = OperandsOf(step_);
  for (const std::string& operand : operands) {
    healed = With(healed, operand + ".at", std::int64_t{0});
  }
  for (const std::string& operand : operands) {
    const std::string field = operand + ".at";
    if (!Breaks(With(healed, field, Number(field)))) continue;
    std::int64_t multiple = 1;
    while (multiple < isa::kMatrixBytes &&
           Breaks(With(healed, field, multiple))) {
      multiple *= 2;
    }
    const std::int64_t beyond =
        (Number(field) % multiple + multiple) % multiple;
    Add(field,
        fmt::format("{}, {} past a multiple of {}", Is(field),
                    Counted(beyond, "byte"), multiple),
        fmt::format("a multiple of {} is allowed", multiple));
  }
}

void ValueWitness::NotZero(std::string_view field) {
  Add(field, Is(field), "any other value is allowed");
}

/// Of a copy that pads: what is in its range is no multiple.
void ValueWitness::BlockLen() {
  Ranges();
  const auto* const call = std::get_if<isa::Call>(&step_);
  if (!all_.empty() || call == nullptr ||
      !call->signature->Has(isa::Param::kIsPad)) {
    return;
  }
  Add("blockLen", Is("blockLen"),
      fmt::format("a multiple of {} is allowed",
                  isa::SizeBytes(TypeOf(step_).value_or(isa::DType::kUint8))));
}

void ValueWitness::MaskWords() {
  const auto type = TypeOf(step_);
  const std::int64_t bits = type ? isa::SizeBytes(*type) * 8 : 0;
  const std::string needed =
      bits == 64 ? "mask[1] is 0 and mask[0] is 0x1 to 0xffffffff with 64 bits"
      : bits == 32
          ? "mask[1] is 0 and mask[0] is not, with the 64 lanes of 32 bits"
          : "at least one lane of both words";
  const SlotValue none(std::uint64_t{0});
  const bool wide = bits >= 32;
  const bool high = ValueOf(step_, "mask[1]") != none;
  const std::string found = fmt::format("{}, {}", Is("mask[0]"), Is("mask[1]"));
  if (wide && high) Add("mask[1]", found, needed);
  const bool low = ValueOf(step_, "mask[0]") != none;
  if (!low || !(wide && high)) Add("mask[0]", found, needed);
}

void ValueWitness::Placeholder() {
  for (const std::string_view field :
       {"mask", "elemsInOneRepeat", "mask[0]", "mask[1]"}) {
    const auto value = ValueOf(step_, field);
    if (!value || *value == SlotValue(std::int64_t{0}) ||
        *value == SlotValue(std::uint64_t{0})) {
      continue;
    }
    Add(field, Is(field) + " although isSetMask is false",
        "0 is allowed: the mask register selects the lanes");
  }
}

std::vector<Witness> ValueWitness::Look() {
  const auto operands = [&](std::string_view part) {
    Strings fields = OperandsOf(step_);
    for (std::string& field : fields) field += part;
    return fields;
  };
  const auto* const call = std::get_if<isa::Call>(&step_);
  // `rules`, and those of the step's row if it has one.
  const auto of = [&](std::initializer_list<isa::CallRule> of_row,
                      std::vector<isa::RuleId> rules = {}) {
    for (const isa::CallRule rule : of_row) {
      if (call != nullptr) rules.push_back(call->Rule(rule));
    }
    return rules;
  };
  using enum isa::CallRule;
  // The catalogue has the ranges of all others.
  const std::pair<std::vector<isa::RuleId>, std::function<void()>> searches[] =
      {{of({kDtype}), [&] { Type(); }},
       {of({kDtypeMatch}), [&] { OwnTypes(); }},
       {of({kPosition, kLocation, kScope}, {isa::scalar::kPosition}),
        [&] { Choose(operands(".position")); }},
       {of({kAlign, kDstAlign, kSrcAlign}, {isa::scalar::kAlign}),
        [&] { Align(); }},
       {of({kDstBlkStrideZero}),
        [&] {
          NotZero(isa::NameOf(*call->signature, isa::Param::kDstBlkStride));
        }},
       {of({kDstRepStrideZero}), [&] { NotZero("dstRepStride"); }},
       {of({kMaskBits}), [&] { MaskWords(); }},
       {of({kPlaceholder}), [&] { Placeholder(); }},
       {of({kBlockLen}), [&] { BlockLen(); }},
       {of({kPaddingValue}),
        [&] {
          Add("paddingValue",
              fmt::format("paddingValue is {:#x}", call->scalar),
              "0 is allowed for types of 64 bits");
        }},
       {of({kRoute}), [&] { Route(); }},
       {of({kMixed}), [&] { Mixed(); }},
       {of({kSrcLayout}), [&] { Choose({"src.layout"}); }},
       {of({kDstLayout}), [&] { DstLayout(); }},
       {of({kValidZero}), [&] { ValidZero(); }},
       {of({kValidRows}), [&] { ValidRows(); }},
       {of({kTmpShape}), [&] { TmpShape(); }},
       {of({kTile}), [&] { Tiles(); }}};
  const auto search = std::ranges::find_if(searches, [&](const auto& one) {
    return std::ranges::find(one.first, rule_) != one.first.end();
  });
  if (search != std::end(searches)) {
    search->second();
  } else if (isa::TopicOf(rule_) == isa::Topic::kProduct) {
    Product();
  } else {
    Ranges();
  }
  return std::move(all_);
}

std::vector<Witness> ValueWitnesses(const Situation& situation,
                                    isa::RuleId rule) {
  return ValueWitness(situation, rule).Look();
}

}  // namespace lanediff::lint
