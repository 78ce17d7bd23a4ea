// Sort32, Sort, RpSort16, Extract, Concat, ProposalConcat, ProposalExtract.

#include <algorithm>
#include <array>
#include <string_view>

#include "kernel/carried/family.h"
#include "kernel/carried/pieces.h"
#include "kernel/carried/records.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

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

std::expected<bool, std::string> IsHalf(const CarriedCall& call,
                                        std::uint32_t operand) {
  const std::uint8_t dtype = call.operands[operand].dtype;
  if (dtype == LANEDIFF_HALF) return true;
  if (dtype == LANEDIFF_FLOAT) return false;
  return std::unexpected(RefusedType(call, dtype));
}

std::expected<Sorting, std::string> ResolveSort(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::string_view name = call.call->name;
  Sorting sorting;
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc0, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  sorting.dst = *dst;
  sorting.src = *src;
  const auto half = IsHalf(call, *dst);
  if (!half) return std::unexpected(half.error());
  if (call.operands[*src].dtype != call.operands[*dst].dtype) {
    return std::unexpected(RefusedPair(call, call.operands[*src].dtype,
                                       call.operands[*dst].dtype));
  }
  sorting.makes = name == "Sort32" || (name == "Sort" && IsA2(call.product));
  sorting.kind = sorting.makes ? PairsOf(*half) : ProposalsOf(*half);
  if (sorting.makes) {
    const auto index = Require(call, OperandName::kSrc1);
    if (!index) return std::unexpected(index.error());
    if (call.operands[*index].dtype != LANEDIFF_UINT32) {
      return std::unexpected(
          std::string(name) + " with an index of " +
          std::string(DTypeName(call.operands[*index].dtype)));
    }
    sorting.index = *index;
  }
  if (name == "Sort") {
    sorting.full = parameters.Get({"isFullSort"}, 0, 1, 0) != 0;
    if (const auto tmp = Require(call, OperandName::kTmp)) sorting.tmp = *tmp;
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

void TouchScratch(const CarriedCall& call,
                  const std::optional<Scratch>& scratch, CarriedPlan& plan) {
  if (!scratch || scratch->bytes <= 0) return;
  AddTouch(call, scratch->operand, 0, scratch->bytes, 0, plan.writes);
}

void FillScratch(const CarriedCall& call,
                 const std::optional<Scratch>& scratch) {
  if (!scratch || scratch->bytes <= 0) return;
  // No page specifies the bytes left there: a visible pattern.
  std::memset(call.operands[scratch->operand].bytes, 0xff, scratch->bytes);
}

std::int64_t SourceBytes(const Sorting& sorting) {
  return sorting.makes ? sorting.kind.element() : sorting.kind.bytes;
}

Planned PlanSort(const CarriedCall& call) {
  const std::string_view name = call.call->name;
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto sorting = ResolveSort(parameters);
  if (!sorting) return std::unexpected(sorting.error());
  // All together: one iteration, as none is done before the last is read.
  const std::int64_t iterations = sorting->full ? 1 : sorting->repeat;
  const std::int64_t records =
      sorting->kind.batch * (sorting->full ? sorting->repeat : 1);
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < iterations && records > 0 && !bounds.Left();
       ++r) {
    const std::int64_t read = records * SourceBytes(*sorting);
    const std::int64_t made = records * sorting->kind.bytes;
    AddTouch(call, sorting->src, r * read, read, r, plan.reads);
    if (sorting->index) {
      AddTouch(call, *sorting->index, r * records * 4, records * 4, r,
               plan.reads);
    }
    if (r == 0) TouchScratch(call, ScratchOf(call, *sorting), plan);
    AddTouch(call, sorting->dst, r * made, made, r, plan.writes);
  }
  const CarriedOperand& src = call.operands[sorting->src];
  const std::int64_t each = SourceBytes(*sorting);
  const std::int64_t score = sorting->makes ? 0 : sorting->kind.score;
  CheckScores(plan, src, sorting->kind.half, src.bytes + score,
              std::clamp<std::int64_t>(src.readable / each, 0,
                                       sorting->repeat * sorting->kind.batch),
              each);
  if (name == "Sort32") {
    // Sort32 · 约束说明.
    plan.align.resize(call.operands.size());
    plan.align[sorting->dst] = 256;
    plan.align[sorting->src] = sorting->kind.batch * sorting->kind.element();
    plan.align[*sorting->index] = 128;
  }
  return plan;
}

Records RecordsAt(const CarriedCall& call, const Sorting& sorting,
                  std::int64_t first, std::int64_t count) {
  const RecordKind& kind = sorting.kind;
  Records records(count * kind.bytes);
  const std::int64_t each = SourceBytes(sorting);
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint8_t* const record = records.data() + i * kind.bytes;
    std::memcpy(record, call.operands[sorting.src].bytes + (first + i) * each,
                each);
    if (sorting.index) {
      std::memcpy(record + 4,
                  call.operands[*sorting.index].bytes + (first + i) * 4, 4);
    }
  }
  return records;
}

