#include "generators/boundary/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

/// The words of an operand or tile, open to change.
struct OperandWords {
  std::string_view name;
  isa::Position* position;
  std::optional<isa::DType>* dtype;
};

std::vector<OperandWords> WordsOf(Case& c) {
  std::vector<OperandWords> all;
  for (const isa::FieldRef& field : isa::FieldsOf(c.program.back())) {
    if (auto* const* o = std::get_if<isa::Operand*>(&field.value)) {
      all.push_back({field.name, &(*o)->position, &(*o)->dtype});
    } else if (auto* const* t = std::get_if<isa::Tile*>(&field.value)) {
      all.push_back({field.name, &(*t)->position, &(*t)->dtype});
    }
  }
  return all;
}

void SweepTypes(Emitter& out, const Kit& kit, const TableRules& rules,
                isa::Edition edition) {
  for (const Base& base : kit.bases) {
    for (const auto& [product, type] :
         Combinations<isa::Product, isa::DType>(kEveryProduct, kEveryDType)) {
      out.Add([&]() -> std::optional<Sketch> {
        Case c = base.c;
        c.product = product;
        c.edition = edition;
        Set("dtype", type)(c);
        if (!Place(c)) return std::nullopt;
        const bool by_type = base.c.product == product;
        return Sketch{
            .what = fmt::format("product and type: {} {}, base {}",
                                isa::Name(product), isa::Name(type), base.name),
            .rule = by_type ? rules.dtype : rules.product,
            .c = std::move(c)};
      });
    }
  }
}

void SweepOperandTypes(Emitter& out, const Kit& kit, const TableRules& rules) {
  for (const Base& base : kit.bases) {
    const std::size_t operands = OperandCount(base.c.program.back());
    for (std::size_t k = 0; k < operands; ++k) {
      for (const auto& [own, type] :
           Combinations<isa::DType, isa::DType>(kEveryDType, kEveryDType)) {
        out.Add([&]() -> std::optional<Sketch> {
          Case c = base.c;
          Set("dtype", type)(c);
          const auto entry = WordsOf(c)[k];
          *entry.dtype = own;
          if (!Place(c)) return std::nullopt;
          return Sketch{
              .what = fmt::format("operand type: {} {} in a {} call, base {}",
                                  entry.name, isa::Name(own), isa::Name(type),
                                  base.name),
              .rule = rules.match,
              .c = std::move(c)};
        });
      }
    }
  }
}

void SweepPositions(Emitter& out, const Kit& kit, const TableRules& rules) {
  for (std::size_t b = 0; b < std::min<std::size_t>(2, kit.bases.size()); ++b) {
    const Base& base = kit.bases[b];
    const std::size_t operands = OperandCount(base.c.program.back());
    for (std::size_t i = 0; i < operands; ++i) {
      const std::size_t j = (i + 1) % operands;
      for (const auto& [first, second] :
           Combinations<isa::Position, isa::Position>(kEveryPosition,
                                                      kEveryPosition)) {
        out.Add([&]() -> std::optional<Sketch> {
          Case c = base.c;
          const auto places = WordsOf(c);
          *places[i].position = first;
          *places[j].position = second;
          if (!Place(c)) return std::nullopt;
          return Sketch{
              .what = fmt::format("positions: {} at {}, {} at {}, base {}",
                                  places[i].name, isa::Name(first),
                                  places[j].name, isa::Name(second), base.name),
              .rule = rules.position,
              .c = std::move(c)};
        });
      }
    }
  }
}

}  // namespace

Change SetMask(std::string_view field, std::int64_t lanes, MaskWords words) {
  return [number = Set(field, lanes), bits = Set("mask", words)](Case& c) {
    return number(c) || bits(c);
  };
}

Breaker SecondWordBreaker(isa::RuleId rule) {
  return {rule,
          "a bit of the second word at 32 bits",
          {Is("isSetMask", true), Set("mask", MaskWords{1, 1}), [](Case& c) {
             return std::visit(
                 [](const auto& s) {
                   if constexpr (requires { s.dtype; }) {
                     return isa::SizeBytes(s.dtype) == 4;
                   } else {
                     return false;
                   }
                 },
                 c.program.back());
           }}};
}

void PutElements(Case& c, isa::Memory memory, isa::DType type, std::int64_t at,
                 std::span<const std::uint64_t> elements) {
  auto& image = c.memory[static_cast<std::size_t>(memory)];
  if (!image) return;
  if (image->regions.empty()) {
    Region whole{.at = 0, .dtype = type, .bytes = {}};
    whole.bytes =
        MakeData(type, Data::kRamp, image->size / isa::SizeBytes(type));
    image->regions.push_back(std::move(whole));
  }
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t bits : elements) AppendElement(type, bits, bytes);
  auto& all = image->regions.front().bytes;
  const auto space = static_cast<std::int64_t>(all.size()) - at;
  const auto count = std::clamp<std::int64_t>(
      space, 0, static_cast<std::int64_t>(bytes.size()));
  std::copy_n(bytes.begin(), count, all.begin() + at);
}

void SweepTables(Emitter& out, const Kit& kit, const TableRules& rules) {
  SweepTypes(out, kit, rules, isa::kNewestEdition);
  const isa::Instruction& call = *isa::FindInstruction(kit.op);
  if (!call.newer_products.empty() || !call.newer_dtypes.empty()) {
    SweepTypes(out, kit, rules, isa::Edition::k2024);
  }
  SweepOperandTypes(out, kit, rules);
  SweepPositions(out, kit, rules);
}

void SweepAlignment(Emitter& out, const Kit& kit, std::int64_t count) {
  for (const Base& base : kit.bases) {
    isa::Step step = base.c.program.back();
    std::size_t operand = 0;
    for (const NamedInteger& integer : IntegersOf(step)) {
      if (!integer.name.ends_with(".at")) continue;
      const std::size_t k = operand++;
      std::optional<isa::RuleId> rule;
      for (const FieldRule& row : kit.field_rules) {
        if (row.field == integer.name) rule = row.rule;
      }
      for (std::int64_t shift = 0; shift < count; ++shift) {
        out.Add([&]() -> std::optional<Sketch> {
          Case c = base.c;
          if (!Place(c, k)) return std::nullopt;
          c.memory[static_cast<std::size_t>(MemoryOf(c, k))]->size += shift;
          IntegerCalled(c, integer.name) += shift;
          return Sketch{.what = fmt::format("alignment of {}: {:+} bytes, base "
                                            "{}",
                                            integer.name, shift, base.name),
                        .rule = rule,
                        .c = std::move(c)};
        });
      }
    }
  }
}

}  // namespace lanediff::make::sweep
