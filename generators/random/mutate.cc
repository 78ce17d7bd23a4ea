#include "generators/random/mutate.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <span>

#include "differential/testcase/element.h"
#include "differential/testcase/fit_memories.h"
#include "generators/random/data.h"
#include "generators/random/step_fields.h"
#include "generators/wrapping.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

template <class E>
E AnyWord(Random& random) {
  return static_cast<E>(
      random.Between(0, static_cast<std::int64_t>(isa::kCount<E>) - 1));
}

/// A distance by which an operand moves: bytes, elements, half blocks, blocks.
std::int64_t Distance(Random& random) {
  const auto size = random.OneOf<std::int64_t>({1, 2, 4, 16, 32, 64, 256, 512});
  return random.Percent(50) ? size : -size;
}

void MutateOperand(Random& random, isa::Operand& operand) {
  switch (random.Between(0, 9)) {
    case 0:
      operand.position = AnyWord<isa::Position>(random);
      break;
    case 1:
      if (operand.dtype) {
        operand.dtype.reset();
      } else {
        operand.dtype = AnyWord<DType>(random);
      }
      break;
    case 2:
      operand.at = random.OneOf({kLowest, kHighest, std::int64_t{-1},
                                 std::int64_t{0}, kHighest - 31});
      break;
    case 3:
      operand.bytes =
          random.OneOf({kLowest, kHighest, std::int64_t{-1}, std::int64_t{0}});
      break;
    case 4:
    case 5:
      operand.bytes = WrappingSum(operand.bytes, Distance(random));
      break;
    default:
      operand.at = WrappingSum(operand.at, Distance(random));
      break;
  }
}

void MutateTile(Random& random, isa::Tile& tile) {
  const auto nudge = [&](std::int64_t& value) {
    value =
        WrappingSum(value, random.OneOf<std::int64_t>({-16, -8, -1, 1, 8, 16}));
  };
  switch (random.Between(0, 9)) {
    case 0:
      tile.position = AnyWord<isa::Position>(random);
      break;
    case 1:
      tile.dtype = AnyWord<DType>(random);
      break;
    case 2:
      tile.layout = AnyWord<isa::Layout>(random);
      break;
    case 3:
      tile.rows = random.OneOf({kLowest, kHighest, std::int64_t{0}});
      break;
    case 4:
      nudge(tile.rows);
      break;
    case 5:
      nudge(tile.cols);
      break;
    case 6:
      nudge(tile.valid_row);
      break;
    case 7:
      nudge(tile.valid_col);
      break;
    case 8:
      tile.valid_col = tile.valid_col == 0 ? tile.cols : 0;
      break;
    default:
      tile.at = random.Percent(10) ? random.OneOf({kLowest, kHighest})
                                   : WrappingSum(tile.at, Distance(random));
      break;
  }
}

/// Any value within thrice the range of the field, so that some are legal.
std::int64_t UniformInteger(Random& random, std::string_view op,
                            std::string_view name) {
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field != name) continue;
      const std::int64_t width = range.high - range.low + 1;
      return random.Between(range.low - width, range.high + width);
    }
  }
  return random.Between(-65536, 65536);
}

/// Changes the value behind a field reference.
struct FieldMutator {
  Random& random;
  std::string_view op;
  std::string_view name;
  Style style;

  void operator()(std::int64_t* value) const {
    *value = style == Style::kUniform
                 ? UniformInteger(random, op, name)
                 : InterestingInteger(random, op, name, *value);
  }
  void operator()(std::uint64_t* word) const {
    switch (random.Between(0, 3)) {
      case 0:
        *word ^= std::uint64_t{1} << random.Between(0, 63);
        break;
      case 1:
        *word = random.OneOf({std::uint64_t{0}, ~std::uint64_t{0},
                              std::uint64_t{1}, std::uint64_t{1} << 63});
        break;
      case 2:
        *word = ~*word;
        break;
      default:
        *word = random.Bits();
        break;
    }
  }
  void operator()(bool* flag) const { *flag = !*flag; }
  template <class E>
  void operator()(E* word) const {
    *word = AnyWord<E>(random);
  }
  template <class E>
  void operator()(std::optional<E>* word) const {
    if (*word && random.Percent(30)) {
      word->reset();
    } else {
      *word = AnyWord<E>(random);
    }
  }
  void operator()(isa::FormRef form) const {
    *form.form = static_cast<std::uint8_t>(
        random.Between(0, static_cast<std::int64_t>(form.count) - 1));
  }
  void operator()(isa::Tile* tile) const {
    if (style == Style::kUniform) {
      auto* const value =
          random.OneOf({&tile->at, &tile->rows, &tile->cols, &tile->valid_row});
      *value = random.Between(0, 2 * std::abs(*value % 1048576) + 64);
    } else {
      MutateTile(random, *tile);
    }
  }
  void operator()(isa::Operand* operand) const {
    if (style == Style::kUniform) {
      auto* const value = random.OneOf({&operand->at, &operand->bytes});
      *value = random.Between(0, 2 * std::abs(*value % 1048576) + 64);
    } else {
      MutateOperand(random, *operand);
    }
  }
};

