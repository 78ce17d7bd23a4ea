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

constexpr std::string_view kBlocks = "DataBlocks of 32 bytes";

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
  using isa::Param;
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return {};
  const isa::Signature& row = *call->signature;
  std::vector<Counted> all;
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
  for (std::size_t i = 0; i < row.operands.size(); ++i) {
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
  const auto* const call = std::get_if<isa::Call>(&situation.step());
  if (call != nullptr && call->signature->Has(isa::Param::kIsPad)) {
    AddOfUnit(situation, isa::kDataBlockBytes, kBlocks, all);
  }
  return all;
}

}  // namespace lanediff::lint
