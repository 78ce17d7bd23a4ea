// Sort32, Sort, RpSort16, Extract, Concat, ProposalConcat, ProposalExtract; and
// MrgSort and MrgSort4: up to four sorted queues become one.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel/carried/family.h"
#include "kernel/carried/numbers.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

// ---- Records with a score in them -------------------------------------------

/// On atlas-a2 and -a3 8 bytes, the score first and a 32-bit index last;
/// elsewhere region proposals of eight elements, the score the fifth (Sort ·
/// 功能说明).
struct RecordKind {
  std::int64_t bytes = 8;
  std::int64_t score = 0;  ///< where it stands
  bool half = false;
  std::int64_t batch = 32;  ///< records of an iteration

  std::int64_t element() const { return half ? 2 : 4; }
};

RecordKind PairsOf(bool half) {
  return {.bytes = 8, .score = 0, .half = half, .batch = 32};
}
RecordKind ProposalsOf(bool half) {
  const std::int64_t element = half ? 2 : 4;
  return {
      .bytes = 8 * element, .score = 4 * element, .half = half, .batch = 16};
}

/// A NaN counts as the largest; the pages are silent.
float ScoreAt(const RecordKind& kind, const std::uint8_t* record) {
  const float score = FloatAt(kind.half, record + kind.score);
  return std::isnan(score) ? std::numeric_limits<float>::infinity() : score;
}

/// The pages are silent on NaN scores: notes the first one of `count`, `each`
/// bytes apart, and marks the result as open.
void CheckScores(CarriedPlan& plan, const CarriedOperand& operand, bool half,
                 const std::uint8_t* score, std::int64_t count,
                 std::int64_t each) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint8_t* const at = score + i * each;
    if (!std::isnan(FloatAt(half, at)) ||
        operand.HasUnwritten(at - operand.bytes, 1)) {
      continue;
    }
    plan.approximate = true;
    plan.contents.push_back({.operand = operand.name,
                             .text = "score " + std::to_string(i) + " is NaN",
                             .open = true});
    return;
  }
}

using Records = std::vector<std::uint8_t>;

/// Largest score first; of equal ones the earlier.
Records Sorted(const RecordKind& kind, const Records& records) {
  const auto count = static_cast<std::int64_t>(records.size()) / kind.bytes;
  std::vector<std::int64_t> order(count);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::ranges::sort(order, {}, [&](std::int64_t i) {
    return std::pair(-ScoreAt(kind, records.data() + i * kind.bytes), i);
  });
  Records sorted(records.size());
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(sorted.data() + i * kind.bytes,
                records.data() + order[i] * kind.bytes, kind.bytes);
  }
  return sorted;
}

/// The queues' heads, the largest first, of equal ones that of the earlier
/// queue; until all are empty, or with `suspend` one is. `taken`: how many of
/// each, 16 bits each, the first queue low.
Records Merged(const RecordKind& kind, std::span<const Records> queues,
               bool suspend, std::uint64_t& taken) {
  std::vector<std::size_t> heads(queues.size());
  Records merged;
  taken = 0;
  for (;;) {
    std::ptrdiff_t best = -1;
    float most = 0;
    for (std::size_t q = 0; q < queues.size(); ++q) {
      if (heads[q] >= queues[q].size()) {
        if (suspend) return merged;
        continue;
      }
      const float score = ScoreAt(kind, queues[q].data() + heads[q]);
      if (best < 0 || score > most) {
        best = static_cast<std::ptrdiff_t>(q);
        most = score;
      }
    }
    if (best < 0) return merged;
    const std::uint8_t* const from = queues[best].data() + heads[best];
    merged.insert(merged.end(), from, from + kind.bytes);
    heads[best] += kind.bytes;
    taken += std::uint64_t{1} << (16 * best);
  }
}

// ---- Sorting ----------------------------------------------------------------

/// Elements of an iteration of Concat.
constexpr std::int64_t kConcatBatch = 16;

struct Sorting {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;  ///< scores, or records
  std::optional<std::uint32_t> index;
  std::optional<std::uint32_t> tmp;
  RecordKind kind;
  bool makes = false;  ///< records of scores and indices
  bool full = false;   ///< all iterations together
  std::int64_t repeat = 0;
};

