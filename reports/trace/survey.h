#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/access.h"
#include "isa/units.h"
#include "isa/vocabulary.h"

/// Which bytes a step reads and writes, DataBlock by DataBlock, and where its
/// accesses meet.
namespace lanediff::view {

using isa::kDataBlockBytes;

/// The DataBlock of byte `at`, rounded down.
constexpr std::int64_t BlockOf(std::int64_t at) {
  return at / kDataBlockBytes - (at % kDataBlockBytes < 0 ? 1 : 0);
}

/// How two accesses of a step meet in a byte.
enum class Meeting : std::uint8_t {
  kInPlace,       ///< an iteration reads it and writes it
  kReadLater,     ///< an iteration writes it, a later one reads it
  kWrittenLater,  ///< an iteration reads it, a later one writes it
  kWrittenTwice,  ///< two accesses write it
};

/// Bytes in which accesses meet in one way.
struct Overlap {
  Meeting meeting = Meeting::kInPlace;
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  /// The first two iterations that meet there, equal where it is but one.
  std::int64_t first = 0;
  std::int64_t second = 0;

  bool operator==(const Overlap&) const = default;
};

/// What a step does with one DataBlock.
struct TouchedBlock {
  static constexpr std::uint8_t kRead = 1;
  static constexpr std::uint8_t kWritten = 2;

  std::array<std::uint8_t, kDataBlockBytes> touched{};  ///< by byte
  std::vector<std::string_view> operands;               ///< each once
  /// Of the elements: as they are written, else as they are read; uint8 where
  /// elements don't start at multiples of their size.
  isa::DType dtype = isa::DType::kUint8;
  bool typed_by_write = false;
};

/// By memory and number of the DataBlock.
using Place = std::pair<isa::Memory, std::int64_t>;
using TouchedBlocks = std::map<Place, TouchedBlock>;

/// Every DataBlock that `accesses` read or write.
TouchedBlocks SurveyBlocks(const std::vector<isa::Access>& accesses);

/// Where `accesses`, in the order of execution, meet: for each way the maximal
/// runs of bytes in which the same two iterations are the first to do so, by
/// memory and address.
std::vector<Overlap> FindOverlaps(const std::vector<isa::Access>& accesses);

}  // namespace lanediff::view

template <>
struct lanediff::isa::Words<lanediff::view::Meeting> {
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "read and written by one iteration", "written, then read by a later one",
      "read, then written by a later one", "written twice"};
};
