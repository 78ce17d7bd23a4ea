#include "differential/memory/windows.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>

#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff::view {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// a · b of two sizes, kept at the largest number; 0 if one is negative.
std::int64_t Product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (a < 0 || b < 0) return 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

struct WindowCollector : isa::FieldVisitor<WindowCollector> {
  explicit WindowCollector(isa::Product p) : product(p) {}

  void Word(std::string_view, const isa::DType& type) { dtype = type; }
  template <class E>
  void Word(std::string_view, const E&) {}

  void Add(std::string_view name, isa::Position position,
           const std::optional<isa::DType>& own, std::int64_t at,
           std::int64_t bytes) {
    windows.push_back({std::string(name), position,
                       isa::MemoryAt(product, position), own.value_or(dtype),
                       at, bytes});
  }
  void Operand(std::string_view name, const isa::Operand& operand) {
    Add(name, operand.position, operand.dtype, operand.at,
        std::max<std::int64_t>(operand.bytes, 0));
  }
  void Tile(std::string_view name, const isa::Tile& tile) {
    Add(name, tile.position, tile.dtype, tile.at,
        Product(Product(tile.rows, tile.cols),
                isa::SizeBytes(tile.dtype.value_or(dtype))));
  }

  isa::Product product;
  isa::DType dtype = isa::DType::kUint8;
  std::vector<Window> windows;
};

}  // namespace

std::int64_t Window::end() const {
  std::int64_t sum = 0;
  return __builtin_add_overflow(at, bytes, &sum) ? kMost : sum;
}

std::vector<Window> WindowsOf(const isa::Step& step, isa::Product product) {
  WindowCollector collector(product);
  std::visit([&](const auto& s) { s.Fields(s, collector); }, step);
  return std::move(collector.windows);
}

std::vector<SharedBytes> SharedBytesOf(const std::vector<Window>& windows) {
  std::vector<SharedBytes> all;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    for (std::size_t j = i + 1; j < windows.size(); ++j) {
      const Window& a = windows[i];
      const Window& b = windows[j];
      if (a.memory != b.memory) continue;
      const std::int64_t at = std::max(a.at, b.at);
      const std::int64_t end = std::min(a.end(), b.end());
      if (at >= end) continue;
      all.push_back({a.operand, b.operand, a.memory, at, end - at});
    }
  }
  return all;
}

}  // namespace lanediff::view
