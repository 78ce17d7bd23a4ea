// MrgSort and MrgSort4: up to four sorted queues become one.

#include <array>
#include <string>

#include "kernel/carried/family.h"
#include "kernel/carried/pieces.h"
#include "kernel/carried/records.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

struct Merging {
  std::uint32_t dst = 0;
  std::vector<std::uint32_t> queues;  ///< operands
  std::vector<std::int64_t> lengths;  ///< records
  RecordKind kind;
  bool suspend = false;
  std::int64_t repeat = 1;

  std::int64_t Total() const {
    std::int64_t total = 0;
    for (const std::int64_t length : lengths) total += length;
    return total;
  }
};

/// repeatTimes holds for four queues of one length, one behind the other, that
/// are merged to their ends (MrgSort · repeatTimes).
bool Repeats(const CarriedCall& call, const Merging& merging) {
  if (merging.queues.size() != 4 || merging.suspend) return false;
  for (std::size_t i = 1; i < 4; ++i) {
    const std::int64_t length = merging.lengths[0];
    if (merging.lengths[i] != length ||
        call.operands[merging.queues[i]].at !=
            call.operands[merging.queues[i - 1]].at +
                length * merging.kind.bytes) {
      return false;
    }
  }
  return true;
}

std::expected<Merging, std::string> ResolveMerge(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  if (!dst) return std::unexpected(dst.error());
  Merging merging;
  merging.dst = *dst;
  const std::uint8_t dtype = call.operands[*dst].dtype;
  if (dtype != LANEDIFF_HALF && dtype != LANEDIFF_FLOAT) {
    return std::unexpected(RefusedType(call, dtype));
  }
  const bool half = dtype == LANEDIFF_HALF;
  merging.kind = std::string_view(call.call->name) == "MrgSort4"
                     ? ProposalsOf(half)
                     : PairsOf(half);
  const std::int64_t valid = parameters.GetOf({"validBit"}, {3, 7, 15}, 15);
  const std::size_t queues = valid == 15 ? 4 : valid == 7 ? 3 : 2;
  constexpr std::array<OperandName, 4> kNames = {
      OperandName::kSrc0, OperandName::kSrc1, OperandName::kSrc2,
      OperandName::kSrc3};
  for (std::size_t i = 0; i < queues; ++i) {
    const auto queue = Require(call, kNames[i]);
    if (!queue) return std::unexpected(queue.error());
    merging.queues.push_back(*queue);
    const std::string length = "elementLengths" + std::to_string(i);
    merging.lengths.push_back(parameters.Get({length}, 0, 4095, 0));
  }
  merging.suspend = parameters.Get({"ifExhaustedSuspension"}, 0, 1, 0) != 0;
  // 0 does nothing (MrgSort · 约束说明); of MrgSort4 it is none.
  const bool pairs = std::string_view(call.call->name) == "MrgSort";
  const std::int64_t repeat =
      parameters.Get({"repeatTimes", "repeatTime"}, pairs ? 0 : 1, 255, 1);
  merging.repeat = repeat == 0 || Repeats(call, merging) ? repeat : 1;
  return merging;
}

/// The queue's records, as many as may be read of it.
Records QueueAt(const CarriedCall& call, const Merging& merging, std::size_t i,
                std::int64_t r) {
  const CarriedOperand& queue = call.operands[merging.queues[i]];
  const std::int64_t begin = r * merging.Total() * merging.kind.bytes;
  const std::int64_t bytes =
      std::clamp<std::int64_t>(
          merging.lengths[i] * merging.kind.bytes, 0,
          std::max<std::int64_t>(queue.readable - begin, 0)) /
      merging.kind.bytes * merging.kind.bytes;
  if (bytes == 0) return {};
  return Records(queue.bytes + begin, queue.bytes + begin + bytes);
}

/// Sources are sorted before (MrgSort · 参数说明); what becomes of others is
/// open.
void CheckSorted(const CarriedCall& call, const Merging& merging,
                 std::int64_t r, CarriedPlan& plan) {
  const RecordKind& kind = merging.kind;
  for (std::size_t i = 0; i < merging.queues.size(); ++i) {
    if (!plan.contents.empty()) return;
    const Records records = QueueAt(call, merging, i, r);
    const auto count = static_cast<std::int64_t>(records.size()) / kind.bytes;
    const CarriedOperand& queue = call.operands[merging.queues[i]];
    const std::int64_t begin = r * merging.Total() * kind.bytes;
    if (count > 0) {
      CheckScores(plan, queue, kind.half, queue.bytes + begin + kind.score,
                  count, kind.bytes);
    }
    for (std::int64_t k = 1; k < count && plan.contents.empty(); ++k) {
      const std::uint8_t* const record = records.data() + k * kind.bytes;
      const float before = ScoreAt(kind, record - kind.bytes);
      const float score = ScoreAt(kind, record);
      if (before >= score ||
          queue.HasUnwritten(begin + (k - 1) * kind.bytes, 2 * kind.bytes)) {
        continue;
      }
      plan.approximate = true;
      plan.contents.push_back({.operand = queue.name,
                               .text = "score " + std::to_string(k) +
                                       " is larger than score " +
                                       std::to_string(k - 1),
                               .open = true});
    }
  }
}

Records MergedAt(const CarriedCall& call, const Merging& merging,
                 std::int64_t r, std::uint64_t& taken) {
  std::vector<Records> queues;
  for (std::size_t i = 0; i < merging.queues.size(); ++i) {
    queues.push_back(QueueAt(call, merging, i, r));
  }
  return Merged(merging.kind, queues, merging.suspend, taken);
}

Planned PlanMerge(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto merging = ResolveMerge(parameters);
  if (!merging) return std::unexpected(merging.error());
  plan.align.resize(call.operands.size());
  const std::int64_t step = merging->Total() * merging->kind.bytes;
  std::uint64_t taken = 0;
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < merging->repeat; ++r) {
    for (std::size_t i = 0; i < merging->queues.size(); ++i) {
      // MrgSort · 参数说明: its queues start at 8 bytes.
      plan.align[merging->queues[i]] = merging->kind.bytes == 8 ? 8 : 32;
      const std::int64_t bytes = merging->lengths[i] * merging->kind.bytes;
      if (bytes > 0) {
        AddTouch(call, merging->queues[i], r * step, bytes, r, plan.reads);
      }
    }
    if (bounds.Left()) break;
    CheckSorted(call, *merging, r, plan);
    const std::int64_t made =
        merging->suspend ? static_cast<std::int64_t>(
                               MergedAt(call, *merging, r, taken).size())
                         : step;
    if (made > 0) AddTouch(call, merging->dst, r * step, made, r, plan.writes);
  }
  return plan;
}

std::uint64_t ComputeMerge(const CarriedCall& call, const CarriedPlan&,
                           VectorState&) {
  Parameters parameters(call);
  const auto merging = ResolveMerge(parameters);
  const std::int64_t step = merging->Total() * merging->kind.bytes;
  std::uint64_t taken = 0;
  for (std::int64_t r = 0; r < merging->repeat; ++r) {
    const Records merged = MergedAt(call, *merging, r, taken);
    std::memcpy(call.operands[merging->dst].bytes + r * step, merged.data(),
                merged.size());
  }
  return taken;
}

constexpr std::array<Row, 2> kMergeRows = {
    Row{"MrgSort", &PlanMerge, &ComputeMerge},
    Row{"MrgSort4", &PlanMerge, &ComputeMerge}};

}  // namespace

std::span<const Row> MergeRows() { return kMergeRows; }

}  // namespace lanediff::kernel::carried
