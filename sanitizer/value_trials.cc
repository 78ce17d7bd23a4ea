// Other values for the slots that a witness points to.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <type_traits>

#include "differential/memory/collision.h"
#include "isa/catalogue.h"
#include "isa/data_copy.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "sanitizer/distance.h"
#include "sanitizer/trial.h"

namespace lanediff::lint {
namespace {

class Trials {
 public:
  explicit Trials(const Situation& s) : s_(s), step_(s.step()) {}

  void Heal(const Witness& witness) {
    switch (isa::StageOf(witness.rule)) {
      case isa::Stage::kBounds:
        Fit(witness);
        break;
      case isa::Stage::kOverlap:
        Part(witness.rule);
        break;
      case isa::Stage::kParameters:
        Change(witness);
        break;
    }
  }
  std::vector<Trial> Take() { return std::move(all_); }

 private:
  using Test = std::function<bool(const isa::Step&)>;

  void Add(const std::string& field, const SlotValue& value, double distance) {
    const auto now = ValueOf(step_, field);
    if (!now || now->index() != value.index() || *now == value) return;
    all_.push_back({{{field, value}}, distance});
  }
  void Add(const std::string& field, std::int64_t value) {
    const auto now = IntegerOf(step_, field);
    if (!now) return;
    Add(field, SlotValue(value), Distance(field, *now, value));
    // tmp has src's shape.
    const std::string_view part = std::string_view(field).substr(3);
    if (!std::holds_alternative<isa::Trowprod>(step_)) return;
    if ((part != ".rows" && part != ".cols") || field.starts_with("dst"))
      return;
    all_.push_back({{{fmt::format("src{}", part), value},
                     {fmt::format("tmp{}", part), value}},
                    1 + Distance(field, *now, value)});
  }
  void Routes();
  void Change(const Witness& witness);
  void ChangeInteger(const std::string& field, isa::RuleId rule);
  void ChangeWord(const std::string& field, const SlotValue& now);
  void Fit(const Witness& witness);
  Test Fitting(std::string_view operand) const;
  void Grow(const std::string& operand);
  bool IsFree(const view::Window& window, std::int64_t end) const;
  void Part(isa::RuleId rule);
  void Nearest(const std::string& field, std::int64_t unit, const Test& heals);

  const Situation& s_;
  const isa::Step& step_;
  std::vector<Trial> all_;
};

/// The nearest values below and above, in steps of `unit`, at which the call
/// is healed, as far as looking at doubled distances finds them.
void Trials::Nearest(const std::string& field, std::int64_t unit,
                     const Test& heals) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 40;
  const auto now = IntegerOf(step_, field);
  if (!now || std::llabs(*now) > std::int64_t{1} << 40) return;
  for (const std::int64_t way : {-unit, unit}) {
    const auto at = [&](std::int64_t steps) { return *now + way * steps; };
    const auto good = [&](std::int64_t steps) {
      return at(steps) >= 0 && heals(With(step_, field, at(steps)));
    };
    std::int64_t bad = 0;
    std::int64_t far = 1;
    bool found = false;
    for (; far <= kFarthest && at(bad + 1) >= 0; far *= 2) {
      if (at(far) < 0) far = *now / unit;
      if ((found = good(far)) || far <= bad) break;
      bad = far;
    }
    if (!found) continue;
    while (far - bad > 1) {
      const std::int64_t middle = bad + (far - bad) / 2;
      (good(middle) ? far : bad) = middle;
    }
    Add(field, at(far));
  }
}

void Trials::ChangeInteger(const std::string& field, isa::RuleId rule) {
  const std::int64_t now = *IntegerOf(step_, field);
  for (const isa::Range& range :
       isa::FindRule(rule.text())->RangesIn(s_.c.edition)) {
    if (range.field != field) continue;
    Add(field, std::clamp(now, range.low, range.high));
  }
  if (IsAmount(field)) {
    // What its range allows may still not fit.
    Nearest(field, 1, [&, fits = Fitting("")](const isa::Step& step) {
      return fits(step) && !s_.Breaks(step, rule);
    });
  }
  for (const std::int64_t simple : {0, 1}) Add(field, simple);
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  if (std::llabs(now / 2) < kFar / 2) {
    for (std::int64_t unit = 2; unit <= isa::kMatrixBytes; unit *= 2) {
      const std::int64_t down = now - (now % unit + unit) % unit;
      Add(field, down);
      Add(field, down + unit);
    }
  }
  if (IsPlace(field)) return;
  isa::Step copy = step_;  // rows as in another tile
  for (const Slot& slot : SlotsOf(copy)) {
    const SlotValue value = slot.Get();
    const auto* const other = std::get_if<std::int64_t>(&value);
    if (other == nullptr || slot.name.find('.') == std::string::npos) continue;
    if (!IsPlace(slot.name) && !IsWindow(slot.name)) Add(field, *other);
  }
}

void Trials::ChangeWord(const std::string& field, const SlotValue& now) {
  std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_enum_v<T>) {
          for (std::size_t i = 0; i < isa::kCount<T>; ++i) {
            const T other = static_cast<T>(i);
            double distance = 1;
            if constexpr (std::is_same_v<T, isa::DType>) {
              distance =
                  isa::SizeBytes(other) == isa::SizeBytes(value) ? 0.3 : 1;
            } else if constexpr (std::is_same_v<T, isa::Position>) {
              const bool same = isa::MemoryAt(s_.c.product, other) ==
                                isa::MemoryAt(s_.c.product, value);
              distance = same ? 0.2 : 1;
            }
            Add(field, other, distance);
          }
        } else if constexpr (std::is_same_v<T, std::optional<isa::DType>>) {
          Add(field, std::optional<isa::DType>(), 0.3);
          for (const std::string& operand : OperandsOf(step_)) {
            const auto other = ValueOf(step_, operand + ".dtype");
            if (other && *other != now) Add(field, *other, 0.4);
          }
        } else if constexpr (std::is_same_v<T, std::uint64_t>) {
          Add(field, std::uint64_t{0}, 0.3);
          Add(field, value & 0xffffffff, 0.2);
          Add(field, ~std::uint64_t{0}, 0.6);
          Add(field, std::uint64_t{1}, 0.7);
        }
      },
      now);
}