isa::Step& AnyStep(Random& random, Case& c) {
  return c.program[static_cast<std::size_t>(
      random.Between(0, static_cast<std::int64_t>(c.program.size()) - 1))];
}

void MutateField(Random& random, Case& c, Style style) {
  isa::Step& step = AnyStep(random, c);
  const auto fields = isa::FieldsOf(step);
  if (fields.empty()) return;  // of SetMaskCount and the like
  const isa::FieldRef field = random.Pick(fields);
  std::visit(FieldMutator{random, isa::OpName(step), field.name, style},
             field.value);
  if (std::holds_alternative<isa::FormRef>(field.value)) {
    ClearHiddenFields(step);
  }
  if (auto* const set = std::get_if<isa::SetValue>(&step)) {
    set->value &= ~std::uint64_t{0} >> (64 - 8 * isa::SizeBytes(set->dtype));
  }
}

/// One element of one region; false if there is none.
bool MutateElement(Random& random, Case& c) {
  std::vector<Region*> regions;
  for (auto& image : c.memory) {
    if (!image) continue;
    for (Region& region : image->regions) {
      if (!region.bytes.empty()) regions.push_back(&region);
    }
  }
  if (regions.empty()) return false;
  Region& region = *random.Pick(regions);
  const DType type = region.dtype.value_or(DType::kUint8);
  const auto size = static_cast<std::size_t>(isa::SizeBytes(type));
  const auto count = static_cast<std::int64_t>(region.bytes.size() / size);
  if (count == 0) return false;
  const auto at = static_cast<std::size_t>(random.Between(0, count - 1)) * size;
  const std::uint64_t old =
      LoadElement(type, std::span(region.bytes).subspan(at));
  const std::uint64_t bits =
      random.Percent(50)
          ? SpecialElement(random, type)
          : old ^ std::uint64_t{1} << random.Between(
                      0, static_cast<std::int64_t>(size) * 8 - 1);
  std::vector<std::uint8_t> element;
  AppendElement(type, bits, element);
  std::ranges::copy(element,
                    region.bytes.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

}  // namespace

std::int64_t InterestingInteger(Random& random, std::string_view op,
                                std::string_view name, std::int64_t now) {
  if (random.Percent(40))
    return WrappingSum(now, random.OneOf<std::int64_t>({-1, 1}));
  constexpr std::array<std::int64_t, 12> kUsual = {
      0, 1, -1, 2, 7, 8, 9, 16, 255, 256, kLowest, kHighest};
  // Three numbers around each end of each range that the field has.
  std::array<std::int64_t, 48> choices;
  std::size_t count = 0;
  const auto add = [&](std::int64_t value) {
    if (count < choices.size()) choices[count++] = value;
  };
  for (std::int64_t value : kUsual) add(value);
  add(WrappingSum(now, now));
  add(random.Between(0, 300));
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field != name) continue;
      for (int d = -1; d <= 1; ++d) {
        add(WrappingSum(range.low, d));
        add(WrappingSum(range.high, d));
      }
    }
  }
  return random.Pick(std::span(choices).first(count));
}

void Mutate(Random& random, Case& c, Style style) {
  const std::int64_t kind = random.Between(0, 99);
  if (kind < 15 && MutateElement(random, c)) return;
  if (kind < 95) {
    MutateField(random, c, style);
  } else if (kind < 97) {
    c.product = AnyWord<isa::Product>(random);
  } else if (kind < 98) {
    c.edition = AnyWord<isa::Edition>(random);
  } else {
    std::swap(AnyStep(random, c), AnyStep(random, c));
  }
  MakeWellFormed(c);
}

}  // namespace lanediff::make
