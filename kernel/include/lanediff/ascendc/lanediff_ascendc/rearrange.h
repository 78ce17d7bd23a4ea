#ifndef LANEDIFF_ASCENDC_REARRANGE_H
#define LANEDIFF_ASCENDC_REARRANGE_H

#include <cstdint>

#include "lanediff_ascendc/call.h"
#include "lanediff_ascendc/structs.h"

/// Elements at other places: broadcasting, gathering, transposing, counting up.
namespace AscendC {

/// Each of 8 elements an iteration fills a DataBlock.
template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
          lanediff::front::Num repeatTime, const BrcbRepeatParams& params,
          LANEDIFF_SITE) {
  lanediff::front::Call("Brcb", lanediff_site_)
      .Operand("dst", dst, "src", src)
      .Number("repeatTime", repeatTime, "dstBlkStride", params.dstBlkStride,
              "dstRepStride", params.dstRepStride)
      .Execute();
}

/// OFFSET and BASE: in bytes.
#define LANEDIFF_BY_OFFSETS(NAME, OFFSET, BASE, STRIDE)                   \
  template <typename T>                                                   \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,         \
            const LocalTensor<std::uint32_t>& OFFSET,                     \
            lanediff::front::Num BASE, const lanediff::front::Mask& mask, \
            lanediff::front::Num repeatTime, lanediff::front::Num STRIDE, \
            LANEDIFF_SITE) {                                              \
    lanediff::front::Call(#NAME, lanediff_site_)                          \
        .Operand("dst", dst, "src", src, "offset", OFFSET)                \
        .Number(#BASE, BASE)                                              \
        .Masked(mask, true)                                               \
        .Number("repeatTime", repeatTime, #STRIDE, STRIDE)                \
        .Execute();                                                       \
  }                                                                       \
  template <typename T>                                                   \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,         \
            const LocalTensor<std::uint32_t>& OFFSET,                     \
            lanediff::front::Num BASE, lanediff::front::Num count,        \
            LANEDIFF_SITE) {                                              \
    lanediff::front::Call(#NAME, lanediff_site_)                          \
        .Operand("dst", dst, "src", src, "offset", OFFSET)                \
        .Number(#BASE, BASE)                                              \
        .Count(count)                                                     \
        .Execute();                                                       \
  }
LANEDIFF_BY_OFFSETS(Gather, srcOffset, srcBaseAddr, dstRepStride)
LANEDIFF_BY_OFFSETS(Scatter, dstOffset, dstBaseAddr, srcRepStride)
#undef LANEDIFF_BY_OFFSETS

/// By DataBlocks.
template <typename T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
             const LocalTensor<std::uint32_t>& offset,
             lanediff::front::Num repeatTime, const GatherRepeatParams& params,
             LANEDIFF_SITE) {
  lanediff::front::Call("Gatherb", lanediff_site_)
      .Operand("dst", dst, "src0", src0, "offset", offset)
      .Number("repeatTime", repeatTime, "dstBlkStride", params.dstBlkStride,
              "dstRepStride", params.dstRepStride)
      .Execute();
}

/// 16 × 16 elements of 16 bits.
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               LANEDIFF_SITE) {
  lanediff::front::Call("Transpose", lanediff_site_)
      .Operand("dst", dst, "src", src)
      .Execute();
}
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
               const LocalTensor<std::uint8_t>& sharedTmpBuffer,
               const TransposeParamsExt& params, LANEDIFF_SITE) {
  lanediff::front::Call("Transpose", lanediff_site_)
      .Operand("dst", dst, "src", src, "tmp", sharedTmpBuffer)
      .Number("nSize", params.nSize, "cSize", params.cSize, "hSize",
              params.hSize, "wSize", params.wSize)
      .Word("transposeType", params.transposeType)
      .Execute();
}

}  // namespace AscendC

namespace lanediff::front {

/// Sixteen tensors as one operand from the lowest on to the farthest end, and
/// parameters `dst0`, …, `dst15`: the bytes from there to each.
template <typename T>
void AddList(Call& call, const char* name, const char* const (&rows)[16],
             const AscendC::LocalTensor<T> (&list)[16]) {
  lanediff_tensor all = list[0].lanediff_tensor_of();
  std::int64_t end = static_cast<std::int64_t>(all.at) + all.window;
  for (const auto& tensor : list) {
    const lanediff_tensor& one = tensor.lanediff_tensor_of();
    const std::int64_t its_end = static_cast<std::int64_t>(one.at) + one.window;
    if (one.at < all.at) all.at = one.at;
    if (its_end > end) end = its_end;
    if (one.given == 0) all.given = 0;
  }
  all.window = end - static_cast<std::int64_t>(all.at);
  all.declared = -1;
  call.Operand(name, AscendC::LocalTensor<T>(all));
  for (int i = 0; i < 16; ++i) {
    call.Number(rows[i], list[i].lanediff_tensor_of().at - all.at);
  }
}

}  // namespace lanediff::front

