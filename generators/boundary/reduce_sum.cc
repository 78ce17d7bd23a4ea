#include "generators/boundary/reduce_sum.h"

#include "generators/boundary/modules.h"
#include "generators/boundary/reduce_sum_data.h"
#include "generators/boundary/reduce_sum_kit.h"
#include "generators/boundary/reduce_sum_layout.h"

namespace lanediff::make::sweep {

template <ReduceSum Call>
void ReduceSumModule<Call>::SweepAll(Emitter& out) {
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
void SweepModule<isa::RepeatReduceSum>(Emitter& out) {
  ReduceSumModule<isa::RepeatReduceSum>::SweepAll(out);
}
template <>
void SweepModule<isa::WholeReduceSum>(Emitter& out) {
  ReduceSumModule<isa::WholeReduceSum>::SweepAll(out);
}

}  // namespace lanediff::make::sweep
