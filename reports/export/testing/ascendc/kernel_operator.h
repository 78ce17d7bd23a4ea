#pragma once

#include "../record.h"

/// The shapes of Ascend C that exported snippets use, as the documents print
/// their prototypes.
#define KERNEL_TYPE_AIV_ONLY "aiv"
#define KERNEL_TYPE_AIC_ONLY "aic"
#define KERNEL_TYPE_MIX_AIC_1_1 "mix"
#define KERNEL_TASK_TYPE_DEFAULT(type) record::Call("task", type)

enum event_t : int { EVENT_ID0 };

namespace AscendC {

/// Word number `n` of "A, B, C", from 0.
inline std::string WordOf(const std::string& words, int n) {
  std::size_t at = 0;
  for (; n > 0; --n) at = words.find(' ', at) + 1;
  return words.substr(at, words.find(',', at) - at);
}
/// An enumeration whose values have names.
#define NAMED_ENUM(Type, ...)                             \
  enum class Type { __VA_ARGS__ };                        \
  inline std::string Name(Type value) {                   \
    return WordOf(#__VA_ARGS__, static_cast<int>(value)); \
  }

NAMED_ENUM(TPosition, GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT,
           VECCALC, TSCM, C2PIPE2GM)

template <class T>
std::uint64_t BitsOf(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// The access to single elements of `Tensor`.
template <class T, class Index, class Tensor>
struct Elements {
  T GetValue(Index index) const {
    record::Call("GetValue", Show(static_cast<const Tensor&>(*this)), index);
    return {};
  }
  void SetValue(Index index, T value) {
    record::Call("SetValue", Show(static_cast<const Tensor&>(*this)), index,
                 BitsOf(value));
  }
};

template <class T>
class LocalTensor : public Elements<T, std::uint32_t, LocalTensor<T>> {
 public:
  LocalTensor(TPosition position, std::uint32_t address, std::uint32_t elements)
      : position_(position), address_(address), elements_(elements) {}

  LocalTensor operator[](std::uint32_t offset) const {
    return {position_,
            static_cast<std::uint32_t>(address_ + offset * sizeof(T)),
            elements_ - offset};
  }
  template <class U>
  LocalTensor<U> ReinterpretCast() const {
    return {position_, address_,
            static_cast<std::uint32_t>(elements_ * sizeof(T) / sizeof(U))};
  }

  friend std::string Show(const LocalTensor& t) {
    return std::string(Name(t.position_)) + ":" + std::to_string(t.address_) +
           ":" + std::to_string(t.elements_) + ":" + record::TypeName<T>();
  }

 private:
  TPosition position_;
  std::uint32_t address_;
  std::uint32_t elements_;
};

template <class T>
class GlobalTensor : public Elements<T, std::uint64_t, GlobalTensor<T>> {
 public:
  void SetGlobalBuffer(T* buffer, std::uint64_t elements) {
    buffer_ = buffer;
    elements_ = elements;
  }

  friend std::string Show(const GlobalTensor& t) {
    const auto at = reinterpret_cast<std::intptr_t>(t.buffer_) -
                    reinterpret_cast<std::intptr_t>(record::Gm());
    return "GM:" + std::to_string(at) + ":" + std::to_string(t.elements_) +
           ":" + record::TypeName<T>();
  }

 private:
  T* buffer_ = nullptr;
  std::uint64_t elements_ = 0;
};

template <TPosition position>
class TBuf {
 public:
  template <class T>
  LocalTensor<T> Get() {
    return {position, 0, static_cast<std::uint32_t>(bytes_ / sizeof(T))};
  }

 private:
  friend class TPipe;
  std::uint32_t bytes_ = 0;
};

class TPipe {
 public:
  template <TPosition position>
  void InitBuffer(TBuf<position>& buffer, std::uint32_t bytes) {
    buffer.bytes_ = bytes;
  }
};

NAMED_ENUM(HardEvent, MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_M, M_MTE2,
           MTE2_MTE3, MTE3_MTE2, MTE1_MTE3, MTE3_MTE1, MTE2_V, V_MTE2, MTE3_V,
           V_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, M_FIX, FIX_M,
           MTE1_FIX, FIX_MTE1, MTE2_FIX, FIX_MTE2, FIX_MTE3, M_V, V_M, MTE1_V,
           V_MTE1, M_S, FIX_S)
template <HardEvent event>
void SetFlag(event_t id) {
  record::Call("SetFlag", Name(event), static_cast<int>(id));
}
template <HardEvent event>
void WaitFlag(event_t id) {
  record::Call("WaitFlag", Name(event), static_cast<int>(id));
}
template <pipe_t pipe>
void PipeBarrier() {
  constexpr const char* kNames[] = {"V",   "MTE1", "MTE2", "MTE3",
                                    "FIX", "ALL",  "S",    "M"};
  record::Call("PipeBarrier", kNames[pipe]);
}

inline constexpr std::uint64_t MASK_PLACEHOLDER = 0;
enum class MaskMode : std::uint8_t { NORMAL, COUNTER };
inline void SetMaskNorm() { record::Call("SetMaskNorm"); }
inline void SetMaskCount() { record::Call("SetMaskCount"); }
inline void ResetMask() { record::Call("ResetMask"); }
template <class T, MaskMode mode>
void SetVectorMask(std::uint64_t high, std::uint64_t low) {
  static_assert(mode == MaskMode::NORMAL);
  record::Call("SetVectorMask", record::TypeName<T>(), high, low);
}

template <class T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     std::int32_t repeat, std::int32_t elemsInOneRepeat,
                     std::int32_t dstBlkStride, std::int32_t srcBlkStride,
                     std::int32_t dstRepStride, std::int32_t srcRepStride) {
  record::Call("RepeatReduceSum", isSetMask, Show(dst), Show(src), repeat,
               elemsInOneRepeat, dstBlkStride, srcBlkStride, dstRepStride,
               srcRepStride);
}

template <class T, bool isSetMask = true>
void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const std::uint64_t mask[], const std::int32_t repeatTimes,
                    const std::int32_t dstRepStride,
                    const std::int32_t srcBlkStride,
                    const std::int32_t srcRepStride) {
  record::Call("WholeReduceSumBits", isSetMask, Show(dst), Show(src), mask[0],
               mask[1], repeatTimes, dstRepStride, srcBlkStride, srcRepStride);
}
template <class T, bool isSetMask = true>
void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                    const std::int32_t mask, const std::int32_t repeatTimes,
                    const std::int32_t dstRepStride,
                    const std::int32_t srcBlkStride,
                    const std::int32_t srcRepStride) {
  record::Call("WholeReduceSumMask", isSetMask, Show(dst), Show(src), mask,
               repeatTimes, dstRepStride, srcBlkStride, srcRepStride);
}