/// A copy between two other places.
void Trials::Routes() {
  for (std::size_t src = 0; src < isa::kCount<isa::Position>; ++src) {
    for (std::size_t dst = 0; dst < isa::kCount<isa::Position>; ++dst) {
      all_.push_back({{{"src.position", static_cast<isa::Position>(src)},
                       {"dst.position", static_cast<isa::Position>(dst)}},
                      2});
    }
  }
}

/// The value at fault gets another one; what else could heal beside it.
void Trials::Change(const Witness& witness) {
  Add("enabled", true, 0.5);  // saturation, which every product has
  const auto now = ValueOf(step_, witness.field);
  if (!now) return;
  if (std::holds_alternative<std::int64_t>(*now)) {
    ChangeInteger(witness.field, witness.rule);
  } else {
    ChangeWord(witness.field, *now);
  }
  Add("isSetMask", true, 0.9);
  if (witness.rule == isa::dc::kRoute) Routes();
  for (const std::string& operand : OperandsOf(step_)) {
    if (witness.field == operand + ".layout") Add(operand + ".cols", 1);
    if (witness.field == operand + ".rows" ||
        witness.field == operand + ".cols") {
      ChangeWord(operand + ".layout", *ValueOf(step_, operand + ".layout"));
    }
    if (witness.field == operand + ".dtype") {
      const auto own = std::get<std::optional<isa::DType>>(*now);
      if (own) Add("dtype", *own, 0.5);
    }
    if (witness.field.ends_with("dtype")) {
      Add(operand + ".dtype", std::optional<isa::DType>(), 0.4);
    }
    if (witness.field.ends_with(".position")) {
      const std::string field = operand + ".position";
      ChangeWord(field, *ValueOf(step_, field));
    }
  }
}

/// Whether no other window of the program begins or lies between the end of
/// this one and `end`.
bool Trials::IsFree(const view::Window& window, std::int64_t end) const {
  constexpr std::size_t kMost = 4096;
  if (end > SizeOf(s_.c, window.memory)) return false;
  const auto meets = [&](const view::Window& other) {
    return other.memory == window.memory && other.operand != window.operand &&
           other.at < end && other.end() > window.end();
  };
  for (std::size_t i = 0; i < std::min(s_.c.program.size(), kMost); ++i) {
    const bool own = i == s_.number;
    for (const view::Window& other :
         view::WindowsOf(own ? step_ : s_.c.program[i], s_.c.product)) {
      const bool apart = other.at >= window.end();
      if (own ? meets(other)
              : apart && other.memory == window.memory && other.at < end) {
        return false;
      }
    }
  }
  return true;
}

