#include "isa/catalogue.h"
#include "isa/state.h"

/// What SetMaskCount, SetMaskNorm and ResetMask do, and what a masked call
/// finds by mistake.
namespace lanediff::isa {
namespace {
using enum Effect;
using enum Provenance;
constexpr std::string_view kCommon = "common";
}  // namespace

std::vector<Rule> MaskStateRules() {
  return {
      {state::kMaskProduct,
       kCommon,
       kReject,
       "SetMaskCount, SetMaskNorm and ResetMask exist on "
       "atlas-inference-aicore, atlas-a2, atlas-a3 and atlas-200i-500-a2.",
       {{kSupplement, "SetMaskCount, SetMaskNorm, ResetMask · 产品支持情况"}},
       {},
       Stage::kParameters,
       Topic::kProduct,
       kEveryForm,
       {SetMaskCount::kOp, SetMaskNorm::kOp, ResetMask::kOp}},
      {state::kMaskMode,
       kCommon,
       kSemantics,
       "The mode is normal at the start. SetMaskCount sets counter mode; "
       "SetMaskNorm, and an executed call by count with elements, set normal "
       "mode; ResetMask sets the register to all ones. A masked call in "
       "counter mode is unsupported: its mask would be a number of elements. "
       "Nothing else depends on the mode.",
       {{kSupplement, "掩码 · 概述, 接口内设置Mask, ResetMask"},
        {kAssumed, "", "unsupported: our choice"}},
       {},
       Stage::kParameters,
       Topic::kOther,
       kEveryForm,
       {SetMaskCount::kOp, SetMaskNorm::kOp, ResetMask::kOp,
        SetVectorMask::kOp}},
      {state::kMaskUnknown,
       kCommon,
       kHazard,
       "A masked call without isSetMask reads a register that nothing has set "
       "since a start that is unknown.",
       {{kSupplement, "InitSocState · 约束说明"}}},
      {state::kModeUnknown,
       kCommon,
       kHazard,
       "A masked call runs in a mode that nothing has set since a start that "
       "is unknown; not where the product has no SetMaskNorm.",
       {{kSupplement, "InitSocState · 约束说明"}}},
      {state::kMaskLeftover,
       kCommon,
       kHazard,
       "A masked call without isSetMask finds a register that a call left "
       "there after the last SetVectorMask or ResetMask, and in the type's "
       "lanes it differs from the requested mask: that of the last "
       "SetVectorMask or ResetMask, else the start's.",
       {{kDocumented, "Min · isSetMask"}, {kAssumed, "", "by value"}}},
      {state::kMaskDrift,
       kCommon,
       kHazard,
       "A call site that reads the mask register, or runs in counter mode, "
       "finds in one execution a mask or a mode that another place has set "
       "than in its first execution of the block, and of another value; but "
       "not where SetVectorMask or ResetMask set both masks and the same call "
       "read them first.",
       {{kSupplement, "掩码 · 概述, 接口外设置Mask"},
        {kAssumed, "", "as a finding"}}},
      {state::kMaskCounter,
       kCommon,
       kHazard,
       "A masked call in counter mode.",
       {{kSupplement, "SetMaskCount · 约束说明"}}},
      {state::kCounterLeft,
       kCommon,
       kHazard,
       "A program ends in counter mode.",
       {{kSupplement, "SetMaskCount · 约束说明"}}},
  };
}

}  // namespace lanediff::isa
