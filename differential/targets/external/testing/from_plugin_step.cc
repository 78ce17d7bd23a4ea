#include "differential/targets/external/testing/from_plugin_step.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

namespace lanediff::diff::test {
namespace {

isa::DType TypeOf(int dtype) { return static_cast<isa::DType>(dtype); }

/// A dtype only where it is another one than the step's, as cases state it.
std::optional<isa::DType> OwnType(int own, int of_step) {
  if (own == of_step) return std::nullopt;
  return TypeOf(own);
}

isa::Operand From(const lanediff_operand& o, int of_step) {
  return {.position = static_cast<isa::Position>(o.position),
          .at = o.at,
          .bytes = o.bytes,
          .dtype = OwnType(o.dtype, of_step)};
}

isa::Tile From(const lanediff_tile& t, int of_step) {
  return {.position = static_cast<isa::Position>(t.position),
          .at = t.at,
          .rows = t.rows,
          .cols = t.cols,
          .valid_row = t.validRow,
          .valid_col = t.validCol,
          .layout = static_cast<isa::Layout>(t.layout),
          .dtype = OwnType(t.dtype, of_step)};
}

/// What most calls have, under the same names.
template <class C>
isa::Call Begin(const C& c, const isa::Signature& signature) {
  using enum isa::Param;
  isa::Call s = isa::CallOf(signature);
  s.dtype = TypeOf(c.dtype);
  if constexpr (requires { c.isSetMask; }) s.is_set_mask = c.isSetMask != 0;
  if constexpr (requires { c.dst; }) s.dst() = From(c.dst, c.dtype);
  if constexpr (requires { c.src; }) s.src(0) = From(c.src, c.dtype);
  if constexpr (requires { c.count; }) s[kCount] = c.count;
  if constexpr (requires { c.mask; }) {
    s.form = signature.FormWith(c.form == LANEDIFF_FORM_COUNT  ? kCount
                                : c.form == LANEDIFF_FORM_MASK ? kMask
                                                               : kMaskWords);
    s[kMask] = c.mask;
    s.mask_words = {c.mask_words[0], c.mask_words[1]};
    s[kRepeatTimes] = c.repeatTimes;
  }
  if constexpr (requires { c.srcBlkStride; }) {
    s[kDstRepStride] = c.dstRepStride;
    s[kSrc0BlkStride] = c.srcBlkStride;
    s[kSrc0RepStride] = c.srcRepStride;
  }
  return s;
}

isa::Call From(const lanediff_elementwise& e, const isa::Signature& signature) {
  using enum isa::Param;
  isa::Call s = Begin(e, signature);
  s.src(0) = From(e.src0, e.dtype);
  s.src(1) = From(e.src1, e.dtype);
  s[kDstBlkStride] = e.repeatParams.dstBlkStride;
  s[kSrc0BlkStride] = e.repeatParams.src0BlkStride;
  s[kSrc1BlkStride] = e.repeatParams.src1BlkStride;
  s[kDstRepStride] = e.repeatParams.dstRepStride;
  s[kSrc0RepStride] = e.repeatParams.src0RepStride;
  s[kSrc1RepStride] = e.repeatParams.src1RepStride;
  return s;
}

isa::Call From(const lanediff_plugin_call& c, const isa::Signature& signature) {
  isa::Call s = Begin(c, signature);
  const auto param = [&](isa::Param first, std::size_t i) -> std::int64_t& {
    return s.params[static_cast<std::size_t>(first) + i];
  };
  s.sel_mode = static_cast<isa::SelMode>(c.sel_mode);
  const auto operands = s.used_operands();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    operands[i] = From(c.operands[i], c.dtype);
    const isa::OperandSpec& spec = signature.operands[i];
    // Bits that are read are bytes if no type is stated; written ones state it.
    if (spec.is_packed) {
      operands[i].dtype = TypeOf(c.operands[i].dtype);
      const bool stated = spec.is_written || s.TypeOf(i) != isa::DType::kUint8;
      if (!stated) operands[i].dtype = std::nullopt;
    }
  }
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    param(isa::Param::kDstBlkStride, i) = c.blkStrides[i];
    param(isa::Param::kDstRepStride, i) = c.repStrides[i];
  }
  s.scalar = c.scalar;
  using enum isa::Param;
  if (signature.Has(kIsPad)) {
    s.form = c.form == LANEDIFF_FORM_PAD_PARAMS ? 0 : 1;
  }
  s[kBlockCount] = c.block_count;
  s[kBlockLen] = c.block_len;
  s[kSrcGap] = c.src_gap;
  s[kDstGap] = c.dst_gap;
  s[kLeftPadding] = c.left_padding;
  s[kRightPadding] = c.right_padding;
  s.is_pad = c.is_pad != 0;
  s.round_en = c.round_en != 0;
  s.round_mode = static_cast<isa::RoundMode>(c.round_mode);
  s.reduce_order = static_cast<isa::ReduceOrder>(c.reduce_order);
  s.cmp_mode = static_cast<isa::CmpMode>(c.cmp_mode);
  return s;
}

