// Reductions that end with an iteration, a DataBlock or a pair: WholeReduceMax
// and -Min (ReduceRepeat), BlockReduce… (ReduceDataBlock), PairReduceSum
// (ReducePairElem).

#include <array>
#include <cstring>
#include <limits>

#include "kernel/carried/family.h"
#include "kernel/carried/fold.h"
#include "kernel/carried/lanes.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel::carried {
namespace {

using isa::OperandName;

/// How many lanes make a result.
enum class Span : std::uint8_t { kIteration, kBlock, kPair };

enum class Order : std::uint8_t { kValueIndex, kIndexValue, kValue, kIndex };

struct Reducing {
  std::uint32_t dst = 0;
  std::uint32_t src = 0;
  Fold fold;
  Lanes lanes;
  Place place;
  Span span = Span::kIteration;
  Order order = Order::kValue;
  std::int64_t dst_step = 0;  ///< bytes from iteration to iteration
  /// What a result is of whose lanes none takes part; nothing: not written.
  std::optional<float> otherwise;

  std::int64_t SpanLanes() const {
    if (span == Span::kIteration) return lanes.width;
    return span == Span::kBlock ? kBlockBytes / fold.element() : 2;
  }
  std::int64_t ResultBytes() const {
    if (order == Order::kIndex) return 4;
    return fold.element() * (order == Order::kValue ? 1 : 2);
  }
};

Span SpanOf(std::string_view name) {
  if (name.starts_with("Block") || name == "ReduceDataBlock") {
    return Span::kBlock;
  }
  if (name.starts_with("Pair") || name == "ReducePairElem") return Span::kPair;
  return Span::kIteration;
}

std::optional<Order> OrderOf(std::string_view word) {
  constexpr std::array<std::string_view, 4> kWords = {
      "ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE",
      "ORDER_ONLY_INDEX"};
  if (word.empty()) return Order::kValueIndex;
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (word == kWords[i]) return static_cast<Order>(i);
  }
  return std::nullopt;
}

/// Atlas 200I/500 A2 fills in what the others leave (约束说明 of the pages).
std::optional<float> Otherwise(const CarriedCall& call, Span span,
                               const Fold& fold) {
  if (call.product != isa::Product::kAtlas200i500A2 ||
      span == Span::kIteration) {
    return std::nullopt;
  }
  if (fold.kind == FoldKind::kSum) return 0.0f;
  const float most =
      fold.half ? 65504.0f : std::numeric_limits<float>::infinity();
  return fold.kind == FoldKind::kMax ? -most : most;
}

std::expected<Reducing, std::string> ResolveReduce(Parameters& parameters) {
  const CarriedCall& call = parameters.call();
  const std::string name = call.call->name;
  const auto dst = Require(call, OperandName::kDst);
  const auto src = Require(call, OperandName::kSrc);
  if (!dst) return std::unexpected(dst.error());
  if (!src) return std::unexpected(src.error());
  Reducing reducing;
  reducing.dst = *dst;
  reducing.src = *src;
  reducing.span = SpanOf(name);
  const auto kind = KindOf(call);
  const bool pair = reducing.span == Span::kPair;
  if (!kind || (pair && *kind != FoldKind::kSum)) {
    return std::unexpected(name + " with reduceType " +
                           std::string(call.Word("reduceType")));
  }
  const auto fold = FoldOf(call, *kind, *dst, *src);
  if (!fold) return std::unexpected(fold.error());
  reducing.fold = *fold;
  if (reducing.span == Span::kIteration && *kind != FoldKind::kSum) {
    const auto order = OrderOf(call.Word("order"));
    if (!order) {
      return std::unexpected(name + " with " + std::string(call.Word("order")));
    }
    reducing.order = *order;
  }
  const std::int64_t bits = reducing.fold.element() * 8;
  reducing.lanes = LanesOf(parameters, bits);
  const bool training = call.product == isa::Product::kAtlasTraining;
  // Its unit is what an iteration leaves.
  const std::int64_t unit =
      reducing.span == Span::kIteration ? reducing.ResultBytes()
      : reducing.span == Span::kBlock   ? 8 * reducing.fold.element()
                                        : kIterationBytes / 2;
  reducing.dst_step =
      unit * parameters.Get({"dstRepStride"}, training ? 1 : 0, 65535, 1);
  reducing.place = {.bits = bits,
                    .block = parameters.Get({"srcBlkStride"}, 0, 65535, 1),
                    .repeat = parameters.Get({"srcRepStride"}, 0, 65535, 8)};
  reducing.otherwise = Otherwise(call, reducing.span, reducing.fold);
  return reducing;
}

