#ifndef LANEDIFF_ASCENDC_REFUSED_H
#define LANEDIFF_ASCENDC_REFUSED_H

#include <cstdint>

#include "lanediff/kernel_number.h"
#include "lanediff_ascendc/call.h"
#include "lanediff_ascendc/structs.h"
#include "lanediff_ascendc/tensor.h"

/// Names that are known and not executed: functions compile and stop the block
/// that reaches them, types fail to compile with the reason.
namespace lanediff::front {

inline constexpr char kBetweenCores[] = "synchronization between cores";
inline constexpr char kReordering[] = "copies that reorder or convert";
inline constexpr char kMatrix[] = "matrix products";
inline constexpr char kRegisters[] =
    "its page leaves open which index of several iterations it is";
inline constexpr char kHighLevel[] = "high-level interfaces";

/// Whatever was passed, and where: behind it a function may take a pack.
struct Anything {
  template <typename T>
  // NOLINTNEXTLINE(google-explicit-constructor): stands for everything
  Anything(const T& /*value*/, LANEDIFF_SITE) : site(lanediff_site_) {}
  lanediff_site site;
};

template <typename...>
inline constexpr bool kNever = false;

}  // namespace lanediff::front

namespace AscendC {

// ---- Between cores ----------------------------------------------------------

template <std::uint8_t modeId, pipe_t pipe>
void CrossCoreSetFlag(lanediff::front::Num /*flagId*/, LANEDIFF_SITE) {
  lanediff_refused("CrossCoreSetFlag", lanediff::front::kBetweenCores,
                   lanediff_site_);
}
template <std::uint8_t modeId = 0, pipe_t pipe = PIPE_S>
void CrossCoreWaitFlag(lanediff::front::Num /*flagId*/, LANEDIFF_SITE) {
  lanediff_refused("CrossCoreWaitFlag", lanediff::front::kBetweenCores,
                   lanediff_site_);
}
#define LANEDIFF_BLOCK_SYNC(NAME)                                            \
  template <bool isAIVOnly = true>                                           \
  void NAME(const GlobalTensor<std::int32_t>& /*gmWorkspace*/,               \
            const LocalTensor<std::int32_t>& /*ubWorkspace*/,                \
            lanediff::front::Num /*blockIdx*/,                               \
            lanediff::front::Num /*eventID*/, LANEDIFF_SITE) {               \
    lanediff_refused(#NAME, lanediff::front::kBetweenCores, lanediff_site_); \
  }
LANEDIFF_BLOCK_SYNC(IBSet)
LANEDIFF_BLOCK_SYNC(IBWait)
#undef LANEDIFF_BLOCK_SYNC
inline void SetNextTaskStart(LANEDIFF_SITE) {
  lanediff_refused("SetNextTaskStart", lanediff::front::kBetweenCores,
                   lanediff_site_);
}
inline void WaitPreTaskEnd(LANEDIFF_SITE) {
  lanediff_refused("WaitPreTaskEnd", lanediff::front::kBetweenCores,
                   lanediff_site_);
}
template <std::uint32_t index>
std::uint8_t* GetHcclContext(LANEDIFF_SITE) {
  lanediff_refused("GetHcclContext", "communication between cards",
                   lanediff_site_);
  return nullptr;
}
inline void SetSysWorkSpacePtr(std::uint8_t* /*workspace*/, LANEDIFF_SITE) {
  lanediff_refused("SetSysWorkSpacePtr", lanediff::front::kHighLevel,
                   lanediff_site_);
}

// ---- Copies -----------------------------------------------------------------

struct Nd2NzParams : lanediff::front::Fields {
  Nd2NzParams() = default;
  Nd2NzParams(Num num, Num n, Num d, Num src_nd, Num src_d, Num dst_c0,
              Num dst_n, Num dst_matrix)
      : ndNum(num),
        nValue(n),
        dValue(d),
        srcNdMatrixStride(src_nd),
        srcDValue(src_d),
        dstNzC0Stride(dst_c0),
        dstNzNStride(dst_n),
        dstNzMatrixStride(dst_matrix) {}
  Num ndNum = 0;
  Num nValue = 0;
  Num dValue = 0;
  Num srcNdMatrixStride = 0;
  Num srcDValue = 0;
  Num dstNzC0Stride = 0;
  Num dstNzNStride = 0;
  Num dstNzMatrixStride = 0;
};
enum class BlockMode : std::uint8_t {
  BLOCK_MODE_NORMAL,
  BLOCK_MODE_MATRIX,
  BLOCK_MODE_VECTOR,
  BLOCK_MODE_SMALL_CHANNEL,
  BLOCK_MODE_DEPTHWISE
};
enum class DeqScale : std::uint8_t {
  DEQ_NONE,
  DEQ,
  VDEQ,
  DEQ8,
  VDEQ8,
  DEQ16,
  VDEQ16
};
struct DataCopyEnhancedParams : lanediff::front::Fields {
  DataCopyEnhancedParams() {
  }  // NOLINT(modernize-use-equals-default): no aggregate
  BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
  DeqScale deqScale = DeqScale::DEQ_NONE;
  Num deqValue = 0;
  Num sidStoreMode = 0;
  bool isRelu = false;
};
struct DataCopyCO12DstParams : lanediff::front::Fields {
  DataCopyCO12DstParams() {
  }  // NOLINT(modernize-use-equals-default): no aggregate
  Num sid = 0;
  Num nSize = 0;
  Num mSize = 0;
  Num dstStride = 0;
  Num srcStride = 0;
};
struct SliceInfo : lanediff::front::Fields {
  SliceInfo() = default;
  SliceInfo(Num start, Num end, Num step, Num burst, Num shape = 0)
      : startIndex(start),
        endIndex(end),
        stride(step),
        burstLen(burst),
        shapeValue(shape) {}
  Num startIndex = 0;
  Num endIndex = 0;
  Num stride = 0;
  Num burstLen = 0;
  Num shapeValue = 0;
};
template <typename T, std::uint8_t dimension>
struct MultiCopyParams {
  MultiCopyParams() = default;
};

#define LANEDIFF_REFUSED_COPY(STRUCT, MORE, ...)                            \
  template <typename Dst, typename Src LANEDIFF_LIST MORE>                  \
  void DataCopy(const Dst&, const Src&, __VA_ARGS__, LANEDIFF_SITE) {       \
    lanediff_refused("DataCopy with " STRUCT, lanediff::front::kReordering, \
                     lanediff_site_);                                       \
  }
LANEDIFF_REFUSED_COPY("Nd2NzParams", (), const Nd2NzParams&)
LANEDIFF_REFUSED_COPY("DataCopyEnhancedParams", (), const DataCopyParams&,
                      const DataCopyEnhancedParams&)
LANEDIFF_REFUSED_COPY("DataCopyCO12DstParams", (), const DataCopyCO12DstParams&)
LANEDIFF_REFUSED_COPY("SliceInfo", (), const SliceInfo*, const SliceInfo*,
                      lanediff::front::Num /*dimValue*/ = 1)
LANEDIFF_REFUSED_COPY("MultiCopyParams", (, typename T, std::uint8_t dimension),
                      const MultiCopyParams<T, dimension>&)
#undef LANEDIFF_REFUSED_COPY

// ---- The rest: whatever they are called with --------------------------------

#define LANEDIFF_REFUSED(NAME, WHY)                                     \
  template <typename T0 = void, typename T1 = void, typename T2 = void, \
            typename... Args>                                           \
  void NAME(const lanediff::front::Anything& first, const Args&...) {   \
    lanediff_refused(#NAME, WHY, first.site);                           \
  }                                                                     \
  template <typename T, auto value, auto... values, typename... Args>   \
  void NAME(const lanediff::front::Anything& first, const Args&...) {   \
    lanediff_refused(#NAME, WHY, first.site);                           \
  }
LANEDIFF_REFUSED(SetInput, lanediff::front::kHighLevel)
LANEDIFF_REFUSED(Broadcast, lanediff::front::kHighLevel)
LANEDIFF_REFUSED(GetReduceRepeatMaxMinSpr, lanediff::front::kRegisters)
LANEDIFF_REFUSED(GetReduceMaxMinCount, lanediff::front::kRegisters)
LANEDIFF_REFUSED(Mmad, lanediff::front::kMatrix)
LANEDIFF_REFUSED(LoadData, lanediff::front::kMatrix)
LANEDIFF_REFUSED(Fixpipe, lanediff::front::kMatrix)
#undef LANEDIFF_REFUSED

// ---- Types ------------------------------------------------------------------

#define LANEDIFF_REFUSED_TYPE(NAME, WHY)            \
  template <typename... Args>                       \
  class NAME {                                      \
    static_assert(lanediff::front::kNever<Args...>, \
                  "refused: " #NAME " (" WHY ")");  \
  };
LANEDIFF_REFUSED_TYPE(Matmul, "matrix products")
LANEDIFF_REFUSED_TYPE(MatmulImpl, "matrix products")
namespace MicroAPI {
LANEDIFF_REFUSED_TYPE(RegTensor, "register programming")
}  // namespace MicroAPI
namespace Reg {
LANEDIFF_REFUSED_TYPE(RegTensor, "register programming")
}  // namespace Reg
namespace Simt {
template <auto function, typename... Args>
void VF_CALL(const Args&...) {
  static_assert(lanediff::front::kNever<Args...>,
                "refused: Simt::VF_CALL (SIMT programming)");
}
}  // namespace Simt

}  // namespace AscendC

namespace matmul {
using AscendC::Matmul;
using AscendC::MatmulImpl;
}  // namespace matmul

#undef LANEDIFF_REFUSED_TYPE

#define REGIST_MATMUL_OBJ(...)                                      \
  lanediff_refused("REGIST_MATMUL_OBJ", ::lanediff::front::kMatrix, \
                   {__builtin_FILE(), static_cast<int>(__builtin_LINE())})

#endif  // LANEDIFF_ASCENDC_REFUSED_H
