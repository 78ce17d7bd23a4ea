#include <algorithm>
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

Window WindowOfOperand(const isa::Operand& operand) {
  const Address first = operand.at;
  return {operand.position, {.first = first, .end = first + operand.bytes}};
}

/// The windows of a step with the positions that they are at.
std::vector<Window> WindowsOf(const isa::Step& step) {
  if (const auto* get = std::get_if<isa::GetValue>(&step)) {
    return {WindowOfOperand(get->src)};
  }
  if (const auto* set = std::get_if<isa::SetValue>(&step)) {
    return {WindowOfOperand(set->dst)};
  }
  std::vector<Window> windows;
  const auto* call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return windows;
  for (const isa::Operand& operand : call->used_operands()) {
    windows.push_back(WindowOfOperand(operand));
  }
  for (const isa::Tile& tile : call->used_tiles()) {
    const auto bytes = WindowOf(tile, ElementBytes(call->dtype));
    if (bytes) windows.push_back({tile.position, *bytes});
  }
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
