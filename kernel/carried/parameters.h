#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "isa/carried.h"
#include "kernel/carried/carried.h"

/// What a call was given, by the documents' names.
namespace lanediff::kernel::carried {

using Names = std::initializer_list<std::string_view>;

/// Reads the parameters of a call and records their ranges of the page.
class Parameters {
 public:
  /// `plan`, if any, gets every parameter of the call, in its order.
  explicit Parameters(const CarriedCall& call, CarriedPlan* plan = nullptr);

  const CarriedCall& call() const { return call_; }
  CarriedPlan* plan() const { return plan_; }

  /// The first of `names` that the call has, or `otherwise`; what lies outside
  /// of [low, high] counts as the nearer end, what is no multiple as the next
  /// lower one, and breaks KRN-RANGE.
  std::int64_t Get(Names names, std::int64_t low, std::int64_t high,
                   std::int64_t otherwise, std::int64_t multiple = 1);
  std::int64_t Get(std::string_view name, std::int64_t low, std::int64_t high,
                   std::int64_t otherwise, std::int64_t multiple = 1) {
    return Get(Names{name}, low, high, otherwise, multiple);
  }
  /// Its value, of a list, ascending: another one counts as the next lower one.
  std::int64_t GetOf(std::string_view name,
                     std::initializer_list<std::int64_t> values,
                     std::int64_t otherwise);
  /// A number that stands in no parameter of the call: a mask or a scalar.
  std::int64_t Add(std::string_view name, std::int64_t value, std::int64_t low,
                   std::int64_t high);
  /// The multiple at or below a value; KRN-RANGE of what is none.
  std::int64_t Rounded(std::string_view name, std::int64_t value,
                       std::int64_t multiple);
  void Add(std::string_view name, std::string text);

 private:
  const CarriedCall& call_;
  CarriedPlan* plan_;
};

/// Bits of an element; 0 for no type.
std::int64_t BitsOf(std::uint8_t dtype);
/// "half", "int4b_t", … as messages have it.
std::string_view DTypeName(std::uint8_t dtype);

/// Why a call is refused; thrown by what resolves it.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Index of the operand called so.
std::optional<std::uint32_t> Find(const CarriedCall& call,
                                  isa::OperandName name);
/// The same; `other` is looked at where it is missing. Throws Refused, as what
/// follows does.
std::uint32_t Require(const CarriedCall& call, isa::OperandName name,
                      std::optional<isa::OperandName> other = std::nullopt);
/// 16 or 32, the bits of an element.
std::int64_t Require16Or32(const CarriedCall& call, std::uint8_t dtype);
/// Whether it is half; else it is float.
bool RequireHalfOrFloat(const CarriedCall& call, std::uint8_t dtype);
/// Both operands are of one type.
void RequireSame(const CarriedCall& call, std::uint32_t src, std::uint32_t dst);
/// The scalar is of this type.
void RequireScalar(const CarriedCall& call, std::uint8_t dtype);

/// "Adds of int8_t".
std::string RefusedType(const CarriedCall& call, std::uint8_t dtype);
/// "Axpy from float to half".
std::string RefusedPair(const CarriedCall& call, std::uint8_t src,
                        std::uint8_t dst);

/// atlas-a2 and atlas-a3, of which the same pages speak.
bool IsA2(isa::Product product);

}  // namespace lanediff::kernel::carried
