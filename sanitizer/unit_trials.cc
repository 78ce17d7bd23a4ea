// Numbers that are right in another unit than the document's.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "differential/records/sort_stably.h"
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
};

class Units {
 public:
  explicit Units(const Situation& s)
      : s_(s),
        step_(s.step()),
        type_(TypeOf(step_).value_or(isa::DType::kHalf)),
        element_(isa::SizeBytes(type_)) {}

  std::vector<Trial> All() {
    Masks();
    Counts();
    InOtherUnit(1, "bytes");
    InOtherUnit(element_, "elements");
    HeadToHead();
    SortStably(all_, [](const Trial& trial) { return trial.values.size(); });
    return std::move(all_);
  }

 private:
  std::vector<Counted> Numbers() const;
  void InOtherUnit(std::int64_t written_bytes, std::string_view written);
  void Subset(const std::vector<Counted>& numbers, std::int64_t written_bytes,
              std::string_view written);
  bool Convinces(const isa::Step& changed, const Counted& number) const;
  void HeadToHead();
  void Masks();
  void Counts();

  std::optional<std::int64_t> Number(std::string_view field) const {
    return IntegerOf(step_, field);
  }
  void Add(std::string field, std::int64_t value, std::string why) {
    all_.push_back({{{std::move(field), value}}, 0, std::move(why)});
  }

  const Situation& s_;
  const isa::Step& step_;
  isa::DType type_;
  std::int64_t element_;
  std::vector<Trial> all_;
};

