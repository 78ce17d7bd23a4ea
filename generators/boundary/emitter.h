#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/boundary/data.h"
#include "generators/boundary/sweep.h"

namespace lanediff::make::sweep {

/// A case in the making. The step under test is the last of its program unless
/// a generator specifies otherwise.
struct Sketch {
  std::string what;
  std::optional<isa::RuleId> rule;
  Case c;
  std::optional<FieldPoint> point = std::nullopt;  ///< see `SweepCase`
  /// What fills the memories that have no regions of their own.
  Data data = Data::kRamp;
};

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

/// Numbers the sketches of one instruction and finishes those that are wanted.
class Emitter {
 public:
  Emitter(std::string_view slug, const WantsSweepCase& wants,
          const TakesSweepCase& take, isa::Edition edition)
      : slug_(slug), edition_(edition), wants_(&wants), take_(&take) {}
  /// Finishes none, and shows all.
  Emitter(std::string_view slug,
          const std::function<void(const SweepOutline&)>& show,
          isa::Edition edition)
      : slug_(slug), edition_(edition), show_(&show) {}

  /// Counts one more number; whether its case is wanted.
  bool Next() {
    number_ = next_++;
    return !stopped_ && (wants_ == nullptr || (*wants_)(number_));
  }
  /// Every combination of values, a number each; the unwanted are left out.
  template <class... T>
  auto Each(const std::type_identity_t<ValueList<T>>&... lists) {
    return Combinations<T...>(lists...) |
           std::views::filter([this](const auto&) { return Next(); });
  }
  /// Finishes the case of the number counted last, or shows it. A number may
  /// turn out to have none.
  void Give(Sketch sketch);

  std::string_view slug() const { return slug_; }
  std::uint64_t count() const { return next_; }

 private:
  /// Gives the case its memories, id and note and hands it over.
  void Finish(Sketch sketch);

  std::string_view slug_;
  isa::Edition edition_;
  const WantsSweepCase* wants_ = nullptr;
  const TakesSweepCase* take_ = nullptr;
  const std::function<void(const SweepOutline&)>* show_ = nullptr;
  std::uint64_t next_ = 0;
  std::uint64_t number_ = 0;
  bool stopped_ = false;
};

}  // namespace lanediff::make::sweep
