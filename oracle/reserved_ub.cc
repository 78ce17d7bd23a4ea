#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/lane_list.h"
#include "oracle/memory_map.h"
#include "oracle/operations.h"
#include "oracle/trowprod_rules.h"

namespace lanediff::oracle {
namespace {

struct Window {
  isa::Position position;
  ByteSpan bytes;
};

void List(const isa::Operand& operand, std::int64_t,
          std::vector<Window>& windows) {
  const Address first = operand.at;
  windows.push_back(
      {operand.position, {.first = first, .end = first + operand.bytes}});
}

void List(const isa::Tile& tile, std::int64_t element_bytes,
          std::vector<Window>& windows) {
  if (const auto bytes = WindowOf(tile, element_bytes)) {
    windows.push_back({tile.position, *bytes});
  }
}

/// The windows of a step with the positions that they are at.
std::vector<Window> WindowsOf(const isa::Step& step) {
  std::vector<Window> windows;
  std::visit(
      [&]<class S>(const S& s) {
        if constexpr (std::same_as<S, isa::Trowprod>) {
          for (const isa::Tile* tile : {&s.dst, &s.src, &s.tmp}) {
            List(*tile, ElementBytes(s.dtype), windows);
          }
        } else if constexpr (std::same_as<S, isa::Call>) {
          for (const isa::Operand& operand : s.used_operands()) {
            List(operand, 1, windows);
          }
        } else {
          if constexpr (requires { s.dst; }) List(s.dst, 1, windows);
          if constexpr (requires { s.src; }) List(s.src, 1, windows);
        }
      },
      step);
  return windows;
}

/// 8 KiB; the last 256 bytes among them can't be had by any option.
constexpr std::int64_t kReserved = 8 * 1024;

}  // namespace

bool UsesReservedUb(const isa::Step& step, isa::Product product,
                    isa::Edition edition) {
  const bool is_described =
      edition == isa::Edition::k2026 &&
      (product == isa::Product::kAtlasA2 || product == isa::Product::kAtlasA3);
  if (!is_described) return false;
  const Address end = CapacityOf(product, isa::Memory::kUb).value();
  const ByteSpan reserved{.first = end - kReserved, .end = end};
  return std::ranges::any_of(WindowsOf(step), [&](const Window& window) {
    return MemoryOf(product, window.position) == isa::Memory::kUb &&
           ShareBytes(window.bytes, reserved);
  });
}

}  // namespace lanediff::oracle
