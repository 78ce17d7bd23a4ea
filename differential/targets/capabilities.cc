#include "differential/targets/capabilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <variant>

#include "differential/compare/signature.h"
#include "isa/catalogue.h"
#include "isa/fields.h"

namespace lanediff::diff {
namespace {

/// A type of a prototype, as far as fields, which have 64 bits and a sign, go.
struct IntegerType {
  std::string_view name;
  std::int64_t low;
  std::int64_t high;
};

template <class T>
constexpr IntegerType TypeOf(std::string_view name) {
  using Wide = std::numeric_limits<std::int64_t>;
  using Own = std::numeric_limits<T>;
  return {name, static_cast<std::int64_t>(Own::min()),
          sizeof(T) == sizeof(std::int64_t)
              ? Wide::max()
              : static_cast<std::int64_t>(Own::max())};
}

constexpr IntegerType kUint8 = TypeOf<std::uint8_t>("uint8_t");
constexpr IntegerType kUint16 = TypeOf<std::uint16_t>("uint16_t");
constexpr IntegerType kUint32 = TypeOf<std::uint32_t>("uint32_t");
constexpr IntegerType kUint64 = TypeOf<std::uint64_t>("uint64_t");
constexpr IntegerType kInt32 = TypeOf<std::int32_t>("int32_t");

/// The type of the parameter `name` of `step`; nothing where none is declared.
std::optional<IntegerType> TypeIn(const isa::Step& step,
                                  std::string_view name) {
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) {
    const bool moves_one = std::holds_alternative<isa::GetValue>(step) ||
                           std::holds_alternative<isa::SetValue>(step);
    return moves_one ? std::optional(kUint32) : std::nullopt;
  }
  const isa::Signature& row = *call->signature;
  const isa::Param param = isa::ParamOf(row, name).value();
  switch (row.family) {
    case isa::Family::kLanewise:
      if (param == isa::Param::kCount) return kInt32;
      if (param == isa::Param::kMask) return kUint64;
      return isa::IsBlkStride(param) && row.sources() < 2 ? kUint16 : kUint8;
    case isa::Family::kReduction:
      return kInt32;
    case isa::Family::kCopy:
      switch (param) {
        case isa::Param::kCount:
          return kUint32;
        case isa::Param::kBlockCount:
          return kUint16;
        case isa::Param::kLeftPadding:
        case isa::Param::kRightPadding:
          return kUint8;
        default:
          return row.Has(isa::Param::kIsPad) ? kUint32 : kUint16;
      }
    case isa::Family::kBroadcast:
      return param == isa::Param::kRepeatTimes ? kUint8 : kUint16;
    case isa::Family::kTranspose:
    case isa::Family::kTile:
      break;
  }
  return std::nullopt;
}

struct Finder : isa::FieldVisitor<Finder> {
  explicit Finder(const isa::Step& s) : step(s) {}
  void Integer(std::string_view name, const std::int64_t& value) {
    const auto type = TypeIn(step, name);
    if (beyond || !type || (type->low <= value && value <= type->high)) return;
    beyond = fmt::format("{} {} ({})", name, value, type->name);
  }
  const isa::Step& step;
  std::optional<std::string> beyond;
};

template <class T, class U>
bool Lacks(const std::optional<std::vector<T>>& list, const U& wanted) {
  return list && std::ranges::find(*list, wanted) == list->end();
}

/// What of a step's fields is beyond them.
struct UnsupportedFields : isa::FieldVisitor<UnsupportedFields> {
  explicit UnsupportedFields(const Capabilities& c) : can(c) {}

  void Word(std::string_view, const isa::DType& word) { Check(word); }
  template <class T>
  void Word(std::string_view, const T&) {}
  void Operand(std::string_view, const isa::Operand& operand) {
    if (operand.dtype) Check(*operand.dtype);
  }
  void Tile(std::string_view, const isa::Tile& tile) {
    if (tile.dtype) Check(*tile.dtype);
  }
  void OptionalWord(std::string_view, const std::optional<isa::Order>& order) {
    if (order && Lacks(can.orders, *order)) {
      beyond = fmt::format("orders without {}", isa::Name(*order));
    }
  }
  void Check(isa::DType dtype) {
    if (Lacks(can.dtypes, dtype)) {
      beyond = fmt::format("dtypes without {}", isa::Name(dtype));
    }
  }

