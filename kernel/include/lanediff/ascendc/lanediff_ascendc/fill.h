#ifndef LANEDIFF_ASCENDC_FILL_H
#define LANEDIFF_ASCENDC_FILL_H

#include "lanediff_ascendc/call.h"

/// Global memory that gets one value: Fill, and its older names.
namespace AscendC {

/// `size` in elements.
#define LANEDIFF_FILL(NAME, OTHERWISE)                                         \
  template <typename T>                                                        \
  void NAME(const GlobalTensor<T>& gmWorkspaceAddr, lanediff::front::Num size, \
            const lanediff::front::Same<T>& value OTHERWISE, LANEDIFF_SITE) {  \
    lanediff::front::Call(#NAME, lanediff_site_)                               \
        .Operand("dst", gmWorkspaceAddr)                                       \
        .Scalar(value)                                                         \
        .Number("size", size)                                                  \
        .Execute();                                                            \
  }
LANEDIFF_FILL(Fill, )
LANEDIFF_FILL(InitGlobalMemory, )
LANEDIFF_FILL(InitOutput, = T(0))
#undef LANEDIFF_FILL

}  // namespace AscendC

namespace matmul {
using AscendC::InitOutput;
}  // namespace matmul

#endif  // LANEDIFF_ASCENDC_FILL_H
