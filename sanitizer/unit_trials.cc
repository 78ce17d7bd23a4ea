// Numbers that are right in another unit than the document's.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "sanitizer/trial.h"

namespace lanediff::lint {
namespace {

/// A number that counts units of some bytes.
struct Counted {
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
std::vector<Counted> NumbersOf(const isa::Step& step) {
  constexpr std::string_view kBlocks = "DataBlocks of 32 bytes";
  std::vector<Counted> all;
  const auto add = [&](std::string field, std::string_view unit,
                       std::int64_t bytes, std::string operand) {
    const auto value = IntegerOf(step, field);
    if (!value) return;
    all.push_back({std::move(field), unit, bytes, std::move(operand), *value});
  };
  const std::int64_t element = ElementOf(step);
  add("count", "elements", element, "");
  const auto* const call = std::get_if<isa::Call>(&step);
  const bool reduces =
      call != nullptr && call->signature->family == isa::Family::kReduction;
  const auto operands = OperandsOf(step);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string& operand = operands[i];
    if (reduces && operand == "dst") {
      add("dstRepStride", "elements", element, operand);
      continue;
    }
    if (call != nullptr) {
      const isa::Signature& row = *call->signature;
      add(std::string(isa::NameOf(row, isa::Param::kDstBlkStride, i)), kBlocks,
          isa::kDataBlockBytes, "");
      add(std::string(isa::NameOf(row, isa::Param::kDstRepStride, i)), kBlocks,
          isa::kDataBlockBytes, operand);
    }
    add(operand + "_rep_stride", "matrices of 512 bytes", isa::kMatrixBytes,
        operand);
  }
  if (const auto* const copy = std::get_if<isa::DataCopy>(&step)) {
    const std::int64_t unit = isa::CopyUnitBytes(copy->dst.position);
    const std::string_view units = unit == 32   ? kBlocks
                                   : unit == 64 ? "64 bytes"
                                                : "128 bytes";
    add("blockLen", units, unit, "");
    add("srcGap", kBlocks, isa::kDataBlockBytes, "");
    add("dstGap", units, unit, "");
  }
  return all;
}

/// Whether an author is likely to have meant it: the iterations of a stride's
/// operand lie behind each other, and a count fills a window.
bool Convinces(const Situation& s, const isa::Step& changed,
               const Counted& number) {
  const MaskState::Words mask = s.judge.mask_register();
  const auto prints = isa::FootprintsOf(
      changed, isa::SetVectorMask{.high = mask.high, .low = mask.low});
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
std::string Why(const Counted& number, std::int64_t meant,
                std::string_view written) {
  const std::string_view does = number.field == "count"           ? "covers"
                                : number.field.starts_with("dst") ? "writes"
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
  std::vector<Counted> open = NumbersOf(s.step());
  std::erase_if(open, [&](const Counted& number) {
    return number.bytes == bytes || number.value <= 0 || number.value > kFar ||
           number.value * bytes % number.bytes != 0;
  });
  for (std::size_t subset = 1; subset < std::size_t{1} << open.size();
       ++subset) {
    if (std::popcount(subset) > static_cast<int>(kMostChanges)) continue;
    Trial trial;
    std::vector<std::string> texts;
    std::vector<Counted> chosen;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if ((subset >> i & 1) == 0) continue;
      const Counted& number = chosen.emplace_back(open[i]);
      const std::int64_t meant = number.value * bytes / number.bytes;
      trial.changes.push_back({number.field, number.value, meant});
      texts.push_back(Why(number, meant, written));
    }
    trial.why = fmt::format("{}", fmt::join(texts, "; "));
    const isa::Step changed = trial.On(s.step());
    if (std::ranges::all_of(chosen, [&](const Counted& number) {
          return Convinces(s, changed, number);
        })) {
      all.push_back(std::move(trial));
    }
  }
}

}  // namespace

std::vector<Trial> UnitTrials(const Situation& situation) {
  std::vector<Trial> all;
  AddOfUnit(situation, 1, "bytes", all);
  AddOfUnit(situation, ElementOf(situation.step()), "elements", all);
  return all;
}

}  // namespace lanediff::lint
