#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/exhaustive/space.h"
#include "isa/call.h"
#include "isa/state.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// Calls whose fields each run through a list of values, in every combination.
namespace lanediff::make::exhaust {

/// A case in the making.
struct Draft {
  Case c;
  isa::Call call;
  std::vector<isa::Step> before = {};  ///< steps in front of the call
  std::vector<isa::Step> after = {};   ///< and behind it
};

/// One field and the values that it takes.
struct Axis {
  std::string field;
  std::vector<std::string> values;  ///< as they are listed
  std::function<void(Draft&, std::size_t)> set;
};

/// An axis of which each value has a name of its own.
template <class T, class Set>
Axis Named(std::string_view field, std::vector<std::pair<std::string, T>> named,
           Set set) {
  std::vector<std::string> values;
  for (const auto& [name, value] : named) values.push_back(name);
  return {std::string(field), std::move(values),
          [named = std::move(named), set](Draft& draft, std::size_t i) {
            set(draft, named[i].second);
          }};
}

/// An axis of words of the documents.
template <class E, class Set>
Axis Words(std::string_view field, const std::vector<E>& words, Set set) {
  std::vector<std::pair<std::string, E>> named;
  for (const E word : words) named.emplace_back(isa::Name(word), word);
  return Named(field, std::move(named), set);
}

Axis Numbers(std::string_view field, std::vector<std::int64_t> numbers,
             std::function<void(Draft&, std::int64_t)> set);
Axis Products(const std::vector<isa::Product>& products);
Axis Types(const std::vector<isa::DType>& types);
/// Where the first source begins.
Axis SrcAt(std::vector<std::int64_t> places);
/// Where operand `i` of the row begins, from the first source on.
Axis FromSrc(const isa::Signature& row, std::size_t i,
             std::vector<std::int64_t> offsets);

inline constexpr std::uint64_t kAll = ~std::uint64_t{0};
inline constexpr isa::SetVectorMask kAllLanes = {kAll, kAll};
inline constexpr isa::SetVectorMask kEveryThird = {0x9249249249249249,
                                                   0x9249249249249249};

/// Masks that the register has before the call.
Axis Registers(std::vector<std::pair<std::string, isa::SetVectorMask>> masks);
/// Two words as the mask of a call in the form `form`.
Axis MaskWords(std::uint8_t form);

/// Every combination of the values of some axes. Combination n is n written in
/// mixed radix, the last axis changing fastest; axes are set in their order, so
/// that one may build on those before it.
struct Grid {
  std::string_view form;  ///< which form of the call, in a few words
  std::vector<Axis> axes;

  std::uint64_t size() const;
  void Set(std::uint64_t number, Draft& draft) const;
  std::string Text() const;
};

/// An axis for each of these parameters that the row has.
void AddIntegers(
    Grid& grid, const isa::Signature& row,
    const std::vector<std::pair<isa::Param, std::vector<std::int64_t>>>& all);

/// A walker that runs each call of `space` through `CompareCase`.
std::unique_ptr<Walker> OpenCaseWalker(const Space& space,
                                       const diff::Target& target,
                                       const diff::Target& reference,
                                       isa::Edition edition);

/// The parameters of one instruction within bounds: the combinations of one
/// grid after the other, each from `start` on; `finish` is called when all axes
/// are set. Each call is one point.
///
/// Every memory that calls name has `bytes` bytes, of which the 16-bit elements
/// are different halves of magnitude 0.5 to 2, both signs: a wrong address or
/// sign shows, sums and products stay finite, and pairs of them are finite
/// floats. Windows without a size reach to its end.
std::unique_ptr<Space> ParameterSpaceOf(
    isa::Call start, std::int64_t bytes, std::vector<Grid> grids,
    void (*finish)(isa::Call&) = [](isa::Call&) {});

// ---- The spaces of the instructions -----------------------------------------

// Each integer field runs through small values and the neighbours on both sides
// of its range, in every form; operands start around each other, in steps that
// reach every way of overlapping. The bounds are in the grids themselves, from
// where `Bounds()` lists them. Saturation mode is on.

/// 0.9 million calls on 1 KiB of each memory, some of two copies; 0.7 million
/// of a copy that pads.
std::unique_ptr<Space> CopyParameters(const isa::Signature& row);
/// 2 million calls on 4 KiB of UB.
std::unique_ptr<Space> TileParameters(const isa::Signature& row);
/// 0.1 million calls on 4 KiB of UB.
std::unique_ptr<Space> TransposeParameters(const isa::Signature& row);
std::unique_ptr<Space> BroadcastParameters(const isa::Signature& row);
/// 2 million calls on 3 KiB of UB, where there are two sources.
std::unique_ptr<Space> LanewiseParameters(const isa::Signature& row);
/// 2 million calls on 1 KiB of UB.
std::unique_ptr<Space> ReductionParameters(const isa::Signature& row);
/// That of the kind's family.
std::unique_ptr<Space> ParametersOf(const isa::Call& kind);

}  // namespace lanediff::make::exhaust