std::uint64_t ComputeSort(const CarriedCall& call, const CarriedPlan&,
                          VectorState&) {
  Parameters parameters(call);
  const auto sorting = ResolveSort(parameters);
  const std::int64_t iterations = sorting->full ? 1 : sorting->repeat;
  const std::int64_t count =
      sorting->kind.batch * (sorting->full ? sorting->repeat : 1);
  for (std::int64_t r = 0; r < iterations; ++r) {
    const Records sorted =
        Sorted(sorting->kind, RecordsAt(call, *sorting, r * count, count));
    if (r == 0) FillScratch(call, ScratchOf(call, *sorting));
    std::memcpy(
        call.operands[sorting->dst].bytes + r * count * sorting->kind.bytes,
        sorted.data(), sorted.size());
  }
  return 0;
}

// ---- Fields of records ------------------------------------------------------

/// From one place to another, element by element.
struct Fields {
  struct One {
    std::uint32_t from_operand;
    std::uint32_t to_operand;
    std::int64_t from;
    std::int64_t to;
    std::int64_t bytes;
  };
  std::vector<std::vector<One>> iterations;
  std::optional<Scratch> scratch;
};

/// Of Concat, whose page gives no size: what its result takes, if it fits.
/// Where the result lies in the work tensor nothing is left.
std::optional<Scratch> ScratchOfConcat(const CarriedCall& call,
                                       std::int64_t bytes) {
  const auto tmp = Require(call, OperandName::kTmp);
  if (!tmp) return std::nullopt;
  const CarriedOperand& work = call.operands[*tmp];
  const CarriedOperand* const dst = call.Operand(OperandName::kDst);
  if (dst != nullptr && dst->at == work.at) return std::nullopt;
  return Scratch{*tmp, std::min(bytes, work.window)};
}

