#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <variant>

#include "differential/targets/external/plugin_session.h"
#include "isa/memory_map.h"

namespace lanediff::diff {
namespace {

// The numbers of the ABI are those of our own words.
template <class E>
constexpr bool Is(E ours, int theirs) {
  return static_cast<int>(ours) == theirs;
}
static_assert(Is(isa::Product::kAtlasTraining, LANEDIFF_ATLAS_TRAINING) &&
              Is(isa::Product::kAtlasInferenceAicore,
                 LANEDIFF_ATLAS_INFERENCE_AICORE) &&
              Is(isa::Product::kAtlasInferenceVectorcore,
                 LANEDIFF_ATLAS_INFERENCE_VECTORCORE) &&
              Is(isa::Product::kAtlasA2, LANEDIFF_ATLAS_A2) &&
              Is(isa::Product::kAtlasA3, LANEDIFF_ATLAS_A3) &&
              Is(isa::Product::kAtlas200i500A2, LANEDIFF_ATLAS_200I_500_A2) &&
              Is(isa::Product::kAtlas200_300_500, LANEDIFF_ATLAS_200_300_500));
static_assert(Is(isa::DType::kInt8, LANEDIFF_INT8) &&
              Is(isa::DType::kUint8, LANEDIFF_UINT8) &&
              Is(isa::DType::kInt16, LANEDIFF_INT16) &&
              Is(isa::DType::kUint16, LANEDIFF_UINT16) &&
              Is(isa::DType::kInt32, LANEDIFF_INT32) &&
              Is(isa::DType::kUint32, LANEDIFF_UINT32) &&
              Is(isa::DType::kInt64, LANEDIFF_INT64) &&
              Is(isa::DType::kUint64, LANEDIFF_UINT64) &&
              Is(isa::DType::kHalf, LANEDIFF_HALF) &&
              Is(isa::DType::kBfloat16, LANEDIFF_BFLOAT16) &&
              Is(isa::DType::kFloat, LANEDIFF_FLOAT) &&
              Is(isa::DType::kDouble, LANEDIFF_DOUBLE));
static_assert(Is(isa::Memory::kGm, LANEDIFF_GM) &&
              Is(isa::Memory::kUb, LANEDIFF_UB) &&
              Is(isa::Memory::kL1, LANEDIFF_L1) &&
              Is(isa::Memory::kL0c, LANEDIFF_L0C) &&
              Is(isa::Memory::kBt, LANEDIFF_BT) &&
              Is(isa::Memory::kFb, LANEDIFF_FB) &&
              isa::kCount<isa::Memory> == LANEDIFF_MEMORIES);
static_assert(Is(isa::Position::kGm, LANEDIFF_POSITION_GM) &&
              Is(isa::Position::kVecin, LANEDIFF_POSITION_VECIN) &&
              Is(isa::Position::kVeccalc, LANEDIFF_POSITION_VECCALC) &&
              Is(isa::Position::kVecout, LANEDIFF_POSITION_VECOUT) &&
              Is(isa::Position::kA1, LANEDIFF_POSITION_A1) &&
              Is(isa::Position::kB1, LANEDIFF_POSITION_B1) &&
              Is(isa::Position::kTscm, LANEDIFF_POSITION_TSCM) &&
              Is(isa::Position::kC1, LANEDIFF_POSITION_C1) &&
              Is(isa::Position::kC2, LANEDIFF_POSITION_C2) &&
              Is(isa::Position::kC2pipe2gm, LANEDIFF_POSITION_C2PIPE2GM) &&
              Is(isa::Position::kCo2, LANEDIFF_POSITION_CO2) &&
              Is(isa::Position::kUb, LANEDIFF_POSITION_UB));
static_assert(Is(isa::Layout::kNd, LANEDIFF_ND) &&
              Is(isa::Layout::kDn, LANEDIFF_DN));
static_assert(Is(isa::Order::kDocumented, LANEDIFF_ORDER_DOCUMENTED) &&
              Is(isa::Order::kBlockLanes, LANEDIFF_ORDER_BLOCK_LANES) &&
              Is(isa::Order::kRegisterLanes, LANEDIFF_ORDER_REGISTER_LANES) &&
              Is(isa::Order::kLeftFold, LANEDIFF_ORDER_LEFT_FOLD));
static_assert(Is(isa::RoundMode::kNone, LANEDIFF_CAST_NONE) &&
              Is(isa::RoundMode::kOdd, LANEDIFF_CAST_ODD) &&
              isa::kCount<isa::RoundMode> == LANEDIFF_CAST_ODD + 1);
static_assert(Is(isa::CmpMode::kLt, LANEDIFF_CMP_LT) &&
              Is(isa::CmpMode::kEq, LANEDIFF_CMP_EQ) &&
              Is(isa::CmpMode::kNe, LANEDIFF_CMP_NE) &&
              isa::kCount<isa::CmpMode> == LANEDIFF_CMP_NE + 1);
static_assert(Is(isa::SelMode::kSameBits, LANEDIFF_VSEL_CMPMASK_SPR) &&
              Is(isa::SelMode::kScalar, LANEDIFF_VSEL_TENSOR_SCALAR_MODE) &&
              Is(isa::SelMode::kTensor, LANEDIFF_VSEL_TENSOR_TENSOR_MODE));
static_assert(Is(isa::ReduceOrder::kValueIndex, LANEDIFF_ORDER_VALUE_INDEX) &&
              Is(isa::ReduceOrder::kIndexValue, LANEDIFF_ORDER_INDEX_VALUE) &&
              Is(isa::ReduceOrder::kOnlyValue, LANEDIFF_ORDER_ONLY_VALUE) &&
              Is(isa::ReduceOrder::kOnlyIndex, LANEDIFF_ORDER_ONLY_INDEX));
static_assert(Is(isa::Pipe::kV, LANEDIFF_PIPE_V) &&
              Is(isa::Pipe::kMte1, LANEDIFF_PIPE_MTE1) &&
              Is(isa::Pipe::kMte2, LANEDIFF_PIPE_MTE2) &&
              Is(isa::Pipe::kMte3, LANEDIFF_PIPE_MTE3) &&
              Is(isa::Pipe::kFix, LANEDIFF_PIPE_FIX) &&
              Is(isa::Pipe::kAll, LANEDIFF_PIPE_ALL) &&
              Is(isa::Pipe::kS, LANEDIFF_PIPE_S) &&
              Is(isa::Pipe::kM, LANEDIFF_PIPE_M));
// Of the events the ends of the list and of its groups.
static_assert(Is(isa::Event::kMte2Mte1, LANEDIFF_EVENT_MTE2_MTE1) &&
              Is(isa::Event::kMte2V, LANEDIFF_EVENT_MTE2_V) &&
              Is(isa::Event::kMte3S, LANEDIFF_EVENT_MTE3_S) &&
              Is(isa::Event::kMFix, LANEDIFF_EVENT_M_FIX) &&
              Is(isa::Event::kMV, LANEDIFF_EVENT_M_V) &&
              Is(isa::Event::kFixS, LANEDIFF_EVENT_FIX_S) &&
              isa::kCount<isa::Event> == LANEDIFF_EVENT_FIX_S + 1);
// lanediff_plugin_call has all that a call of a later row may have.
static_assert(std::ranges::all_of(isa::kSignatures, [](const auto& row) {
  using enum isa::Param;
  const auto has_place = [](const isa::ParamSpec& spec) {
    return spec.param <= kRightPadding || spec.param == kMaskWords ||
           spec.param == kScalar || spec.param == kIsSetMask ||
           spec.param == kIsPad || spec.param == kRoundEn ||
           spec.param == kRoundMode || spec.param == kReduceOrder ||
           spec.param == kCmpMode || spec.param == kSelMode;
  };
  return row.number < LANEDIFF_CALL ||
         (row.op.size() < sizeof(lanediff_plugin_call::name) &&
          row.tiles.empty() && std::ranges::all_of(row.params, has_place));
}));
static_assert(std::size(lanediff_plugin_call{}.operands) ==
                  isa::Call::kMostOperands &&
              static_cast<std::size_t>(isa::Param::kSrc2RepStride) ==
                  2 + 2 * isa::Call::kMostOperands);

/// Fills in the struct of one step.
class Writer {
 public:
  Writer(isa::Product product, lanediff_step& into)
      : product_(product), into_(into) {}

