#include "reports/trace/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "isa/operand.h"
#include "isa/signature.h"
#include "reports/trace/fields.h"

namespace lanediff::view {
namespace {

/// STATE-MASK-REGISTER: what an executed step does to the register; empty if
/// nothing.
std::string MaskEffect(const isa::Step& step, const isa::StepResult& result) {
  if (std::holds_alternative<isa::SetVectorMask>(step)) return "set by";
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return "";
  if (call->Has(isa::Param::kIsSetMask)) {
    return call->is_set_mask ? "left at its own mask by" : "";
  }
  const bool all =
      result.notes.Contains(call->Rule(isa::CallRule::kClobbersMask));
  return all ? "left all ones by" : "";
}

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
    Add(name, std::string(word ? isa::Name(*word) : "not given"));
  }
  void MaskWords(std::string_view name,
                 const std::array<std::uint64_t, 2>& words) {
    Add(name, fmt::format("[0x{:x}, 0x{:x}]", words[0], words[1]));
  }
  void Element(std::string_view name, isa::DType dtype,
               const std::uint64_t& bits) {
    Add(name, DescribeElement(dtype, bits));
  }
  void Part(std::string_view name, const std::string& text) { Add(name, text); }
  void Part(std::string_view, const isa::Resource& resource) {
    Part("arguments", resource.arguments);
  }
  void Part(std::string_view, const isa::Arguments& arguments) {
    for (const isa::Argument& one : arguments) {
      std::string value = std::visit(
          [](const auto& v) { return fmt::format("{}", v); }, one.value);
      if (one.range) {
        value += fmt::format(" (of {} to {})", one.range->low, one.range->high);
      }
      Add(one.name, std::move(value));
    }
  }
  void Part(std::string_view, const isa::CarriedOperands& operands) {
    for (const auto& one : operands) Operand(isa::Name(one.name), one.operand);
  }
  void Part(std::string_view name, const isa::CarriedMask& mask) {
    if (mask.masked) Add(name, mask.is_set_mask ? "its own" : "the register's");
    if (mask.leaves) {
      Add("leaves",
          fmt::format("{:#x}, {:#x}", (*mask.leaves)[0], (*mask.leaves)[1]));
    }
    if (mask.leaves_unknown) Add("leaves", std::string(isa::kUnknownMask));
  }
  void Part(std::string_view name, const isa::CarriedReads& reads) {
    for (const auto& read : reads) {
      Add(name, fmt::format("{} {} to {}", isa::Name(read.memory), read.at,
                            read.at + read.bytes - 1));
    }
  }
  void Part(std::string_view name, const isa::CarriedWrites& writes) {
    for (const auto& write : writes) {
      Add(name, fmt::format("{} {} to {}", isa::Name(write.memory), write.at,
                            write.at + write.size() - 1));
    }
  }
  template <class T>
  void Group(std::string_view, const T& group) {
    T::Fields(group, *this);
  }
  void Form(const std::uint8_t&, std::span<const isa::FormKey>) {}
  void Operand(std::string_view name, const isa::Operand& operand) {
    Add(name, fmt::format("{} at {} ({} bytes{})", isa::Name(operand.position),
                          operand.at, operand.bytes,
                          operand.dtype
                              ? ", " + std::string(isa::Name(*operand.dtype))
                              : ""));
  }
};

}  // namespace

void History::Add(std::size_t i, const isa::Step& step,
                  const isa::StepResult& result) {
  const std::string effect = MaskEffect(step, result);
  if (!effect.empty()) {
    mask_origin_ = fmt::format("{} step {} {}", effect, i, isa::OpName(step));
  }
  if (const auto* mode = std::get_if<isa::SetSaturation>(&step)) {
    saturation_ = mode->enabled;
  }
}

Lanes LanesOf(const StepFacts& facts, std::string_view operand,
              isa::DType type) {
  constexpr std::size_t kBlocksOfIteration = 8;
  const std::int64_t bytes = isa::SizeBytes(type);
  const auto per_block = static_cast<std::size_t>(32 / bytes);
  Lanes lanes{.drawing = std::string(kBlocksOfIteration * per_block, '.')};
  for (const isa::Access& access : facts.accesses) {
    if (access.iteration != 0) break;
    if (access.operand != operand) continue;
    const auto first = static_cast<std::size_t>(access.lane);
    const auto count = static_cast<std::size_t>(access.bytes / bytes);
    if (lanes.drawing.size() < first + count) {
      lanes.drawing.resize(first + count, '.');
    }
    std::fill_n(lanes.drawing.begin() + access.lane, count, '#');
    lanes.taking_part += static_cast<std::int64_t>(count);
  }
  const std::size_t blocks = (lanes.drawing.size() + per_block - 1) / per_block;
  lanes.drawing.resize(blocks * per_block, '.');
  return lanes;
}

std::vector<FieldText> FieldTexts(const isa::Step& step) {
  FieldPrinter printer;
  std::visit([&](const auto& s) { s.Fields(s, printer); }, step);
  return std::move(printer.fields);
}

}  // namespace lanediff::view