void Trials::Grow(const std::string& operand) {
  const auto needed = NeededBytes(s_, step_, operand);
  if (!needed) return;
  for (const view::Window& window : view::WindowsOf(step_, s_.c.product)) {
    if (window.operand != operand || *needed <= window.bytes) continue;
    if (window.at < 0 || *needed > SizeOf(s_.c, window.memory)) continue;
    const std::string field = operand + ".bytes";
    if (IsFree(window, window.at + *needed)) {
      Add(field, *needed);
    } else if (window.at + *needed <= SizeOf(s_.c, window.memory)) {
      // Legal, although it runs into what others use.
      Add(field, SlotValue(*needed), 1.5);
    }
  }
}

/// Whether what the call touches of the operand, of all of them if it is "",
/// lies in its window.
Trials::Test Trials::Fitting(std::string_view operand) const {
  const MaskState::Words words = s_.judge.mask_register();
  const isa::SetVectorMask mask{.high = words.high, .low = words.low};
  return [operand = std::string(operand), mask](const isa::Step& step) {
    for (const isa::Footprint& print : isa::FootprintsOf(step, mask)) {
      if (!operand.empty() && print.operand != operand) continue;
      const auto bytes = IntegerOf(step, std::string(print.operand) + ".bytes");
      const auto touched = print.Touched();
      if (bytes && (!touched || *touched > *bytes)) return false;
    }
    return true;
  };
}

/// The window grows or moves, or the call touches less of it.
void Trials::Fit(const Witness& witness) {
  const std::string& operand = witness.operand;
  Grow(operand);
  for (const view::Window& window : view::WindowsOf(step_, s_.c.product)) {
    const std::int64_t size = SizeOf(s_.c, window.memory);
    if (window.operand != operand) {
      if (window.end() < size) Add(operand + ".at", RoundedUp(window.end()));
      continue;
    }
    if (window.at < 0) Add(operand + ".at", 0);
    if (window.at >= 0 && window.end() > size) {
      Add(operand + ".bytes", size - window.at);
      const std::int64_t last = size - std::max<std::int64_t>(window.bytes, 0);
      Add(operand + ".at", last / isa::kDataBlockBytes * isa::kDataBlockBytes);
    }
    if (IntegerOf(step_, operand + ".bytes").value_or(0) < 0) {
      Add(operand + ".bytes", 0);
    }
  }
  isa::Step copy = step_;
  for (const Slot& slot : SlotsOf(copy)) {
    if (slot.name.find('.') != std::string::npos) continue;
    if (!std::holds_alternative<std::int64_t*>(slot.place)) continue;
    for (const std::string& one : {std::string(), operand}) {
      Nearest(slot.name, 1, Fitting(one));
    }
  }
}

/// Operands move apart, or their iterations do.
void Trials::Part(isa::RuleId rule) {
  const auto heals = [&](const isa::Step& step) {
    return !s_.Breaks(step, rule);
  };
  isa::Step copy = step_;
  const std::vector<Slot> slots = SlotsOf(copy);
  for (const Slot& slot : slots) {
    const auto now = IntegerOf(step_, slot.name);
    if (!now || IsWindow(slot.name)) continue;
    const std::size_t before = all_.size();
    const bool blocks = IsPlace(slot.name) && *now % isa::kDataBlockBytes == 0;
    Nearest(slot.name, blocks ? isa::kDataBlockBytes : 1, heals);
    // Rather elsewhere than less of it, or than further apart what lies as
    // iterations mostly do.
    const double less_likely = IsAmount(slot.name)                 ? 2
                               : LiesClose(slot.name, *now, step_) ? 1.5
                                                                   : 0;
    for (std::size_t i = before; i < all_.size(); ++i) {
      all_[i].distance += less_likely;
    }
    if (!IsPlace(slot.name)) continue;
    for (const view::Window& other : view::WindowsOf(step_, s_.c.product)) {
      Add(slot.name, other.at);
      if (other.end() < isa::kFarAway) Add(slot.name, RoundedUp(other.end()));
    }
  }
}

}  // namespace

std::vector<Trial> ValueTrials(const Situation& situation,
                               const std::vector<Witness>& witnesses) {
  Trials trials(situation);
  for (const Witness& witness : witnesses) trials.Heal(witness);
  return trials.Take();
}

}  // namespace lanediff::lint
