#include "differential/targets/capabilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "differential/compare/signature.h"
#include "differential/targets/prototypes.h"
#include "isa/catalogue.h"
#include "isa/fields.h"

namespace lanediff::diff {
namespace {

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
        if constexpr (requires { Step::kSlug; }) {
          if (Lacks(can.instructions, Step::kOp)) {
            fields.beyond = fmt::format("instructions without {}", Step::kOp);
          }
        }
        if constexpr (requires { Step::kForms; }) {
          const auto form = FormWord(step);
          if (!fields.beyond && Lacks(can.forms, form)) {
            fields.beyond = fmt::format("forms without {}", form);
          }
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
  return instruction == nullptr || !Lacks(can.instructions, instruction->op);
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
