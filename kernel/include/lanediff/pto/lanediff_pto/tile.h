#ifndef LANEDIFF_PTO_TILE_H
#define LANEDIFF_PTO_TILE_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lanediff/kernel_number.h"
#include "lanediff_pto/words.h"

/// Tiles (Tile Programming Model): where they are, and how they are looked at.
namespace lanediff::pto_front {

using front::Num;
using ::pto::TileType;

constexpr std::uint8_t PositionOf(TileType type) {
  constexpr std::uint8_t kPositions[] = {
      LANEDIFF_UB,  LANEDIFF_A1, LANEDIFF_A2,       LANEDIFF_B2,
      LANEDIFF_CO1, LANEDIFF_C2, LANEDIFF_C2PIPE2GM};
  return kPositions[static_cast<int>(type)];
}

}  // namespace lanediff::pto_front

namespace pto {

/// `RowValid_`, `ColValid_`: how many rows and columns mean something; DYNAMIC
/// where the constructor sets them.
template <TileType Loc_, typename Element_, int Rows_, int Cols_,
          BLayout BLayout_ = BLayout::RowMajor, int RowValid_ = Rows_,
          int ColValid_ = Cols_, SLayout SLayout_ = SLayout::NoneBox,
          int SFractalSize_ = TileConfig::fractalABSize,
          PadValue PadVal_ = PadValue::Null>
class Tile {
  using Num = lanediff::front::Num;
  static constexpr int kDynamic =
      (RowValid_ == DYNAMIC ? 1 : 0) + (ColValid_ == DYNAMIC ? 1 : 0);

 public:
  using DType = Element_;
  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_;
  static constexpr int Cols = Cols_;
  static constexpr int RowStride = BLayout_ == BLayout::RowMajor ? Cols_ : 1;
  static constexpr int ColStride = BLayout_ == BLayout::RowMajor ? 1 : Rows_;
  static constexpr int Numel = Rows_ * Cols_;
  static constexpr int ValidRow = RowValid_;
  static constexpr int ValidCol = ColValid_;
  static constexpr BLayout BFractal = BLayout_;
  static constexpr SLayout SFractal = SLayout_;
  static constexpr int SFractalSize = SFractalSize_;
  static constexpr PadValue PadVal = PadVal_;
  static constexpr bool isRowMajor = BLayout_ == BLayout::RowMajor;
  static constexpr bool isBoxedLayout = SLayout_ != SLayout::NoneBox;
  static constexpr std::int64_t kBytes =
      std::int64_t{Rows_} * Cols_ * static_cast<std::int64_t>(sizeof(Element_));

  Tile() = default;
  /// Both valid sizes; those that the type gives stay.
  Tile(Num rows, Num cols) {
    if (RowValid_ == DYNAMIC) valid_row_ = rows;
    if (ColValid_ == DYNAMIC) valid_col_ = cols;
  }
  /// The one that is dynamic.
  template <int kCount = kDynamic, std::enable_if_t<kCount == 1, int> = 0>
  explicit Tile(Num valid) {
    (RowValid_ == DYNAMIC ? valid_row_ : valid_col_) = valid;
  }

  std::int64_t GetValidRow() const { return valid_row_; }
  std::int64_t GetValidCol() const { return valid_col_; }

  void lanediff_assign(std::int64_t at, bool automatic, lanediff_site site) {
    tensor_ = lanediff_local_tensor(lanediff::pto_front::PositionOf(Loc_), at,
                                    kBytes, site);
    automatic_ = automatic;
  }
  template <typename Other>
  void lanediff_alias(const Other& other, lanediff_site site) {
    tensor_ = other.lanediff_tensor_of(site);
    automatic_ = other.lanediff_automatic();
  }
  /// Its memory, which it gets now if none was assigned.
  const lanediff_tensor& lanediff_tensor_of(lanediff_site site) const {
    if (tensor_.given == 0) {
      const_cast<Tile*>(this)->lanediff_assign(-1, true, site);
    }
    return tensor_;
  }
  bool lanediff_automatic() const { return automatic_; }

 private:
  std::int64_t valid_row_ = RowValid_ == DYNAMIC ? Rows_ : RowValid_;
  std::int64_t valid_col_ = ColValid_ == DYNAMIC ? Cols_ : ColValid_;
  lanediff_tensor tensor_ = {};
  bool automatic_ = false;
};

}  // namespace pto

#endif  // LANEDIFF_PTO_TILE_H
