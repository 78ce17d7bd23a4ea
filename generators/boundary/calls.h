#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "generators/boundary/boundaries.h"
#include "isa/vocabulary.h"

/// What several generators need to write calls down.
namespace lanediff::make::sweep {

/// Every value of an enumeration, in its order.
template <class E>
constexpr std::array<E, isa::kCount<E>> EveryValue() {
  std::array<E, isa::kCount<E>> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<E>(i);
  return all;
}

inline constexpr auto kEveryProduct = EveryValue<isa::Product>();
inline constexpr auto kEveryDType = EveryValue<isa::DType>();
inline constexpr auto kEveryPosition = EveryValue<isa::Position>();

/// Where vector instructions of Ascend C work.
inline constexpr isa::Position kVectorPositions[] = {
    isa::Position::kVecout, isa::Position::kVecin, isa::Position::kVeccalc};

/// The last step, which must be an `S`.
template <class S>
S& Subject(Case& c) {
  return std::get<S>(c.program.back());
}
template <class S>
const S& Subject(const Case& c) {
  return std::get<S>(c.program.back());
}

/// An operand whose window is still to be placed.
inline isa::Operand At(isa::Position position) {
  isa::Operand operand;
  operand.position = position;
  return operand;
}

/// The Unified Buffer of a case; none where nothing was placed there.
inline std::optional<MemoryImage>& Ub(Case& c) {
  return c.memory[static_cast<std::size_t>(isa::Memory::kUb)];
}

/// A case of one step with windows that fit exactly.
inline Case Placed(isa::Product product, isa::Step step) {
  Case c;
  c.product = product;
  c.program = {std::move(step)};
  Place(c);
  return c;
}

/// Puts `step` in front of the program.
inline void Prepend(Case& c, isa::Step step) {
  c.program.insert(c.program.begin(), std::move(step));
}

/// The first `n` lanes as a step.
inline isa::SetVectorMask FirstLanes(std::int64_t n) {
  const auto ones = [](std::int64_t k) {
    return k <= 0    ? std::uint64_t{0}
           : k >= 64 ? ~std::uint64_t{0}
                     : (std::uint64_t{1} << k) - 1;
  };
  return {.high = ones(n - 64), .low = ones(n)};
}

/// One lane as a step.
inline isa::SetVectorMask OneLane(std::int64_t lane) {
  const std::uint64_t bit = std::uint64_t{1} << (lane % 64);
  return {.high = lane < 64 ? 0 : bit, .low = lane < 64 ? bit : 0};
}

/// A number of lanes in `field`, or these two words as mask where the form has
/// words.
Change SetMask(std::string_view field, std::int64_t lanes, MaskWords words);
/// A bit of the second word, which 32-bit types don't have.
Breaker SecondWordBreaker(isa::RuleId rule);

/// Replaces what a memory holds from `at` on by elements of `type`.
void PutElements(Case& c, isa::Memory memory, isa::DType type, std::int64_t at,
                 std::span<const std::uint64_t> elements);

/// Rules that a call may break in a program of one step: product and type, the
/// types of its operands, and where they are. Complete tables: every product
/// with every type, every operand with every type, every two operands with
/// every two positions.
struct TableRules {
  isa::RuleId product;
  isa::RuleId dtype;
  isa::RuleId match;
  isa::RuleId position;
};
void SweepTables(Emitter& out, const Kit& kit, const TableRules& rules);

/// Every value in [0, count) of every operand's or tile's `at`, behind its
/// legal place, in memories with space for it.
void SweepAlignment(Emitter& out, const Kit& kit, std::int64_t count);

}  // namespace lanediff::make::sweep