#define LANEDIFF_GROUPS(NAME)                                                 \
  template <class T, bool isSetMask = true>                                   \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,             \
            const std::int32_t repeatTime, const std::uint64_t mask[],        \
            const std::int32_t dstRepStride, const std::int32_t srcBlkStride, \
            const std::int32_t srcRepStride) {                                \
    record::Call(#NAME "Bits", isSetMask, Show(dst), Show(src), repeatTime,   \
                 mask[0], mask[1], dstRepStride, srcBlkStride, srcRepStride); \
  }                                                                           \
  template <class T, bool isSetMask = true>                                   \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,             \
            const std::int32_t repeatTime, const std::int32_t mask,           \
            const std::int32_t dstRepStride, const std::int32_t srcBlkStride, \
            const std::int32_t srcRepStride) {                                \
    record::Call(#NAME "Mask", isSetMask, Show(dst), Show(src), repeatTime,   \
                 mask, dstRepStride, srcBlkStride, srcRepStride);             \
  }
LANEDIFF_GROUPS(BlockReduceMax)
LANEDIFF_GROUPS(BlockReduceMin)
LANEDIFF_GROUPS(BlockReduceSum)
LANEDIFF_GROUPS(PairReduceSum)

NAMED_ENUM(ReduceOrder, ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE,
           ORDER_ONLY_INDEX)
