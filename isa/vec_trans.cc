#include "isa/vec_trans.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum Product;
using enum Provenance;
using EvidenceLevel::kDeviceResults;
using EvidenceLevel::kVendorTables;
constexpr std::string_view kOp = VecTrans::kOp;

std::vector<Rule> Rules() {
  return {
      {vt::kProduct,
       kOp,
       kReject,
       "The product is any but atlas-a3.",
       {{kDocumented,
         "vec_trans · 支持的型号",
         "",
         {},
         "Atlas 200/300/500 推理产品"}},
       {},
       {},
       Topic::kProduct},
      {vt::kDtype,
       kOp,
       kReject,
       "T is int16, uint16 or half.",
       {{kDocumented, "vec_trans · 参数说明", "", kVendorTables,
         "Tensor(int16/uint16/float16)"}}},
      {vt::kDtypeMatch,
       kOp,
       kReject,
       "dst and src have type T.",
       {{kSupplement, "Transpose · 参数说明"}}},
      {vt::kScope,
       kOp,
       kReject,
       "dst and src are in the Unified Buffer, at position UB.",
       {{kDocumented, "vec_trans · 参数说明", "", kVendorTables,
         "Tensor的scope为Unified Buffer"}}},
      {vt::kAlign,
       kOp,
       kReject,
       "dst.at and src.at are multiples of 32 bytes.",
       {{kDocumented,
         "vec_trans · 注意事项",
         "that there is an alignment",
         {},
         "操作数地址偏移对齐要求请见通用约束"},
        {kSupplement, "TIK 通用约束 · 表1", "32"}}},
      {vt::kRepeat,
       kOp,
       kReject,
       "repeat_times is in its range.",
       {{kDocumented, "vec_trans · 参数说明", "", kVendorTables,
         "取值范围[1, 4095]"}},
       {{"repeat_times", 1, 4095}}},
      {vt::kDstStride,
       kOp,
       kReject,
       "dst_rep_stride is in its range.",
       {{kDocumented, "vec_trans · 参数说明", "", kVendorTables,
         "相邻两次迭代之间dst地址间隔"}},
       {{"dst_rep_stride", 0, 4095}}},
      {vt::kSrcStride,
       kOp,
       kReject,
       "src_rep_stride is in its range.",
       {{kDocumented, "vec_trans · 参数说明", "", kVendorTables,
         "相邻两次迭代之间src地址间隔,单位为512B"}},
       {{"src_rep_stride", 0, 4095}}},
      {vt::kBounds,
       kOp,
       kReject,
       "Each operand's window lies inside its memory and holds 512 + "
       "(repeat_times-1)·stride·512 bytes.",
       {{kSupplement, "TIK common_util.py · check_vec_trans_overflow"}},
       {},
       Stage::kBounds},
      {vt::kOverlap,
       kOp,
       kReject,
       "Over the whole call dst and src share no byte, or coincide iteration "
       "by iteration.",
       {{kDocumented,
         "vec_trans · 注意事项",
         "",
         {},
         "要求100%完全重叠,不支持部分重叠"}},
       {},
       Stage::kOverlap},
      {vt::kAddress,
       kOp,
       kSemantics,
       "Both strides count 512 bytes, from head to head.",
       {{kDocumented, "vec_trans · 调用示例 · 调用示例二", "", kDeviceResults,
         "目的数据第一次迭代与第二次迭代头与头间隔2*512B"},
        {kDocumented, "vec_trans · 参数说明", "", kVendorTables}},
       {},
       {},
       Topic::kAddress},
      {vt::kTranspose,
       kOp,
       kSemantics,
       "In each block of 16 by 16 elements dst[j·16+i] = src[i·16+j].",
       {{kDocumented,
         "vec_trans · 功能说明",
         "",
         {},
         "对连续的16*16的二维矩阵数据块进行转置"},
        {kDocumented, "vec_trans · 调用示例", "", kDeviceResults}},
       {},
       {},
       Topic::kValue},
      {vt::kInOrder,
       kOp,
       kSemantics,
       "Iterations run in order; with dst_rep_stride 0 the last one wins, and "
       "in place with stride 0 the same block is transposed repeat_times "
       "times.",
       {{kSupplement, "TIK 双目指令 · 通用定义 · 注意事项"}}},
      {vt::kBits,
       kOp,
       kSemantics,
       "Bits are moved unchanged.",
       {{kDocumented, "vec_trans · 功能说明"},
        {kDocumented, "vec_trans · 调用示例", "halves from 0 to 511",
         kDeviceResults}},
       {},
       {},
       Topic::kValue},
  };
}

}  // namespace

template <>
Instruction Describe<VecTrans>() {
  return {.op = kOp,
          .slug = VecTrans::kSlug,
          .api = Api::kTik,
          .products = {kAtlasTraining, kAtlasInferenceAicore,
                       kAtlasInferenceVectorcore, kAtlasA2, kAtlas200i500A2,
                       kAtlas200_300_500},
          .dtypes = {kHalf, kInt16, kUint16},
          .rules = Rules()};
}

}  // namespace lanediff::isa
