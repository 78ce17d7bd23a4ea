// Disagreements about vec_trans.

#include "isa/vec_trans.h"

#include "audit/ambiguities/tables.h"

namespace lanediff::audit {
namespace {
namespace rule = isa::vt;
}  // namespace

std::vector<Disagreement> VecTransDisagreements() {
  return {
      {
          .id = "DOC-VT-UNITS",
          .kind = Question::kItself,
          .title = "Two printed units for the two strides",
          .rules = {rule::kAddress},
          .chosen =
              {"Both count 512 bytes: 16 blocks of 32 bytes are 512 bytes.",
               "vec_trans · 调用示例 · 调用示例二"},
          .others =
              {{"datablocks",
                {"src_rep_stride counts 512 bytes and dst_rep_stride, whose "
                 "unit is made of block_size, DataBlocks of 32 bytes.",
                 "vec_trans · 参数说明"}}},
          .why = "The second example has 512 bytes for both, and its printed "
                 "result shows a destination stride of 1024 bytes for 2.",
          .name = "vt-units",
      },
      {
          .id = "DOC-VT-HEAD-TO-HEAD",
          .kind = Question::kItself,
          .title = "Whether the strides are distances of heads or gaps",
          .rules = {rule::kAddress},
          .chosen = {"Distances of the heads of two iterations.",
                     "vec_trans · 调用示例 · 调用示例二"},
          .others = {{"tail-to-head",
                      {"The space between two iterations, from tail to head.",
                       "vec_trans · 功能说明, 参数说明"}},
                     {"src-tail-to-head",
                      {"Head to head for the destination, of which the example "
                       "states it, and tail to head for the source.",
                       "vec_trans · 参数说明"}}},
          .why = "The example's source is read without gaps at a stride of 1, "
                 "and its printed result has one empty block at a destination "
                 "stride of 2.",
          .name = "vt-head-to-head",
      },
  };
}

}  // namespace lanediff::audit
