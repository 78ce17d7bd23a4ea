#include "isa/trowprod.h"

#include "isa/catalogue.h"

namespace lanediff::isa {
namespace {
using enum DType;
using enum Effect;
using enum Product;
using enum Provenance;
using EvidenceLevel::kPublishedResult;
constexpr std::string_view kOp = Trowprod::kOp;

std::vector<Rule> Rules() {
  return {
      {trp::kProduct,
       kOp,
       kReject,
       "The product is atlas-a2 or atlas-a3.",
       {{kDocumented, "TROWPROD · 约束条件"}},
       {},
       {},
       Topic::kProduct},
      {trp::kDtype,
       kOp,
       kReject,
       "T is half or float.",
       {{kDocumented, "TROWPROD · 约束条件"}}},
      {trp::kDtypeMatch,
       kOp,
       kReject,
       "dst, src and tmp have type T.",
       {{kDocumented, "TROWPROD · 约束条件"},
        {kSupplement, "TROWPROD · 临时空间", "tmp"}}},
      {trp::kLocation,
       kOp,
       kReject,
       "The tiles are vector tiles, at position UB.",
       {{kDocumented, "TROWPROD · 约束条件"}, {kAssumed, "", "tmp"}}},
      {trp::kSrcLayout,
       kOp,
       kReject,
       "src has layout ND.",
       {{kDocumented, "TROWPROD · 约束条件"}}},
      {trp::kDstLayout,
       kOp,
       kReject,
       "dst has layout DN with one column, or ND.",
       {{kDocumented, "TROWPROD · 约束条件"}}},
      {trp::kValidZero,
       kOp,
       kReject,
       "src.validRow and src.validCol are not 0.",
       {{kDocumented, "TROWPROD · 约束条件"}}},
      {trp::kValidRows,
       kOp,
       kReject,
       "dst.validRow equals src.validRow.",
       {{kDocumented, "TROWPROD · 约束条件"}}},
      {trp::kTmpShape,
       kOp,
       kReject,
       "tmp has the rows and cols of src.",
       {{kDocumented, "TROWPROD · 约束条件"}}},
      {trp::kTile,
       kOp,
       kReject,
       "Every tile has at least one row and column, a valid part within them, "
       "and rows (ND) or columns (DN) of whole 32 bytes.",
       {{kSupplement, "Tile 编程模型 · 有效区域, 编译期约束（对齐与盒化）"}}},
      {trp::kAlign,
       kOp,
       kReject,
       "Every tile's at is a multiple of 32 bytes.",
       {{kSupplement, "TASSIGN · 形式2：编译时地址（含静态边界检查）"}}},
      {trp::kBounds,
       kOp,
       kReject,
       "Every tile of rows·cols elements lies inside its memory.",
       {{kAssumed, "", "what lies inside"},
        {kSupplement, "TASSIGN · 形式2：编译时地址（含静态边界检查）",
         "how large each memory is"}},
       {},
       Stage::kBounds},
      {trp::kOverlap,
       kOp,
       kReject,
       "dst, src and tmp share no byte.",
       {{kAssumed, ""}},
       {},
       Stage::kOverlap},
      {trp::kDstNdDeprecated,
       kOp,
       kNote,
       "A dst of layout ND will be removed.",
       {{kDocumented, "TROWPROD · 约束条件"}}},
      {trp::kAddress,
       kOp,
       kSemantics,
       "Element (r,c) of a tile is number r·cols+c in ND and c·rows+r in DN; "
       "columns beyond validCol are not read and only column 0 of dst is "
       "written, in its first validRow rows.",
       {{kDocumented, "TROWPROD · 数学定义"}},
       {},
       {},
       Topic::kAddress},
      {trp::kOrder,
       kOp,
       kSemantics,
       "documented: adjacent repeats of 256 bytes multiply into tmp, an odd "
       "last one and the tail columns into its first repeat, then tmp is "
       "halved pairwise and its last repeat folded. block-lanes, "
       "register-lanes: columns go to the lanes of a block or of a repeat in "
       "turn, starting from 1. left-fold: from left to right.",
       {{kDocumented, "TROWPROD · 实现说明", "documented"},
        {kAssumed, "", "its details"},
        {kSupplement,
         "TROWPROD · 临时空间; pto-isa cpu/TRowProd.hpp · TRowProd",
         "the other three"}},
       {},
       {},
       Topic::kValue},
      {trp::kSaturate,
       kOp,
       kSemantics,
       "half products follow the saturation mode at each multiply.",
       {{kSupplement, "Memory矢量计算接口边界值汇总 · 表11",
         "one half multiply", kPublishedResult},
        {kAssumed, "", "every multiply of an order"}},
       {},
       {},
       Topic::kSaturate},
  };
}

}  // namespace

template <>
Instruction Describe<Trowprod>() {
  return {.op = kOp,
          .room = Trowprod::kRoom,
          .api = Api::kPto,
          .products = {kAtlasA2, kAtlasA3},
          .dtypes = {kHalf, kFloat},
          .arithmetic = true,
          .rules = Rules()};
}

}  // namespace lanediff::isa