/// Calls visit(number of the result, lanes of it that take part).
template <class Visit>
void ForResults(const Reducing& reducing, std::int64_t r, const Visit& visit) {
  const std::int64_t each = reducing.SpanLanes();
  std::vector<std::int64_t> counts(reducing.lanes.width / each);
  reducing.lanes.ForRuns(r, [&](std::int64_t first, std::int64_t count) {
    for (std::int64_t k = first; k < first + count; ++k) ++counts[k / each];
  });
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0 || reducing.otherwise) {
      visit(static_cast<std::int64_t>(i), counts[i]);
    }
  }
}

Planned PlanReduce(const CarriedCall& call) {
  CarriedPlan plan;
  Parameters parameters(call, &plan);
  const auto reducing = ResolveReduce(parameters);
  if (!reducing) return std::unexpected(reducing.error());
  plan.approximate =
      reducing->span == Span::kBlock && reducing->fold.kind == FoldKind::kSum;
  const std::int64_t element = reducing->fold.element();
  // ReduceRepeat · 表3; ReduceDataBlock, ReducePairElem · 约束说明.
  plan.align.resize(call.operands.size());
  plan.align[reducing->dst] = reducing->span == Span::kIteration
                                  ? reducing->ResultBytes()
                              : reducing->span == Span::kBlock ? 8 * element
                                                               : kBlockBytes;
  Bounds bounds(call, plan);
  for (std::int64_t r = 0; r < reducing->lanes.iterations && !bounds.Left();
       ++r) {
    Touches(call, reducing->src, reducing->lanes, reducing->place, r,
            plan.reads);
    const std::size_t begin = plan.writes.size();
    ForResults(*reducing, r, [&](std::int64_t number, std::int64_t) {
      const std::int64_t at = call.operands[reducing->dst].at +
                              r * reducing->dst_step +
                              number * reducing->ResultBytes();
      if (plan.writes.size() > begin &&
          plan.writes.back().at + plan.writes.back().bytes == at) {
        plan.writes.back().bytes += reducing->ResultBytes();
      } else {
        plan.writes.push_back({reducing->dst, at, reducing->ResultBytes(), r});
      }
    });
  }
  return plan;
}

void StoreIndex(std::uint8_t* at, std::int64_t index, std::int64_t bytes) {
  const auto number = static_cast<std::uint32_t>(index);
  std::memcpy(at, &number, bytes);  // little endian
}

std::uint64_t ComputeReduce(const CarriedCall& call, const CarriedPlan&,
                            VectorState&) {
  Parameters parameters(call);
  const auto reducing = ResolveReduce(parameters);
  const Fold& fold = reducing->fold;
  const std::int64_t each = reducing->SpanLanes();
  for (std::int64_t r = 0; r < reducing->lanes.iterations; ++r) {
    const auto values =
        LanesIn(call, fold, reducing->src, reducing->lanes, reducing->place, r);
    ForResults(*reducing, r, [&](std::int64_t number, std::int64_t) {
      std::uint8_t* at = call.operands[reducing->dst].bytes +
                         r * reducing->dst_step +
                         number * reducing->ResultBytes();
      const std::span<const std::optional<float>> lanes(
          values.data() + number * each, static_cast<std::size_t>(each));
      const auto tree = fold.Tree(lanes);
      const float result = tree ? *tree : *reducing->otherwise;
      if (reducing->order == Order::kValue) {
        fold.Store(at, result);
        return;
      }
      const std::int64_t index = fold.IndexOf(result, lanes);
      switch (reducing->order) {
        case Order::kIndex:
          StoreIndex(at, index, 4);
          break;
        case Order::kIndexValue:
          StoreIndex(at, index, fold.element());
          fold.Store(at + fold.element(), result);
          break;
        default:
          fold.Store(at, result);
          StoreIndex(at + fold.element(), index, fold.element());
      }
    });
  }
  return 0;
}

constexpr auto kReduceRows = [] {
  constexpr std::array<std::string_view, 9> kNames = {
      "WholeReduceMax", "WholeReduceMin",  "ReduceRepeat",
      "BlockReduceMax", "BlockReduceMin",  "BlockReduceSum",
      "PairReduceSum",  "ReduceDataBlock", "ReducePairElem"};
  std::array<Row, kNames.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = {kNames[i], &PlanReduce, &ComputeReduce};
  }
  return rows;
}();

}  // namespace

std::span<const Row> ReduceIterationRows() { return kReduceRows; }

}  // namespace lanediff::kernel::carried