#define LANEDIFF_EXTREMUM(NAME)                                               \
  template <class T, bool isSetMask = true>                                   \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,             \
            const std::uint64_t mask[], const std::int32_t repeatTime,        \
            const std::int32_t dstRepStride, const std::int32_t srcBlkStride, \
            const std::int32_t srcRepStride, ReduceOrder order) {             \
    record::Call(#NAME "Bits", isSetMask, Show(dst), Show(src), mask[0],      \
                 mask[1], repeatTime, dstRepStride, srcBlkStride,             \
                 srcRepStride, Name(order));                                  \
  }                                                                           \
  template <class T, bool isSetMask = true>                                   \
  void NAME(const LocalTensor<T>& dst, const LocalTensor<T>& src,             \
            const std::int32_t mask, const std::int32_t repeatTime,           \
            const std::int32_t dstRepStride, const std::int32_t srcBlkStride, \
            const std::int32_t srcRepStride, ReduceOrder order) {             \
    record::Call(#NAME "Mask", isSetMask, Show(dst), Show(src), mask,         \
                 repeatTime, dstRepStride, srcBlkStride, srcRepStride,        \
                 Name(order));                                                \
  }
LANEDIFF_EXTREMUM(WholeReduceMax)
LANEDIFF_EXTREMUM(WholeReduceMin)

inline std::string List(std::initializer_list<int> numbers) {
  std::string text;
  for (const int n : numbers) {
    text += (text.empty() ? "" : " ") + std::to_string(n);
  }
  return text;
}

/// Defaults that no case has, so that a field left out shows.
struct BinaryRepeatParams {
  std::uint8_t dstBlkStride = 251;
  std::uint8_t src0BlkStride = 251;
  std::uint8_t src1BlkStride = 251;
  std::uint8_t dstRepStride = 251;
  std::uint8_t src0RepStride = 251;
  std::uint8_t src1RepStride = 251;

  friend std::string Show(const BinaryRepeatParams& p) {
    return List({p.dstBlkStride, p.src0BlkStride, p.src1BlkStride,
                 p.dstRepStride, p.src0RepStride, p.src1RepStride});
  }
};
struct UnaryRepeatParams {
  std::uint16_t dstBlkStride = 60001;
  std::uint16_t srcBlkStride = 60001;
  std::uint8_t dstRepStride = 251;
  std::uint8_t srcRepStride = 251;

  friend std::string Show(const UnaryRepeatParams& p) {
    return List(
        {p.dstBlkStride, p.srcBlkStride, p.dstRepStride, p.srcRepStride});
  }
};

struct CopyRepeatParams {
  std::uint16_t dstStride = 60001;
  std::uint16_t srcStride = 60001;
  std::uint16_t dstRepeatSize = 60001;
  std::uint16_t srcRepeatSize = 60001;

  friend std::string Show(const CopyRepeatParams& p) {
    return List({p.dstStride, p.srcStride, p.dstRepeatSize, p.srcRepeatSize});
  }
};

NAMED_ENUM(RoundMode, CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND,
           CAST_TRUNC, CAST_ODD)

NAMED_ENUM(CMPMODE, LT, GT, EQ, LE, GE, NE)

