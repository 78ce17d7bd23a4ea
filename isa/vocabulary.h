#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The words of the documents: products, data types, memories, positions,
/// tile layouts, orders of multiplication and pipes. Each word has one
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

/// ND is row major, DN column major.
enum class Layout : std::uint8_t { kNd, kDn };

/// Orders in which TROWPROD may multiply a row.
enum class Order : std::uint8_t {
  kDocumented,
  kBlockLanes,
  kRegisterLanes,
  kLeftFold,
};

enum class Pipe : std::uint8_t { kV, kMte1, kMte2, kMte3, kFix, kAll };

/// The spellings of an enumeration, in the order of its values.
template <class E>
struct Words;

template <>
struct Words<Product> {
  static constexpr std::string_view kWhat = "product";
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
struct Words<DType> {
  static constexpr std::string_view kWhat = "dtype";
  static constexpr std::array<std::string_view, 12> kSpelling = {
      "int8",  "uint8",  "int16", "uint16",   "int32", "uint32",
      "int64", "uint64", "half",  "bfloat16", "float", "double"};
};

template <>
struct Words<Memory> {
  static constexpr std::string_view kWhat = "memory";
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "GM", "UB", "L1", "L0C", "BT", "FB"};
};

template <>
struct Words<Position> {
  static constexpr std::string_view kWhat = "position";
  static constexpr std::array<std::string_view, 12> kSpelling = {
      "GM",   "VECIN", "VECCALC", "VECOUT",    "A1",  "B1",
      "TSCM", "C1",    "C2",      "C2PIPE2GM", "CO2", "UB"};
};

template <>
struct Words<Layout> {
  static constexpr std::string_view kWhat = "layout";
  static constexpr std::array<std::string_view, 2> kSpelling = {"ND", "DN"};
};

template <>
struct Words<Order> {
  static constexpr std::string_view kWhat = "order";
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "documented", "block-lanes", "register-lanes", "left-fold"};
};

template <>
struct Words<Pipe> {
  static constexpr std::string_view kWhat = "pipe";
  static constexpr std::array<std::string_view, 6> kSpelling = {
      "V", "MTE1", "MTE2", "MTE3", "FIX", "ALL"};
};

/// Number of values of enumeration `E`.
template <class E>
inline constexpr std::size_t kCount = Words<E>::kSpelling.size();

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

}  // namespace lanediff::isa
