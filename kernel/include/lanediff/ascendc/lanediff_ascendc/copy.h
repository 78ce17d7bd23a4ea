#ifndef LANEDIFF_ASCENDC_COPY_H
#define LANEDIFF_ASCENDC_COPY_H

#include <type_traits>

#include "lanediff_ascendc/call.h"
#include "lanediff_ascendc/structs.h"

/// DataCopy, DataCopyPad, Copy. Forms that reorder or quantise are refused.
namespace lanediff::front {

template <typename Dst, typename Src>
Call CopyOf(const char* name, const Dst& dst, const Src& src,
            lanediff_site site) {
  Call call(name, site);
  call.Operand("dst", dst).Operand("src", src);
  return call;
}

template <typename Params>
void AddPadding(Call& call, const Params& params) {
  call.Number("isPad", params.isPad)
      .Number("leftPadding", params.leftPadding, "rightPadding",
              params.rightPadding, "paddingValue", BitsOf(params.paddingValue));
}

/// Fields of both structs have the same names; their ranges differ, so the
/// parameter `params` is the older one's name where it is that.
template <typename Dst, typename Src, typename Params>
Call PadOf(const Dst& dst, const Src& src, const Params& params,
           lanediff_site site) {
  Call call = CopyOf("DataCopyPad", dst, src, site);
  if constexpr (std::is_same_v<Params, AscendC::DataCopyParams>) {
    call.Text("params", "DataCopyParams");
  }
  call.Number("blockCount", params.blockCount)
      .Number("blockLen", params.blockLen, "srcStride", params.srcStride,
              "dstStride", params.dstStride);
  return call;
}

}  // namespace lanediff::front

namespace AscendC {

// Between GM and local memory, and in local memory.
#define LANEDIFF_DATA_COPY(DST, SRC)                                          \
  template <typename T>                                                       \
  void DataCopy(const DST<T>& dst, const SRC<T>& src,                         \
                lanediff::front::Num count, LANEDIFF_SITE) {                  \
    lanediff::front::CopyOf("DataCopy", dst, src, lanediff_site_)             \
        .Count(count)                                                         \
        .Execute();                                                           \
  }                                                                           \
  template <typename T>                                                       \
  void DataCopy(const DST<T>& dst, const SRC<T>& src,                         \
                const DataCopyParams& params, LANEDIFF_SITE) {                \
    lanediff::front::CopyOf("DataCopy", dst, src, lanediff_site_)             \
        .Number("blockCount", params.blockCount, "blockLen", params.blockLen, \
                "srcGap", params.srcStride, "dstGap", params.dstStride)       \
        .Execute();                                                           \
  }
LANEDIFF_DATA_COPY(LocalTensor, GlobalTensor)
LANEDIFF_DATA_COPY(LocalTensor, LocalTensor)
LANEDIFF_DATA_COPY(GlobalTensor, LocalTensor)
#undef LANEDIFF_DATA_COPY

template <typename T, typename U,
          std::enable_if_t<!std::is_same_v<T, U>, int> = 0>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
              const DataCopyParams& params, LANEDIFF_SITE) {
  lanediff::front::CopyOf("DataCopy", dst, src, lanediff_site_)
      .Number("blockCount", params.blockCount, "blockLen", params.blockLen,
              "srcGap", params.srcStride, "dstGap", params.dstStride)
      .Execute();
}

// ---- DataCopyPad ------------------------------------------------------------

template <typename T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                 const DataCopyExtParams& params,
                 const DataCopyPadExtParams<lanediff::front::Same<T>>& pad,
                 LANEDIFF_SITE) {
  auto call = lanediff::front::PadOf(dst, src, params, lanediff_site_);
  lanediff::front::AddPadding(call, pad);
  call.Execute();
}
template <typename T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                 const DataCopyParams& params, const DataCopyPadParams& pad,
                 LANEDIFF_SITE) {
  auto call = lanediff::front::PadOf(dst, src, params, lanediff_site_);
  lanediff::front::AddPadding(call, pad);
  call.Execute();
}
template <typename T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                 const DataCopyExtParams& params, LANEDIFF_SITE) {
  lanediff::front::PadOf(dst, src, params, lanediff_site_).Execute();
}
template <typename T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                 const DataCopyParams& params, LANEDIFF_SITE) {
  lanediff::front::PadOf(dst, src, params, lanediff_site_).Execute();
}

// ---- Copy -------------------------------------------------------------------

template <typename T, bool isSetMask = true>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
          const lanediff::front::Mask& mask, lanediff::front::Num repeatTime,
          const CopyRepeatParams& params, LANEDIFF_SITE) {
  lanediff::front::CopyOf("Copy", dst, src, lanediff_site_)
      .Masked(mask, isSetMask)
      .Number("repeatTime", repeatTime, "dstStride", params.dstStride,
              "srcStride", params.srcStride, "dstRepeatSize",
              params.dstRepeatSize, "srcRepeatSize", params.srcRepeatSize)
      .Execute();
}

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_COPY_H