/// The prototypes of a lane-wise call, and how its strides show, and its
/// sources and scalar.
#define LANE_BY_LANE(name, strides, shown, sources, ...)                     \
  template <class T>                                                         \
  void name(const LocalTensor<T>& dst, sources, const std::int32_t& count) { \
    record::Call(#name, Show(dst), __VA_ARGS__, count);                      \
  }                                                                          \
  template <class T, bool isSetMask = true>                                  \
  void name(const LocalTensor<T>& dst, sources, std::uint64_t mask[],        \
            std::uint8_t repeatTimes, strides) {                             \
    record::Call(#name "Bits", isSetMask, Show(dst), __VA_ARGS__, mask[0],   \
                 mask[1], int{repeatTimes}, shown);                          \
  }                                                                          \
  template <class T, bool isSetMask = true>                                  \
  void name(const LocalTensor<T>& dst, sources, std::uint64_t mask,          \
            std::uint8_t repeatTimes, strides) {                             \
    record::Call(#name "Mask", isSetMask, Show(dst), __VA_ARGS__, mask,      \
                 int{repeatTimes}, shown);                                   \
  }
#define COMMA ,
#define CALL_kBinaryParams(name)                                            \
  LANE_BY_LANE(name, const BinaryRepeatParams& p, Show(p),                  \
               const LocalTensor<T>& src0 COMMA const LocalTensor<T>& src1, \
               Show(src0), Show(src1))
#define CALL_kUnaryParams(name)                           \
  LANE_BY_LANE(name, const UnaryRepeatParams& p, Show(p), \
               const LocalTensor<T>& src, Show(src))
#define CALL_kRepeatedCopyParams(name)                                   \
  template <class T, bool isSetMask = true>                              \
  void name(const LocalTensor<T>& dst, const LocalTensor<T>& src,        \
            const std::uint64_t mask[], const std::uint8_t repeatTime,   \
            const CopyRepeatParams& p) {                                 \
    record::Call(#name "Bits", isSetMask, Show(dst), Show(src), mask[0], \
                 mask[1], int{repeatTime}, Show(p));                     \
  }                                                                      \
  template <class T, bool isSetMask = true>                              \
  void name(const LocalTensor<T>& dst, const LocalTensor<T>& src,        \
            const std::uint64_t mask, const std::uint8_t repeatTime,     \
            const CopyRepeatParams& p) {                                 \
    record::Call(#name "Mask", isSetMask, Show(dst), Show(src), mask,    \
                 int{repeatTime}, Show(p));                              \
  }
#define CALL_kScalarParams(name)                                           \
  LANE_BY_LANE(name, const UnaryRepeatParams& p, Show(p),                  \
               const LocalTensor<T>& src COMMA const T& scalar, Show(src), \
               BitsOf(scalar))
#define CALL_kShiftRightParams(name)                                       \
  LANE_BY_LANE(name, const UnaryRepeatParams& p COMMA bool roundEn,        \
               Show(p) + (roundEn ? " 1" : " 0"),                          \
               const LocalTensor<T>& src COMMA const T& scalar, Show(src), \
               BitsOf(scalar))
#define CALL_kFillParams(name)                                         \
  LANE_BY_LANE(name, std::uint16_t blockStride COMMA std::uint8_t rep, \
               List({blockStride, rep}), const T& scalar, BitsOf(scalar))
#define CALL_kIndexParams(name)                                             \
  template <class T>                                                        \
  void name(LocalTensor<T> dst, const T& firstValue, std::uint32_t count) { \
    record::Call(#name, Show(dst), BitsOf(firstValue), count);              \
  }                                                                         \
  template <class T>                                                        \
  void name(LocalTensor<T>& dst, const T& firstValue, std::uint64_t mask[], \
            std::uint8_t repeatTime, std::uint16_t blockStride,             \
            std::uint8_t rep) {                                             \
    record::Call(#name "Bits", Show(dst), BitsOf(firstValue), mask[0],      \
                 mask[1], int{repeatTime}, List({blockStride, rep}));       \
  }                                                                         \
  template <class T>                                                        \
  void name(LocalTensor<T>& dst, const T& firstValue, std::uint64_t mask,   \
            std::uint8_t repeatTime, std::uint16_t blockStride,             \
            std::uint8_t rep) {                                             \
    record::Call(#name "Mask", Show(dst), BitsOf(firstValue), mask,         \
                 int{repeatTime}, List({blockStride, rep}));                \
  }
NAMED_ENUM(SELMODE, VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE,
           VSEL_TENSOR_TENSOR_MODE)
#define SELECT(name, src1, shown, ...)                                       \
  template <class T, class U>                                                \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,        \
            const LocalTensor<T>& src0, src1, SELMODE selMode,               \
            std::uint32_t count) {                                           \
    record::Call(#name, Show(dst), Show(src0), Show(selMask), shown, count); \
  }                                                                          \
  template <class T, class U, bool isSetMask = true>                         \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,        \
            const LocalTensor<T>& src0, src1, SELMODE selMode,               \
            std::uint64_t mask[], std::uint8_t repeatTime,                   \
            const BinaryRepeatParams& p) {                                   \
    record::Call(#name "Bits", Show(dst), Show(src0), Show(selMask), shown,  \
                 mask[0], mask[1], int{repeatTime}, Show(p));                \
  }                                                                          \
  template <class T, class U, bool isSetMask = true>                         \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,        \
            const LocalTensor<T>& src0, src1, SELMODE selMode,               \
            std::uint64_t mask, std::uint8_t repeatTime,                     \
            const BinaryRepeatParams& p) {                                   \
    record::Call(#name "Mask", Show(dst), Show(src0), Show(selMask), shown,  \
                 mask, int{repeatTime}, Show(p));                            \
  }
