#include "oracle/reserved_ub.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/fields.h"
#include "oracle/lane_list.h"
#include "oracle/memory_map.h"
#include "oracle/trowprod_rules.h"

namespace lanediff::oracle {
namespace {

/// The windows of a step with the positions that they are at.
struct WindowLister : isa::FieldVisitor<WindowLister> {
  struct Window {
    isa::Position position;
    ByteSpan bytes;
  };

  void Operand(std::string_view, const isa::Operand& operand) {
    const Address first = operand.at;
    windows.push_back(
        {operand.position, {.first = first, .end = first + operand.bytes}});
  }
  void Tile(std::string_view, const isa::Tile& tile) {
    if (const auto bytes = WindowOf(tile, element_bytes)) {
      windows.push_back({tile.position, *bytes});
    }
  }

  std::int64_t element_bytes = 1;
  std::vector<Window> windows;
};

/// 8 KiB; the last 256 bytes among them can't be had by any option.
constexpr std::int64_t kReserved = 8 * 1024;

}  // namespace

bool UsesReservedUb(const isa::Step& step, isa::Product product,
                    isa::Edition edition) {
  const bool is_described =
      edition == isa::Edition::k2026 &&
      (product == isa::Product::kAtlasA2 || product == isa::Product::kAtlasA3);
  if (!is_described) return false;
  WindowLister lister;
  if (const auto* const call = std::get_if<isa::Trowprod>(&step)) {
    lister.element_bytes = ElementBytes(call->dtype);
  }
  std::visit([&](const auto& s) { s.Fields(s, lister); }, step);

  const Address end = CapacityOf(product, isa::Memory::kUb).value();
  const ByteSpan reserved{.first = end - kReserved, .end = end};
  return std::ranges::any_of(lister.windows, [&](const auto& window) {
    return MemoryOf(product, window.position) == isa::Memory::kUb &&
           ShareBytes(window.bytes, reserved);
  });
}

}  // namespace lanediff::oracle
