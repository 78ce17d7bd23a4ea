#include "differential/targets/capabilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
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

/// The type of the parameter `name` of `s`; nothing where none is declared.
template <class S>
std::optional<IntegerType> TypeIn([[maybe_unused]] const S& s,
                                  std::string_view name) {
  if constexpr (std::is_same_v<S, isa::Call>) {
    if (s.signature->family == isa::Family::kReduction) return kInt32;
    if (name == "count") return kInt32;
    if (name == "mask") return kUint64;
    const auto spec =
        std::ranges::find(s.signature->params, name, &isa::ParamSpec::name);
    const bool wide =
        isa::IsBlkStride(spec->param) && s.signature->sources() < 2;
    return wide ? kUint16 : kUint8;
  } else if constexpr (std::is_same_v<S, isa::DataCopy>) {
    return name == "count" ? kUint32 : kUint16;
  } else if constexpr (std::is_same_v<S, isa::GetValue> ||
                       std::is_same_v<S, isa::SetValue>) {
    return kUint32;
  } else {
    return std::nullopt;
  }
}

template <class S>
struct Finder : isa::FieldVisitor<Finder<S>> {
  explicit Finder(const S& s) : step(s) {}
  void Integer(std::string_view name, const std::int64_t& value) {
    const auto type = TypeIn(step, name);
    if (beyond || !type || (type->low <= value && value <= type->high)) return;
    beyond = fmt::format("{} {} ({})", name, value, type->name);
  }
  const S& step;
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
  std::visit(
      [&]<class Step>(const Step& s) {
        s.Fields(s, fields);
        // Steps that set machine state are no instructions of their own.
        if constexpr (isa::Intrinsic<Step>) {
          if (Lacks(can.instructions, isa::OpOf(s))) {
            fields.beyond =
                fmt::format("instructions without {}", isa::OpOf(s));
          }
        }
        const auto form = FormWord(step);
        if (!fields.beyond && !form.empty() && Lacks(can.forms, form)) {
          fields.beyond = fmt::format("forms without {}", form);
        }
        if constexpr (requires { s.enabled; }) {
          if (Lacks(can.saturation, s.enabled)) {
            fields.beyond =
                fmt::format("saturation without {}", s.enabled ? "on" : "off");
          }
        }
      },
      step);
  return fields.beyond;
}

}  // namespace

bool& MakesAnyNumber() {
  static bool makes = false;
  return makes;
}

std::optional<std::string> BeyondPrototype(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) {
        Finder<S> finder(s);
        s.Fields(s, finder);
        return finder.beyond;
      },
      step);
}
std::optional<Case> InOrderOf(const Case& c, const Capabilities& can) {
  const bool its_own = can.orders && !can.orders->empty() &&
                       can.orders->front() != isa::Order::kDocumented;
  if (!its_own) return std::nullopt;
  std::optional<Case> ordered;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const auto* const call = std::get_if<isa::Trowprod>(&c.program[i]);
    if (call == nullptr || call->order) continue;
    if (!ordered) ordered = c;
    std::get<isa::Trowprod>(ordered->program[i]).order = can.orders->front();
  }
  return ordered;
}

bool Claims(const Capabilities& can, std::string_view slug) {
  const isa::Instruction* const instruction = isa::FindInstruction(slug);
  if (instruction == nullptr) return true;
  const auto lacks = [&](isa::DType type) { return Lacks(can.dtypes, type); };
  const auto& types = instruction->dtypes;
  return !Lacks(can.instructions, instruction->op) &&
         (types.empty() || !std::ranges::all_of(types, lacks));
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