#define CALL_kSelectionParams(name)                                        \
  SELECT(name, const LocalTensor<T>& src1, Show(src1) COMMA Name(selMode)) \
  SELECT(name, T src1, Name(selMode) COMMA BitsOf(src1))
#define CALL_kConversionParams(name)                                           \
  template <class T, class U>                                                  \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& src,              \
            const RoundMode& roundMode, const std::uint32_t count) {           \
    record::Call(#name, Show(dst), Show(src), Name(roundMode), count);         \
  }                                                                            \
  template <class T, class U, bool isSetMask = true>                           \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& src,              \
            const RoundMode& roundMode, const std::uint64_t mask[],            \
            const std::uint8_t repeatTime, const UnaryRepeatParams& p) {       \
    record::Call(#name "Bits", isSetMask, Show(dst), Show(src),                \
                 Name(roundMode), mask[0], mask[1], int{repeatTime}, Show(p)); \
  }                                                                            \
  template <class T, class U, bool isSetMask = true>                           \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& src,              \
            const RoundMode& roundMode, const std::uint64_t mask,              \
            const std::uint8_t repeatTime, const UnaryRepeatParams& p) {       \
    record::Call(#name "Mask", isSetMask, Show(dst), Show(src),                \
                 Name(roundMode), mask, int{repeatTime}, Show(p));             \
  }
#define CALL_kBinaryConversionParams(name)                                   \
  template <class T, class U>                                                \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,           \
            const LocalTensor<U>& src1, const std::uint32_t count) {         \
    record::Call(#name, Show(dst), Show(src0), Show(src1), count);           \
  }                                                                          \
  template <class T, class U, bool isSetMask = true>                         \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,           \
            const LocalTensor<U>& src1, std::uint64_t mask[],                \
            const std::uint8_t repeatTime, const BinaryRepeatParams& p) {    \
    record::Call(#name "Bits", isSetMask, Show(dst), Show(src0), Show(src1), \
                 mask[0], mask[1], int{repeatTime}, Show(p));                \
  }                                                                          \
  template <class T, class U, bool isSetMask = true>                         \
  void name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,           \
            const LocalTensor<U>& src1, std::uint64_t mask,                  \
            const std::uint8_t repeatTime, const BinaryRepeatParams& p) {    \
    record::Call(#name "Mask", isSetMask, Show(dst), Show(src0), Show(src1), \
                 mask, int{repeatTime}, Show(p));                            \
  }
#define LANEDIFF_COMPARISON(name, strides, source, shown)                    \
  template <class T, class U>                                                \
  void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, source,   \
            CMPMODE cmpMode, std::uint32_t count) {                          \
    record::Call(#name, Show(dst), Show(src0), shown, Name(cmpMode), count); \
  }                                                                          \
  template <class T, class U, bool isSetMask = true>                         \
  void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, source,   \
            CMPMODE cmpMode, const std::uint64_t mask[],                     \
            std::uint8_t repeatTime, const strides& p) {                     \
    record::Call(#name "Bits", isSetMask, Show(dst), Show(src0), shown,      \
                 Name(cmpMode), mask[0], mask[1], int{repeatTime}, Show(p)); \
  }                                                                          \
  template <class T, class U, bool isSetMask = true>                         \
  void name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, source,   \
            CMPMODE cmpMode, const std::uint64_t mask,                       \
            std::uint8_t repeatTime, const strides& p) {                     \
    record::Call(#name "Mask", isSetMask, Show(dst), Show(src0), shown,      \
                 Name(cmpMode), mask, int{repeatTime}, Show(p));             \
  }