  const Capabilities& can;
  std::optional<std::string> beyond;
};

std::optional<std::string> BeyondIn(const isa::Step& step,
                                    const Capabilities& can) {
  UnsupportedFields fields(can);
  std::visit([&](const auto& s) { s.Fields(s, fields); }, step);
  // Steps that set machine state are no instructions of their own.
  if (isa::IsCall(step) && Lacks(can.instructions, isa::OpName(step))) {
    fields.beyond = fmt::format("instructions without {}", isa::OpName(step));
  }
  const auto form = FormWord(step);
  if (!fields.beyond && !form.empty() && Lacks(can.forms, form)) {
    fields.beyond = fmt::format("forms without {}", form);
  }
  const auto* const mode = std::get_if<isa::SetSaturation>(&step);
  if (mode != nullptr && Lacks(can.saturation, mode->enabled)) {
    fields.beyond =
        fmt::format("saturation without {}", mode->enabled ? "on" : "off");
  }
  return fields.beyond;
}

}  // namespace

bool& MakesAnyNumber() {
  static bool makes = false;
  return makes;
}

std::optional<std::string> BeyondPrototype(const isa::Step& step) {
  Finder finder(step);
  std::visit([&](const auto& s) { s.Fields(s, finder); }, step);
  return finder.beyond;
}
std::optional<Case> InOrderOf(const Case& c, const Capabilities& can) {
  const bool its_own = can.orders && !can.orders->empty() &&
                       can.orders->front() != isa::Order::kDocumented;
  if (!its_own) return std::nullopt;
  std::optional<Case> ordered;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const auto* const call = std::get_if<isa::Call>(&c.program[i]);
    if (call == nullptr || !call->Has(isa::Param::kOrder)) continue;
    if (call->order) continue;
    if (!ordered) ordered = c;
    std::get<isa::Call>(ordered->program[i]).order = can.orders->front();
  }
  return ordered;
}

bool Claims(const Capabilities& can, std::string_view slug) {
  const isa::Instruction* const instruction = isa::FindInstruction(slug);
  if (instruction == nullptr) return true;
  const auto lacks = [&](isa::DType type) { return Lacks(can.dtypes, type); };
  const auto& types = instruction->dtypes;
  const auto& pairs = instruction->conversions;
  const auto lacks_one = [&](const isa::Instruction::Conversion& pair) {
    return lacks(pair.from) || lacks(pair.to);
  };
  const isa::Signature* const row = isa::FindSignature(instruction->op);
  if (row != nullptr && row->PacksBits() && lacks(isa::DType::kUint8)) {
    return false;
  }
  return !Lacks(can.instructions, instruction->op) &&
         (types.empty() || !std::ranges::all_of(types, lacks)) &&
         (pairs.empty() || !std::ranges::all_of(pairs, lacks_one));
}

std::optional<std::string> BeyondCapabilities(const Case& c,
                                              const Capabilities& can) {
  const bool any_number =
      can.legality != Capabilities::Legality::kNone || MakesAnyNumber();
  for (const isa::Step& step : c.program) {
    if (any_number) break;
    if (const auto beyond = BeyondPrototype(step)) {
      return "numbers without " + *beyond;
    }
  }
  return BeyondClaims(c, can);
}

std::optional<std::string> BeyondClaims(const Case& c,
                                        const Capabilities& can) {
  if (Lacks(can.products, c.product)) {
    return fmt::format("products without {}", isa::Name(c.product));
  }
  // A list of instructions names none that only kernels call.
  if ((!can.kernels || can.instructions) &&
      std::ranges::any_of(c.program, isa::IsOfKernel)) {
    return "programs without steps of kernels";
  }
  if (!can.instructions && !can.dtypes && !can.orders && !can.saturation &&
      !can.forms) {
    return std::nullopt;
  }
  for (const isa::Step& step : c.program) {
    if (auto beyond = BeyondIn(step, can)) return beyond;
  }
  return std::nullopt;
}

}  // namespace lanediff::diff
