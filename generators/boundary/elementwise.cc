#include "generators/boundary/elementwise.h"

#include <string_view>
#include <type_traits>

#include "generators/boundary/elementwise_data.h"
#include "generators/boundary/elementwise_kit.h"
#include "generators/boundary/elementwise_layout.h"
#include "generators/boundary/modules.h"

namespace lanediff::make::sweep {

template <class Tag>
void ElementwiseModule<Tag>::SweepAll(Emitter& out) {
  const Kit kit = MakeKit();
  SweepKit(out, kit);
  SweepTables(
      out, kit,
      {rule::kProduct, rule::kDtype, rule::kDtypeMatch, rule::kPosition});
  SweepAlignment(out, kit, 66);
  SweepMasks(out);
  SweepCounts(out);
  SweepLongCounts(out);
  SweepStrides(out);
  SweepOverlap(out);
  SweepRunning(out);
  SweepValues(out);
  SweepClasses(out);
  SweepEverywhere(out, kit, EveryBases());
  if constexpr (Computes(kValues.use)) SweepRounding(out);
  // Min's cases keep their numbers.
  if constexpr (!std::is_same_v<Call, isa::Min>) SweepArithmetic(out);
}

void SweepElementwise(Emitter& out, std::string_view op) {
  const auto sweep =
      [&]<class Tag>(std::type_identity<isa::ElementwiseCall<Tag>>) {
        ElementwiseModule<Tag>::SweepAll(out);
      };
  isa::ForEachIntrinsic([&]<class Call>() {
    if constexpr (isa::Elementwise<Call>) {
      if (Call::kOp == op) sweep(std::type_identity<Call>());
    }
  });
}

}  // namespace lanediff::make::sweep