  void operator()(const isa::SetVectorMask& s) {
    into_.as.set_vector_mask = {.high = s.high, .low = s.low};
  }
  void operator()(const isa::SetSaturation& s) {
    into_.as.set_saturation.enabled = s.enabled;
  }
  void operator()(const isa::PipeBarrier& s) {
    into_.as.pipe_barrier.pipe = static_cast<int>(s.pipe);
  }
  void operator()(const isa::SetFlag& s) {
    into_.as.set_flag.event = static_cast<int>(s.event);
    into_.as.set_flag.id = s.id;
  }
  void operator()(const isa::WaitFlag& s) {
    into_.as.wait_flag.event = static_cast<int>(s.event);
    into_.as.wait_flag.id = s.id;
  }
  void operator()(const isa::SetMaskCount&) {}
  void operator()(const isa::SetMaskNorm&) {}
  void operator()(const isa::ResetMask&) {}
  void operator()(const isa::GetValue& s) {
    Put(s.dtype, into_.as.get_value.dtype);
    Put(s.src, into_.as.get_value.src);
    into_.as.get_value.index = s.index;
  }
  void operator()(const isa::SetValue& s) {
    Put(s.dtype, into_.as.set_value.dtype);
    Put(s.dst, into_.as.set_value.dst);
    into_.as.set_value.index = s.index;
    into_.as.set_value.value = s.value;
  }
  // Never get here: `InPluginAbi`.
  void operator()(const isa::Carried&) {}
  void operator()(const isa::Resource&) {}
  void operator()(const isa::Call& s) {
    if (s.signature->number >= LANEDIFF_CALL) return Put(s, into_.as.call);
    switch (s.signature->number) {
      case LANEDIFF_REPEAT_REDUCE_SUM:
        return Put(s, into_.as.repeat_reduce_sum);
      case LANEDIFF_WHOLE_REDUCE_SUM:
        return Begin(s, into_.as.whole_reduce_sum);
      case LANEDIFF_DATA_COPY:
        return Put(s, into_.as.data_copy);
      case LANEDIFF_TROWPROD:
        return Put(s, into_.as.trowprod);
      case LANEDIFF_VEC_TRANS:
        return Put(s, into_.as.vec_trans);
      default:
        return Put(s, into_.as.elementwise);
    }
  }