isa::Call From(const lanediff_repeat_reduce_sum& r,
               const isa::Signature& signature) {
  using enum isa::Param;
  isa::Call s = Begin(r, signature);
  s[kRepeatTimes] = r.repeat;
  s[kMask] = r.elemsInOneRepeat;
  s[kDstBlkStride] = r.dstBlkStride;
  return s;
}

isa::Call From(const lanediff_data_copy& d, const isa::Signature& signature) {
  using enum isa::Param;
  isa::Call s = Begin(d, signature);
  s.form =
      signature.FormWith(d.form == LANEDIFF_FORM_COUNT ? kCount : kBlockCount);
  s[kBlockCount] = d.params.blockCount;
  s[kBlockLen] = d.params.blockLen;
  s[kSrcGap] = d.params.srcGap;
  s[kDstGap] = d.params.dstGap;
  return s;
}

isa::Call From(const lanediff_trowprod& t, const isa::Signature& signature) {
  isa::Call s = isa::CallOf(signature);
  s.dtype = TypeOf(t.dtype);
  s.tiles = {From(t.dst, t.dtype), From(t.src, t.dtype), From(t.tmp, t.dtype)};
  if (t.order != LANEDIFF_ORDER_NONE) {
    s.order = static_cast<isa::Order>(t.order);
  }
  return s;
}

isa::Call From(const lanediff_vec_trans& v, const isa::Signature& signature) {
  using enum isa::Param;
  isa::Call s = Begin(v, signature);
  s[kRepeatTimes] = v.repeat_times;
  s[kDstRepStride] = v.dst_rep_stride;
  s[kSrc0RepStride] = v.src_rep_stride;
  return s;
}

template <class Flag>
Flag FromFlag(const lanediff_flag& f) {
  return {.event = static_cast<isa::Event>(f.event), .id = f.id};
}

isa::GetValue From(const lanediff_get_value& g) {
  return {
      .dtype = TypeOf(g.dtype), .src = From(g.src, g.dtype), .index = g.index};
}

isa::SetValue From(const lanediff_set_value& v) {
  return {.dtype = TypeOf(v.dtype),
          .dst = From(v.dst, v.dtype),
          .index = v.index,
          .value = v.value};
}

}  // namespace

std::optional<isa::Step> FromPluginStep(const lanediff_step& step) {
  if (step.op >= LANEDIFF_CALL) {
    const auto* const signature = isa::FindSignature(step.as.call.name);
    if (signature == nullptr) return std::nullopt;
    return From(step.as.call, *signature);
  }
  const auto* const call = std::get_if<isa::Call>(&isa::StepKinds()[step.op]);
  switch (step.op) {
    case LANEDIFF_SET_VECTOR_MASK: {
      const auto& mask = step.as.set_vector_mask;
      return isa::SetVectorMask{.high = mask.high, .low = mask.low};
    }
    case LANEDIFF_SET_SATURATION:
      return isa::SetSaturation{step.as.set_saturation.enabled != 0};
    case LANEDIFF_PIPE_BARRIER:
      return isa::PipeBarrier{
          static_cast<isa::Pipe>(step.as.pipe_barrier.pipe)};
    case LANEDIFF_REPEAT_REDUCE_SUM:
      return From(step.as.repeat_reduce_sum, *call->signature);
    case LANEDIFF_WHOLE_REDUCE_SUM:
      return Begin(step.as.whole_reduce_sum, *call->signature);
    case LANEDIFF_MIN:
    case LANEDIFF_MAX:
    case LANEDIFF_ADD:
    case LANEDIFF_SUB:
    case LANEDIFF_MUL:
      return From(step.as.elementwise, *call->signature);
    case LANEDIFF_DATA_COPY:
      return From(step.as.data_copy, *call->signature);
    case LANEDIFF_TROWPROD:
      return From(step.as.trowprod, *call->signature);
    case LANEDIFF_SET_FLAG:
      return FromFlag<isa::SetFlag>(step.as.set_flag);
    case LANEDIFF_WAIT_FLAG:
      return FromFlag<isa::WaitFlag>(step.as.wait_flag);
    case LANEDIFF_SET_MASK_COUNT:
      return isa::SetMaskCount{};
    case LANEDIFF_SET_MASK_NORM:
      return isa::SetMaskNorm{};
    case LANEDIFF_RESET_MASK:
      return isa::ResetMask{};
    case LANEDIFF_GET_VALUE:
      return From(step.as.get_value);
    case LANEDIFF_SET_VALUE:
      return From(step.as.set_value);
    default:
      return From(step.as.vec_trans, *call->signature);
  }
}

}  // namespace lanediff::diff::test
