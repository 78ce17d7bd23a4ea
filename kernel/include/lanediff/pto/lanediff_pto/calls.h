#ifndef LANEDIFF_PTO_CALLS_H
#define LANEDIFF_PTO_CALLS_H

#include <cstdint>
#include <type_traits>

#include "lanediff_ascendc/call.h"
#include "lanediff_pto/event.h"
#include "lanediff_pto/global_tensor.h"
#include "lanediff_pto/tile.h"

/// TASSIGN, TRESHAPE, TLOAD, TSTORE and TROWPROD; what of them arrives stands
/// in pto/pto-inst.hpp.
namespace lanediff::pto_front {

/// Names of an operand's parameters.
struct TileNames {
  const char *tile, *rows, *cols, *valid_row, *valid_col, *layout;
};
struct GlobalNames {
  const char *tensor, *sizes[10], *layout;
};
#define LANEDIFF_TILE_NAMES(NAME) \
  {#NAME,                         \
   #NAME ".rows",                 \
   #NAME ".cols",                 \
   #NAME ".validRow",             \
   #NAME ".validCol",             \
   #NAME ".layout"}
#define LANEDIFF_GLOBAL_NAMES(NAME)                                        \
  {#NAME,                                                                  \
   {#NAME ".shape0", #NAME ".shape1", #NAME ".shape2", #NAME ".shape3",    \
    #NAME ".shape4", #NAME ".stride0", #NAME ".stride1", #NAME ".stride2", \
    #NAME ".stride3", #NAME ".stride4"},                                   \
   #NAME ".layout"}
inline constexpr TileNames kDstTile = LANEDIFF_TILE_NAMES(dst);
inline constexpr TileNames kSrcTile = LANEDIFF_TILE_NAMES(src);
inline constexpr TileNames kTmpTile = LANEDIFF_TILE_NAMES(tmp);
inline constexpr GlobalNames kDstGlobal = LANEDIFF_GLOBAL_NAMES(dst);
inline constexpr GlobalNames kSrcGlobal = LANEDIFF_GLOBAL_NAMES(src);
#undef LANEDIFF_TILE_NAMES
#undef LANEDIFF_GLOBAL_NAMES

template <typename T>
inline constexpr bool kIsGlobal = false;
template <typename E, typename H, typename D, ::pto::Layout layout>
inline constexpr bool kIsGlobal<::pto::GlobalTensor<E, H, D, layout>> = true;

class Call : public front::Parameters<Call, 20> {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): up to the counts
  Call(const char* name, lanediff_site site) : name_(name), site_(site) {}

  template <typename T>
  Call& Tile(const TileNames& names, const T& tile) {
    if (T::isBoxedLayout) lanediff_refused(name_, "boxed tiles", site_);
    operands_[operand_count_++] = {names.tile, tile.lanediff_tensor_of(site_),
                                   front::DtypeOf<typename T::DType>()};
    automatic_ = automatic_ || tile.lanediff_automatic();
    return Number(names.rows, T::Rows, names.cols, T::Cols, names.valid_row,
                  tile.GetValidRow(), names.valid_col, tile.GetValidCol())
        .Text(names.layout, T::isRowMajor ? "ND" : "DN");
  }
  template <typename G>
  Call& Global(const GlobalNames& names, const G& tensor) {
    static_assert(G::layout != ::pto::Layout::NZ,
                  "lanediff: a GlobalTensor of Layout::NZ is refused; ND and "
                  "DN are supported");
    lanediff_tensor memory = {};
    memory.at = reinterpret_cast<std::uintptr_t>(tensor.data());
    memory.declared = -1;
    memory.position = LANEDIFF_GM;
    memory.given = tensor.data() != nullptr ? 1 : 0;
    operands_[operand_count_++] = {names.tensor, memory,
                                   front::DtypeOf<typename G::DType>()};
    for (int k = 0; k < 5; ++k) {
      const auto dimension = static_cast<::pto::GlobalTensorDim>(k);
      Number(names.sizes[k], tensor.GetShape(dimension));
    }
    for (int k = 0; k < 5; ++k) {
      const auto dimension = static_cast<::pto::GlobalTensorDim>(k);
      Number(names.sizes[5 + k], tensor.GetStride(dimension));
    }
    return Text(names.layout, G::layout == ::pto::Layout::ND ? "ND" : "DN");
  }
  ::pto::RecordEvent Execute() {
    Number("auto", automatic_ ? 1 : 0);
    lanediff_call call = {};
    call.name = name_;
    call.site = site_;
    call.operands = operands_;
    call.operand_count = operand_count_;
    call.parameters = all_;
    call.parameter_count = count_;
    call.scalar_dtype = LANEDIFF_NO_DTYPE;
    lanediff_execute(&call);
    return {site_};
  }

 private:
  const char* name_;
  lanediff_site site_;
  lanediff_operand operands_[3];
  std::uint32_t operand_count_ = 0;
  bool automatic_ = false;
};

/// Copies are of tiles in UB.
template <typename T>
void RefuseOtherThanVec(const char* name, lanediff_site site) {
  if (T::Loc != TileType::Vec) {
    lanediff_refused(name, "tiles other than TileType::Vec", site);
  }
}

template <typename T, typename G>
::pto::RecordEvent Load(T& dst, const G& src, lanediff_site site) {
  RefuseOtherThanVec<T>("TLOAD", site);
  return Call("TLOAD", site)
      .Tile(kDstTile, dst)
      .Global(kSrcGlobal, src)
      .Execute();
}
template <::pto::AtomicType atomic, typename T, typename G>
::pto::RecordEvent Store(const G& dst, const T& src, lanediff_site site) {
  RefuseOtherThanVec<T>("TSTORE", site);
  const bool adds = atomic == ::pto::AtomicType::AtomicAdd;
  return Call("TSTORE", site)
      .Global(kDstGlobal, dst)
      .Tile(kSrcTile, src)
      .Text("atomic", adds ? "AtomicAdd" : "AtomicNone")
      .Execute();
}
template <typename D, typename S, typename T>
::pto::RecordEvent RowProduct(D& dst, const S& src, T& tmp,
                              lanediff_site site) {
  return Call("TROWPROD", site)
      .Tile(kDstTile, dst)
      .Tile(kSrcTile, src)
      .Tile(kTmpTile, tmp)
      .Execute();
}
template <typename D, typename S>
::pto::RecordEvent Reshape(D& dst, const S& src, lanediff_site site) {
  static_assert(D::Loc == S::Loc, "TRESHAPE keeps the TileType");
  static_assert(D::kBytes == S::kBytes, "TRESHAPE keeps the bytes");
  static_assert(D::isBoxedLayout == S::isBoxedLayout,
                "TRESHAPE keeps whether a tile is boxed");
  dst.lanediff_alias(src, site);
  return {site};
}

}  // namespace lanediff::pto_front

namespace pto {

/// A tile's address in its memory, or a tensor's pointer. Tiles stay where they
/// are with __PTO_AUTO__.
template <typename T, typename Address>
void TASSIGN(T& obj, Address addr, LANEDIFF_SITE) {
  if constexpr (lanediff::pto_front::kIsGlobal<T>) {
    static_assert(std::is_pointer_v<Address>,
                  "a GlobalTensor is assigned a pointer");
    obj.SetAddr(addr);
  } else {
#ifndef __PTO_AUTO__
    obj.lanediff_assign(lanediff::front::Num(addr), false, lanediff_site_);
#else
    static_cast<void>(addr);
    static_cast<void>(lanediff_site_);
#endif
  }
}
template <std::size_t Addr, typename T>
void TASSIGN(T& obj, LANEDIFF_SITE) {
  TASSIGN(obj, Addr, lanediff_site_);
}

/// An instruction waits for the events behind its operands: none to four.
#define LANEDIFF_WITH(CLASSES, NAME, PARAMETERS, DO, TYPES, EVENTS, ...) \
  template <LANEDIFF_LIST CLASSES LANEDIFF_LIST TYPES>                   \
  RecordEvent NAME(LANEDIFF_LIST PARAMETERS LANEDIFF_LIST EVENTS,        \
                   LANEDIFF_SITE) {                                      \
    lanediff::pto_front::WaitFor(lanediff_site_ __VA_ARGS__);            \
    return DO;                                                           \
  }
#define LANEDIFF_WITH_EVENTS(CLASSES, NAME, PARAMETERS, DO)                    \
  LANEDIFF_WITH(CLASSES, NAME, PARAMETERS, DO, (), (), )                       \
  LANEDIFF_WITH(CLASSES, NAME, PARAMETERS, DO, (, typename E1), (, E1 & e1), , \
                e1)                                                            \
  LANEDIFF_WITH(CLASSES, NAME, PARAMETERS, DO, (, typename E1, typename E2),   \
                (, E1 & e1, E2 & e2), , e1, e2)                                \
  LANEDIFF_WITH(CLASSES, NAME, PARAMETERS, DO,                                 \
                (, typename E1, typename E2, typename E3),                     \
                (, E1 & e1, E2 & e2, E3 & e3), , e1, e2, e3)                   \
  LANEDIFF_WITH(CLASSES, NAME, PARAMETERS, DO,                                 \
                (, typename E1, typename E2, typename E3, typename E4),        \
                (, E1 & e1, E2 & e2, E3 & e3, E4 & e4), , e1, e2, e3, e4)

LANEDIFF_WITH_EVENTS((typename TileData, typename GlobalData), TLOAD,
                     (TileData & dst, GlobalData& src),
                     lanediff::pto_front::Load(dst, src, lanediff_site_))
LANEDIFF_WITH_EVENTS((typename TileData, typename GlobalData,
                      AtomicType atomicType = AtomicType::AtomicNone),
                     TSTORE, (GlobalData & dst, TileData& src),
                     lanediff::pto_front::Store<atomicType>(dst, src,
                                                            lanediff_site_))
LANEDIFF_WITH_EVENTS(
    (typename TileDataOut, typename TileDataIn, typename TileDataTmp), TROWPROD,
    (TileDataOut & dst, TileDataIn& src, TileDataTmp& tmp),
    lanediff::pto_front::RowProduct(dst, src, tmp, lanediff_site_))
/// dst becomes another view of src's bytes.
LANEDIFF_WITH_EVENTS((typename TileDataOut, typename TileDataIn), TRESHAPE,
                     (TileDataOut & dst, TileDataIn& src),
                     lanediff::pto_front::Reshape(dst, src, lanediff_site_))

#undef LANEDIFF_WITH_EVENTS
#undef LANEDIFF_WITH

}  // namespace pto

#endif  // LANEDIFF_PTO_CALLS_H
