#include "isa/vec_trans.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum EvidenceLevel;
using enum Product;

std::vector<Rule> Rules() {
  return {
      RuleOf(kReject, vt::kProduct, "The product is any but atlas-a3.",
             {{kDocumentText, "vec_trans · 支持的型号", "",
               "Atlas 200/300/500 推理产品"}},
             {.topic = Topic::kProduct}),
      RuleOf(kReject, vt::kDtype, "T is int16, uint16 or half.",
             {{kVendorTables, "vec_trans · 参数说明", "",
               "Tensor(int16/uint16/float16)"}}),
      RuleOf(kReject, vt::kDtypeMatch, "dst and src have type T.",
             {{kSupplement, "Transpose · 参数说明", "",
               "数据类型需要与dst保持一致"}}),
      RuleOf(kReject, vt::kScope,
             "dst and src are in the Unified Buffer, at position UB.",
             {{kVendorTables, "vec_trans · 参数说明", "",
               "Tensor的scope为Unified Buffer"}}),
      RuleOf(
          kReject, vt::kAlign, "dst.at and src.at are multiples of 32 bytes.",
          {{kDocumentText, "vec_trans · 注意事项", "that there is an alignment",
            "操作数地址偏移对齐要求请见通用约束"},
           {kSupplement, "TIK 通用约束 · 表1", "32", "要求32Byte对齐"}}),
      RuleOf(kReject, vt::kRepeat, "repeat_times is in its range.",
             {{kVendorTables, "vec_trans · 参数说明", "", "取值范围[1, 4095]"}},
             {.ranges = {{"repeat_times", 1, 4095}}}),
      RuleOf(kReject, vt::kDstStride, "dst_rep_stride is in its range.",
             {{kVendorTables, "vec_trans · 参数说明", "",
               "相邻两次迭代之间dst地址间隔"}},
             {.ranges = {{"dst_rep_stride", 0, 4095}}}),
      RuleOf(kReject, vt::kSrcStride, "src_rep_stride is in its range.",
             {{kVendorTables, "vec_trans · 参数说明", "",
               "相邻两次迭代之间src地址间隔,单位为512B"}},
             {.ranges = {{"src_rep_stride", 0, 4095}}}),
      RuleOf(kReject, vt::kBounds,
             "Each operand's window lies inside its memory and holds 512 + "
             "(repeat_times-1)·stride·512 bytes.",
             {{kSupplement, "TIK common_util.py · check_vec_trans_overflow", "",
               "no quotation: source code"}},
             {.stage = Stage::kBounds}),
      RuleOf(kReject, vt::kOverlap,
             "Over the whole call dst and src share no byte, or coincide "
             "iteration by iteration.",
             {{kDocumentText, "vec_trans · 注意事项", "",
               "要求100%完全重叠,不支持部分重叠"}},
             {.stage = Stage::kOverlap}),
      RuleOf(kSemantics, vt::kAddress,
             "Both strides count 512 bytes, from head to head.",
             {{kDeviceResults, "vec_trans · 调用示例 · 调用示例二", "",
               "目的数据第一次迭代与第二次迭代头与头间隔2*512B"},
              {kVendorTables, "vec_trans · 参数说明", "",
               "单位为16 * block_size大小"}},
             {.topic = Topic::kAddress}),
      RuleOf(kSemantics, vt::kTranspose,
             "In each block of 16 by 16 elements dst[j·16+i] = src[i·16+j].",
             {{kDocumentText, "vec_trans · 功能说明", "",
               "对连续的16*16的二维矩阵数据块进行转置"},
              {kDeviceResults, "vec_trans · 调用示例", "",
               "dst_gm=[1,17,33,49,...,256]"}},
             {.topic = Topic::kValue}),
      RuleOf(kSemantics, vt::kInOrder,
             "Iterations run in order; with dst_rep_stride 0 the last one "
             "wins, and in place with stride 0 the same block is transposed "
             "repeat_times times.",
             {{kSupplement, "TIK 双目指令 · 通用定义 · 注意事项", "",
               "第N次迭代的目的操作数是第N+1次的源操作数"}}),
      RuleOf(kSemantics, vt::kBits, "Bits are moved unchanged.",
             {{kDocumentText, "vec_trans · 功能说明", "",
               "对连续的16*16的二维矩阵数据块进行转置"},
              {kDeviceResults, "vec_trans · 调用示例", "halves from 0 to 511",
               "shape = (3,16,16)"}},
             {.topic = Topic::kValue}),
  };
}

}  // namespace

template <>
Instruction Describe<VecTrans>() {
  return {.op = VecTrans::kOp,
          .slug = VecTrans::kSlug,
          .api = Api::kTik,
          .products = {kAtlasTraining, kAtlasInferenceAicore,
                       kAtlasInferenceVectorcore, kAtlasA2, kAtlas200i500A2,
                       kAtlas200_300_500},
          .dtypes = {kHalf, kInt16, kUint16},
          .rules = Rules()};
}

}  // namespace lanediff::isa
