#include "differential/records/rejection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

namespace lanediff::lint {

std::string Text(const SlotValue& value) {
  return std::visit(
      []<class T>(const T& v) -> std::string {
        if constexpr (std::is_same_v<T, std::int64_t>) {
          return fmt::format("{}", v);
        } else if constexpr (std::is_same_v<T, std::uint64_t>) {
          return fmt::format("0x{:x}", v);
        } else if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::optional<isa::DType>>) {
          return v ? std::string(isa::Name(*v)) : "none";
        } else {
          return std::string(isa::Name(v));
        }
      },
      value);
}

std::string TextOf(const Repair& repair) {
  std::string text = repair.text;
  const std::size_t count = repair.then_rejected.size();
  if (count > 0) {
    text += fmt::format("; step{} {} {} then rejected", count == 1 ? "" : "s",
                        fmt::join(repair.then_rejected, ", "),
                        count == 1 ? "is" : "are");
  }
  return text;
}

}  // namespace lanediff::lint
