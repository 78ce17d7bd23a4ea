#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
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

/// An operand; without more than a position its window is still to be placed.
inline isa::Operand At(isa::Position position, std::int64_t at = 0,
                       std::int64_t bytes = 0) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

/// A memory that is still to be filled.
inline MemoryImage Image(std::int64_t size) {
  return {.fill = 0, .size = size, .regions = {}};
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

/// Masks about lane `lane`, 0 to 128: the lanes before it, itself, all but it.
inline constexpr std::string_view kMaskKinds[] = {"first", "only", "all but"};
/// Nothing where there is no such lane.
inline std::optional<isa::SetVectorMask> MaskOf(std::int64_t kind,
                                                std::int64_t lane) {
  if (kind == 0) return FirstLanes(lane);
  if (lane == 128) return std::nullopt;
  const isa::SetVectorMask one = OneLane(lane);
  if (kind == 1) return one;
  return isa::SetVectorMask{.high = ~one.high, .low = ~one.low};
}

/// A number of lanes in `field`, or these two words as mask where the form has
/// words.
Change SetMask(std::string_view field, std::int64_t lanes, MaskWords words);
/// A bit of the second word, which 32-bit types don't have.
Breaker SecondWordBreaker();

/// A copy of 32 halves.
isa::Call HalvesCopied(isa::Position src, std::int64_t src_at,
                       isa::Position dst, std::int64_t dst_at);

/// The copy of `c` to byte 256, then a barrier of pipe number `barrier`, or
/// none behind the last one, then `second`, `shift` bytes from there.
Sketch TwoCopies(Case c, isa::Call second, std::int64_t barrier,
                 std::int64_t shift);

/// Replaces what a memory holds from `at` on by elements of `type`.
void PutElements(Case& c, isa::Memory memory, isa::DType type, std::int64_t at,
                 std::span<const std::uint64_t> elements);

/// What the sweep of each instruction begins with: boundaries, breakers and
/// alignment; and complete tables of what a call may break in a program of one
/// step: every product with every type, every operand with every type, every
/// two operands with every two positions.
void SweepKit(Emitter& out, const Kit& kit);

/// Rows of class numbers, one for each parameter, in which every pair of
/// classes of every two parameters stands at least once. `classes` states how
/// many classes each parameter has, each at least 1. Greedy: a row starts from
/// a pair that is still missing and takes for each other parameter the class
/// that adds most missing pairs; `seed` decides between equals. The same
/// arguments give the same rows.
std::vector<std::vector<std::size_t>> CoveringRows(
    const std::vector<std::size_t>& classes, std::uint64_t seed);

/// The cases that `combine` makes of the rows of many coverings, no two alike.
/// The last of `classes` is of `Data`.
void SweepRows(
    Emitter& out, const std::vector<std::size_t>& classes,
    const std::function<std::optional<Case>(const std::vector<std::size_t>&)>&
        combine);

// ---- A generator for each family, and for machine state ---------------------

/// All cases of an instruction, in the order of their numbers.
void SweepLanewise(Emitter& out, const isa::Signature& row);
void SweepReduction(Emitter& out, const isa::Signature& row);
void SweepCopy(Emitter& out, const isa::Signature& row);
void SweepTranspose(Emitter& out, const isa::Signature& row);
void SweepBroadcast(Emitter& out, const isa::Signature& row);
void SweepTiles(Emitter& out, const isa::Signature& row);

/// Machine state. Ends with `SweepFlags`.
void SweepProgram(Emitter& out);
/// Flags, mask modes and single elements.
void SweepFlags(Emitter& out);

}  // namespace lanediff::make::sweep
