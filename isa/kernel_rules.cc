#include "isa/catalogue.h"

/// Reports of kernels: unaudited calls, and what they get and give back.
namespace lanediff::isa {
using enum Effect;
using enum EvidenceLevel;

std::vector<Rule> KernelRules() {
  std::vector<Rule> all = {
      RuleOf(
          kReject, carried::kAlign,
          "Windows of an unaudited call in local memories start at multiples "
          "of 32 bytes; results of calls named Whole… or Reduce… at multiples "
          "of their own size, half results of BlockReduce… of 16; where the "
          "call's page requires something else, the step has it. GM is free.",
          {{kSupplement, "通用说明和约束 · 通用地址对齐约束", "",
            "Unified Buffer | 32Byte对齐"},
           {kAssumption, "", "a result without type"}},
          {.steps = {Carried::kOp}}),
      RuleOf(kReject, carried::kRange,
             "Each integer parameter of an unaudited call for which the step "
             "has what the call's page allows is in that range, a multiple "
             "where one is required (count of Compare: 256 bytes; blockLen of "
             "DataCopyPad: the element; count of a Cast with int4b_t: 2; base "
             "of Gather and Scatter: the element), and one of the values where "
             "there is a list (validBit of MrgSort: 3, 7, 15).",
             {{kSupplement, "Gatherb, Scatter · 约束说明", "",
               "repeatTime取值范围：repeatTime∈[0,255]"},
              {kSupplement,
               "Compare, Compares, Cast, Gather, Scatter, MrgSort · 约束说明; "
               "DataCopyPad · 表3",
               "", "需要保证count个元素所占空间256字节对齐"}},
             {.steps = {Carried::kOp}}),
      RuleOf(kReject, carried::kBounds,
             "Every byte that an unaudited call reads or writes lies in the "
             "window of one of its operands in that memory, and each window in "
             "its memory.",
             {{kAssumption, ""}},
             {.stage = Stage::kBounds, .steps = {Carried::kOp}}),
      RuleOf(kFail, carried::kOverlap,
             "Operands of an unaudited call overlap only so far. With a mask: "
             "in an iteration they are disjoint or coincide, and none reads "
             "what an earlier one wrote (src1 of AddRelu and SubRelu as with "
             "Min). With a count: disjoint or from the same byte; of a Cast to "
             "a wider type disjoint, or src starts no earlier than dst and its "
             "own bytes, rounded up to 32. Of Whole…, Reduce…, BlockReduce… "
             "and PairReduce…: disjoint, or dst starts where its iteration's "
             "source does. tmp may be shared. Sources and results of Gather, "
             "Gatherb, Brcb, MrgSort and MrgSort4, and of Axpy and MulAddDst "
             "from half to float: disjoint. Select of a scalar or of tensors "
             "(atlas-a2, -a3, -inference-aicore) has no operand in the last 8 "
             "KiB of UB, and what was there before it is not read behind it.",
             {{kSupplement, "通用说明和约束 · 通用地址重叠约束", "",
               "必须100%完全重叠，不支持部分重叠"},
              {kSupplement,
               "Gather, Gatherb, Brcb, MrgSort, Axpy, MulAddDst, Select · "
               "约束说明",
               "", "不支持源操作数与目的操作数使用同一块内存地址"},
              {kAssumption, "",
               "with a count; reductions over iterations; that Select takes "
               "the last 8 KiB"}},
             {.steps = {Carried::kOp}}),
      RuleOf(
          kFail, carried::kContents,
          "Operands of an unaudited call hold what its page allows. Offsets of "
          "Gather and Scatter are multiples of the element, those of Gatherb "
          "of 32 bytes, and those of Scatter differ. A note: sources of "
          "MrgSort and MrgSort4 that do not descend, Rsqrt of what is not "
          "positive, Reciprocal of zero and NaN scores of the sorting calls, "
          "whose results no page determines.",
          {{kSupplement,
            "Gather, Gatherb, Scatter, MrgSort, Rsqrt, Reciprocal · 约束说明",
            "", "偏移地址不能有相同值"},
           {kAssumption, "", "NaN scores, of which no page speaks"}},
          {.steps = {Carried::kOp}}),
      RuleOf(kFail, krn::kUbCapacity,
             "A buffer or static tensor ends inside its memory. One that "
             "doesn't keeps its address.",
             {{kSupplement, "InitBuffer · 功能说明", "",
               "为TQue等队列和TBuf分配内存"}}),
      RuleOf(kFail, krn::kBuffers,
             "A kernel has at most 64 buffers, and of the queues of one "
             "position at most 8 (atlas-training: 4) are handed out at a time.",
             {{kSupplement, "InitBuffer, AllocTensor · 约束说明", "",
               "一个kernel中所有使用的Buffer数量之和不能超过64"}}),
      RuleOf(kFail, krn::kTPipe,
             "One TPipe is live at a time, and one LocalMemAllocator of a "
             "memory. Either beside the other way to hand out memory is noted.",
             {{kSupplement, "TPipe简介 · 主要功能", "",
               "一个Kernel函数必须且只能初始化一个TPipe对象"}}),
      RuleOf(kFail, krn::kQueue,
             "AllocTensor finds an idle block, EnQue stays within the depth, "
             "DeQue finds something queued (else the block stops there); EnQue "
             "and FreeTensor get what the queue has handed out, once.",
             {{kSupplement, "EnQue · 返回值说明", "", "Queue已满，入队失败"},
              {kAssumption, "", "that a queued tensor is not handed out"}}),
      RuleOf(kNote, krn::kQueueLeft,
             "At the end of the TPipe every block of a queue is given back.",
             {{kAssumption, ""}}),
      RuleOf(kFail, krn::kFreed,
             "No call touches a queue's block between FreeTensor and the next "
             "AllocTensor that hands it out.",
             {{kAssumption, ""}}),
      RuleOf(
          kFail, sync::kInitStale,
          "What a call reads of a queue's buffer, and what leaves the core "
          "computed from it, was written since AllocTensor handed the buffer "
          "out: what an earlier use left there is no defined content, and "
          "nothing is after FreeTensor. Of a queue with one buffer a note.",
          {{kSupplement, "AllocTensor · 约束说明", "",
            "接口分配的Tensor内容可能包含随机值"},
           {kAssumption, "", "after FreeTensor; a note with one buffer"}}),
      RuleOf(kFail, krn::kTensor,
             "A tensor that is used was given memory before.",
             {{kSupplement, "LocalTensor构造函数 · 函数原型", "",
               "该函数不会对LocaTensor成员变量赋初值，均为随机值"}}),
      RuleOf(kNote, krn::kDeclared,
             "A call touches no more of a tensor than its declared size, even "
             "where the allocation goes on.",
             {{kAssumption, ""}}),
      RuleOf(kNote, krn::kGmExtent,
             "Bounds of GM of unknown extent are not checked.",
             {{kAssumption, ""}}),
      RuleOf(kFail, krn::kAtomicUnknown,
             "In a block that has begun, something has set the atomic mode "
             "before a copy to GM. It goes on as off.",
             {{kSupplement, "InitSocState · 约束说明", "",
               "若不调用该接口进行初始化"}}),
      RuleOf(kNote, krn::kPosition,
             "Positions of an operand are those of the call's documented "
             "routes. Where the product has a route between the same memories, "
             "a run goes on as if they were.",
             {{kAssumption, ""}}),
      RuleOf(kNote, RuleId("KRN-APPROX"),
             "What the scalar unit reads in a run was computed exactly: no "
             "call on its way is a host's approximation or was skipped.",
             {{kAssumption, ""}}),
      RuleOf(kFail, krn::kMaskMode,
             "A call that reads the mask register runs in the mode for which "
             "SetVectorMask has set it.",
             {{kSupplement, "SetVectorMask · 功能说明", "",
               "在不同的模式下，mask的含义不同"}}),
      RuleOf(kNote, krn::kMaskLeft,
             "A block leaves normal mode, a mask of all ones, no atomic mode "
             "and no deq scale.",
             {{kSupplement, "InitSocState · 约束说明", "",
               "前序算子使用Counter模式但未重置为Normal模式"}}),
      RuleOf(kFail, krn::kGmConflict,
             "Between two SyncAll no block touches a byte of GM that another "
             "one writes, unless both write by the same atomic operation.",
             {{kAssumption, ""}}),
      RuleOf(
          kFail, krn::kSyncAll,
          "Blocks, of the soft form the first usedCores, call SyncAll "
          "equally often; the soft form has 32 bytes a block of both "
          "workspaces, and that in GM is 0 at first.",
          {{kSupplement, "SyncAll · 约束说明", "", "缓存的值需要初始化为0"}}),
      RuleOf(kFail, krn::kEvent,
             "AllocEventID finds an id of the event that is not held, and "
             "ReleaseEventID gives back one that is. Queues take their ids "
             "from the same pool, EnQue until DeQue and FreeTensor until "
             "AllocTensor: no SetFlag sets a flag whose id a queue holds, and "
             "neither a queue nor AllocEventID takes an id whose flag is set.",
             {{kSupplement, "AllocEventID, ReleaseEventID · 功能说明", "",
               "必须与ReleaseEventID搭配使用"},
              {kSupplement, "SetFlag/WaitFlag(ISASI) · 参数说明, 约束说明", "",
               "eventID需要通过AllocEventID或者FetchEventID来获取"}}),
  };
  for (Rule& rule : all) {
    rule.instruction = kKernel;
    if (rule.steps.empty()) rule.steps = {Resource::kOp};
  }
  return all;
}

}  // namespace lanediff::isa
