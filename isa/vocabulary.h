#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The words of the documents: products, data types, memories, positions,
/// tile layouts, orders of multiplication, pipes and events. Each word has one
/// spelling, the one that stands in cases, messages and on the command line.
namespace lanediff::isa {

enum class Product : std::uint8_t {
  kAtlasTraining,
  kAtlasInferenceAicore,
  kAtlasInferenceVectorcore,
  kAtlasA2,
  kAtlasA3,
  kAtlas200i500A2,
  kAtlas200_300_500,
};

enum class DType : std::uint8_t {
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kHalf,
  kBfloat16,
  kFloat,
  kDouble,
};

/// Physical memories. `kBt` is the BiasTable, `kFb` the Fixpipe buffer.
enum class Memory : std::uint8_t { kGm, kUb, kL1, kL0c, kBt, kFb };

/// Logical positions (TPosition). `kUb` is the literal "UB" of TIK and PTO.
enum class Position : std::uint8_t {
  kGm,
  kVecin,
  kVeccalc,
  kVecout,
  kA1,
  kB1,
  kTscm,
  kC1,
  kC2,
  kC2pipe2gm,
  kCo2,
  kUb,
};

/// Which edition of the documents a reading follows: `k2024` the five documents
/// that the project began with, `k2026` the newest public pages of the same
/// instructions.
enum class Edition : std::uint8_t { k2024, k2026 };

inline constexpr Edition kNewestEdition = Edition::k2026;

/// A product as an edition of the documents describes it: what is legal there,
/// and what calls compute.
struct Profile {
  Product product = Product::kAtlasA2;
  Edition edition = kNewestEdition;

  constexpr Profile(Product p, Edition e = kNewestEdition)  // NOLINT: implicit
      : product(p), edition(e) {}

  bool operator==(const Profile&) const = default;
};

/// ND is row major, DN column major.
enum class Layout : std::uint8_t { kNd, kDn };

/// Orders in which TROWPROD may multiply a row.
enum class Order : std::uint8_t {
  kDocumented,
  kBlockLanes,
  kRegisterLanes,
  kLeftFold,
};

/// How a conversion rounds (RoundMode), in the order of the document's values.
enum class RoundMode : std::uint8_t {
  kNone,   ///< as kRint where something is lost
  kRint,   ///< to nearest, ties to even
  kFloor,  ///< down
  kCeil,   ///< up
  kRound,  ///< to nearest, ties away from zero
  kTrunc,  ///< towards zero
  kOdd,    ///< what is inexact to the odd neighbour
};

/// What an iteration of a largest or smallest value leaves (ReduceOrder), in
/// the order of the document's values.
enum class ReduceOrder : std::uint8_t {
  kValueIndex,
  kIndexValue,
  kOnlyValue,
  kOnlyIndex,
};

/// The relation of a value to another one (CMPMODE), in the order of
/// the document's values.
enum class CmpMode : std::uint8_t { kLt, kGt, kEq, kLe, kGe, kNe };

/// What Select takes where a bit of selMask is 0, and which bits (SELMODE), in
/// the order of the document's values.
enum class SelMode : std::uint8_t {
  kSameBits,  ///< src1; the same bits in each iteration
  kScalar,    ///< a scalar; as the next one
  kTensor,    ///< src1; each iteration goes on behind the bits of the last one
};

/// The queues of a core, and `ALL` of them. S is the scalar unit, which issues
/// what the others do, M the matrix unit. New ones come last: a pipe's number
/// stands in serialised fuzzer inputs.
enum class Pipe : std::uint8_t { kV, kMte1, kMte2, kMte3, kFix, kAll, kS, kM };

/// What SetFlag and WaitFlag name, P_Q: pipe P signals pipe Q. Every event of
/// any product.
enum class Event : std::uint8_t {
  kMte2Mte1,
  kMte1Mte2,
  kMte1M,
  kMMte1,
  kMte2M,
  kMMte2,
  kMte2Mte3,
  kMte3Mte2,
  kMte1Mte3,
  kMte3Mte1,
  kMte2V,
  kVMte2,
  kMte3V,
  kVMte3,
  kSV,
  kVS,
  kSMte2,
  kMte2S,
  kSMte3,
  kMte3S,
  kMFix,
  kFixM,
  kMte1Fix,
  kFixMte1,
  kMte2Fix,
  kFixMte2,
  kFixMte3,
  kMV,
  kVM,
  kMte1V,
  kVMte1,
  kMS,
  kFixS,
};

/// The spellings of an enumeration, in the order of its values.
template <class E>
struct Words;

template <>
struct Words<Product> {
  static constexpr std::array<std::string_view, 7> kSpelling = {
      "atlas-training",
      "atlas-inference-aicore",
      "atlas-inference-vectorcore",
      "atlas-a2",
      "atlas-a3",
      "atlas-200i-500-a2",
      "atlas-200-300-500"};
};

template <>
struct Words<Edition> {
  static constexpr std::array<std::string_view, 2> kSpelling = {"2024", "2026"};
};

template <>
struct Words<DType> {
  static constexpr std::array<std::string_view, 12> kSpelling = {
      "int8",  "uint8",  "int16", "uint16",   "int32", "uint32",
      "int64", "uint64", "half",  "bfloat16", "float", "double"};
};

template <>
struct Words<Memory> {
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "GM", "UB", "L1", "L0C", "BT", "FB"};
};