 private:
  /// Writes what most calls have, under the same names.
  template <class To>
  void Begin(const isa::Call& s, To& to) {
    using enum isa::Param;
    Put(s.dtype, to.dtype);
    if constexpr (requires { to.isSetMask; }) to.isSetMask = s.is_set_mask;
    if constexpr (requires { to.dst; }) Put(s.dst(), to.dst);
    if constexpr (requires { to.src; }) Put(s.src(0), to.src);
    if constexpr (requires { to.count; }) to.count = s[kCount];
    if constexpr (requires { to.mask; }) {
      to.form = s.Has(kCount)        ? LANEDIFF_FORM_COUNT
                : s.Has(kMask)       ? LANEDIFF_FORM_MASK
                : s.Has(kIsPad)      ? LANEDIFF_FORM_PAD_PARAMS
                : s.Has(kBlockCount) ? LANEDIFF_FORM_PARAMS
                                     : LANEDIFF_FORM_MASK_WORDS;
      to.mask = s[kMask];
      std::ranges::copy(s.mask_words, to.mask_words);
      to.repeatTimes = s[kRepeatTimes];
    }
    if constexpr (requires { to.srcBlkStride; }) {
      to.dstRepStride = s[kDstRepStride];
      to.srcBlkStride = s[kSrc0BlkStride];
      to.srcRepStride = s[kSrc0RepStride];
    }
  }
  void Put(const isa::Call& s, lanediff_data_copy& to) {
    using enum isa::Param;
    Begin(s, to);
    to.form = s.Has(kCount) ? LANEDIFF_FORM_COUNT : LANEDIFF_FORM_PARAMS;
    to.params = {.blockCount = s[kBlockCount],
                 .blockLen = s[kBlockLen],
                 .srcGap = s[kSrcGap],
                 .dstGap = s[kDstGap]};
  }
  void Put(const isa::Call& s, lanediff_trowprod& to) {
    Put(s.dtype, to.dtype);
    to.order = s.order ? static_cast<int>(*s.order) : LANEDIFF_ORDER_NONE;
    Put(s.tiles[isa::Call::kDstTile], to.dst);
    Put(s.tiles[isa::Call::kSrcTile], to.src);
    Put(s.tiles[isa::Call::kTmpTile], to.tmp);
  }
  void Put(const isa::Call& s, lanediff_vec_trans& to) {
    Begin(s, to);
    to.repeat_times = s[isa::Param::kRepeatTimes];
    to.dst_rep_stride = s.RepStride(0);
    to.src_rep_stride = s.RepStride(1);
  }
  void Put(const isa::Call& s, lanediff_repeat_reduce_sum& to) {
    Begin(s, to);
    to.repeat = s[isa::Param::kRepeatTimes];
    to.elemsInOneRepeat = s[isa::Param::kMask];
    to.dstBlkStride = s.BlkStride(0);
  }
  void Put(const isa::Call& s, lanediff_elementwise& to) {
    Begin(s, to);
    Put(s.src(0), to.src0);
    Put(s.src(1), to.src1);
    to.repeatParams = {.dstBlkStride = s.BlkStride(0),
                       .src0BlkStride = s.BlkStride(1),
                       .src1BlkStride = s.BlkStride(2),
                       .dstRepStride = s.RepStride(0),
                       .src0RepStride = s.RepStride(1),
                       .src1RepStride = s.RepStride(2)};
  }
  void Put(const isa::Call& s, lanediff_plugin_call& to) {
    Begin(s, to);
    std::ranges::copy(s.signature->op, to.name);
    const auto operands = s.used_operands();
    to.operand_count = static_cast<int>(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Put(operands[i], to.operands[i]);
      if (!operands[i].dtype && s.signature->operands[i].has_own_type) {
        to.operands[i].dtype = static_cast<int>(s.TypeOf(i));
      }
    }
    // Of a source, too, that a scalar stands for.
    for (std::size_t i = 0; i < s.signature->operands.size(); ++i) {
      to.blkStrides[i] = s.BlkStride(i);
      to.repStrides[i] = s.RepStride(i);
    }
    to.scalar = s.scalar;
    using enum isa::Param;
    to.block_count = s[kBlockCount];
    to.block_len = s[kBlockLen];
    to.src_gap = s[kSrcGap];
    to.dst_gap = s[kDstGap];
    to.left_padding = s[kLeftPadding];
    to.right_padding = s[kRightPadding];
    to.is_pad = s.is_pad;
    to.round_en = s.Has(kRoundEn) && s.round_en;
    to.round_mode = static_cast<int>(s.round_mode);
    to.reduce_order = static_cast<int>(s.reduce_order);
    to.cmp_mode = static_cast<int>(s.cmp_mode);
    to.sel_mode = static_cast<int>(s.sel_mode);
  }
  void Put(isa::DType of_step, std::int32_t& to) {
    dtype_ = of_step;
    to = static_cast<int>(of_step);
  }
  int MemoryOf(isa::Position position) const {
    return static_cast<int>(isa::MemoryAt(product_, position));
  }
  void Put(const isa::Operand& o, lanediff_operand& to) const {
    to = {.position = static_cast<int>(o.position),
          .memory = MemoryOf(o.position),
          .at = o.at,
          .bytes = o.bytes,
          .dtype = static_cast<int>(o.dtype.value_or(dtype_)),
          .reserved = 0};
  }
  void Put(const isa::Tile& t, lanediff_tile& to) const {
    to = {.position = static_cast<int>(t.position),
          .memory = MemoryOf(t.position),
          .at = t.at,
          .rows = t.rows,
          .cols = t.cols,
          .validRow = t.valid_row,
          .validCol = t.valid_col,
          .layout = static_cast<int>(t.layout),
          .dtype = static_cast<int>(t.dtype.value_or(dtype_))};
  }

  isa::Product product_;
  lanediff_step& into_;
  isa::DType dtype_ = isa::DType::kHalf;
};

}  // namespace

bool InPluginAbi(const isa::Step& step, std::uint64_t flags) {
  const std::size_t number = isa::NumberOf(step);
  if (number < LANEDIFF_CALL) return number <= LANEDIFF_SET_VALUE;
  return (flags & LANEDIFF_PLUGIN_CALLS) != 0 && isa::IsCall(step);
}

void ToPluginStep(const isa::Step& step, isa::Product product,
                  lanediff_step& into) {
  std::memset(&into, 0, sizeof(into));
  into.struct_size = sizeof(into);
  into.op = static_cast<int>(isa::NumberOf(step));
  std::visit(Writer(product, into), step);
}

}  // namespace lanediff::diff
