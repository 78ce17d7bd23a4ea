// Numbers that are right in another unit than the document's, or clamped to
// what a rule or the windows allow, and calls for the rest.

#include "sanitizer/trial.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::lint {
namespace {

constexpr std::string_view kBlocks = "DataBlocks of 32 bytes";

/// A number that counts units of some bytes.
struct Quantity {
  std::string field;
  std::string_view unit;   ///< "DataBlocks of 32 bytes"
  std::int64_t bytes = 0;  ///< of one unit
  std::string operand;     ///< whose iterations it moves apart; or none
  std::int64_t value = 0;
};

std::int64_t ElementOf(const isa::Step& step) {
  return isa::SizeBytes(TypeOf(step).value_or(isa::DType::kHalf));
}

/// The count, strides, lengths and gaps of the call, with their units.
std::vector<Quantity> NumbersOf(const isa::Step& step) {
  using isa::Param;
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return {};
  const isa::Signature& row = *call->signature;
  std::vector<Quantity> all;
  const auto add = [&](Param param, std::string_view unit, std::int64_t bytes,
                       std::string_view operand = {}) {
    if (!call->Has(param)) return;
    all.push_back({std::string(isa::NameOf(row, param)), unit, bytes,
                   std::string(operand), (*call)[param]});
  };
  const bool matrices = call->Is(isa::Family::kTranspose);
  const std::string_view apart = matrices ? "matrices of 512 bytes" : kBlocks;
  const std::int64_t element = isa::SizeBytes(call->dtype);
  add(Param::kCount, "elements", element);
  for (std::size_t i = 0; i < call->used_operands().size(); ++i) {
    const auto of = [i](Param of_dst) {
      return static_cast<Param>(static_cast<std::size_t>(of_dst) + i);
    };
    if (call->Is(isa::Family::kReduction) && i == 0) {
      const std::int64_t results = isa::ResultBytes(*call);
      add(Param::kDstRepStride,
          results == element ? "elements" : "results of an iteration", results,
          row.operands[i].name);
      continue;
    }
    add(of(Param::kDstBlkStride), kBlocks, isa::kDataBlockBytes);
    add(of(Param::kDstRepStride), apart,
        matrices ? isa::kMatrixBytes : isa::kDataBlockBytes,
        row.operands[i].name);
  }
  if (row.Has(Param::kIsPad)) {
    const auto add_gap = [&](Param gap, bool in_ub) {
      add(gap, in_ub ? kBlocks : "bytes", in_ub ? isa::kDataBlockBytes : 1);
    };
    const bool into_ub = call->Has(Param::kIsPad);
    add(Param::kBlockLen, "bytes", 1);
    add_gap(Param::kSrcGap, !into_ub);
    add_gap(Param::kDstGap, into_ub);
    add(Param::kLeftPadding, "elements", element);
    add(Param::kRightPadding, "elements", element);
    return all;
  }
  const std::int64_t unit = isa::CopyUnitBytes(call->dst().position);
  const std::string_view units = unit == 32   ? kBlocks
                                 : unit == 64 ? "64 bytes"
                                              : "128 bytes";
  add(Param::kBlockLen, units, unit);
  add(Param::kSrcGap, kBlocks, isa::kDataBlockBytes);
  add(Param::kDstGap, units, unit);
  return all;
}

/// Whether an author is likely to have meant it: the iterations of a stride's
/// operand lie behind each other, and a count fills a window.
bool Convinces(const Situation& s, const isa::Step& changed,
               const Quantity& number) {
  const auto prints =
      isa::FootprintsOf(changed, s.c.product, s.judge.mask_register());
  if (number.field == "count") {
    return std::ranges::any_of(prints, [&](const isa::Footprint& print) {
      return print.Touched() ==
             IntegerOf(changed, std::string(print.operand) + ".bytes");
    });
  }
  return std::ranges::none_of(prints, [&](const isa::Footprint& print) {
    return print.operand == number.operand && print.stride < print.first;
  });
}

/// "srcRepStride is in DataBlocks of 32 bytes: you wrote 256; 8 makes the call
/// legal and reads what 256 bytes would".
std::string Why(const Quantity& number, std::int64_t meant,
                std::string_view written) {
  const bool writes =
      number.field.starts_with("dst") || number.field.ends_with("Padding");
  const std::string_view does = number.field == "count" ? "covers"
                                : writes                ? "writes"
                                                        : "reads";
  return fmt::format(
      "{} is in {}: you wrote {}; {} makes the call legal and {} what {} {} "
      "would",
      number.field, number.unit, number.value, meant, does, number.value,
      written);
}

/// Adds trials of up to three of the numbers that could have been meant in
/// `written`, of `bytes` each.
void AddOfUnit(const Situation& s, std::int64_t bytes, std::string_view written,
               std::vector<Trial>& all) {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  std::vector<Quantity> open = NumbersOf(s.step());
  std::erase_if(open, [&](const Quantity& number) {
    return number.bytes == bytes || number.value <= 0 || number.value > kFar ||
           number.value * bytes % number.bytes != 0;
  });
  for (std::size_t subset = 1; subset < std::size_t{1} << open.size();
       ++subset) {
    if (std::popcount(subset) > static_cast<int>(kMostChanges)) continue;
    Trial trial;
    std::vector<std::string> texts;
    std::vector<Quantity> chosen;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if ((subset >> i & 1) == 0) continue;
      const Quantity& number = chosen.emplace_back(open[i]);
      const std::int64_t meant = number.value * bytes / number.bytes;
      trial.changes.push_back({number.field, number.value, meant});
      texts.push_back(Why(number, meant, written));
    }
    trial.why = fmt::format("{}", fmt::join(texts, "; "));
    const isa::Step changed = trial.On(s.step());
    if (std::ranges::all_of(chosen, [&](const Quantity& number) {
          return Convinces(s, changed, number);
        })) {
      all.push_back(std::move(trial));
    }
  }
}

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
bool Fits(const isa::Step& step, isa::Product product,
          const isa::SetVectorMask& mask) {
  for (const isa::Footprint& print : isa::FootprintsOf(step, product, mask)) {
    const auto bytes = IntegerOf(step, std::string(print.operand) + ".bytes");
    const auto touched = print.Touched();
    if (bytes && (!touched || *touched > *bytes)) return false;
  }
  return true;
}