template <>
struct Words<Position> {
  static constexpr std::array<std::string_view, 12> kSpelling = {
      "GM",   "VECIN", "VECCALC", "VECOUT",    "A1",  "B1",
      "TSCM", "C1",    "C2",      "C2PIPE2GM", "CO2", "UB"};
};

template <>
struct Words<Layout> {
  static constexpr std::array<std::string_view, 2> kSpelling = {"ND", "DN"};
};

template <>
struct Words<Order> {
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "documented", "block-lanes", "register-lanes", "left-fold"};
};

template <>
struct Words<RoundMode> {
  static constexpr std::array<std::string_view, 7> kSpelling = {
      "CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
      "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
};

template <>
struct Words<ReduceOrder> {
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "ORDER_VALUE_INDEX", "ORDER_INDEX_VALUE", "ORDER_ONLY_VALUE",
      "ORDER_ONLY_INDEX"};
};

template <>
struct Words<CmpMode> {
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "LT", "GT", "EQ", "LE", "GE", "NE"};
};

template <>
struct Words<SelMode> {
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE", "VSEL_TENSOR_TENSOR_MODE"};
};

template <>
struct Words<Pipe> {
  static constexpr std::array<std::string_view, 8> kSpelling = {
      "V", "MTE1", "MTE2", "MTE3", "FIX", "ALL", "S", "M"};
};

template <>
struct Words<Event> {
  static constexpr std::array<std::string_view, 33> kSpelling = {
      "MTE2_MTE1", "MTE1_MTE2", "MTE1_M",    "M_MTE1",    "MTE2_M",
      "M_MTE2",    "MTE2_MTE3", "MTE3_MTE2", "MTE1_MTE3", "MTE3_MTE1",
      "MTE2_V",    "V_MTE2",    "MTE3_V",    "V_MTE3",    "S_V",
      "V_S",       "S_MTE2",    "MTE2_S",    "S_MTE3",    "MTE3_S",
      "M_FIX",     "FIX_M",     "MTE1_FIX",  "FIX_MTE1",  "MTE2_FIX",
      "FIX_MTE2",  "FIX_MTE3",  "M_V",       "V_M",       "MTE1_V",
      "V_MTE1",    "M_S",       "FIX_S"};
};

/// Number of values of enumeration `E`.
template <class E>
inline constexpr std::size_t kCount = Words<E>::kSpelling.size();

/// A value for each word of an enumeration.
template <class E, class T>
struct PerWord : std::array<T, kCount<E>> {
  using std::array<T, kCount<E>>::operator[];
  constexpr T& operator[](E word) {
    return (*this)[static_cast<std::size_t>(word)];
  }
  constexpr const T& operator[](E word) const {
    return (*this)[static_cast<std::size_t>(word)];
  }
};
template <class T>
using PerMemory = PerWord<Memory, T>;

/// Spelling of `value`, which must be one of the enumerators.
template <class E>
constexpr std::string_view Name(E value) {
  return Words<E>::kSpelling[static_cast<std::size_t>(value)];
}

/// The value spelt `word`, exactly; nothing if there is none.
template <class E>
constexpr std::optional<E> Parse(std::string_view word) {
  for (std::size_t i = 0; i < kCount<E>; ++i) {
    if (Words<E>::kSpelling[i] == word) return static_cast<E>(i);
  }
  return std::nullopt;
}

/// The pipes that an event's word names.
constexpr Pipe SourceOf(Event event) {
  const std::string_view word = Name(event);
  return *Parse<Pipe>(word.substr(0, word.find('_')));
}
constexpr Pipe DestinationOf(Event event) {
  const std::string_view word = Name(event);
  return *Parse<Pipe>(word.substr(word.find('_') + 1));
}

}  // namespace lanediff::isa
