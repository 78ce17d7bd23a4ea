#include "isa/catalogue.h"
#include "isa/state.h"

/// What orders the operations of a core's pipes, and what is reported where
/// nothing does.
namespace lanediff::isa {
namespace {
using enum Effect;
using enum Provenance;
constexpr std::string_view kCommon = "common";
constexpr std::string_view kFlagLimits = "SetFlag/WaitFlag(ISASI) · 约束说明";

std::vector<Rule> OrderRules() {
  return {
      {sync::kHappensBefore,
       kCommon,
       kSemantics,
       "An operation is before another if a chain of these leads from its end "
       "to the other's start: an operation of S ends before every later one of "
       "S starts; PipeBarrier comes after the end of every earlier operation "
       "of its pipe and before every later entry of it, ALL of all pipes; "
       "SetFlag P_Q comes after the end of every earlier operation of P; "
       "WaitFlag comes after the SetFlag that it takes and before every later "
       "entry of Q, and where Q is S, that SetFlag comes before every later "
       "entry of every pipe. Nothing else orders.",
       {{kSupplement,
         "PipeBarrier(ISASI) · 功能说明, 约束说明; SetFlag/WaitFlag(ISASI) · "
         "功能说明; 基本架构 · 典型的指令流; msSanitizer"}},
       {},
       Stage::kParameters,
       Topic::kOther,
       kEveryForm,
       {SetFlag::kOp, WaitFlag::kOp, PipeBarrier::kOp, DataCopy::kOp}},
      {sync::kAuto,
       kCommon,
       kSemantics,
       "Where the compiler synchronizes, two operations of V are ordered, and "
       "one of S and one of V, MTE2 or MTE3, either way; no chain goes through "
       "such a pair.",
       {{kSupplement, "核内同步 · 关键特性说明 · 表1", "atlas-a2, atlas-a3"},
        {kAssumed, "", "the other products, and that no chain"}}},
  };
}

std::vector<Rule> RaceRules() {
  return {
      {sync::kRaw,
       kCommon,
       kHazard,
       "An operation reads a byte that an earlier one wrote last, and nothing "
       "orders the two.",
       {{kSupplement, "msSanitizer · 竞争异常类型"},
        {kAssumed, "", "which access is the last"}}},
      {sync::kWar,
       kCommon,
       kHazard,
       "An operation writes a byte that an earlier one has read since it was "
       "written last, and nothing orders the two.",
       {{kSupplement,
         "msSanitizer · 竞争异常类型; PipeBarrier(ISASI) · 功能说明"},
        {kAssumed, "", "which access is the last"}}},
      {sync::kWaw,
       kCommon,
       kHazard,
       "An operation writes a byte that an earlier one wrote and no operation "
       "has "
       "read since, and nothing orders the two.",
       {{kSupplement, "msSanitizer · 竞争异常类型"},
        {kAssumed, "", "which access is the last"}}},
      {sync::kInitRead,
       kCommon,
       kHazard,
       "A byte is read that neither the start nor a step has written.",
       {{kSupplement, "msSanitizer · 未初始化异常类型"},
        {kAssumed, "", "what a write makes known"}}},
      {sync::kInitOutput,
       kCommon,
       kHazard,
       "At the end of a launch, a byte of an argument that is declared as "
       "output is one that no block has written.",
       {{kSupplement, "msSanitizer · 未初始化异常类型"},
        {kAssumed, "",
         "that an output is written as a whole, but for one "
         "DataBlock of padding at its end"}}},
  };
}

std::vector<Rule> FlagRules() {
  return {
      {sync::kFlagReserved,
       kCommon,
       kNote,
       "A flag step has id 6 or 7 on a product whose ids go to 7.",
       {{kSupplement, std::string(kFlagLimits),
         "pages differ between not advised and forbidden"}},
       {},
       Stage::kParameters,
       Topic::kOther,
       kEveryForm,
       {SetFlag::kOp, WaitFlag::kOp}},
      {sync::kFlagPipe,
       kCommon,
       kHazard,
       "The product has no such event.",
       {{kSupplement, "核内同步能力概述 · 表2, 表3; TQueSync"},
        {kAssumed, "", "atlas-200-300-500"}}},
      {sync::kFlagId,
       kCommon,
       kHazard,
       "The flag's id is not one of the product's: 0 to 3 on atlas-training, 0 "
       "to "
       "7 on the others that have events.",
       {{kSupplement, std::string(kFlagLimits)}}},
      {sync::kFlagTwice,
       kCommon,
       kHazard,
       "SetFlag sets a flag that is set; the flag keeps what it had.",
       {{kSupplement, std::string(kFlagLimits)}}},
      {sync::kFlagUnset,
       kCommon,
       kHazard,
       "WaitFlag waits for a flag that nothing before it has set: the pipe "
       "stands still.",
       {{kSupplement, "SetFlag/WaitFlag(ISASI) · 功能说明, 约束说明"}}},
      {sync::kFlagUnwaited,
       kCommon,
       kHazard,
       "A flag is still set when the program ends.",
       {{kSupplement,
         std::string(kFlagLimits) + "; msSanitizer · 同步异常类型"}}},
      {sync::kBarrierPipe,
       kCommon,
       kHazard,
       "The product has no PipeBarrier of that pipe.",
       {{kSupplement, "PipeBarrier(ISASI) · 参数说明, 产品支持情况"}}},
  };
}

}  // namespace

std::vector<Rule> SyncRules() {
  std::vector<Rule> all = OrderRules();
  for (std::vector<Rule>& more : std::vector{RaceRules(), FlagRules()}) {
    for (Rule& rule : more) all.push_back(std::move(rule));
  }
  return all;
}

}  // namespace lanediff::isa