/// The greatest amount below the present one with which the call fits; 0 if
/// there is none.
std::int64_t MostThatFits(const isa::Step& step, const std::string& amount,
                          isa::Product product,
                          const isa::SetVectorMask& mask) {
  std::int64_t good = 0;
  std::int64_t bad = IntegerOf(step, amount).value_or(0);
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (Fits(With(step, amount, middle), product, mask) ? good : bad) = middle;
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

std::vector<Trial> UnitTrials(const Situation& situation) {
  std::vector<Trial> all;
  AddOfUnit(situation, 1, "bytes", all);
  AddOfUnit(situation, ElementOf(situation.step()), "elements", all);
  const auto* const call = std::get_if<isa::Call>(&situation.step());
  if (call != nullptr && call->signature->Has(isa::Param::kIsPad)) {
    AddOfUnit(situation, isa::kDataBlockBytes, kBlocks, all);
  }
  return all;
}

std::vector<Trial> ClampTrials(const Situation& situation,
                               const std::vector<Witness>& witnesses) {
  const isa::Step& step = situation.step();
  const isa::Product product = situation.c.product;
  const isa::SetVectorMask mask = situation.judge.mask_register();
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
      if (Fits(step, product, mask)) continue;  // a window leaves its memory
      isa::Step copy = step;
      for (const Slot& slot : SlotsOf(copy)) {
        if (!IsAmount(slot.name)) continue;
        add(slot.name, MostThatFits(step, slot.name, product, mask));
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
      if (!IsAmount(witness.field) || Fits(clamped, product, mask)) continue;
      add(witness.field, MostThatFits(clamped, witness.field, product, mask));
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
