#pragma once

#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "generators/boundary/boundaries.h"
#include "isa/vocabulary.h"

/// What several generators need to write calls down.
namespace lanediff::make::sweep {

/// Values of a loop, of whatever they are made.
template <class T>
struct ValueList : std::vector<T> {
  using std::vector<T>::vector;
  template <std::size_t kSize>
  ValueList(const T (&values)[kSize])  // NOLINT: not explicit
      : std::vector<T>(std::begin(values), std::end(values)) {}
  template <std::size_t kSize>
  ValueList(const std::array<T, kSize>& values)  // NOLINT: not explicit
      : std::vector<T>(values.begin(), values.end()) {}
};

/// Every combination of a value of each list, the last list running fastest.
template <class... T>
std::vector<std::tuple<T...>> Combinations(
    const std::type_identity_t<ValueList<T>>&... lists) {
  std::vector<std::tuple<T...>> all;
  const auto add = [&](const auto& self, const auto& head, const auto& list,
                       const auto&... rest) -> void {
    for (const auto& value : list) {
      const auto row = std::tuple_cat(head, std::make_tuple(value));
      if constexpr (sizeof...(rest) == 0) {
        all.push_back(row);
      } else {
        self(self, row, rest...);
      }
    }
  };
  add(add, std::tuple<>(), lists...);
  return all;
}

/// The integers in [first, last].
inline ValueList<std::int64_t> Range(std::int64_t first, std::int64_t last) {
  ValueList<std::int64_t> all;
  for (std::int64_t n = first; n <= last; ++n) all.push_back(n);
  return all;
}

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

}  // namespace lanediff::make::sweep
