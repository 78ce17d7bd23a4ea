#pragma once

#include "kernel_operator.h"

/// Calls in a template in a header: their lines are those of this file.
namespace in_a_header {

inline constexpr int kFirst = __LINE__ + 7;  // where DataCopy stands

template <typename T>
class Kernel {
 public:
  void Compute(AscendC::LocalTensor<T> dst, AscendC::GlobalTensor<T> src,
               int n) {
    AscendC::DataCopy(dst, src, n);
    AscendC::Adds(dst,  // the line of the call's name counts
                  dst, 1, n);
    dst(1) = dst(2);
  }
};

}  // namespace in_a_header
