#include "isa/trowprod.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum EvidenceLevel;
using enum Product;

std::vector<Rule> Rules() {
  return {
      RuleOf(kReject, trp::kProduct, "The product is atlas-a2 or atlas-a3.",
             {{kDocumentText, "TROWPROD · 约束条件", "", "A2A3"}},
             {.topic = Topic::kProduct}),
      RuleOf(
          kReject, trp::kDtype, "T is half, float, int32 or int16.",
          {{kDocumentText, "TROWPROD · 约束条件", "half and float",
            "数据类型:half"},
           {kSupplement, "English TROWPROD · A2A3 implementation checks",
            "int32 and int16, edition 2026", "half, float, int32_t, int16_t"}},
          {.statement_2024 = "T is half or float."}),
      RuleOf(kReject, trp::kDtypeMatch, "dst, src and tmp have type T.",
             {{kDocumentText, "TROWPROD · 约束条件", "",
               "DType 一致性:dst.DType == src.DType"},
              {kSupplement, "newer TROWPROD · 临时空间", "tmp",
               "tmp 必须与 src/dst 具有相同的元素类型"}}),
      RuleOf(
          kReject, trp::kLocation,
          "The tiles are vector tiles, at position UB.",
          {{kDocumentText, "TROWPROD · 约束条件", "", "必须为 TileType::Vec"},
           {kAssumption, "", "tmp"}}),
      RuleOf(kReject, trp::kSrcLayout, "src has layout ND.",
             {{kDocumentText, "TROWPROD · 约束条件", "",
               "src 的 Tile 布局:ND 分形"}}),
      RuleOf(kReject, trp::kDstLayout,
             "dst has layout DN with one column, or ND.",
             {{kDocumentText, "TROWPROD · 约束条件", "",
               "推荐:一维 DN 布局 Tile"}}),
      RuleOf(kReject, trp::kValidZero,
             "src.validRow and src.validCol are not 0.",
             {{kDocumentText, "TROWPROD · 约束条件", "", "srcValidCol != 0"}}),
      RuleOf(kReject, trp::kValidRows, "dst.validRow equals src.validRow.",
             {{kDocumentText, "TROWPROD · 约束条件", "",
               "输出有效行数必须与输入有效行数匹配"}}),
      RuleOf(kReject, trp::kTmpShape,
             "tmp has one row at least, and columns for one block of 32 bytes.",
             {{kSupplement, "English TROWPROD · Temporary Space", "",
               "size: at least 1 row and"}},
             {.statement_2024 = "tmp has the rows and cols of src."}),
      RuleOf(
          kReject, trp::kTile,
          "Every tile has at least one row and column, a valid part within "
          "them, and rows (ND) or columns (DN) of whole 32 bytes.",
          {{kSupplement, "Tile 编程模型 · 有效区域, 编译期约束（对齐与盒化）",
            "", "32 bytes 的整数倍"}}),
      RuleOf(kReject, trp::kAlign, "Every tile's at is a multiple of 32 bytes.",
             {{kSupplement, "TASSIGN · 形式2：编译时地址（含静态边界检查）", "",
               "未按目标内存空间要求对齐"}}),
      RuleOf(kReject, trp::kBounds,
             "Every tile of rows·cols elements lies inside its memory.",
             {{kAssumption, "", "what lies inside"},
              {kSupplement, "TASSIGN · 形式2：编译时地址（含静态边界检查）",
               "how large each memory is", "Vec | UB | 192KB"}},
             {.stage = Stage::kBounds}),
      RuleOf(kReject, trp::kOverlap, "dst, src and tmp share no byte.",
             {{kAssumption, ""}}, {.stage = Stage::kOverlap}),
      RuleOf(kNote, trp::kDstNdDeprecated,
             "A dst of layout ND will be removed.",
             {{kDocumentText, "TROWPROD · 约束条件", "",
               "将被移除:二维 ND 布局 Tile"}},
             {.only = Edition::k2024}),
      RuleOf(kSemantics, trp::kAddress,
             "Element (r,c) of a tile is number r·cols+c in ND and c·rows+r in "
             "DN; columns beyond validCol are not read and only column 0 of "
             "dst is written, in its first validRow rows.",
             {{kDocumentText, "TROWPROD · 数学定义", "", "对于 0 <= i < R"}},
             {.topic = Topic::kAddress}),
      RuleOf(kSemantics, trp::kOrder,
             "documented: adjacent repeats of 256 bytes multiply into tmp, an "
             "odd last one and the tail columns into its first repeat, then "
             "tmp is halved pairwise and its last repeat folded. block-lanes, "
             "register-lanes: columns go to the lanes of a block or of a "
             "repeat in turn, starting from 1. left-fold: from left to right.",
             {{kDocumentText, "TROWPROD · 实现说明", "documented",
               "将相邻的重复对相乘,结果存入 tmp"},
              {kAssumption, "", "its details"},
              {kSupplement,
               "newer TROWPROD · 临时空间; pto-isa cpu/TRowProd.hpp · TRowProd",
               "the other three", "使用 vmul 将 src 数据的各个块乘入 tmp"}},
             {.topic = Topic::kValue}),
      RuleOf(kSemantics, trp::kSaturate,
             "half products follow the saturation mode at each multiply.",
             {{kPublishedResult, "Memory矢量计算接口边界值汇总 · 表11",
               "one half multiply", "65504.0（MAX） | nan | nan | 0.0"},
              {kAssumption, "", "every multiply of an order"}},
             {.topic = Topic::kSaturate}),
      RuleOf(kSemantics, trp::kIntegerOverflow,
             "An int16 or int32 product outside its type becomes the type's "
             "smallest or largest value in saturation mode and keeps its low "
             "bits with the mode off, at each multiply.",
             {{kPublishedResult, "Memory矢量计算接口边界值汇总 · 表11",
               "one multiply", "32767（MAX） | 32767（MAX） | 1 | 32767"},
              {kAssumption, "", "every multiply of an order"}},
             {.topic = Topic::kOverflow, .only = Edition::k2026}),
  };
}

}  // namespace

template <>
Instruction Describe<Trowprod>() {
  return {.op = Trowprod::kOp,
          .slug = Trowprod::kSlug,
          .api = Api::kPto,
          .products = {kAtlasA2, kAtlasA3},
          .dtypes = {kHalf, kFloat, kInt32, kInt16},
          .newer_dtypes = {kInt32, kInt16},
          .arithmetic = true,
          .rules = Rules()};
}

}  // namespace lanediff::isa