Sorting ResolveSort(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::string_view name = call.call->name;
  Sorting sorting;
  sorting.dst = Require(call, OperandName::kDst);
  sorting.src = Require(call, OperandName::kSrc0, OperandName::kSrc);
  const bool half = RequireHalfOrFloat(call, call.operands[sorting.dst].dtype);
  RequireSame(call, sorting.src, sorting.dst);
  sorting.makes = name == "Sort32" || (name == "Sort" && IsA2(call.product));
  sorting.kind = sorting.makes ? PairsOf(half) : ProposalsOf(half);
  if (sorting.makes) {
    sorting.index = Require(call, OperandName::kSrc1);
    const std::uint8_t index = call.operands[*sorting.index].dtype;
    if (index != LANEDIFF_UINT32) {
      throw Refused(std::string(name) + " with an index of " +
                    std::string(DTypeName(index)));
    }
  }
  if (name == "Sort") {
    sorting.full = parameters.Get("isFullSort", 0, 1, 0) != 0;
    sorting.tmp = Find(call, OperandName::kTmp);
  }
  sorting.repeat = RepeatTime(parameters);
  return sorting;
}

/// What the call leaves unspecified of its work tensor, from the first byte on.
struct Scratch {
  std::uint32_t operand = 0;
  std::int64_t bytes = 0;
};

/// Of so many records; a work tensor that is not needed may be shorter.
std::optional<Scratch> ScratchOf(const CarriedCall& call,
                                 const Sorting& sorting) {
  if (!sorting.tmp) return std::nullopt;
  std::int64_t bytes = sorting.repeat * sorting.kind.batch * sorting.kind.bytes;
  if (!sorting.full || sorting.repeat < 2) {
    bytes = std::min(bytes, call.operands[*sorting.tmp].window);
  }
  return Scratch{*sorting.tmp, bytes};
}

std::uint8_t* WriteScratch(CallMemory& memory,
                           const std::optional<Scratch>& scratch) {
  if (!scratch || scratch->bytes <= 0) return nullptr;
  return memory.Write(scratch->operand, 0, scratch->bytes);
}

void FillScratch(std::uint8_t* at, const std::optional<Scratch>& scratch) {
  // No page specifies the bytes left there: a visible pattern.
  if (at != nullptr) std::memset(at, 0xff, scratch->bytes);
}

std::int64_t SourceBytes(const Sorting& sorting) {
  return sorting.makes ? sorting.kind.element() : sorting.kind.bytes;
}

Records RecordsOf(const Sorting& sorting, const std::uint8_t* from,
                  const std::uint8_t* index, std::int64_t count) {
  const RecordKind& kind = sorting.kind;
  Records records(count * kind.bytes);
  const std::int64_t each = SourceBytes(sorting);
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint8_t* const record = records.data() + i * kind.bytes;
    std::memcpy(record, from + i * each, each);
    if (index != nullptr) std::memcpy(record + 4, index + i * 4, 4);
  }
  return records;
}

/// What the pages state of the operands.
void CheckSort(const CarriedCall& call, const Sorting& sorting,
               CarriedPlan& plan) {
  const CarriedOperand& src = call.operands[sorting.src];
  const std::int64_t each = SourceBytes(sorting);
  const std::int64_t score = sorting.makes ? 0 : sorting.kind.score;
  CheckScores(plan, src, sorting.kind.half, src.bytes + score,
              std::clamp<std::int64_t>(src.readable / each, 0,
                                       sorting.repeat * sorting.kind.batch),
              each);
  if (std::string_view(call.call->name) == "Sort32") {
    // Sort32 · 约束说明.
    plan.align[sorting.dst] = 256;
    plan.align[sorting.src] = sorting.kind.batch * sorting.kind.element();
    plan.align[*sorting.index] = 128;
  }
}

std::uint64_t RunSort(CallMemory& memory, const Sorting& sorting,
                      VectorState&) {
  // All together: one iteration, as none is done before the last is read.
  const std::int64_t iterations = sorting.full ? 1 : sorting.repeat;
  const std::int64_t count =
      sorting.kind.batch * (sorting.full ? sorting.repeat : 1);
  const std::int64_t read = count * SourceBytes(sorting);
  const std::int64_t made = count * sorting.kind.bytes;
  for (std::int64_t r = 0; r < iterations && count > 0 && memory.Begin(r);
       ++r) {
    const std::uint8_t* const from = memory.Read(sorting.src, r * read, read);
    const std::uint8_t* const index =
        sorting.index ? memory.Read(*sorting.index, r * count * 4, count * 4)
                      : nullptr;
    Records sorted;
    if (from != nullptr) {
      sorted = Sorted(sorting.kind, RecordsOf(sorting, from, index, count));
    }
    if (r == 0) {
      const auto scratch = ScratchOf(memory.call(), sorting);
      FillScratch(WriteScratch(memory, scratch), scratch);
    }
    std::uint8_t* const to = memory.Write(sorting.dst, r * made, made);
    if (to != nullptr) std::memcpy(to, sorted.data(), sorted.size());
  }
  if (CarriedPlan* const plan = memory.plan()) {
    CheckSort(memory.call(), sorting, *plan);
  }
  return 0;
}

