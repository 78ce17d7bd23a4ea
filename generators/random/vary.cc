#include "generators/random/vary.h"

#include <string_view>
#include <variant>
#include <vector>

#include "differential/testcase/fit_memories.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

/// Of GM, which has no capacity, so much is used.
constexpr std::int64_t kSpaceInGmBytes = 256 << 10;
/// Operands begin at multiples of it, whatever they are aligned to.
constexpr std::int64_t kAlignmentBytes = 512;

/// Any value of the range that the catalogue has for a field; a neighbour of
/// `now` where it has none.
std::int64_t LegalInteger(Random& random, std::string_view op,
                          std::string_view name, std::int64_t now) {
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field == name) return random.Between(range.low, range.high);
    }
  }
  const auto bits = static_cast<std::uint64_t>(now);
  return static_cast<std::int64_t>(
      bits + static_cast<std::uint64_t>(random.Between(-64, 64)));
}

void VaryField(Random& random, isa::Step& step,
               std::span<const std::int64_t> hints) {
  struct Integer {
    std::string_view name;
    std::int64_t* value;
  };
  std::vector<Integer> integers;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (auto* const* value = std::get_if<std::int64_t*>(&field.value)) {
      integers.push_back({field.name, *value});
    }
  }
  if (integers.empty()) return;
  const Integer one = random.Pick(integers);
  *one.value =
      !hints.empty() && random.Percent(50)
          ? random.Pick(hints)
          : LegalInteger(random, isa::OpName(step), one.name, *one.value);
}

/// Equal parts of their memory for the operands of `step`.
void Spread(isa::Step& step, Case& c) {
  std::vector<isa::Operand*> operands;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (auto* const* operand = std::get_if<isa::Operand*>(&field.value)) {
      operands.push_back(*operand);
    }
  }
  std::int64_t part = 0;
  for (isa::Operand* const operand : operands) {
    const auto memory = isa::MemoryAt(c.product, operand->position);
    const std::int64_t capacity = isa::CapacityBytes(c.product, memory);
    const std::int64_t all = capacity > 0 ? capacity : kSpaceInGmBytes;
    const auto count = static_cast<std::int64_t>(operands.size());
    operand->bytes = all / count / kAlignmentBytes * kAlignmentBytes;
    operand->at = part++ * operand->bytes;
    auto& image = c.memory[static_cast<std::size_t>(memory)];
    if (image && image->size < all) image->size = all;
  }
}

}  // namespace

void Vary(Random& random, Case& c, std::span<const std::int64_t> hints) {
  if (c.program.empty()) return;
  isa::Step& step = c.program[static_cast<std::size_t>(
      random.Between(0, static_cast<std::int64_t>(c.program.size()) - 1))];
  VaryField(random, step, hints);
  if (random.Percent(25)) Spread(step, c);
  MakeWellFormed(c);
}

}  // namespace lanediff::make
