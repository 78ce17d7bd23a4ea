#include "isa/data_copy.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum Effect;
using enum Product;
using enum Provenance;
using EvidenceLevel::kDeviceResults;
using EvidenceLevel::kVendorTables;
constexpr std::string_view kOp = DataCopy::kOp;

std::vector<Rule> Rules() {
  return {
      {dc::kProduct,
       kOp,
       kReject,
       "The product is any but atlas-200-300-500; different types on atlas-a2 "
       "and atlas-a3 only.",
       {{kDocumented, "DataCopy · 产品支持情况", "", kVendorTables}},
       {},
       {},
       Topic::kProduct},
      {dc::kRoute,
       kOp,
       kReject,
       "The pair of positions is a route of the product for one type, or VECIN "
       "to VECOUT where VECIN to VECCALC is one.",
       {{kDocumented, "DataCopy · 支持的通路和数据类型 · 表4, 表5, 表6",
         "the tables' routes", kVendorTables},
        {kDocumented, "DataCopy · 调用示例", "VECIN to VECOUT",
         kDeviceResults}}},
      {dc::kDtype,
       kOp,
       kReject,
       "The type is one that the product moves on the route: the integers of 8 "
       "to 64 bits, half, float and double; bfloat16 on atlas-a2, atlas-a3 and "
       "atlas-200i-500-a2.",
       {{kDocumented, "DataCopy · 支持的通路和数据类型 · 表4, 表5, 表6", "",
         kVendorTables}}},
      {dc::kMixed,
       kOp,
       kReject,
       "Different types: C1 to C2, half to float, with DataCopyParams.",
       {{kDocumented, "DataCopy · 支持的通路和数据类型 · 表7",
         "route and types", kVendorTables},
        {kDocumented, "DataCopy · 函数原型", "with DataCopyParams"}}},
      {dc::kDstAlign,
       kOp,
       kReject,
       "dst.at is a multiple of 64 at C2, of 128 at C2PIPE2GM, of its type's "
       "size at GM and of 32 elsewhere.",
       {{kDocumented, "DataCopy · 参数说明 · dst", "", kVendorTables,
         "位于C2时,起始地址要求64B对齐"}}},
      {dc::kSrcAlign,
       kOp,
       kReject,
       "src.at is a multiple of its type's size at GM and of 32 elsewhere.",
       {{kDocumented, "DataCopy · 参数说明 · src", "", kVendorTables,
         "LocalTensor的起始地址要求32字节对齐"}}},
      {dc::kBlockCount,
       kOp,
       kReject,
       "blockCount is in its range.",
       {{kDocumented, "DataCopy · 参数说明 · 表3", "", kVendorTables,
         "取值范围:blockCount∈[1, 4095]"}},
       {{"blockCount", 1, 4095}}},
      {dc::kBlockLen,
       kOp,
       kReject,
       "blockLen is in its range.",
       {{kDocumented, "DataCopy · 参数说明 · 表3", "", kVendorTables,
         "取值范围:blockLen∈[1, 65535]"}},
       {{"blockLen", 1, 65535}}},
      {dc::kGap,
       kOp,
       kReject,
       "srcGap and dstGap are in their ranges.",
       {{kDocumented, "DataCopy · 参数说明 · 表3", "", kVendorTables,
         "srcGap不要超出该数据类型的取值范围"}},
       {{"srcGap", 0, 65535}, {"dstGap", 0, 65535}}},
      {dc::kBounds,
       kOp,
       kReject,
       "Each operand's window lies inside its memory, and every byte read or "
       "written inside its operand's window.",
       {{kAssumed, "", "what lies inside"},
        {kSupplement,
         "NPU架构版本2201 · 存储单元; asc-devkit kernel_utils_constants.h · "
         "TOTAL_UB_SIZE, TOTAL_L1_SIZE",
         "how large each memory is"}},
       {},
       Stage::kBounds},
      {dc::kOverlap,
       kOp,
       kReject,
       "Source and destination of one call share no byte, or coincide block by "
       "block.",
       {{kAssumed, ""}},
       {},
       Stage::kOverlap},
      {dc::kCount,
       kOp,
       kReject,
       "count is in its range.",
       {{kDocumented, "DataCopy · 函数原型", "", {}, "const uint32_t count"}},
       {{"count", 0, 4294967295}}},
      {dc::kBarrier,
       kOp,
       kReject,
       "A copy that writes a byte which an earlier copy on the same pipe wrote "
       "has a PipeBarrier of that pipe, or of ALL, in between. GM to UB and "
       "to L1: MTE2; UB to GM and to L1, L1 to GM: MTE3; UB to UB: V; L1 to "
       "BT: MTE1; L1 to FB: FIX.",
       {{kDocumented,
         "DataCopy · 约束说明",
         "MTE3 into GM and MTE2 into UB",
         {},
         "通过调用PipeBarrier(ISASI)来插入同步指令"},
        {kSupplement,
         "API流水类型汇总 · 表1, 表2; PipeBarrier(ISASI) · 参数说明",
         "the other pipes, and ALL"},
        {kAssumed, "", "copies on different pipes are not looked at"}},
       {},
       Stage::kOverlap},
      {dc::kCountFloor,
       kOp,
       kNote,
       "count·sizeof(T) is not a multiple of 32: the tail is not copied.",
       {{kDocumented,
         "DataCopy · 参数说明 · count",
         "",
         {},
         "若不对齐,搬运量将对32字节做向下取整"}}},
      {dc::kCountEmpty,
       kOp,
       kNote,
       "count·sizeof(T) is below 32: nothing is copied.",
       {{kDocumented,
         "DataCopy · 参数说明 · count",
         "",
         {},
         "若不对齐,搬运量将对32字节做向下取整"}}},
      {dc::kAddress,
       kOp,
       kSemantics,
       "Block i goes from src.at + i·(blockLen·L + srcGap·32) to dst.at + "
       "i·(blockLen·L·w + dstGap·G); L and G are 64 with dst at C2, 128 at "
       "C2PIPE2GM and 32 elsewhere, w is 2 for half to float and 1 otherwise. "
       "Gaps keep their bytes.",
       {{kDocumented, "DataCopy · 参数说明 · 表3", "units and gaps",
         kVendorTables, "前面一个数据块的尾与后面数据块的头的间隔"},
        {kAssumed, "",
         "the gap from tail to head with several blocks at C2 and C2PIPE2GM: "
         "pages contradict each other"}},
       {},
       {},
       Topic::kAddress,
       1 << DataCopy::kParams},
      {dc::kCountLength,
       kOp,
       kSemantics,
       "The count form copies whole units of 32 bytes, whatever the position.",
       {{kDocumented,
         "DataCopy · 参数说明 · count",
         "",
         {},
         "count * sizeof(T)需要32字节对齐"}},
       {},
       {},
       Topic::kAddress,
       1 << DataCopy::kCount},
      {dc::kBits,
       kOp,
       kSemantics,
       "Bits are copied unchanged, NaNs too; half to float is exact and NaNs "
       "keep sign and payload, moved up.",
       {{kDocumented,
         "DataCopy · 功能说明",
         "",
         {},
         "支持连续和非连续的数据搬运"},
        {kDocumented, "DataCopy · 调用示例", "halves from 1 to 512",
         kDeviceResults},
        {kAssumed, "", "NaNs"}},
       {},
       {},
       Topic::kValue},
      {dc::kRouteExample,
       kOp,
       kNote,
       "VECIN to VECOUT is in no table but in the document's own example: "
       "accepted wherever VECIN to VECCALC is.",
       {{kDocumented, "DataCopy · 调用示例", "the copy, against table 5",
         kDeviceResults},
        {kAssumed, "", "on which products: the example names none"}}},
  };
}

}  // namespace

template <>
Instruction Describe<DataCopy>() {
  return {.op = kOp,
          .room = DataCopy::kRoom,
          .products = {kAtlasTraining, kAtlasInferenceAicore,
                       kAtlasInferenceVectorcore, kAtlasA2, kAtlasA3,
                       kAtlas200i500A2},
          .rules = Rules()};
}

}  // namespace lanediff::isa
