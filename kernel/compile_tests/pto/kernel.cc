// A kernel as people write them, to be compiled alone: by both compilers, in
// C++17 and 20; with __PTO_AUTO__ no tile has an address.
#include <pto/common/constants.hpp>
#include <pto/pto-inst.hpp>

using namespace pto;

template <typename T, int rows, int cols>
PTO_INTERNAL void Product(__gm__ T __out__* out, __gm__ T __in__* in,
                          int valid_rows) {
  using Source = GlobalTensor<T, Shape<1, 1, 1, DYNAMIC, cols>,
                              pto::Stride<1, 1, 1, cols, 1>>;
  using Result =
      GlobalTensor<T, TileShape2D<T, 1, rows>, BaseShape2D<T, 1, rows>>;
  using Square = Tile<TileType::Vec, T, rows, cols, BLayout::RowMajor, DYNAMIC>;
  Source source(in, {valid_rows});
  Result result(out + block_idx * rows);
  Square src(valid_rows);
  Square tmp(valid_rows);
  Tile<TileType::Vec, T, rows, 1, BLayout::ColMajor> column;
  Tile<TileType::Vec, T, 1, rows> row;
  TASSIGN(src, 0x0);
  TASSIGN<rows * cols * sizeof(T)>(tmp);
  TASSIGN(column, 2 * rows * cols * sizeof(T));
  Event<Op::TLOAD, Op::TROWPROD> loaded = TLOAD(src, source);
  Event<Op::TROWPROD, Op::TSTORE_VEC> multiplied;
  multiplied = TROWPROD(column, src, tmp, loaded);
  TRESHAPE(row, column);
  TSTORE(result, row, multiplied);
  set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID7);
  wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID7);
  TSYNC<Op::TROWPROD>();
  if (valid_rows < 0) TADD(src, src, tmp);
  pipe_barrier(PIPE_ALL);
}

extern "C" __global__ AICORE void ProductOfHalves(__gm__ __fp16* out,
                                                  __gm__ __fp16* in) {
  Product<half, 16, 32>(out, in, 15);
}
extern "C" __global__ AICORE void ProductOfFloats(__gm__ float* out,
                                                  __gm__ float* in) {
  Product<float, 16, 64>(out, in, 16);
}
