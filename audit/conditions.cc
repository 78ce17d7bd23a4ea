#include "audit/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "differential/compare/signature.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::audit {
namespace {

// Bits: types, forms, what a call has besides, and above these the number of
// the call's kind, from 1.
constexpr int kFirstForm = static_cast<int>(isa::kCount<isa::DType>);
constexpr std::array<std::string_view, 7> kForms = {
    "count",    "mask",      "mask-words",    "params",
    "register", "padParams", diff::kPlainForm};
constexpr int kFirstTrait = kFirstForm + static_cast<int>(kForms.size());

enum class Trait {
  kLastBlock,
  kLastRegister,
  kIterations,
  kProgram,
  kMaskGaps,
  kMasked
};
constexpr std::array<std::string_view, 6> kTraits = {
    "where the last DataBlock is not full",
    "where the last 256 bytes are not full",
    "with several iterations",
    "in a program of several instructions",
    "under a mask with gaps",
    "in a form with a mask"};
constexpr int kFirstOp = kFirstTrait + static_cast<int>(kTraits.size());

constexpr Conditions Bit(int bit) { return Conditions{1} << bit; }
constexpr Conditions BitOf(Trait trait) {
  return Bit(kFirstTrait + static_cast<int>(trait));
}

struct TraitsVisitor : isa::FieldVisitor<TraitsVisitor> {
  void Word(std::string_view name, const isa::DType& word) {
    if (name == "dtype") traits.dtype = word;
  }
  template <class T>
  void Word(std::string_view, const T&) {}
  void Operand(std::string_view, const isa::Operand& o) {
    traits.positions.push_back(o.position);
  }
  void Tile(std::string_view, const isa::Tile& t) {
    traits.positions.push_back(t.position);
  }
  void Flag(std::string_view name, const bool& flag, bool = false) {
    if (name == "isSetMask") traits.reads_register = !flag;
  }
  void Integer(std::string_view name, const std::int64_t& value) {
    if (name == "count") traits.count = value;
    if (name.starts_with("repeat")) traits.repeat = value;
  }
  void Form(const std::uint8_t& which, std::span<const isa::FormKey> all) {
    traits.form = all[which].key.empty() ? diff::kPlainForm : all[which].key;
    if (all[which].shape == isa::FormShape::kWords) {
      traits.form += " of two words";
    }
    traits.counts = std::ranges::any_of(
        all, [](const isa::FormKey& form) { return form.key == "count"; });
  }

  StepTraits traits;
};

/// Whether the lanes that a masked call reads in its first iteration, or writes
/// where it reads nothing, are other ones than its first.
bool HasMaskGaps(const isa::Step& step, std::span<const isa::Access> accesses) {
  const isa::Instruction* const instruction = isa::InstructionOf(step);
  if (instruction == nullptr || !instruction->masked || accesses.empty()) {
    return false;
  }
  const isa::Access& first = accesses.front();
  std::int64_t lanes = 0;
  std::int64_t behind = 0;
  for (const isa::Access& access : accesses) {
    if (access.operand != first.operand ||
        access.iteration != first.iteration) {
      continue;
    }
    const std::int64_t more = access.bytes / isa::SizeBytes(access.dtype);
    lanes += more;
    behind = std::max(behind, access.lane + more);
  }
  return lanes != behind;
}

Conditions OfKind(const isa::Step& step) {
  return Conditions{isa::NumberOf(step) + 1} << kFirstOp;
}

}  // namespace

StepTraits TraitsOf(const isa::Step& step) {
  TraitsVisitor visitor;
  std::visit([&](const auto& s) { s.Fields(s, visitor); }, step);
  return std::move(visitor.traits);
}

bool ReadsMaskRegister(const isa::Step& step) {
  return TraitsOf(step).reads_register;
}

Conditions ConditionsOf(const isa::Step& step,
                        std::span<const isa::Access> accesses) {
  const StepTraits traits = TraitsOf(step);
  Conditions all = OfKind(step);
  if (traits.reads_register) all |= WithMaskRegister();
  const std::string_view form = diff::FormWord(step);
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if (form == kForms[i]) all |= Bit(kFirstForm + static_cast<int>(i));
  }
  if (traits.repeat > 1) all |= BitOf(Trait::kIterations);
  if (traits.counts && form != "count") all |= BitOf(Trait::kMasked);
  if (HasMaskGaps(step, accesses)) all |= BitOf(Trait::kMaskGaps);
  if (!traits.dtype) return all;
  all |= Bit(static_cast<int>(*traits.dtype));
  const std::int64_t size = isa::SizeBytes(*traits.dtype);
  const auto is_partial = [&](std::int64_t unit) {
    return traits.count > 0 && traits.count % (unit / size) != 0;
  };
  if (is_partial(isa::kDataBlockBytes)) all |= BitOf(Trait::kLastBlock);
  if (is_partial(isa::kIterationBytes)) all |= BitOf(Trait::kLastRegister);
  return all;
}

Conditions InProgram(Conditions conditions) {
  return conditions | BitOf(Trait::kProgram);
}

Conditions OfOp(std::string_view op) {
  const isa::Step* const kind = isa::FindStepKind(op);
  return kind == nullptr ? 0 : OfKind(*kind);
}

Conditions OfType(isa::DType dtype) { return Bit(static_cast<int>(dtype)); }
Conditions WithMaskGaps() { return BitOf(Trait::kMaskGaps); }
Conditions WithMaskRegister() { return Bit(kFirstForm + 4); }

Conditions OpIn(Conditions conditions) {
  return conditions >> kFirstOp << kFirstOp;
}

std::string_view FormIn(Conditions conditions) {
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if ((conditions & Bit(kFirstForm + static_cast<int>(i))) != 0) {
      return kForms[i];
    }
  }
  return "";
}

bool IsInProgram(Conditions conditions) {
  return InProgram(conditions) == conditions;
}

bool Hold(Conditions conditions, Conditions of) {
  const Conditions op = OpIn(of);
  return (op == 0 || op == OpIn(conditions)) && (of & ~op & ~conditions) == 0;
}

std::vector<Conditions> Singles(Conditions conditions) {
  std::vector<Conditions> all;
  const Conditions op = OpIn(conditions);
  for (Conditions rest = conditions - op; rest != 0; rest &= rest - 1) {
    all.push_back(Bit(std::countr_zero(rest)));
  }
  if (op != 0) all.push_back(op);
  return all;
}

std::string TextOf(Conditions conditions) {
  std::string text;
  const auto add = [&](std::string words) {
    if (!text.empty()) text += ", ";
    text += words;
  };
  const Conditions op = OpIn(conditions);
  if (op != 0) {
    const std::size_t kind = static_cast<std::size_t>(op >> kFirstOp) - 1;
    add(fmt::format("of {}", isa::OpName(isa::StepKinds()[kind])));
  }
  for (Conditions bit : Singles(conditions - op)) {
    const int number = std::countr_zero(bit);
    if (number >= kFirstTrait) {
      add(std::string(kTraits[static_cast<std::size_t>(number - kFirstTrait)]));
    } else if (number >= kFirstForm) {
      const auto form = static_cast<std::size_t>(number - kFirstForm);
      add(kForms[form] == "register" ? "without isSetMask"
                                     : fmt::format("in form {}", kForms[form]));
    } else {
      add(fmt::format("of {}", isa::Name(static_cast<isa::DType>(number))));
    }
  }
  return text;
}

}  // namespace lanediff::audit
