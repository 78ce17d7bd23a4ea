#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

  /// `make()` gives a `Sketch`, or an `std::optional` of one for numbers that
  /// turn out to have no case. It is not called for unwanted numbers.
  template <class Make>
  void Add(const Make& make) {
    const std::uint64_t number = next_++;
    if (stopped_ || (wants_ != nullptr && !(*wants_)(number))) return;
    std::optional<Sketch> sketch = make();
    if (!sketch) return;
    if (edition_ == isa::Edition::k2024) sketch->c.edition = edition_;
    if (show_ != nullptr) {
      (*show_)({number, sketch->rule, sketch->c});
    } else {
      Finish(number, std::move(*sketch));
    }
  }

  std::string_view slug() const { return slug_; }
  std::uint64_t count() const { return next_; }

 private:
  /// Gives the case its memories, id and note and hands it over.
  void Finish(std::uint64_t number, Sketch sketch);

  std::string_view slug_;
  isa::Edition edition_;
  const WantsSweepCase* wants_ = nullptr;
  const TakesSweepCase* take_ = nullptr;
  const std::function<void(const SweepOutline&)>* show_ = nullptr;
  std::uint64_t next_ = 0;
  bool stopped_ = false;
};

}  // namespace lanediff::make::sweep