namespace AscendC {

template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[16],
                    const LocalTensor<T> (&srcList)[16],
                    const TransDataTo5HDParams& params, LANEDIFF_SITE) {
  constexpr const char* kDst[] = {
      "dst0", "dst1", "dst2",  "dst3",  "dst4",  "dst5",  "dst6",  "dst7",
      "dst8", "dst9", "dst10", "dst11", "dst12", "dst13", "dst14", "dst15"};
  constexpr const char* kSrc[] = {
      "src0", "src1", "src2",  "src3",  "src4",  "src5",  "src6",  "src7",
      "src8", "src9", "src10", "src11", "src12", "src13", "src14", "src15"};
  lanediff::front::Call call("TransDataTo5HD", lanediff_site_);
  lanediff::front::AddList(call, "dst", kDst, dstList);
  lanediff::front::AddList(call, "src", kSrc, srcList);
  call.Number("dstHighHalf", params.dstHighHalf)
      .Number("srcHighHalf", params.srcHighHalf, "repeatTimes",
              params.repeatTimes, "dstRepStride", params.dstRepStride,
              "srcRepStride", params.srcRepStride)
      .Execute();
}
/// Lists of what GetPhyAddr has given.
template <typename T>
void TransDataTo5HD(const std::uint64_t* dstList, const std::uint64_t* srcList,
                    const TransDataTo5HDParams& params, LANEDIFF_SITE) {
  LocalTensor<T> dst[16];
  LocalTensor<T> src[16];
  for (int i = 0; i < 16; ++i) {
    dst[i] = LocalTensor<T>(lanediff_tensor_at(dstList[i]));
    src[i] = LocalTensor<T>(lanediff_tensor_at(srcList[i]));
  }
  TransDataTo5HD(dst, src, params, lanediff_site_);
}
template <typename T>
void TransDataTo5HD(const LocalTensor<std::uint64_t>& dstList,
                    const LocalTensor<std::uint64_t>& srcList,
                    const TransDataTo5HDParams& params, LANEDIFF_SITE) {
  std::uint64_t dst[16];
  std::uint64_t src[16];
  for (int i = 0; i < 16; ++i) {
    dst[i] = dstList.GetValue(i, lanediff_site_);
    src[i] = srcList.GetValue(i, lanediff_site_);
  }
  TransDataTo5HD<T>(dst, src, params, lanediff_site_);
}

/// firstValue, firstValue + 1, …
template <typename T>
void CreateVecIndex(const LocalTensor<T>& dst,
                    const lanediff::front::Same<T>& firstValue,
                    const lanediff::front::Mask& mask,
                    lanediff::front::Num repeatTime,
                    lanediff::front::Num dstBlkStride,
                    lanediff::front::Num dstRepStride, LANEDIFF_SITE) {
  lanediff::front::Call("CreateVecIndex", lanediff_site_)
      .Operand("dst", dst)
      .Scalar(firstValue)
      .Masked(mask, true)
      .Number("repeatTime", repeatTime, "dstBlkStride", dstBlkStride,
              "dstRepStride", dstRepStride)
      .Execute();
}
template <typename T>
void CreateVecIndex(const LocalTensor<T>& dst,
                    const lanediff::front::Same<T>& firstValue,
                    lanediff::front::Num count, LANEDIFF_SITE) {
  lanediff::front::Call("CreateVecIndex", lanediff_site_)
      .Operand("dst", dst)
      .Scalar(firstValue)
      .Count(count)
      .Execute();
}

/// The scalar is firstValue; the parameter diffValue has the element's bits.
template <typename T>
void ArithProgression(const LocalTensor<T>& dst,
                      const lanediff::front::Same<T>& firstValue,
                      const lanediff::front::Same<T>& diffValue,
                      lanediff::front::Num count, LANEDIFF_SITE) {
  lanediff::front::Call("ArithProgression", lanediff_site_)
      .Operand("dst", dst)
      .Scalar(firstValue)
      .Number("diffValue", lanediff::front::BitsOf<T>(diffValue))
      .Count(count)
      .Execute();
}

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_REARRANGE_H
