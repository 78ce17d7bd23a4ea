#include "reports/trace/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "differential/testcase/element.h"
#include "isa/fields.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "isa/operand.h"
#include "isa/signature.h"
#include "reports/trace/instructions.h"

namespace lanediff::view {
namespace {

/// STATE-MASK-REGISTER: what an executed step does to the register; empty if
/// nothing.
std::string MaskEffect(const isa::Step& step, const isa::StepResult& result) {
  if (std::holds_alternative<isa::SetVectorMask>(step)) return "set by";
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return "";
  if (call->IsMasked()) {
    return call->is_set_mask ? "left at its own mask by" : "";
  }
  const bool all =
      result.notes.Contains(call->Rule(isa::CallRule::kClobbersMask));
  return all ? "left all ones by" : "";
}

/// Shows a step's fields under the document's names.
struct FieldPrinter {
  std::vector<FieldText> fields = {};

  void Add(std::string_view name, std::string value) {
    fields.push_back({std::string(name), std::move(value)});
  }
  template <class E>
  void Word(std::string_view name, const E& word) {
    Add(name, std::string(isa::Name(word)));
  }
  void Integer(std::string_view name, const std::int64_t& value) {
    Add(name, std::to_string(value));
  }
  void HexWord(std::string_view name, const std::uint64_t& value) {
    Add(name, fmt::format("0x{:x}", value));
  }
  void Flag(std::string_view name, const bool& flag, bool = false) {
    Add(name, flag ? "true" : "false");
  }
  void Tile(std::string_view name, const isa::Tile& tile) {
    Add(name,
        fmt::format(
            "{} at {} ({}×{} {}, valid {}×{}{})", isa::Name(tile.position),
            tile.at, tile.rows, tile.cols, isa::Name(tile.layout),
            tile.valid_row, tile.valid_col,
            tile.dtype ? ", " + std::string(isa::Name(*tile.dtype)) : ""));
  }
  template <class E>
  void OptionalWord(std::string_view name, const std::optional<E>& word) {
    Add(name, std::string(word ? isa::Name(*word) : "not given"));
  }
  void MaskWords(std::string_view name,
                 const std::array<std::uint64_t, 2>& words) {
    Add(name, fmt::format("[0x{:x}, 0x{:x}]", words[0], words[1]));
  }
  void Element(std::string_view name, isa::DType dtype,
               const std::uint64_t& bits) {
    Add(name, DescribeElement(dtype, bits));
  }
  void Part(std::string_view name, const std::string& text) { Add(name, text); }
  void Part(std::string_view, const isa::Resource& resource) {
    Part("arguments", resource.arguments);
  }
  void Part(std::string_view, const isa::Arguments& arguments) {
    for (const isa::Argument& one : arguments) {
      std::string value = std::visit(
          [](const auto& v) { return fmt::format("{}", v); }, one.value);
      if (one.range) {
        value += fmt::format(" (of {} to {})", one.range->low, one.range->high);
      }
      Add(one.name, std::move(value));
    }
  }
  void Part(std::string_view, const isa::CarriedOperands& operands) {
    for (const auto& one : operands) Operand(isa::Name(one.name), one.operand);
  }
  void Part(std::string_view name, const isa::CarriedMask& mask) {
    if (mask.masked) Add(name, mask.is_set_mask ? "its own" : "the register's");
    if (mask.leaves) {
      Add("leaves",
          fmt::format("{:#x}, {:#x}", (*mask.leaves)[0], (*mask.leaves)[1]));
    }
    if (mask.leaves_unknown) Add("leaves", std::string(isa::kUnknownMask));
  }
  void Part(std::string_view name, const isa::CarriedReads& reads) {
    for (const auto& read : reads) {
      Add(name, fmt::format("{} {} to {}", isa::Name(read.memory), read.at,
                            read.at + read.bytes - 1));
    }
  }
  void Part(std::string_view name, const isa::CarriedWrites& writes) {
    for (const auto& write : writes) {
      Add(name, fmt::format("{} {} to {}", isa::Name(write.memory), write.at,
                            write.at + write.size() - 1));
    }
  }
  template <class T>
  void Group(std::string_view, const T& group) {
    T::Fields(group, *this);
  }
  void Form(const std::uint8_t&, std::span<const isa::FormKey>) {}
  void Operand(std::string_view name, const isa::Operand& operand) {
    Add(name, fmt::format("{} at {} ({} bytes{})", isa::Name(operand.position),
                          operand.at, operand.bytes,
                          operand.dtype
                              ? ", " + std::string(isa::Name(*operand.dtype))
                              : ""));
  }
};

}  // namespace

void History::Add(std::size_t i, const isa::Step& step,
                  const isa::StepResult& result) {
  const std::string effect = MaskEffect(step, result);
  if (!effect.empty()) {
    mask_origin_ = fmt::format("{} step {} {}", effect, i, isa::OpName(step));
  }
  if (const auto* mode = std::get_if<isa::SetSaturation>(&step)) {
    saturation_ = mode->enabled;
  }
}

Lanes LanesOf(const StepFacts& facts, std::string_view operand, isa::DType type,
              std::int64_t lane_bytes) {
  const std::int64_t bytes = isa::SizeBytes(type);
  const auto per_block = static_cast<std::size_t>(32 / bytes);
  const std::int64_t all =
      isa::kIterationBytes / (lane_bytes == 0 ? bytes : lane_bytes);
  Lanes lanes{.drawing = std::string(static_cast<std::size_t>(all), '.')};
  for (const isa::Access& access : facts.accesses) {
    if (access.iteration != 0) break;
    if (access.operand != operand) continue;
    const auto first = static_cast<std::size_t>(access.lane);
    const auto count = static_cast<std::size_t>(access.bytes / bytes);
    if (lanes.drawing.size() < first + count) {
      lanes.drawing.resize(first + count, '.');
    }
    std::fill_n(lanes.drawing.begin() + access.lane, count, '#');
    lanes.taking_part += static_cast<std::int64_t>(count);
  }
  const std::size_t blocks = (lanes.drawing.size() + per_block - 1) / per_block;
  lanes.drawing.resize(blocks * per_block, '.');
  return lanes;
}

std::vector<FieldText> FieldTexts(const isa::Step& step) {
  FieldPrinter printer;
  std::visit([&](const auto& s) { s.Fields(s, printer); }, step);
  return std::move(printer.fields);
}

namespace {

using isa::Access;

/// Calls `visit(block, first, end)` for the bytes `first` to `end` - 1 of each
/// DataBlock of `access`, counted from the block's start.
template <class Visit>
void ForEachBlock(const Access& access, Visit visit) {
  std::int64_t done = 0;
  while (done < access.bytes) {
    const std::int64_t block = BlockOf(access.at + done);
    const std::int64_t first = access.at + done - block * kDataBlockBytes;
    const std::int64_t bytes =
        std::min(kDataBlockBytes - first, access.bytes - done);
    visit(block, static_cast<std::size_t>(first),
          static_cast<std::size_t>(first + bytes));
    done += bytes;
  }
}

isa::DType TypeOf(const Access& access) {
  const std::int64_t size = isa::SizeBytes(access.dtype);
  return access.at % size == 0 ? access.dtype : isa::DType::kUint8;
}

/// Two iterations.
using Pair = std::pair<std::int64_t, std::int64_t>;

template <class T>
using ByMemory = std::array<isa::IntervalMap<T>, isa::kCount<isa::Memory>>;

}  // namespace

TouchedBlocks SurveyBlocks(const std::vector<Access>& accesses) {
  TouchedBlocks blocks;
  for (const Access& access : accesses) {
    ForEachBlock(
        access, [&](std::int64_t number, std::size_t first, std::size_t end) {
          TouchedBlock& block = blocks[{access.memory, number}];
          for (std::size_t i = first; i < end; ++i) {
            block.touched[i] |=
                access.write ? TouchedBlock::kWritten : TouchedBlock::kRead;
          }
          if (std::ranges::find(block.operands, access.operand) ==
              block.operands.end()) {
            if (block.operands.empty()) block.dtype = TypeOf(access);
            block.operands.push_back(access.operand);
          }
          if (access.write && !block.typed_by_write) {
            block.dtype = TypeOf(access);
            block.typed_by_write = true;
          }
        });
  }
  return blocks;
}

std::vector<Overlap> FindOverlaps(const std::vector<Access>& accesses) {
  ByMemory<std::int64_t> readers;  // the last iterations
  ByMemory<std::int64_t> writers;
  std::array<ByMemory<Pair>, isa::kCount<Meeting>> met;  // the first two
  for (const Access& access : accesses) {
    const auto m = static_cast<std::size_t>(access.memory);
    const isa::Interval bytes = BytesOf(access);
    const auto meet = [&](Meeting meeting, const isa::Interval& part,
                          std::int64_t earlier) {
      met[static_cast<std::size_t>(meeting)][m].SetMissing(
          part, {earlier, access.iteration});
    };
    if (access.write) {
      readers[m].ForEach(
          bytes, [&](const isa::Interval& part, std::int64_t reader) {
            meet(reader == access.iteration ? Meeting::kInPlace
                                            : Meeting::kWrittenLater,
                 part, reader);
          });
    }
    writers[m].ForEach(
        bytes, [&](const isa::Interval& part, std::int64_t writer) {
          meet(access.write ? Meeting::kWrittenTwice : Meeting::kReadLater,
               part, writer);
        });
    (access.write ? writers : readers)[m].Set(bytes, access.iteration);
  }
  std::vector<Overlap> all;
  for (std::size_t i = 0; i < met.size(); ++i) {
    for (std::size_t m = 0; m < met[i].size(); ++m) {
      met[i][m].ForEach([&](const isa::Interval& bytes, const Pair& pair) {
        all.push_back({static_cast<Meeting>(i), static_cast<isa::Memory>(m),
                       bytes.begin, bytes.size(), pair.first, pair.second});
      });
    }
  }
  return all;
}

namespace {

bool Concerns(const isa::Rule& rule, const isa::Step& step) {
  const bool in_scope =
      !isa::IsOfLint(rule) ||
      (rule.instruction == isa::kKernel && rule.effect == isa::Effect::kReject);
  return in_scope && rule.SpeaksOf(isa::OpName(step));
}

bool UsesRule(const isa::Step& step, const isa::Rule& rule,
              const StepFacts& facts) {
  if (rule.instruction == "common") {
    return !rule.steps.empty() || UsesCommon(step, rule.id, facts);
  }
  return Uses(step, rule, facts);
}

/// "repeat is 256, allowed is 0 to 255" for each field that is out of a range
/// of `rule`.
std::string OutOfRange(const isa::Rule& rule, isa::Step step) {
  std::string text;
  std::int64_t element_bits = 0;
  for (const isa::FieldRef& field : isa::FieldsOf(step)) {
    if (auto* const* dtype = std::get_if<isa::DType*>(&field.value)) {
      element_bits = 8 * isa::SizeBytes(**dtype);
    }
    auto* const* value = std::get_if<std::int64_t*>(&field.value);
    if (value == nullptr) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field != field.name) continue;
      if (range.element_bits != 0 && range.element_bits != element_bits) {
        continue;
      }
      if (**value >= range.low && **value <= range.high) continue;
      text += fmt::format("{}{} is {}, allowed is {} to {}",
                          text.empty() ? "" : "; ", field.name, **value,
                          range.low, range.high);
    }
  }
  return text;
}

