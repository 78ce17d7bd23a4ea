// Numbers clamped to what a rule or the windows allow, and calls for the rest.

#include <algorithm>
#include <iterator>
#include <optional>

#include "isa/catalogue.h"
#include "isa/footprint.h"
#include "sanitizer/trial.h"

namespace lanediff::lint {
namespace {

using CallAccesses = std::vector<isa::Access>;

constexpr std::int64_t kMostCalls = 16;

/// How much a call works on: repeats, counts, lengths, lanes.
bool IsAmount(std::string_view field) {
  static constexpr std::string_view kAmounts[] = {
      "mask", "count", "blockCount", "blockLen", "elemsInOneRepeat"};
  return field.starts_with("repeat") ||
         std::ranges::find(kAmounts, field) != std::end(kAmounts);
}

/// Whether what the call touches lies in the windows of its operands.
bool Fits(const isa::Step& step, const isa::SetVectorMask& mask) {
  for (const isa::Footprint& print : isa::FootprintsOf(step, mask)) {
    const auto bytes = IntegerOf(step, std::string(print.operand) + ".bytes");
    const auto touched = print.Touched();
    if (bytes && (!touched || *touched > *bytes)) return false;
  }
  return true;
}

/// The greatest amount below the present one with which the call fits; 0 if
/// there is none.
std::int64_t MostThatFits(const isa::Step& step, const std::string& amount,
                          const isa::SetVectorMask& mask) {
  std::int64_t good = 0;
  std::int64_t bad = IntegerOf(step, amount).value_or(0);
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (Fits(With(step, amount, middle), mask) ? good : bad) = middle;
  }
  return good;
}

/// The accesses of `count` iterations from `first` on, which counts as 0.
CallAccesses Part(const CallAccesses& all, std::int64_t first,
                  std::int64_t count) {
  CallAccesses part;
  for (isa::Access access : all) {
    access.iteration -= first;
    if (access.iteration >= 0 && access.iteration < count) {
      part.push_back(access);
    }
  }
  return part;
}

/// Where iteration `number` begins in the operand.
std::optional<std::int64_t> Begin(const CallAccesses& all,
                                  const std::string& operand,
                                  std::int64_t number) {
  std::optional<std::int64_t> begin;
  for (const isa::Access& access : all) {
    if (access.operand != operand || access.iteration != number) continue;
    begin = std::min(begin.value_or(access.at), access.at);
  }
  return begin;
}

/// `step` with its windows begun where iteration `first` of `all` does.
std::optional<isa::Step> From(const isa::Step& step, const CallAccesses& all,
                              std::int64_t first) {
  isa::Step moved = step;
  for (const std::string& operand : OperandsOf(step)) {
    const auto head = Begin(all, operand, 0);
    const auto begin = Begin(all, operand, first);
    const auto at = IntegerOf(step, operand + ".at");
    const auto bytes = IntegerOf(step, operand + ".bytes");
    if (!head || !begin || !at || !bytes) return std::nullopt;
    const std::int64_t distance = *begin - *head;
    if (distance >= *bytes) return std::nullopt;
    moved = With(moved, operand + ".at", *at + distance);
    moved = With(moved, operand + ".bytes", *bytes - distance);
  }
  return moved;
}

}  // namespace

std::vector<Trial> ClampTrials(const Situation& situation,
                               const std::vector<Witness>& witnesses) {
  const isa::Step& step = situation.step();
  const MaskState::Words words = situation.judge.mask_register();
  const isa::SetVectorMask mask{.high = words.high, .low = words.low};
  std::vector<Trial> all;
  const auto add = [&](const std::string& field, std::int64_t value) {
    const auto now = IntegerOf(step, field);
    if (!now || value == *now || (value == 0 && IsAmount(field))) return;
    const double lost =
        IsAmount(field) && *now > value
            ? 1 - static_cast<double>(value) / static_cast<double>(*now)
            : 0;
    all.push_back({.changes = {{field, *now, value}}, .lost = lost});
  };
  for (const Witness& witness : witnesses) {
    if (isa::StageOf(witness.rule) == isa::Stage::kBounds) {
      if (Fits(step, mask)) continue;  // a window leaves its memory
      isa::Step copy = step;
      for (const Slot& slot : SlotsOf(copy)) {
        if (!IsAmount(slot.name)) continue;
        add(slot.name, MostThatFits(step, slot.name, mask));
      }
      continue;
    }
    const auto now = IntegerOf(step, witness.field);
    if (!now) continue;
    for (const isa::Range& range :
         isa::FindRule(witness.rule.text())->RangesIn(situation.c.edition)) {
      if (range.field != witness.field) continue;
      // An amount of 0 does nothing.
      const std::int64_t low =
          IsAmount(witness.field)
              ? std::clamp<std::int64_t>(1, range.low, range.high)
              : range.low;
      const std::int64_t value = std::clamp(*now, low, range.high);
      add(witness.field, value);
      const isa::Step clamped = With(step, witness.field, value);
      if (!IsAmount(witness.field) || Fits(clamped, mask)) continue;
      add(witness.field, MostThatFits(clamped, witness.field, mask));
    }
  }
  return all;
}

std::vector<isa::Step> CallsForRest(const Situation& situation,
                                    const isa::Step& repaired,
                                    const Repair::Change& lowered) {
  const auto& [field, from, to] = lowered;
  if ((from - to - 1) / to >= kMostCalls) return {};
  const Judge& judge = situation.judge;
  const CallAccesses all = judge.Natural(With(repaired, field, from));
  std::vector<isa::Step> steps;
  for (std::int64_t done = to; done < from; done += to) {
    const std::int64_t count = std::min(to, from - done);
    const auto next = From(With(repaired, field, count), all, done);
    if (!next || judge.Natural(*next) != Part(all, done, count)) return {};
    steps.push_back(*next);
  }
  return steps;
}

}  // namespace lanediff::lint
