#include "view/fields.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "case/element.h"
#include "isa/form.h"
#include "isa/operand.h"

namespace lanediff::view {
namespace {

/// Shows a step's fields under the document's names.
struct FieldPrinter {
  std::vector<FieldText> fields = {};

  void Add(std::string_view name, std::string value) {
    fields.push_back({std::string(name), std::move(value)});
  }
  template <class E>
  void Word(std::string_view name, const E& word) {
    Add(name, std::string(isa::Name(word)));
  }
  void Integer(std::string_view name, const std::int64_t& value) {
    Add(name, std::to_string(value));
  }
  void HexWord(std::string_view name, const std::uint64_t& value) {
    Add(name, fmt::format("0x{:x}", value));
  }
  void Flag(std::string_view name, const bool& flag, bool = false) {
    Add(name, flag ? "true" : "false");
  }
  void Tile(std::string_view name, const isa::Tile& tile) {
    Add(name,
        fmt::format(
            "{} at {} ({}×{} {}, valid {}×{}{})", isa::Name(tile.position),
            tile.at, tile.rows, tile.cols, isa::Name(tile.layout),
            tile.valid_row, tile.valid_col,
            tile.dtype ? ", " + std::string(isa::Name(*tile.dtype)) : ""));
  }
  template <class E>
  void OptionalWord(std::string_view name, const std::optional<E>& word) {
    Add(name, std::string(word ? isa::Name(*word) : "not asked for"));
  }
  void MaskWords(std::string_view name,
                 const std::array<std::uint64_t, 2>& words) {
    Add(name, fmt::format("[0x{:x}, 0x{:x}]", words[0], words[1]));
  }
  void Element(std::string_view name, isa::DType dtype,
               const std::uint64_t& bits) {
    Add(name, DescribeElement(dtype, bits));
  }
  template <class T>
  void Group(std::string_view, const T& group) {
    T::Fields(group, *this);
  }
  template <std::size_t N>
  void Form(const std::uint8_t&, const std::array<isa::FormKey, N>&) {}
  void Operand(std::string_view name, const isa::Operand& operand) {
    Add(name, fmt::format("{} at {} ({} bytes{})", isa::Name(operand.position),
                          operand.at, operand.bytes,
                          operand.dtype
                              ? ", " + std::string(isa::Name(*operand.dtype))
                              : ""));
  }
};

}  // namespace

std::vector<FieldText> FieldTexts(const isa::Step& step) {
  FieldPrinter printer;
  std::visit([&](const auto& s) { s.Fields(s, printer); }, step);
  return std::move(printer.fields);
}

}  // namespace lanediff::view