RuleVerdict VerdictOf(const isa::Step& step, const isa::Rule& rule,
                      const StepFacts& facts) {
  if (rule.effect == isa::Effect::kReject) return RuleVerdict::kNotBroken;
  if (facts.result.notes.Contains(rule.id)) return RuleVerdict::kNoted;
  const bool applies =
      rule.effect == isa::Effect::kSemantics && UsesRule(step, rule, facts);
  return applies ? RuleVerdict::kApplies : RuleVerdict::kNotMet;
}

}  // namespace

std::vector<RuleUse> RulesOfExecuted(const isa::Step& step,
                                     const StepFacts& facts) {
  std::vector<RuleUse> uses;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (!Concerns(rule, step)) continue;
    uses.push_back({&rule, VerdictOf(step, rule, facts), ""});
  }
  return uses;
}

std::vector<RuleUse> RulesOfRejected(const isa::Step& step,
                                     const isa::StepResult& result) {
  const isa::Stage reached = result.rules.empty()
                                 ? isa::Stage::kOverlap
                                 : isa::StageOf(*result.rules.begin());
  std::vector<RuleUse> uses;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (!Concerns(rule, step) || rule.effect != isa::Effect::kReject) continue;
    if (result.rules.Contains(rule.id)) {
      uses.push_back({&rule, RuleVerdict::kBroken, OutOfRange(rule, step)});
    } else {
      const bool later = rule.stage > reached;
      uses.push_back(
          {&rule, later ? RuleVerdict::kNotReached : RuleVerdict::kNotBroken,
           ""});
    }
  }
  return uses;
}

std::string DocumentsOf(const isa::Rule& rule) {
  std::string text;
  for (const isa::Source& source : rule.sources) {
    const std::string name(source.document.empty()
                               ? isa::Name(source.provenance())
                               : source.document);
    if (text.find(name) != std::string::npos) continue;
    if (!text.empty()) text += "; ";
    text += name;
  }
  return text;
}

}  // namespace lanediff::view
