// Transpose of 16 × 16, and TransDataTo5HD, which takes its rows from anywhere.

#include <array>
#include <string>

#include "kernel/carried/family.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"
#include "kernel/carried/pieces.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

constexpr std::int64_t kRows = 16;

struct Rows {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  std::int64_t element = 0;
  std::int64_t iterations = 1;
  std::array<std::int64_t, kRows> to{};    ///< bytes from dst on
  std::array<std::int64_t, kRows> from{};  ///< likewise, src
  std::int64_t to_step = 0;
  std::int64_t from_step = 0;
  std::int64_t begin = 0;  ///< the first iteration's number, of the steps

  /// Elements that an iteration takes of each source row.
  std::int64_t Columns() const { return element == 4 ? 8 : 16; }
};

std::expected<Rows, std::string> Begin16(const CarriedCall& call) {
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  Rows rows;
  rows.dst = *dst;
  rows.src = *src;
  const std::uint8_t dtype = call.operands[*dst].dtype;
  rows.element = BitsOf(dtype) / 8;
  if (call.operands[*src].dtype != dtype) {
    return std::unexpected(RefusedPair(call, call.operands[*src].dtype, dtype));
  }
  return rows;
}

std::expected<Rows, std::string> ResolveTranspose(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  auto rows = Begin16(call);
  if (!rows) return rows;
  if (rows->element != 2) {
    return std::unexpected(RefusedType(call, call.operands[rows->dst].dtype));
  }
  // The form with a work space has these; it is another call.
  for (const char* name : {"nSize", "cSize", "hSize", "wSize"}) {
    if (call.Number(name, -1) >= 0) {
      return std::unexpected("Transpose with TransposeParamsExt");
    }
  }
  for (std::int64_t i = 0; i < kRows; ++i) {
    rows->to[i] = rows->from[i] = i * kBlockBytes;
  }
  return rows;
}

std::expected<Rows, std::string> ResolveTo5hd(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  auto rows = Begin16(call);
  if (!rows) return rows;
  if (rows->element != 1 && rows->element != 2 && rows->element != 4) {
    return std::unexpected(RefusedType(call, call.operands[rows->dst].dtype));
  }
  const std::int64_t high_to = parameters.Get({"dstHighHalf"}, 0, 1, 0);
  const std::int64_t high_from = parameters.Get({"srcHighHalf"}, 0, 1, 0);
  for (std::int64_t i = 0; i < kRows; ++i) {
    const std::string number = std::to_string(i);
    rows->to[i] = call.Number("dst" + number);
    rows->from[i] = call.Number("src" + number);
    if (rows->element == 1) {
      rows->to[i] += high_to * 16;
      rows->from[i] += high_from * 16;
    }
  }
  rows->iterations = RepeatTime(parameters);
  rows->to_step = kBlockBytes * parameters.Get({"dstRepStride"}, 0, 65535, 0);
  rows->from_step = kBlockBytes * parameters.Get({"srcRepStride"}, 0, 65535, 0);
  // A single iteration is a step away already (repeatTimes · 注意事项).
  rows->begin = rows->iterations == 1 ? 1 : 0;
  return rows;
}

/// Where column `column` of row `row` goes, from the beginning of dst's row
/// list: 16 elements make a result row; at 32 bits it takes two blocks.
struct Target {
  std::int64_t row;
  std::int64_t offset;
};
Target TargetOf(const Rows& rows, std::int64_t row, std::int64_t column) {
  if (rows.element != 4) return {column, row * rows.element};
  return {2 * column + row / 8, row % 8 * 4};
}

using ResolveRows = std::expected<Rows, std::string> (*)(Parameters&);

template <ResolveRows kResolve>
Planned PlanRows(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto rows = kResolve(parameters);
  if (!rows) return std::unexpected(rows.error());
  const std::int64_t taken = rows->Columns() * rows->element;
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < rows->iterations && !bounds.Left(); ++r) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      AddTouch(call, rows->src,
               rows->from[i] + (rows->begin + r) * rows->from_step, taken, r,
               plan.reads);
      AddTouch(call, rows->dst, rows->to[i] + (rows->begin + r) * rows->to_step,
               taken, r, plan.writes);
    }
  }
  return plan;
}

template <ResolveRows kResolve>
std::uint64_t ComputeRows(const CarriedCall& call, const CarriedPlan&,
                          VectorState&) {
  Parameters parameters(call);
  const auto rows = kResolve(parameters);
  const std::int64_t taken = rows->Columns() * rows->element;
  std::vector<std::uint8_t> in(kRows * taken);
  for (std::int64_t r = 0; r < rows->iterations; ++r) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      std::memcpy(in.data() + i * taken,
                  call.operands[rows->src].bytes + rows->from[i] +
                      (rows->begin + r) * rows->from_step,
                  taken);
    }
    for (std::int64_t i = 0; i < kRows; ++i) {
      for (std::int64_t k = 0; k < rows->Columns(); ++k) {
        const Target target = TargetOf(*rows, i, k);
        std::memcpy(call.operands[rows->dst].bytes + rows->to[target.row] +
                        (rows->begin + r) * rows->to_step + target.offset,
                    in.data() + i * taken + k * rows->element, rows->element);
      }
    }
  }
  return 0;
}

constexpr std::array<Row, 2> kTransposeRows = {
    Row{"Transpose", &PlanRows<ResolveTranspose>,
        &ComputeRows<ResolveTranspose>},
    Row{"TransDataTo5HD", &PlanRows<ResolveTo5hd>, &ComputeRows<ResolveTo5hd>}};

}  // namespace

std::span<const Row> TransposeRows() { return kTransposeRows; }

}  // namespace lanediff::kernel::carried
