#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/memory/memory_set.h"
#include "isa/access.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/units.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"

/// What is known of one step; pages show it and compute no semantics.
namespace lanediff::view {

/// Who brought the machine state into the shape in which a step finds it.
class History {
 public:
  /// Takes note of an executed step, number `i` of the program.
  void Add(std::size_t i, const isa::Step& step, const isa::StepResult& result);

  /// Where the mask register's value is from, in words.
  const std::string& MaskOrigin() const { return mask_origin_; }
  bool saturation() const { return saturation_; }

 private:
  std::string mask_origin_ = "all ones from the start";
  bool saturation_ = true;
};

/// One executed step. The references are those of the run and valid until the
/// next step.
struct StepFacts {
  const isa::StepResult& result;
  const History& before;
  const std::vector<isa::Access>& accesses;
  const std::vector<oracle::Node>& nodes;
  const std::vector<oracle::TrueResult>& true_results;
  const diff::MemorySet& memory;  ///< after the step
  /// The iteration to show where one stands for many: that of the first wrong
  /// element, else the first.
  std::int64_t focus = 0;
  bool all = false;  ///< nothing is to be left out

  std::int64_t iterations() const {
    return accesses.empty() ? 0 : accesses.back().iteration + 1;
  }
};

/// The lanes of an iteration; all iterations have the same.
struct Lanes {
  /// A character a lane, "#" for one that takes part and "." for one that
  /// doesn't. Whole DataBlocks, 8 of them or as many as there are lanes for.
  std::string drawing;
  std::int64_t taking_part = 0;
};

/// The lanes in which `operand`, elements of `type`, is read or written, of as
/// many as 256 bytes hold of `lane_bytes` each, which are those of the type if
/// 0.
Lanes LanesOf(const StepFacts& facts, std::string_view operand, isa::DType type,
              std::int64_t lane_bytes = 0);

/// A field of a step under the document's name: "dst", "VECOUT at 0 (32
/// bytes)".
struct FieldText {
  std::string name;
  std::string value;

  bool operator==(const FieldText&) const = default;
};

/// All fields of `step`, in the document's order.
std::vector<FieldText> FieldTexts(const isa::Step& step);

// Which bytes a step reads and writes, DataBlock by DataBlock, and where its
// accesses meet.

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

/// Whether the executed step made use of a rule of the machine (STATE-*,
/// ARITH-*): rounding needs an add or a multiply, the rules of zeros, NaNs and
/// subnormals need such a value among the nodes.
bool UsesCommon(const isa::Step& step, isa::RuleId rule,
                const StepFacts& facts);

/// A NaN comes in or would go out.
bool MeetsNan(const oracle::Node& node);

/// The exact result of an integer node is outside its type: it was saturated or
/// wrapped.
bool LeavesItsType(const oracle::Node& node);

/// How many nodes something happened to.
struct NodeCounts {
  std::int64_t all = 0;
  std::int64_t rounded = 0;  ///< ties among them
  std::int64_t tied = 0;
  std::int64_t saturated = 0;
  std::int64_t wrapped = 0;  ///< integers of which the low bits were kept
  std::int64_t outside = 0;  ///< `LeavesItsType`: those, and saturated integers
  std::int64_t nan = 0;      ///< a NaN comes in or would go out

  void Add(const oracle::Node& node);
};

/// The value of a type that is nearest to an exact result, beside what was
/// written.
struct Nearest {
  /// Bits; a NaN where the result is none; nothing where no finite value is.
  std::optional<std::uint64_t> bits;
  /// Values of the type from what was written to there; a NaN has no distance.
  std::optional<std::uint64_t> ulp;
};

/// `exact` is a decimal, "nan", "inf" or "-inf", without the sign of a zero;
/// `written` are the bits.
Nearest NearestOf(isa::DType type, std::string_view exact,
                  std::uint64_t written);

/// The rank of a node's event, 0 the highest: it saturated, wrapped or met a
/// NaN, tied, rounded, or had no event (`kNoEvent`).
inline constexpr int kNoEvent = 3;
int RankOf(const oracle::Node& node);

/// A decimal of any length in at most about 24 characters: as it is, or with 16
/// digits, an exponent, and how many digits there are in all.
std::string ShortDecimal(const std::string& exact);

}  // namespace lanediff::view

template <>
struct lanediff::isa::Words<lanediff::view::Meeting> {
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "read and written by one iteration", "written, then read by a later one",
      "read, then written by a later one", "written twice"};
};