#define CALL_kComparisonParams(name)                                        \
  LANEDIFF_COMPARISON(name, BinaryRepeatParams, const LocalTensor<T>& src1, \
                      Show(src1))
#define CALL_kScalarComparisonParams(name)                         \
  LANEDIFF_COMPARISON(name, UnaryRepeatParams, const T src1Scalar, \
                      BitsOf(src1Scalar))
#define LANEDIFF_LANEWISE(op, slug, prefix, number, operands, params) \
  CALL_##params(op)
#include "../../../../isa/instructions/lanewise.inc"
#undef LANEDIFF_LANEWISE
#undef CALL_kBinaryParams
#undef CALL_kUnaryParams
#undef CALL_kRepeatedCopyParams
#undef CALL_kScalarParams
#undef CALL_kShiftRightParams
#undef CALL_kFillParams
#undef CALL_kIndexParams
#undef CALL_kSelectionParams
#undef SELECT
#undef CALL_kConversionParams
#undef CALL_kBinaryConversionParams
#undef CALL_kComparisonParams
#undef CALL_kScalarComparisonParams
#undef LANEDIFF_COMPARISON
#undef COMMA
#undef LANE_BY_LANE

struct BrcbRepeatParams {
  std::uint16_t dstBlkStride = 60001;
  std::uint16_t dstRepStride = 60001;
};
template <class T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
          const std::uint8_t repeatTime, const BrcbRepeatParams& p) {
  record::Call("Brcb", Show(dst), Show(src), int{repeatTime},
               List({p.dstBlkStride, p.dstRepStride}));
}

struct DataCopyParams {
  std::uint16_t blockCount = 60001;
  std::uint16_t blockLen = 60001;
  std::uint16_t srcGap = 60001;
  std::uint16_t dstGap = 60001;

  friend std::string Show(const DataCopyParams& p) {
    return std::to_string(p.blockCount) + "," + std::to_string(p.blockLen) +
           "," + std::to_string(p.srcGap) + "," + std::to_string(p.dstGap);
  }
};

/// Whether a prototype takes these.
template <class Dst, class Src, class How>
inline constexpr bool kCopies = false;
template <class T, class How>
inline constexpr bool kCopies<LocalTensor<T>, GlobalTensor<T>, How> = true;
template <class T, class How>
inline constexpr bool kCopies<GlobalTensor<T>, LocalTensor<T>, How> = true;
template <class T>
inline constexpr bool kCopies<LocalTensor<T>, LocalTensor<T>, std::uint32_t> =
    true;
template <class T, class U>
inline constexpr bool kCopies<LocalTensor<T>, LocalTensor<U>, DataCopyParams> =
    true;

template <class Dst, class Src, class How>
std::enable_if_t<kCopies<Dst, Src, How>> DataCopy(const Dst& dst,
                                                  const Src& src,
                                                  const How& how) {
  record::Call("DataCopy", Show(dst), Show(src), how);
}

struct DataCopyExtParams {
  std::uint16_t blockCount = 60001;
  std::uint32_t blockLen = 4000000001;
  std::uint32_t srcStride = 4000000001;
  std::uint32_t dstStride = 4000000001;
  std::uint32_t rsv = 0;

  friend std::string Show(const DataCopyExtParams& p) {
    return std::to_string(p.blockCount) + "," + std::to_string(p.blockLen) +
           "," + std::to_string(p.srcStride) + "," +
           std::to_string(p.dstStride);
  }
};
template <class T>
struct DataCopyPadExtParams {
  bool isPad = false;
  std::uint8_t leftPadding = 251;
  std::uint8_t rightPadding = 251;
  T paddingValue = {};
};

template <class T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                 const DataCopyExtParams& how,
                 const DataCopyPadExtParams<T>& pad) {
  record::Call("DataCopyPad", Show(dst), Show(src), how, pad.isPad,
               int{pad.leftPadding}, int{pad.rightPadding},
               BitsOf(pad.paddingValue));
}
template <class T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                 const DataCopyExtParams& how) {
  record::Call("DataCopyPad", Show(dst), Show(src), how);
}

}  // namespace AscendC
