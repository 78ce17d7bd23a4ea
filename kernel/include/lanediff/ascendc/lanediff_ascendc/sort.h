#ifndef LANEDIFF_ASCENDC_SORT_H
#define LANEDIFF_ASCENDC_SORT_H

#include <cstdint>

#include "lanediff_ascendc/call.h"
#include "lanediff_ascendc/product.h"
#include "lanediff_ascendc/structs.h"

/// Sorting, and the structures it sorts: values with their indices in 8 bytes,
/// on older products Region Proposals of 8 elements.
namespace AscendC {

template <typename T>
struct MrgSortSrcList {
  MrgSortSrcList() = default;
  MrgSortSrcList(const LocalTensor<T>& list1, const LocalTensor<T>& list2,
                 const LocalTensor<T>& list3, const LocalTensor<T>& list4)
      : src1(list1), src2(list2), src3(list3), src4(list4) {}
  LocalTensor<T> src1;
  LocalTensor<T> src2;
  LocalTensor<T> src3;
  LocalTensor<T> src4;
};

}  // namespace AscendC

namespace lanediff::front {

/// Operands src0 to src3 are the lists that `valid` names; gives back how many
/// elements each has left in the result, 16 bits each, the first list low.
template <typename T>
std::uint64_t Merge(const char* name, const AscendC::LocalTensor<T>& dst,
                    const AscendC::MrgSortSrcList<T>& src,
                    const std::uint16_t lengths[4], bool suspend, Num valid,
                    Num repeat, lanediff_site site, bool counts = false) {
  Call call(name, site);
  call.Operand("dst", dst).Operand("src0", src.src1).Operand("src1", src.src2);
  if (valid >= 7) call.Operand("src2", src.src3);
  if (valid >= 15) call.Operand("src3", src.src4);
  if (counts) call.Text("sortedNum", "counts");
  return call.Number("elementLengths0", lengths[0])
      .Number("elementLengths1", lengths[1], "elementLengths2", lengths[2],
              "elementLengths3", lengths[3], "ifExhaustedSuspension", suspend,
              "validBit", valid, "repeatTimes", repeat)
      .Execute();
}

template <typename T>
constexpr std::int64_t SortedElements(Num count) {
#if __NPU_ARCH__ == 1001 || __NPU_ARCH__ == 2002
  return count * 8;
#else
  return count * (8 / static_cast<std::int64_t>(sizeof(T)));
#endif
}

}  // namespace lanediff::front

namespace AscendC {

#define LANEDIFF_MERGE(NAME)                                              \
  template <typename T>                                                   \
  void NAME(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src,      \
            const MrgSort4Info& params, LANEDIFF_SITE) {                  \
    lanediff::front::Merge(#NAME, dst, src, params.elementLengths,        \
                           params.ifExhaustedSuspension, params.validBit, \
                           params.repeatTimes, lanediff_site_);           \
  }
LANEDIFF_MERGE(MrgSort)
LANEDIFF_MERGE(MrgSort4)
#undef LANEDIFF_MERGE
/// sortedNum: how many of each list are in the result, where a list that ends
/// ends the merging; else it is left as it is.
template <typename T, bool isExhaustedSuspension = false>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList,
             const std::uint16_t elementCountList[4],
             std::uint32_t sortedNum[4], lanediff::front::Num validBit,
             lanediff::front::Num repeatTime, LANEDIFF_SITE) {
  const std::uint64_t counts = lanediff::front::Merge(
      "MrgSort", dst, sortList, elementCountList, isExhaustedSuspension,
      validBit, repeatTime, lanediff_site_, true);
  for (int i = 0; isExhaustedSuspension && i < 4; ++i) {
    sortedNum[i] = static_cast<std::uint32_t>(counts >> (16 * i) & 0xffffU);
  }
}

/// How many of each list the last MrgSort or MrgSort4 that stops where a list
/// ends has taken.
inline void GetMrgSortResult(std::uint16_t& mrgSortList1,
                             std::uint16_t& mrgSortList2,
                             std::uint16_t& mrgSortList3,
                             std::uint16_t& mrgSortList4, LANEDIFF_SITE) {
  const std::uint64_t counts =
      lanediff::front::Call("GetMrgSortResult", lanediff_site_).Execute();
  mrgSortList1 = static_cast<std::uint16_t>(counts);
  mrgSortList2 = static_cast<std::uint16_t>(counts >> 16);
  mrgSortList3 = static_cast<std::uint16_t>(counts >> 32);
  mrgSortList4 = static_cast<std::uint16_t>(counts >> 48);
}