// ---- Fields of records ------------------------------------------------------

struct Fields {
  Pieces pieces;
  std::optional<Scratch> scratch;
};

/// Of Concat, whose page gives no size: what its result takes, if it fits.
/// Where the result lies in the work tensor nothing is left.
std::optional<Scratch> ScratchOfConcat(const CarriedCall& call,
                                       std::int64_t bytes) {
  const auto tmp = Find(call, OperandName::kTmp);
  if (!tmp) return std::nullopt;
  const CarriedOperand& work = call.operands[*tmp];
  const auto dst = Find(call, OperandName::kDst);
  if (dst && call.operands[*dst].at == work.at) return std::nullopt;
  return Scratch{*tmp, std::min(bytes, work.window)};
}

/// Extract: scores, and on atlas-a2 and -a3 indices, of 256 bytes of records.
Fields ResolveExtract(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint32_t src = Require(call, OperandName::kSrc);
  const bool half = RequireHalfOrFloat(call, call.operands[dst].dtype);
  const bool pairs = IsA2(call.product);
  const std::uint32_t index = pairs ? Require(call, OperandName::kDst1) : 0;
  const RecordKind kind = pairs ? PairsOf(half) : ProposalsOf(half);
  Fields fields;
  const std::int64_t repeat = RepeatTime(parameters);
  for (std::int64_t r = 0; r < repeat; ++r) {
    auto& iteration = fields.pieces.iterations.emplace_back();
    for (std::int64_t i = r * kind.batch; i < (r + 1) * kind.batch; ++i) {
      iteration.push_back({src, dst, i * kind.bytes + kind.score,
                           i * kind.element(), kind.element()});
    }
    for (std::int64_t i = r * kind.batch; pairs && i < (r + 1) * kind.batch;
         ++i) {
      iteration.push_back({src, index, i * kind.bytes + 4, i * 4, 4});
    }
  }
  return fields;
}

/// ProposalConcat, ProposalExtract, and Concat where scores become proposals.
Fields ResolveProposals(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::string_view name = call.call->name;
  Fields fields;
  if (name == "Concat" && !Find(call, OperandName::kDst)) {
    // The result is its source.
    const auto src = Find(call, OperandName::kSrc);
    if (!src) return fields;
    const std::int64_t element = BitsOf(call.operands[*src].dtype) / 8;
    fields.scratch =
        ScratchOfConcat(call, RepeatTime(parameters) * kConcatBatch * element);
    return fields;
  }
  const std::uint32_t dst = Require(call, OperandName::kDst);
  const std::uint32_t src = Require(call, OperandName::kSrc);
  const RecordKind kind =
      ProposalsOf(RequireHalfOrFloat(call, call.operands[dst].dtype));
  const bool concat = name != "ProposalExtract";
  const std::int64_t mode =
      name == "Concat" ? 4 : parameters.Get("modeNumber", 0, 5, 0);
  const std::int64_t repeat = RepeatTime(parameters);
  if (name == "Concat") {
    fields.scratch = ScratchOfConcat(call, repeat * kind.batch * kind.bytes);
  }
  for (std::int64_t r = 0; r < repeat; ++r) {
    auto& iteration = fields.pieces.iterations.emplace_back();
    for (std::int64_t i = r * kind.batch; i < (r + 1) * kind.batch; ++i) {
      const std::int64_t field = i * kind.bytes + mode * kind.element();
      const std::int64_t alone = i * kind.element();
      iteration.push_back({src, dst, concat ? alone : field,
                           concat ? field : alone, kind.element()});
    }
  }
  return fields;
}