/// Extract: scores, and on atlas-a2 and -a3 indices, of 256 bytes of records.
std::expected<Fields, std::string> ResolveExtract(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const auto dst = Require(call, OperandName::kDst);
  const auto index = Require(call, OperandName::kDst1);
  const auto src = Require(call, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  const auto half = IsHalf(call, *dst);
  if (!half) return std::unexpected(half.error());
  const bool pairs = IsA2(call.product);
  if (pairs && !index) return std::unexpected(index.error());
  const RecordKind kind = pairs ? PairsOf(*half) : ProposalsOf(*half);
  Fields fields;
  const std::int64_t repeat = RepeatTime(parameters);
  for (std::int64_t r = 0; r < repeat; ++r) {
    std::vector<Fields::One>& iteration = fields.iterations.emplace_back();
    for (std::int64_t i = r * kind.batch; i < (r + 1) * kind.batch; ++i) {
      iteration.push_back({*src, *dst, i * kind.bytes + kind.score,
                           i * kind.element(), kind.element()});
    }
    for (std::int64_t i = r * kind.batch; pairs && i < (r + 1) * kind.batch;
         ++i) {
      iteration.push_back({*src, *index, i * kind.bytes + 4, i * 4, 4});
    }
  }
  return fields;
}

/// ProposalConcat, ProposalExtract, and Concat where scores become proposals.
std::expected<Fields, std::string> ResolveProposals(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::string_view name = call.call->name;
  Fields fields;
  if (name == "Concat" && call.Operand(OperandName::kDst) == nullptr) {
    // The result is its source.
    const auto src = Require(call, OperandName::kSrc);
    if (!src) return fields;
    const std::int64_t element = BitsOf(call.operands[*src].dtype) / 8;
    fields.scratch =
        ScratchOfConcat(call, RepeatTime(parameters) * kConcatBatch * element);
    return fields;
  }
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  const auto half = IsHalf(call, *dst);
  if (!half) return std::unexpected(half.error());
  const RecordKind kind = ProposalsOf(*half);
  const bool concat = name != "ProposalExtract";
  const std::int64_t mode =
      name == "Concat" ? 4 : parameters.Get({"modeNumber"}, 0, 5, 0);
  const std::int64_t repeat = RepeatTime(parameters);
  if (name == "Concat") {
    fields.scratch = ScratchOfConcat(call, repeat * kind.batch * kind.bytes);
  }
  for (std::int64_t r = 0; r < repeat; ++r) {
    std::vector<Fields::One>& iteration = fields.iterations.emplace_back();
    for (std::int64_t i = r * kind.batch; i < (r + 1) * kind.batch; ++i) {
      const std::int64_t field = i * kind.bytes + mode * kind.element();
      const std::int64_t alone = i * kind.element();
      iteration.push_back({*src, *dst, concat ? alone : field,
                           concat ? field : alone, kind.element()});
    }
  }
  return fields;
}

using ResolveFields = std::expected<Fields, std::string> (*)(Parameters&);

template <ResolveFields kResolve>
Planned PlanFields(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto fields = kResolve(parameters);
  if (!fields) return std::unexpected(fields.error());
  std::int64_t r = 0;
  TouchScratch(call, fields->scratch, plan);
  Bounds bounds(call, plan);
  for (const auto& iteration : fields->iterations) {
    if (bounds.Left()) break;
    for (const Fields::One& one : iteration) {
      AddTouch(call, one.from_operand, one.from, one.bytes, r, plan.reads);
      AddTouch(call, one.to_operand, one.to, one.bytes, r, plan.writes);
    }
    ++r;
  }
  return plan;
}

template <ResolveFields kResolve>
std::uint64_t ComputeFields(const CarriedCall& call, const CarriedPlan&,
                            VectorState&) {
  Parameters parameters(call);
  const auto fields = kResolve(parameters);
  for (const auto& iteration : fields->iterations) {
    std::vector<std::uint8_t> dense;
    for (const Fields::One& one : iteration) {
      const std::uint8_t* const from =
          call.operands[one.from_operand].bytes + one.from;
      dense.insert(dense.end(), from, from + one.bytes);
    }
    const std::uint8_t* from = dense.data();
    for (const Fields::One& one : iteration) {
      std::memcpy(call.operands[one.to_operand].bytes + one.to, from,
                  one.bytes);
      from += one.bytes;
    }
  }
  FillScratch(call, fields->scratch);
  return 0;
}

constexpr std::array<Row, 7> kSortRows = {
    Row{"Sort32", &PlanSort, &ComputeSort},
    Row{"Sort", &PlanSort, &ComputeSort},
    Row{"RpSort16", &PlanSort, &ComputeSort},
    Row{"Extract", &PlanFields<ResolveExtract>, &ComputeFields<ResolveExtract>},
    Row{"Concat", &PlanFields<ResolveProposals>,
        &ComputeFields<ResolveProposals>},
    Row{"ProposalConcat", &PlanFields<ResolveProposals>,
        &ComputeFields<ResolveProposals>},
    Row{"ProposalExtract", &PlanFields<ResolveProposals>,
        &ComputeFields<ResolveProposals>}};

}  // namespace

std::span<const Row> SortRows() { return kSortRows; }

}  // namespace lanediff::kernel::carried