template <typename T, bool isFullSort>
void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat,
          const LocalTensor<std::uint32_t>& index, const LocalTensor<T>& tmp,
          lanediff::front::Num repeatTime, LANEDIFF_SITE) {
  lanediff::front::Call("Sort", lanediff_site_)
      .Operand("dst", dst, "src0", concat, "src1", index, "tmp", tmp)
      .Number("isFullSort", isFullSort, "repeatTime", repeatTime)
      .Execute();
}
template <typename T>
void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
            const LocalTensor<std::uint32_t>& src1,
            lanediff::front::Num repeatTime, LANEDIFF_SITE) {
  lanediff::front::Call("Sort32", lanediff_site_)
      .Operand("dst", dst, "src0", src0, "src1", src1)
      .Number("repeatTime", repeatTime)
      .Execute();
}
template <typename T>
void RpSort16(const LocalTensor<T>& dst, const LocalTensor<T>& src,
              lanediff::front::Num repeatTime, LANEDIFF_SITE) {
  lanediff::front::Call("RpSort16", lanediff_site_)
      .Operand("dst", dst, "src", src)
      .Number("repeatTime", repeatTime)
      .Execute();
}

#define LANEDIFF_PROPOSAL(NAME)                                               \
  template <typename T>                                                       \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,             \
            lanediff::front::Num repeatTime, lanediff::front::Num modeNumber, \
            LANEDIFF_SITE) {                                                  \
    lanediff::front::Call(#NAME, lanediff_site_)                              \
        .Operand("dst", dst, "src", src)                                      \
        .Number("repeatTime", repeatTime, "modeNumber", modeNumber)           \
        .Execute();                                                           \
  }
LANEDIFF_PROPOSAL(ProposalConcat)
LANEDIFF_PROPOSAL(ProposalExtract)
#undef LANEDIFF_PROPOSAL

/// Makes of values what Sort takes. Where that is the values themselves (A2,
/// A3, 200I/500 A2) `concat` becomes `src`; elsewhere, if it has no memory, the
/// proposals are made in `tmp`. What `tmp` holds behind it is unspecified.
template <typename T>
void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src,
            const LocalTensor<T>& tmp, lanediff::front::Num repeatTime,
            LANEDIFF_SITE) {
#if __NPU_ARCH__ == 1001 || __NPU_ARCH__ == 2002
  if (concat.lanediff_tensor_of().given == 0) concat = tmp;
  lanediff::front::Call("Concat", lanediff_site_)
      .Operand("dst", concat, "src", src, "tmp", tmp)
      .Number("repeatTime", repeatTime)
      .Execute();
#else
  if (tmp.lanediff_tensor_of().given != 0) {
    lanediff::front::Call("Concat", lanediff_site_)
        .Operand("src", src, "tmp", tmp)
        .Number("repeatTime", repeatTime)
        .Execute();
  }
  concat = src;
#endif
}
template <typename T>
void Extract(const LocalTensor<T>& dstValue,
             const LocalTensor<std::uint32_t>& dstIndex,
             const LocalTensor<T>& sorted, lanediff::front::Num repeatTime,
             LANEDIFF_SITE) {
  lanediff::front::Call("Extract", lanediff_site_)
      .Operand("dst", dstValue, "dst1", dstIndex, "src", sorted)
      .Number("repeatTime", repeatTime)
      .Execute();
}

/// In elements of T, of `elemOffset` sorted elements.
template <typename T>
std::uint32_t GetSortOffset(lanediff::front::Num elemOffset) {
  return static_cast<std::uint32_t>(
      lanediff::front::SortedElements<T>(elemOffset));
}
template <typename T>
std::uint32_t GetSortLen(lanediff::front::Num elemCount) {
  return static_cast<std::uint32_t>(
      lanediff::front::SortedElements<T>(elemCount));
}

}  // namespace AscendC

#endif  // LANEDIFF_ASCENDC_SORT_H
