#ifndef LANEDIFF_ASCENDC_STATE_H
#define LANEDIFF_ASCENDC_STATE_H

#include <cstdint>

#include "lanediff_ascendc/call.h"
#include "lanediff_ascendc/product.h"

/// Synchronization, mask, control register, atomic mode: what calls find and
/// leave, and no byte.
namespace lanediff::front {

inline void CheckSaturationFlag(const char* name, lanediff_site site) {
  if (__NPU_ARCH__ == 2201) return;
  lanediff_refused(name, "its page lists atlas-a2 and atlas-a3 alone", site);
}

}  // namespace lanediff::front

namespace AscendC {

#define LANEDIFF_STATE(NAME)                                 \
  inline void NAME(LANEDIFF_SITE) {                          \
    lanediff::front::State(#NAME, lanediff_site_).Execute(); \
  }

template <pipe_t pipe>
void PipeBarrier(LANEDIFF_SITE) {
  // The ABI's word is the pipe's name without "PIPE_".
  lanediff::front::State("PipeBarrier", lanediff_site_)
      .Text("pipe", lanediff::front::WordOf(pipe) + 5)
      .Execute();
}
#define LANEDIFF_FLAG(NAME)                                \
  template <HardEvent event>                               \
  void NAME(lanediff::front::Num eventID, LANEDIFF_SITE) { \
    lanediff::front::State(#NAME, lanediff_site_)          \
        .Word("event", event)                              \
        .Number("id", eventID)                             \
        .Execute();                                        \
  }
LANEDIFF_FLAG(SetFlag)
LANEDIFF_FLAG(WaitFlag)
#undef LANEDIFF_FLAG

template <bool isAIVOnly = true>
void SyncAll(LANEDIFF_SITE) {
  lanediff_sync_all({}, {}, 0, lanediff_site_);
}
/// The soft form: with workspaces, for the first `usedCores` blocks (0: all).
template <bool isAIVOnly = true>
void SyncAll(const GlobalTensor<std::int32_t>& gmWorkspace,
             const LocalTensor<std::int32_t>& ubWorkspace,
             lanediff::front::Num usedCores = 0, LANEDIFF_SITE) {
  lanediff_sync_all(gmWorkspace.lanediff_tensor_of(),
                    ubWorkspace.lanediff_tensor_of(), usedCores,
                    lanediff_site_);
}
LANEDIFF_STATE(InitSocState)

/// Caches and the order of scalar accesses to GM are not modelled.
template <typename T, CacheLine entireType = CacheLine::SINGLE_CACHE_LINE,
          DcciDst dcciDst = DcciDst::CACHELINE_ALL, typename Tensor>
void DataCacheCleanAndInvalid(const Tensor&) {}
template <MemDsbT arg0 = MemDsbT::ALL>
void DataSyncBarrier() {}

// ---- Mask ------------------------------------------------------------------

constexpr std::uint64_t MASK_PLACEHOLDER = 0;
constexpr std::uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};

template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(lanediff::front::Num maskHigh, lanediff::front::Num maskLow,
                   LANEDIFF_SITE) {
  lanediff::front::State("SetVectorMask", lanediff_site_)
      .Number("high", maskHigh, "low", maskLow)
      .Word("mode", mode)
      .Number("dtype", lanediff::front::DtypeOf<T>())
      .Execute();
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(lanediff::front::Num len, LANEDIFF_SITE) {
  lanediff::front::State("SetVectorMask", lanediff_site_)
      .Number("len", len)
      .Word("mode", mode)
      .Number("dtype", lanediff::front::DtypeOf<T>())
      .Execute();
}
LANEDIFF_STATE(ResetMask)
LANEDIFF_STATE(SetMaskNorm)
LANEDIFF_STATE(SetMaskCount)
#undef LANEDIFF_STATE

// ---- Control register: bits startBit to endBit ------------------------------

template <std::int8_t startBit, std::int8_t endBit>
void SetCtrlSpr(lanediff::front::Num value, LANEDIFF_SITE) {
  lanediff::front::State("SetCtrlSpr", lanediff_site_)
      .Number("low", startBit, "high", endBit, "value", value)
      .Execute();
}
template <std::int8_t startBit, std::int8_t endBit>
std::int64_t GetCtrlSpr() {
  return lanediff_get_ctrl(startBit, endBit);
}
template <std::int8_t startBit, std::int8_t endBit>
void ResetCtrlSpr(LANEDIFF_SITE) {
  lanediff::front::State("ResetCtrlSpr", lanediff_site_)
      .Number("low", startBit, "high", endBit)
      .Execute();
}

/// FLOAT is CTRL[48], 0 where it is on (SetCtrlSpr · 参数说明). CAST is on:
/// conversions that truncate are not what Cast does here.
template <SaturationMode mode>
void SetSaturationFlag(bool enableSat, LANEDIFF_SITE) {
  lanediff::front::CheckSaturationFlag("SetSaturationFlag", lanediff_site_);
  if constexpr (mode == SaturationMode::FLOAT) {
    SetCtrlSpr<48, 48>(enableSat ? 0 : 1, lanediff_site_);
  } else if (!enableSat) {
    lanediff_refused("SetSaturationFlag", "conversions that truncate",
                     lanediff_site_);
  }
}
template <SaturationMode mode>
bool GetSaturationFlag(LANEDIFF_SITE) {
  lanediff::front::CheckSaturationFlag("GetSaturationFlag", lanediff_site_);
  return mode == SaturationMode::CAST || GetCtrlSpr<48, 48>() == 0;
}

/// What DataCopyPad puts beside a block where isPad is false.
template <typename T, TPosition pos = TPosition::MAX>
void SetPadValue(T paddingValue, LANEDIFF_SITE) {
  lanediff::front::State("SetPadValue", lanediff_site_)
      .Number("paddingValue", lanediff::front::BitsOf(paddingValue), "dtype",
              lanediff::front::DtypeOf<T>())
      .Execute();
}

// ---- Dequantisation ---------------------------------------------------------

inline void SetDeqScale(half scale, LANEDIFF_SITE) {
  lanediff::front::State("SetDeqScale", lanediff_site_)
      .Number("scale", lanediff::front::BitsOf(scale), "dtype", LANEDIFF_HALF)
      .Execute();
}
inline void SetDeqScale(float scale, lanediff::front::Num offset, bool signMode,
                        LANEDIFF_SITE) {
  lanediff::front::State("SetDeqScale", lanediff_site_)
      .Number("scale", lanediff::front::BitsOf(scale), "dtype", LANEDIFF_FLOAT,
              "offset", offset, "signMode", signMode)
      .Execute();
}

// ---- Atomic mode of copies to GM --------------------------------------------

#define LANEDIFF_ATOMIC(NAME, OPERATION)                \
  template <typename T>                                 \
  void NAME(LANEDIFF_SITE) {                            \
    lanediff::front::State("SetAtomic", lanediff_site_) \
        .Text("operation", OPERATION)                   \
        .Number("dtype", lanediff::front::DtypeOf<T>()) \
        .Execute();                                     \
  }
LANEDIFF_ATOMIC(SetAtomicAdd, "add")
LANEDIFF_ATOMIC(SetAtomicMax, "max")
LANEDIFF_ATOMIC(SetAtomicMin, "min")
#undef LANEDIFF_ATOMIC

/// The type of the mode that is set.
template <typename T>
void SetAtomicType(LANEDIFF_SITE) {
  lanediff::front::State("SetAtomic", lanediff_site_)
      .Number("dtype", lanediff::front::DtypeOf<T>())
      .Execute();
}
inline void SetAtomicNone(LANEDIFF_SITE) {
  lanediff::front::State("SetAtomic", lanediff_site_)
      .Text("operation", "none")
      .Execute();
}
inline void DisableDmaAtomic(LANEDIFF_SITE) { SetAtomicNone(lanediff_site_); }

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_STATE_H
