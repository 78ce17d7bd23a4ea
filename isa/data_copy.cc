#include "isa/data_copy.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum Effect;
using enum EvidenceLevel;
using enum Product;

std::vector<Rule> Rules() {
  return {
      RuleOf(kReject, dc::kProduct,
             "The product is any but atlas-200-300-500; different types on "
             "atlas-a2 and atlas-a3 only.",
             {{kVendorTables, "DataCopy · 产品支持情况", "",
               "Atlas 200/300/500 推理产品"}},
             {.topic = Topic::kProduct}),
      RuleOf(kReject, dc::kRoute,
             "The pair of positions is a route of the product for one type, or "
             "VECIN to VECOUT where VECIN to VECCALC is one.",
             {{kVendorTables, "DataCopy · 支持的通路和数据类型 · 表4, 表5, 表6",
               "the tables' routes", "VECIN -> VECCALC或VECCALC -> VECOUT"},
              {kDeviceResults, "DataCopy · 调用示例", "VECIN to VECOUT",
               "DataCopy(dstLocal , srcLocal, 512)"}}),
      RuleOf(
          kReject, dc::kDtype,
          "The type is one that the product moves on the route: the integers "
          "of 8 to 64 bits, half, float and double; bfloat16 on atlas-a2, "
          "atlas-a3 and atlas-200i-500-a2.",
          {{kVendorTables, "DataCopy · 支持的通路和数据类型 · 表4, 表5, 表6",
            "", "half、bfloat16_t、float、double"}}),
      RuleOf(kReject, dc::kMixed,
             "Different types: C1 to C2, half to float, with DataCopyParams.",
             {{kVendorTables, "DataCopy · 支持的通路和数据类型 · 表7",
               "route and types", "C1 -> C2(L1 Buffer -> BiasTable Buffer)"},
              {kDocumentText, "DataCopy · 函数原型", "with DataCopyParams",
               "const DataCopyParams& repeatParams"}}),
      RuleOf(kReject, dc::kDstAlign,
             "dst.at is a multiple of 64 at C2, of 128 at C2PIPE2GM, of its "
             "type's size at GM and of 32 elsewhere.",
             {{kVendorTables, "DataCopy · 参数说明 · dst", "",
               "位于C2时,起始地址要求64B对齐"}}),
      RuleOf(
          kReject, dc::kSrcAlign,
          "src.at is a multiple of its type's size at GM and of 32 elsewhere.",
          {{kVendorTables, "DataCopy · 参数说明 · src", "",
            "LocalTensor的起始地址要求32字节对齐"}}),
      RuleOf(
          kReject, dc::kBlockCount,
          "blockCount is in its range; 0 since edition 2026.",
          {{kVendorTables, "DataCopy · 参数说明 · 表3", "",
            "取值范围:blockCount∈[1, 4095]"},
           {kSupplement, "newer DataCopy · 表3", "0", "blockCount∈[0, 4095]"}},
          {.ranges = {{"blockCount", 0, 4095, 0, Edition::k2026},
                      {"blockCount", 1, 4095, 0, Edition::k2024}},
           .statement_2024 = "blockCount is in its range."}),
      RuleOf(
          kReject, dc::kBlockLen,
          "blockLen is in its range; 0 since edition 2026.",
          {{kVendorTables, "DataCopy · 参数说明 · 表3", "",
            "取值范围:blockLen∈[1, 65535]"},
           {kSupplement, "newer DataCopy · 表3", "0", "blockLen∈[0, 65535]"}},
          {.ranges = {{"blockLen", 0, 65535, 0, Edition::k2026},
                      {"blockLen", 1, 65535, 0, Edition::k2024}},
           .statement_2024 = "blockLen is in its range."}),
      RuleOf(kReject, dc::kGap, "srcGap and dstGap are in their ranges.",
             {{kVendorTables, "DataCopy · 参数说明 · 表3", "",
               "srcGap不要超出该数据类型的取值范围"}},
             {.ranges = {{"srcGap", 0, 65535}, {"dstGap", 0, 65535}}}),
      RuleOf(kReject, dc::kBounds,
             "Each operand's window lies inside its memory, and every byte "
             "read or written inside its operand's window.",
             BoundsSources("TOTAL_UB_SIZE, TOTAL_L1_SIZE"),
             {.stage = Stage::kBounds}),
      RuleOf(kReject, dc::kOverlap,
             "Source and destination of one call share no byte, or coincide "
             "block by block.",
             {{kAssumption, ""}}, {.stage = Stage::kOverlap}),
      RuleOf(
          kReject, dc::kCount, "count is in its range.",
          {{kDocumentText, "DataCopy · 函数原型", "", "const uint32_t count"}},
          {.ranges = {{"count", 0, 4294967295}}}),
      RuleOf(
          kReject, dc::kBarrier,
          "A copy that writes a byte which an earlier copy on the same pipe "
          "wrote has a PipeBarrier of that pipe, or of ALL, in between. GM "
          "to UB and to L1: MTE2; UB to GM and to L1, L1 to GM: MTE3; UB to "
          "UB: V; L1 to BT: MTE1; L1 to FB: FIX.",
          {{kDocumentText, "DataCopy · 约束说明",
            "MTE3 into GM and MTE2 into UB",
            "通过调用PipeBarrier(ISASI)来插入同步指令"},
           {kSupplement,
            "API流水类型汇总 · 表1, 表2; PipeBarrier(ISASI) · 参数说明",
            "the other pipes, and ALL", "DataCopy(L1->BT) | AIC | PIPE_MTE1"},
           {kAssumption, "", "copies on different pipes are not looked at"}},
          {.stage = Stage::kOverlap}),
      RuleOf(kNote, dc::kCountFloor,
             "count·sizeof(T) is not a multiple of 32: the tail is not copied.",
             {{kDocumentText, "DataCopy · 参数说明 · count", "",
               "若不对齐,搬运量将对32字节做向下取整"}}),
      RuleOf(kNote, dc::kCountEmpty,
             "count·sizeof(T) is below 32: nothing is copied.",
             {{kDocumentText, "DataCopy · 参数说明 · count", "",
               "若不对齐,搬运量将对32字节做向下取整"}}),
      RuleOf(kNote, dc::kBlockEmpty,
             "blockCount or blockLen is 0: nothing is copied.",
             {{kSupplement, "newer DataCopy · 表3", "on atlas-a2 and atlas-a3",
               "该接口将被视为NOP（空操作）"},
              {kAssumption, "", "on the other products"}},
             {.only = Edition::k2026}),
      RuleOf(kSemantics, dc::kAddress,
             "Block i goes from src.at + i·(blockLen·L + srcGap·32) to dst.at "
             "+ i·(blockLen·L·w + dstGap·G); L and G are 64 with dst at C2, "
             "128 at C2PIPE2GM and 32 elsewhere, w is 2 for half to float and "
             "1 otherwise. Gaps keep their bytes.",
             {{kVendorTables, "DataCopy · 参数说明 · 表3", "units and gaps",
               "前面一个数据块的尾与后面数据块的头的间隔"},
              {kAssumption, "",
               "the gap from tail to head with several blocks at C2 and "
               "C2PIPE2GM: pages contradict each other"}},
             {.topic = Topic::kAddress, .forms = 1 << DataCopy::kParams}),
      RuleOf(kSemantics, dc::kCountLength,
             "The count form copies whole units of 32 bytes, whatever the "
             "position.",
             {{kDocumentText, "DataCopy · 参数说明 · count", "",
               "count * sizeof(T)需要32字节对齐"}},
             {.topic = Topic::kAddress, .forms = 1 << DataCopy::kCount}),
      RuleOf(kSemantics, dc::kBits,
             "Bits are copied unchanged, NaNs too; half to float is exact and "
             "NaNs keep sign and payload, moved up.",
             {{kDocumentText, "DataCopy · 功能说明", "",
               "支持连续和非连续的数据搬运"},
              {kDeviceResults, "DataCopy · 调用示例", "halves from 1 to 512",
               "输出数据dstGlobal:[1 2 3 ... 512]"},
              {kAssumption, "", "NaNs"}},
             {.topic = Topic::kValue}),
      RuleOf(
          kNote, dc::kRouteExample,
          "VECIN to VECOUT is in no table but in the document's own example: "
          "accepted wherever VECIN to VECCALC is.",
          {{kDeviceResults, "DataCopy · 调用示例", "the copy, against table 5",
            "DataCopy(dstLocal , srcLocal, 512)"},
           {kAssumption, "", "on which products: the example names none"}}),
  };
}

}  // namespace

template <>
Instruction Describe<DataCopy>() {
  return {.op = DataCopy::kOp,
          .slug = DataCopy::kSlug,
          .products = {kAtlasTraining, kAtlasInferenceAicore,
                       kAtlasInferenceVectorcore, kAtlasA2, kAtlasA3,
                       kAtlas200i500A2},
          .rules = Rules()};
}

}  // namespace lanediff::isa
