#include "differential/targets/prototypes.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

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

/// The type of the parameter `name`; nothing where none is declared.
template <class S>
std::optional<IntegerType> TypeIn(std::string_view name) {
  if constexpr (isa::Elementwise<S>) {
    if (name == "count") return kInt32;
    return name == "mask" ? kUint64 : kUint8;
  } else if constexpr (std::is_same_v<S, isa::DataCopy>) {
    return name == "count" ? kUint32 : kUint16;
  } else if constexpr (std::is_same_v<S, isa::RepeatReduceSum> ||
                       std::is_same_v<S, isa::WholeReduceSum>) {
    return kInt32;
  } else if constexpr (std::is_same_v<S, isa::GetValue> ||
                       std::is_same_v<S, isa::SetValue>) {
    return kUint32;
  } else {
    return std::nullopt;
  }
}

template <class S>
struct Finder : isa::FieldVisitor<Finder<S>> {
  void Integer(std::string_view name, const std::int64_t& value) {
    const auto type = TypeIn<S>(name);
    if (beyond || !type || (type->low <= value && value <= type->high)) return;
    beyond = fmt::format("{} {} ({})", name, value, type->name);
  }
  std::optional<std::string> beyond;
};

}  // namespace

bool& MakesAnyNumber() {
  static bool makes = false;
  return makes;
}

std::optional<std::string> BeyondPrototype(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) {
        Finder<S> finder;
        s.Fields(s, finder);
        return finder.beyond;
      },
      step);
}

}  // namespace lanediff::diff
