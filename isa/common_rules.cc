// The rules that no single instruction owns: of machine state and arithmetic,
// of mask register and mode, of elements, and of what orders operations.

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum Effect;
using enum EvidenceLevel;

constexpr std::string_view kLargestUb = "用户最多可使用192KB - 256B的UB空间";

std::vector<std::string_view> OpsWithOperands() {
  std::vector<std::string_view> ops = {GetValue::kOp, SetValue::kOp};
  ForEachIntrinsic([&]<class Call>() { ops.push_back(Call::kOp); });
  return ops;
}

}  // namespace

std::vector<Source> BoundsSources(const std::string& constants) {
  return {
      {kAssumption, "", "what lies inside"},
      {kSupplement,
       "NPU架构版本2201 · 存储单元; asc-devkit kernel_utils_constants.h · " +
           constants,
       "how large each memory is", kLargestUb}};
}

Source MaskPlaceholderSource() {
  return {kSupplement, "asc-devkit kernel_reg.h · MASK_PLACEHOLDER",
          "the value 0", "no quotation: source code"};
}

std::vector<Rule> CommonRules() {
  const std::string flag_limits = "SetFlag/WaitFlag(ISASI) · 约束说明";
  const std::vector<std::string_view> elements = {GetValue::kOp, SetValue::kOp};
  return {
      RuleOf(
          kSemantics, state::kMaskRegister,
          "The vector mask register has 128 bits, all ones at the start; types "
          "of 32 bits see its low 64 bits only. SetVectorMask sets it; an "
          "executed call with isSetMask leaves it at that call's own mask, "
          "also with no iteration; calls without isSetMask read it and leave "
          "it.",
          {{kDocumentText, "Min · 参数说明 · isSetMask",
            "set by SetVectorMask and read",
            "开发者需要使用SetVectorMask接口设置mask值"},
           {kSupplement,
            "掩码 · 接口内设置Mask; asc-devkit kernel_utils_base.h · SetMask",
            "what calls leave behind",
            "计算完成后调用ResetMask、SetMaskNorm"}}),
      RuleOf(
          kSemantics, state::kSaturation,
          "In saturation mode, on at the start, the result of each half "
          "operation and each half value written is kept within ±65504 and a "
          "NaN becomes +0.0; with the mode off half follows IEEE 754. float "
          "always does. An int16 or int32 sum, difference or product outside "
          "its type becomes the type's smallest or largest value in saturation "
          "mode and keeps its low bits with the mode off.",
          {{kDocumentText, "RepeatReduceSum, WholeReduceSum · 约束说明",
            "65504 in the sum", "计算结果大于65504时结果保存为65504"},
           {kPublishedResult,
            "Memory矢量计算接口边界值汇总 · 概述, 表9, 表10, 表11, 表13, 表14, "
            "表38",
            "everything else on atlas-a2 and atlas-a3",
            "inf和-inf会被饱和为MAX和MIN进行输出"},
           {kAssumption, "",
            "the other products, and on at the start for all but the sums"}}),
      RuleOf(kSemantics, arith::kRound,
             "Every operation is computed exactly and rounded once to its "
             "type, to nearest, ties to even.",
             {{kPublishedResult, "Memory矢量计算接口边界值汇总 · 表38",
               "the nodes of a sum", "127个1.0加1个-inf | -inf | -65376.0"},
              {kAssumption, "", "everything else"}}),
      RuleOf(kSemantics, arith::kSubnormal,
             "Subnormal numbers are kept, as inputs and as results.",
             {{kAssumption, ""}}),
      RuleOf(
          kSemantics, arith::kZeroSign,
          "-0.0 and +0.0 are different results. Signs of zero are those of "
          "IEEE 754; of +0.0 and -0.0 the minimum is -0.0 and the maximum "
          "+0.0, in either order.",
          {{kPublishedResult,
            "Memory矢量计算接口边界值汇总 · 表9, 表10, 表11, 表13, 表14, 表38",
            "", "0.0 | -0.0 | -0.0 | -0.0"},
           {kAssumption, "", "either order of minimum and maximum"}}),
      RuleOf(kSemantics, arith::kNan,
             "A NaN among the inputs gives a NaN, for minimum and maximum, "
             "too. One that an operation makes is the canonical quiet NaN "
             "(half 0x7e00, float 0x7fc00000); one that met no operation keeps "
             "its bits where saturation does not replace it. Comparisons treat "
             "all NaNs of a type as one.",
             {{kPublishedResult,
               "Memory矢量计算接口边界值汇总 · 表1, 表9, 表10, 表11, 表13, "
               "表14, 表38",
               "that it is one", "nan不区分正负"},
              {kAssumption, "", "which one"}}),
      RuleOf(kReject, state::kSaturationProduct,
             "Saturation can be switched off on atlas-a2 and atlas-a3 only; "
             "switching it on is legal everywhere.",
             {{kSupplement, "SetSaturationFlag(ISASI) · 产品支持情况", "",
               "Atlas 200I/500 A2 推理产品：不支持"}},
             {.topic = Topic::kProduct, .instruction = SetSaturation::kOp}),
      RuleOf(kNote, state::kUbReserved,
             "An operand of an executed call lies partly in the last 8 KiB of "
             "UB on atlas-a2 or atlas-a3: its last 256 bytes are never the "
             "kernel's, the rest only with --cce-disable-asc-reserved-ubuf.",
             {{kSupplement, "NPU架构版本2201 · 存储单元", "", kLargestUb}},
             {.steps = OpsWithOperands(), .only = Edition::k2026}),
      RuleOf(
          kReject, state::kMaskProduct,
          "SetMaskCount, SetMaskNorm and ResetMask exist on "
          "atlas-inference-aicore, atlas-a2, atlas-a3 and atlas-200i-500-a2.",
          {{kSupplement, "SetMaskCount, SetMaskNorm, ResetMask · 产品支持情况",
            "", "Atlas 200I/500 A2 推理产品：支持"}},
          {.topic = Topic::kProduct,
           .steps = {SetMaskCount::kOp, SetMaskNorm::kOp, ResetMask::kOp}}),
      RuleOf(kSemantics, state::kMaskMode,
             "The mode is normal at the start. SetMaskCount sets counter mode; "
             "SetMaskNorm, and an executed call by count with elements, set "
             "normal mode; ResetMask sets the register to all ones. A masked "
             "call in counter mode is unsupported: its mask would be a number "
             "of elements. Nothing else depends on the mode.",
             {{kSupplement, "掩码 · 概述, 接口内设置Mask; ResetMask · 功能说明",
               "", "默认模式，支持单次迭代内的Mask能力"},
              {kAssumption, "", "unsupported: our choice"}},
             {.steps = {SetMaskCount::kOp, SetMaskNorm::kOp, ResetMask::kOp,
                        SetVectorMask::kOp}}),
      RuleOf(kHazard, state::kMaskUnknown,
             "A masked call without isSetMask reads a register that nothing "
             "has set since a start that is unknown.",
             {{kSupplement, "InitSocState · 约束说明", "",
               "这些值可能被前序执行的算子修改"}}),
      RuleOf(kHazard, state::kModeUnknown,
             "A masked call runs in a mode that nothing has set since a start "
             "that is unknown; not where the product has no SetMaskNorm.",
             {{kSupplement, "InitSocState · 约束说明", "",
               "前序算子使用Counter模式但未重置为Normal模式"}}),
      RuleOf(
          kHazard, state::kMaskLeftover,
          "A masked call without isSetMask finds a register that a call left "
          "there after the last SetVectorMask or ResetMask, and in the type's "
          "lanes it differs from the requested mask: that of the last "
          "SetVectorMask or ResetMask, else the start's.",
          {{kDocumentText, "Min · 参数说明 · isSetMask", "",
            "表示在接口外部设置mask"},
           {kAssumption, "", "by value"}}),
      RuleOf(kHazard, state::kMaskDrift,
             "A call site that reads the mask register, or runs in counter "
             "mode, finds in one execution a mask or a mode that another place "
             "has set than in its first execution of the block, and of another "
             "value; but not where SetVectorMask or ResetMask set both masks "
             "and the same call read them first.",
             {{kSupplement, "掩码 · 概述, 接口外设置Mask", "",
               "适用于mask参数相同、多次重复使用的场景"},
              {kAssumption, "", "as a finding"}}),
      RuleOf(kHazard, state::kMaskCounter, "A masked call in counter mode.",
             {{kSupplement, "SetMaskCount · 约束说明", "",
               "调用SetMaskNorm将Mask模式恢复为Normal模式"}}),
      RuleOf(
          kHazard, state::kCounterLeft, "A program ends in counter mode.",
          {{kSupplement, "SetMaskCount · 约束说明", "", "以避免影响后续计算"}}),
      RuleOf(
          kReject, scalar::kProduct,
          "GetValue and SetValue exist on every product but atlas-200-300-500.",
          {{kSupplement, "GetValue, SetValue · 产品支持情况", "",
            "Atlas 训练系列产品：支持"},
           {kAssumption, "", "atlas-200-300-500, which is not listed"}},
          {.topic = Topic::kProduct, .steps = elements}),
      RuleOf(kReject, scalar::kPosition,
             "The operand is at VECIN, VECCALC or VECOUT.",
             {{kSupplement, "GetValue, SetValue · 功能说明", "",
               "TPosition为VECIN/VECCALC/VECOUT时支持"},
              {kAssumption, "", "GM, behind a data cache, is left out"}},
             {.steps = elements}),
      RuleOf(kReject, scalar::kAlign,
             "The operand starts at a multiple of sizeof(T).",
             {{kAssumption, ""}}, {.steps = elements}),
      RuleOf(kReject, scalar::kIndex, "index is 0 to 4294967295.",
             {{kSupplement, "GetValue, SetValue · 函数原型", "",
               "const uint32_t index"}},
             {.ranges = {{"index", 0, 4294967295}}, .steps = elements}),
      RuleOf(kReject, scalar::kBounds,
             "The operand's window lies in its memory and the element in the "
             "window.",
             {{kAssumption, ""}}, {.stage = Stage::kBounds, .steps = elements}),
      RuleOf(
          kSemantics, sync::kHappensBefore,
          "An operation is before another if a chain of these leads from its "
          "end to the other's start: an operation of S ends before every later "
          "one of S starts; PipeBarrier comes after the end of every earlier "
          "operation of its pipe and before every later entry of it, ALL of "
          "all pipes; SetFlag P_Q comes after the end of every earlier "
          "operation of P; WaitFlag comes after the SetFlag that it takes and "
          "before every later entry of Q, and where Q is S, that SetFlag comes "
          "before every later entry of every pipe. Nothing else orders.",
          {{kSupplement,
            "PipeBarrier(ISASI) · 功能说明, 约束说明; SetFlag/WaitFlag(ISASI) "
            "· 功能说明; 基本架构 · 典型的指令流; msSanitizer 竞争检测 · "
            "竞争异常类型",
            "", "同一流水线内部约束执行顺序"}},
          {.steps = {SetFlag::kOp, WaitFlag::kOp, PipeBarrier::kOp,
                     DataCopy::kOp}}),
      RuleOf(
          kSemantics, sync::kAuto,
          "Where the compiler synchronizes, two operations of V are ordered, "
          "and one of S and one of V, MTE2 or MTE3, either way; no chain goes "
          "through such a pair.",
          {{kSupplement, "核内同步关键特性说明 · 表3", "atlas-a2, atlas-a3",
            "开启cce-auto-sync编译选项，AIV中不同流水线的同步情况"},
           {kAssumption, "", "the other products, and that no chain"}}),
      RuleOf(kHazard, sync::kRaw,
             "An operation reads a byte that an earlier one wrote last, and "
             "nothing orders the two.",
             {{kSupplement, "msSanitizer 竞争检测 · 竞争异常类型", "",
               "读操作事件实际在写操作事件之前执行完毕"},
              {kAssumption, "", "which access is the last"}}),
      RuleOf(kHazard, sync::kWar,
             "An operation writes a byte that an earlier one has read since it "
             "was written last, and nothing orders the two.",
             {{kSupplement,
               "msSanitizer 竞争检测 · 竞争异常类型; PipeBarrier(ISASI) · "
               "功能说明",
               "", "写操作事件实际在读操作事件之前执行完毕"},
              {kAssumption, "", "which access is the last"}}),
      RuleOf(kHazard, sync::kWaw,
             "An operation writes a byte that an earlier one wrote and no "
             "operation has read since, and nothing orders the two.",
             {{kSupplement, "msSanitizer 竞争检测 · 竞争异常类型", "",
               "当两个内存事件尝试向同一块内存写入时"},
              {kAssumption, "", "which access is the last"}}),
      RuleOf(kHazard, sync::kInitRead,
             "A byte is read that neither the start nor a step has written.",
             {{kSupplement, "msSanitizer 未初始化检测 · 未初始化异常类型", "",
               "直接读取未初始化的值导致的异常"},
              {kAssumption, "", "what a write makes known"}}),
      RuleOf(kHazard, sync::kInitOutput,
             "At the end of a launch, a byte of an argument that is declared "
             "as output is one that no block has written.",
             {{kSupplement, "msSanitizer 未初始化检测 · 未初始化异常类型", "",
               "未对内存进行写入"},
              {kAssumption, "",
               "that an output is written as a whole, but for one DataBlock of "
               "padding at its end"}}),
      RuleOf(kNote, sync::kFlagReserved,
             "A flag step has id 6 or 7 on a product whose ids go to 7.",
             {{kSupplement, flag_limits,
               "pages differ between not advised and forbidden",
               "目前暂不建议直接使用事件ID6-7"}},
             {.steps = {SetFlag::kOp, WaitFlag::kOp}}),
      RuleOf(kHazard, sync::kFlagPipe, "The product has no such event.",
             {{kSupplement, "核内同步能力概述 · 表2, 表3; TQueSync · 参数说明",
               "", "AIV中所有合法的核内同步组合"},
              {kAssumption, "", "atlas-200-300-500"}}),
      RuleOf(kHazard, sync::kFlagId,
             "The flag's id is not one of the product's: 0 to 3 on "
             "atlas-training, 0 to 7 on the others that have events.",
             {{kSupplement, flag_limits, "",
               "Atlas 训练系列产品，数据范围为：0-3"}}),
      RuleOf(
          kHazard, sync::kFlagTwice,
          "SetFlag sets a flag that is set; the flag keeps what it had.",
          {{kSupplement, flag_limits, "", "连续使用SetFlag会引发未定义行为"}}),
      RuleOf(kHazard, sync::kFlagUnset,
             "WaitFlag waits for a flag that nothing before it has set: the "
             "pipe stands still.",
             {{kSupplement, "SetFlag/WaitFlag(ISASI) · 功能说明, 约束说明", "",
               "目的流水的后续指令将一直被阻塞"}}),
      RuleOf(kHazard, sync::kFlagUnwaited,
             "A flag is still set when the program ends.",
             {{kSupplement, flag_limits + "; msSanitizer · 同步异常类型", "",
               "SetFlag和WaitFlag必须成对使用"}}),
      RuleOf(kHazard, sync::kBarrierPipe,
             "The product has no PipeBarrier of that pipe.",
             {{kSupplement, "PipeBarrier(ISASI) · 参数说明, 产品支持情况", "",
               "其中不支持PIPE_S"}}),
  };
}

}  // namespace lanediff::isa
