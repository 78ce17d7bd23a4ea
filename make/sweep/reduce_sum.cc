#include "make/sweep/reduce_sum.h"

#include "make/sweep/reduce_sum_data.h"
#include "make/sweep/reduce_sum_kit.h"
#include "make/sweep/reduce_sum_layout.h"
#include "make/sweep/rooms.h"

namespace lanediff::make::sweep {

template <ReduceSum Call>
void ReduceSumRoom<Call>::SweepAll(Emitter& out) {
  const Kit kit = MakeKit();
  SweepKit(out, kit);
  SweepTables(out, kit,
              {kRule<"-PRODUCT">, kRule<"-DTYPE">, kRule<"-DTYPE-MATCH">,
               kRule<"-POSITION">});
  SweepAlignment(out, kit, 66);
  SweepElems(out);
  SweepRegister(out);
  if constexpr (kHasMaskWords<Call>) SweepWords(out);
  SweepRepeats(out);
  SweepStrides(out);
  SweepDstRepStride(out);
  if constexpr (!kHasMaskWords<Call>) SweepDstBlkStride(out);
  SweepOverlap(out);
  SweepDependency(out);
  SweepNodes(out);
  SweepTrees(out);
  SweepClasses(out);
  SweepEverywhere(out, kit, EveryBases());
}

template <>
void SweepRoom<isa::RepeatReduceSum>(Emitter& out) {
  ReduceSumRoom<isa::RepeatReduceSum>::SweepAll(out);
}
template <>
void SweepRoom<isa::WholeReduceSum>(Emitter& out) {
  ReduceSumRoom<isa::WholeReduceSum>::SweepAll(out);
}

}  // namespace lanediff::make::sweep