/// Strides, lengths and gaps of the call, with their units.
std::vector<Counted> Units::Numbers() const {
  constexpr std::string_view kBlocks = "DataBlocks of 32 bytes";
  std::vector<Counted> all;
  const auto add = [&](std::string field, std::string_view unit,
                       std::int64_t bytes, std::string operand) {
    if (Number(field)) {
      all.push_back({std::move(field), unit, bytes, std::move(operand)});
    }
  };
  const bool sum = std::holds_alternative<isa::RepeatReduceSum>(step_) ||
                   std::holds_alternative<isa::WholeReduceSum>(step_);
  for (const std::string operand : {"dst", "src", "src0", "src1"}) {
    if (sum && operand == "dst") {
      add("dstRepStride", "elements", element_, operand);
      continue;
    }
    add(operand + "BlkStride", kBlocks, isa::kDataBlockBytes, "");
    add(operand + "RepStride", kBlocks, isa::kDataBlockBytes, operand);
    add(operand + "_rep_stride", "matrices of 512 bytes", isa::kMatrixBytes,
        operand);
  }
  if (const auto* const copy = std::get_if<isa::DataCopy>(&step_)) {
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

/// Whether the iterations of the operand lie behind each other then, as
/// an author means who counts them: a smaller stride is no likely reading.
bool Units::Convinces(const isa::Step& changed, const Counted& number) const {
  if (number.operand.empty()) return true;
  const MaskState::Words mask = s_.judge.mask_register();
  for (const isa::Footprint& print : isa::FootprintsOf(
           changed, isa::SetVectorMask{.high = mask.high, .low = mask.low})) {
    if (print.operand == number.operand) return print.stride >= print.first;
  }
  return true;
}

/// "srcRepStride is in DataBlocks of 32 bytes: you wrote 256; 8 makes the call
/// legal and reads what 256 bytes would".
void Units::Subset(const std::vector<Counted>& numbers,
                   std::int64_t written_bytes, std::string_view written) {
  Trial trial;
  std::vector<std::string> texts;
  for (const Counted& number : numbers) {
    const std::int64_t value = *Number(number.field);
    const std::int64_t meant = value * written_bytes / number.bytes;
    trial.values.emplace_back(number.field, meant);
    const bool writes = number.field.starts_with("dst");
    texts.push_back(fmt::format(
        "{} is in {}: you wrote {}; {} makes the call legal and {} what {} {} "
        "would",
        number.field, number.unit, value, meant, writes ? "writes" : "reads",
        value, written));
  }
  trial.why = fmt::format("{}", fmt::join(texts, "; "));
  const isa::Step changed = trial.On(step_);
  for (const Counted& number : numbers) {
    if (!Convinces(changed, number)) return;
  }
  all_.push_back(std::move(trial));
}

/// Up to three of the numbers that could have been meant in such units.
void Units::InOtherUnit(std::int64_t written_bytes, std::string_view written) {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  std::vector<Counted> open;
  for (const Counted& number : Numbers()) {
    const std::int64_t value = *Number(number.field);
    if (number.bytes == written_bytes || value <= 0 || value > kFar) continue;
    if (value * written_bytes % number.bytes == 0) open.push_back(number);
  }
  const std::size_t n = open.size();
  for (std::size_t subset = 1; subset < (std::size_t{1} << n); ++subset) {
    std::vector<Counted> chosen;
    for (std::size_t i = 0; i < n; ++i) {
      if ((subset >> i & 1) != 0) chosen.push_back(open[i]);
    }
    if (chosen.size() <= 3) Subset(chosen, written_bytes, written);
  }
}

/// DataCopy's gaps run from tail to head.
void Units::HeadToHead() {
  const auto length = Number("blockLen");
  if (!length || *length < 1) return;
  const auto reason = [&](std::string_view field, std::int64_t gap) {
    return fmt::format(
        "{} runs from the tail of a block to the head of the next: you wrote "
        "{}; {} makes the call legal and is {} from head to head",
        field, gap, gap - *length, gap);
  };
  const std::int64_t src = *Number("srcGap");
  const std::int64_t dst = *Number("dstGap");
  if (src >= *length) Add("srcGap", src - *length, reason("srcGap", src));
  if (dst >= *length) Add("dstGap", dst - *length, reason("dstGap", dst));
  if (src >= *length && dst >= *length) {
    all_.push_back({{{"srcGap", src - *length}, {"dstGap", dst - *length}},
                    0,
                    reason("srcGap", src) + "; " + reason("dstGap", dst)});
  }
}

void Units::Masks() {
  const std::int64_t lanes = isa::kIterationBytes / element_;
  for (const std::string field : {"mask", "elemsInOneRepeat"}) {
    const auto value = Number(field);
    if (!value || *value <= lanes) continue;
    Add(field, lanes,
        fmt::format("{} counts lanes of one iteration, of which {} has {}: you "
                    "wrote {}; {} makes the call legal",
                    field, isa::Name(type_), lanes, *value, lanes));
  }
}

/// count in bytes, or rounded up to whole DataBlocks or iterations.
void Units::Counts() {
  const auto count = Number("count");
  if (!count || *count <= 0) return;
  std::optional<std::int64_t> held;
  for (const std::string& operand : OperandsOf(step_)) {
    const std::int64_t bytes = Number(operand + ".bytes").value_or(0);
    held = std::min(held.value_or(bytes / element_), bytes / element_);
  }
  if (held && *count == *held * element_ && element_ > 1) {
    Add("count", *count / element_,
        fmt::format("count is in elements: you wrote {}; {} makes the call "
                    "legal and covers what {} bytes would",
                    *count, *count / element_, *count));
  }
  for (const std::int64_t whole :
       {isa::kDataBlockBytes, isa::kIterationBytes}) {
    const std::int64_t unit = whole / element_;
    if (!held || *held <= 0 || *held >= *count || *count > (*held + unit))
      continue;
    if ((*held + unit - 1) / unit * unit != *count) continue;
    Add("count", *held,
        fmt::format("the windows hold {} elements: you wrote {}, which is that "
                    "rounded up to whole {} bytes; {} makes the call legal",
                    *held, *count, whole, *held));
    return;
  }
}

}  // namespace

std::vector<Trial> UnitTrials(const Situation& situation) {
  return Units(situation).All();
}

}  // namespace lanediff::lint
