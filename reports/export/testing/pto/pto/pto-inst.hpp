#pragma once

#include "../../record.h"

/// The shapes of PTO that exported snippets use.
inline void pipe_barrier(pipe_t pipe) {
  constexpr const char* kNames[] = {"V", "MTE1", "MTE2", "MTE3", "FIX", "ALL"};
  record::Call("PipeBarrier", kNames[pipe]);
}
inline void set_mask_norm() { record::Call("SetMaskNorm"); }
inline void set_vector_mask(std::uint64_t high, std::uint64_t low) {
  record::Call("SetVectorMask", high, low);
}

namespace pto {

enum class TileType { Vec, Mat, Left, Right, Acc, Bias, Scaling };
enum class BLayout { RowMajor, ColMajor };
inline constexpr int DYNAMIC = -1;

template <TileType type, class T, int rows, int cols,
          BLayout layout = BLayout::RowMajor, int valid_rows = rows,
          int valid_cols = cols>
struct Tile {
  Tile() = default;
  Tile(int r, int c) : valid_row(r), valid_col(c) {}

  std::uint64_t address = 0;
  int valid_row = valid_rows;
  int valid_col = valid_cols;

  friend std::string Show(const Tile& t) {
    std::string text = std::to_string(static_cast<int>(type));
    for (const std::int64_t n :
         {static_cast<std::int64_t>(t.address), std::int64_t{rows},
          std::int64_t{cols}, std::int64_t{t.valid_row},
          std::int64_t{t.valid_col}}) {
      text += ":" + std::to_string(n);
    }
    return text + (layout == BLayout::RowMajor ? ":ND:" : ":DN:") +
           record::TypeName<T>();
  }
};

template <int... sizes>
struct Shape {};
template <int... strides>
struct Stride {};
template <class T, class S, class D>
struct GlobalTensor {
  explicit GlobalTensor(T*) {}
};

template <class T>
void TASSIGN(T& tile, std::uint64_t address) {
  tile.address = address;
}
template <class T, class G>
void TLOAD(T& tile, const G&) {
  record::Call("TLOAD", Show(tile));
}
template <class G, class T>
void TSTORE(const G&, T& tile) {
  record::Call("TSTORE", Show(tile));
}
template <class Dst, class Src, class Tmp>
void TROWPROD(Dst& dst, Src& src, Tmp& tmp) {
  record::Call("TROWPROD", Show(dst), Show(src), Show(tmp));
}

}  // namespace pto