std::uint64_t RunFields(CallMemory& memory, const Fields& fields,
                        VectorState& state) {
  std::uint8_t* const scratch = WriteScratch(memory, fields.scratch);
  RunPieces(memory, fields.pieces, state);
  FillScratch(scratch, fields.scratch);
  return 0;
}

// ---- Merging ----------------------------------------------------------------

struct Merging {
  std::uint32_t dst = 0;
  std::vector<std::uint32_t> queues;  ///< operands
  std::vector<std::int64_t> lengths;  ///< records
  RecordKind kind;
  bool suspend = false;
  std::int64_t repeat = 1;

  std::int64_t Total() const {
    return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
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

Merging ResolveMerge(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  Merging merging;
  merging.dst = Require(call, OperandName::kDst);
  const bool half = RequireHalfOrFloat(call, call.operands[merging.dst].dtype);
  merging.kind = std::string_view(call.call->name) == "MrgSort4"
                     ? ProposalsOf(half)
                     : PairsOf(half);
  const std::int64_t valid = parameters.GetOf("validBit", {3, 7, 15}, 15);
  const std::size_t queues = valid == 15 ? 4 : valid == 7 ? 3 : 2;
  constexpr std::array<OperandName, 4> kNames = {
      OperandName::kSrc0, OperandName::kSrc1, OperandName::kSrc2,
      OperandName::kSrc3};
  for (std::size_t i = 0; i < queues; ++i) {
    merging.queues.push_back(Require(call, kNames[i]));
    const std::string length = "elementLengths" + std::to_string(i);
    merging.lengths.push_back(parameters.Get(length, 0, 4095, 0));
  }
  merging.suspend = parameters.Get("ifExhaustedSuspension", 0, 1, 0) != 0;
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

std::uint64_t RunMerge(CallMemory& memory, const Merging& merging,
                       VectorState& state) {
  const CarriedCall& call = memory.call();
  CarriedPlan* const plan = memory.plan();
  const std::int64_t step = merging.Total() * merging.kind.bytes;
  std::uint64_t taken = 0;
  for (std::int64_t r = 0; r < merging.repeat; ++r) {
    memory.SetIteration(r);
    for (std::size_t i = 0; i < merging.queues.size(); ++i) {
      // MrgSort · 参数说明: its queues start at 8 bytes.
      if (plan != nullptr) {
        plan->align[merging.queues[i]] = merging.kind.bytes == 8 ? 8 : 32;
      }
      const std::int64_t bytes = merging.lengths[i] * merging.kind.bytes;
      if (bytes > 0) memory.Read(merging.queues[i], r * step, bytes);
    }
    if (memory.Left()) break;
    if (plan != nullptr) CheckSorted(call, merging, r, *plan);
    Records merged;
    if (plan == nullptr || merging.suspend) {
      merged = MergedAt(call, merging, r, taken);
    }
    const std::int64_t made =
        merging.suspend ? static_cast<std::int64_t>(merged.size()) : step;
    if (made == 0) continue;
    std::uint8_t* const to = memory.Write(merging.dst, r * step, made);
    if (to != nullptr) std::memcpy(to, merged.data(), merged.size());
  }
  state.merged.reset();
  if (merging.suspend) state.merged = taken;
  state.merged_skipped = false;
  return taken;
}

CarriedPlan PlanMergeResult(const CarriedCall& call) {
  if (!call.state.merged) {
    throw Refused("no MrgSort with ifExhaustedSuspension was before it");
  }
  CarriedPlan plan;
  plan.pipe = isa::Pipe::kS;
  plan.approximate = call.state.merged_skipped;
  return plan;
}
std::uint64_t MergeResult(const CarriedCall& call, VectorState&) {
  return *call.state.merged;
}

}  // namespace

Rows SortRows() {
  using Name = std::string_view;
  Rows rows = {RowOf<ResolveExtract, RunFields>("Extract")};
  for (const Name name : {"Sort32", "Sort", "RpSort16"}) {
    rows.push_back(RowOf<ResolveSort, RunSort>(name));
  }
  for (const Name name : {"Concat", "ProposalConcat", "ProposalExtract"}) {
    rows.push_back(RowOf<ResolveProposals, RunFields>(name));
  }
  for (const Name name : {"MrgSort", "MrgSort4"}) {
    rows.push_back(RowOf<ResolveMerge, RunMerge>(name));
  }
  rows.push_back({"GetMrgSortResult", PlanMergeResult, MergeResult});
  return rows;
}

}  // namespace lanediff::kernel::carried
