#include "generators/random/mutate.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "generators/random/data.h"
#include "generators/wrapping.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

/// Calls `visit` with each range that the catalogue has for field `name` of
/// `op`.
template <class Visit>
void ForEachRange(std::string_view op, std::string_view name,
                  const Visit& visit) {
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field == name) visit(range);
    }
  }
}

/// The first of them.
std::optional<isa::Range> RangeOf(std::string_view op, std::string_view name) {
  std::optional<isa::Range> first;
  ForEachRange(op, name, [&](const isa::Range& range) {
    if (!first) first = range;
  });
  return first;
}

/// A distance by which an operand moves: bytes, elements, half blocks, blocks.
std::int64_t Distance(Random& random) {
  const auto size = random.OneOf<std::int64_t>({1, 2, 4, 16, 32, 64, 256, 512});
  return random.Percent(50) ? size : -size;
}

void MutateOperand(Random& random, isa::Operand& operand) {
  switch (random.Between(0, 9)) {
    case 0:
      operand.position = random.AnyWord<isa::Position>();
      break;
    case 1:
      if (operand.dtype) {
        operand.dtype.reset();
      } else {
        operand.dtype = random.AnyWord<DType>();
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
  const std::int64_t kind = random.Between(0, 9);
  switch (kind) {
    case 0:
      tile.position = random.AnyWord<isa::Position>();
      break;
    case 1:
      tile.dtype = random.AnyWord<DType>();
      break;
    case 2:
      tile.layout = random.AnyWord<isa::Layout>();
      break;
    case 3:
      tile.rows = random.OneOf({kLowest, kHighest, std::int64_t{0}});
      break;
    case 4:
    case 5:
    case 6:
    case 7: {
      constexpr std::int64_t isa::Tile::* kSizes[] = {
          &isa::Tile::rows, &isa::Tile::cols, &isa::Tile::valid_row,
          &isa::Tile::valid_col};
      std::int64_t& size = tile.*kSizes[kind - 4];
      size = WrappingSum(size,
                         random.OneOf<std::int64_t>({-16, -8, -1, 1, 8, 16}));
      break;
    }
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
  if (const auto range = RangeOf(op, name)) {
    const std::int64_t width = range->high - range->low + 1;
    return random.Between(range->low - width, range->high + width);
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
    *word = random.AnyWord<E>();
  }
  template <class E>
  void operator()(std::optional<E>* word) const {
    if (*word && random.Percent(30)) {
      word->reset();
    } else {
      *word = random.AnyWord<E>();
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

void MutateField(Random& random, Case& c, Style style) {
  isa::Step& step = random.AnyOf(c.program);
  const auto fields = isa::FieldsOf(step);
  if (fields.empty()) return;  // of SetMaskCount and the like
  const isa::FieldRef field = random.Pick(fields);
  std::visit(FieldMutator{random, isa::OpName(step), field.name, style},
             field.value);
  if (isa::DecidesFields(field)) {
    ClearHiddenFields(step);
  }
  FitElement(step);
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

/// Of GM, which has no capacity, so much is used.
constexpr std::int64_t kSpaceInGmBytes = 256 << 10;
/// Operands begin at multiples of it, whatever they are aligned to.
constexpr std::int64_t kAlignmentBytes = 512;

/// Any value of the range that the catalogue has for a field; a neighbour of
/// `now` where it has none.
std::int64_t LegalInteger(Random& random, std::string_view op,
                          std::string_view name, std::int64_t now) {
  if (const auto range = RangeOf(op, name)) {
    return random.Between(range->low, range->high);
  }
  return WrappingSum(now, random.Between(-64, 64));
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

struct Copier {
  template <class T>
  bool operator()(T* from, T* to) const {
    *to = *from;
    return true;
  }
  bool operator()(isa::FormRef from, isa::FormRef to) const {
    *to.form = *from.form;
    return true;
  }
  template <class T, class U>
  bool operator()(T, U) const {
    return false;
  }
};

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
  ForEachRange(op, name, [&](const isa::Range& range) {
    for (int d = -1; d <= 1; ++d) {
      add(WrappingSum(range.low, d));
      add(WrappingSum(range.high, d));
    }
  });
  return random.Pick(std::span(choices).first(count));
}

void Mutate(Random& random, Case& c, Style style) {
  const std::int64_t kind = random.Between(0, 99);
  if (kind < 15 && MutateElement(random, c)) return;
  if (kind < 95) {
    MutateField(random, c, style);
  } else if (kind < 97) {
    c.product = random.AnyWord<isa::Product>();
  } else if (kind < 98) {
    c.edition = random.AnyWord<isa::Edition>();
  } else {
    std::swap(random.AnyOf(c.program), random.AnyOf(c.program));
  }
  MakeWellFormed(c);
}

void Vary(Random& random, Case& c, std::span<const std::int64_t> hints) {
  if (c.program.empty()) return;
  isa::Step& step = random.AnyOf(c.program);
  VaryField(random, step, hints);
  if (random.Percent(25)) Spread(step, c);
  MakeWellFormed(c);
}

bool CopyField(const isa::FieldRef& from, const isa::FieldRef& to) {
  return std::visit(Copier{}, from.value, to.value);
}

void FitElement(isa::Step& step) {
  if (auto* const set = std::get_if<isa::SetValue>(&step)) {
    set->value &= isa::WidthMask(set->dtype);
  } else if (auto* const call = std::get_if<isa::Call>(&step)) {
    call->scalar &= isa::WidthMask(call->dtype);
  }
}

void ClearHiddenFields(isa::Step& step) {
  isa::Step blank = isa::StepKinds()[isa::NumberOf(step)];
  // Mode and form come first: they decide which fields there are.
  const std::vector<isa::FieldRef> shown = isa::FieldsOf(step);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (isa::DecidesFields(shown[i])) {
      CopyField(shown[i], isa::FieldsOf(blank)[i]);
    }
  }
  const std::vector<isa::FieldRef> kept = isa::FieldsOf(blank);
  for (std::size_t i = 0; i < shown.size(); ++i) CopyField(shown[i], kept[i]);
  step = std::move(blank);
}

}  // namespace lanediff::make
