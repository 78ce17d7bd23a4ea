// A kernel as programs have it, for tests of building one with CMake.

#include <cstdio>

#include "acl/acl.h"
#include "add_tiling.h"
#include "kernel_operator.h"

using namespace AscendC;

constexpr std::uint32_t kTile = 128;

template <class T>
__global__ __aicore__ void Add(GM_ADDR x, GM_ADDR z, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 2, kTile * sizeof(T));
  pipe.InitBuffer(out, 2, kTile * sizeof(T));
  GlobalTensor<T> from;
  GlobalTensor<T> to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x));
  to.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(z));
  for (std::uint32_t i = 0; i < data.tiles; ++i) {
    const auto at = (static_cast<std::uint32_t>(GetBlockIdx()) * data.tiles + i) * kTile;
    LocalTensor<T> a = in.AllocTensor<T>();
    DataCopy(a, from[at], kTile);
    in.EnQue(a);
    a = in.DeQue<T>();
    LocalTensor<T> b = out.AllocTensor<T>();
    AscendC::Add(b, a, a, kTile);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<T>();
    DataCopy(to[at], b, kTile);
    out.FreeTensor(b);
  }
}

int main() {
  constexpr std::size_t kCount = 4 * 2 * kTile;
  void* x = nullptr;
  void* z = nullptr;
  void* tiling = nullptr;
  aclrtMalloc(&x, kCount * sizeof(DTYPE_X), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&z, kCount * sizeof(DTYPE_X), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&tiling, sizeof(AddTiling), ACL_MEM_MALLOC_HUGE_FIRST);
  auto* const from = static_cast<DTYPE_X*>(x);
  for (std::size_t i = 0; i < kCount; ++i) from[i] = static_cast<DTYPE_X>(2.0f);
  static_cast<AddTiling*>(tiling)->tiles = 2;
  aclrtStream stream = nullptr;
  Add<DTYPE_X><<<4, nullptr, stream>>>(static_cast<GM_ADDR>(x), static_cast<GM_ADDR>(z),
                                       static_cast<GM_ADDR>(tiling));
  std::printf("%g\n", static_cast<double>(static_cast<float>(static_cast<DTYPE_X*>(z)[kCount - 1])));
  return 0;
}
