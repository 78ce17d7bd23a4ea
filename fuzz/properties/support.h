#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/element.h"
#include "generators/random.h"
#include "generators/random/element_data.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "isa/units.h"
#include "isa/vocabulary.h"

/// What the laws of every instruction need: running a case, comparing what two
/// cases leave, and saving the case that breaks a law. Knows no RapidCheck.
namespace lanediff::properties {

using Bytes = std::vector<std::uint8_t>;

/// The target on which laws are checked, beside the oracle: the one that
/// LANEDIFF_PROPERTY_TARGET names, else the emulator. An unknown name ends the
/// process.
const diff::StepwiseTarget& TargetUnderTest();

/// The edition of the documents by which laws are checked: the one that
/// LANEDIFF_PROPERTY_EDITION names, else the newest. Another word ends the
/// process.
isa::Edition EditionUnderTest();

/// A case of `slug` and that edition, of any kind, legal or not.
Case GeneratedCase(std::string_view slug, make::Random& random);

/// For a mutation test, which only needs the first failure: where
/// LANEDIFF_PROPERTY_STATS names a file, it gets the number of checks of laws
/// at the end, and the process ends, with status 1, at the first law that is
/// broken.
void CountLawCheck(bool held);

/// Whether a law held for one set of parameters.
struct Verdict {
  std::string broken;  ///< how it is broken, in one line; empty if it held
  Case witness;        ///< if broken: a case that shows it
};

inline isa::Operand At(isa::Position position, std::int64_t at,
                       std::int64_t bytes) {
  return {.position = position, .at = at, .bytes = bytes, .dtype = {}};
}

/// Bytes of no operand before, between and behind the operands.
inline constexpr std::int64_t kMarginBytes = 64;

/// A case of the edition under test whose only memory is a Unified Buffer of
/// `size` bytes. Without `saturation` the program switches it off first.
Case UbCase(isa::Product product, std::uint8_t fill, std::int64_t size,
            std::vector<Region> regions, std::vector<isa::Step> program,
            bool saturation = true);

/// The Unified Buffer as it is before the program of `c`.
Bytes UbBefore(const Case& c);

/// The Unified Buffer as `target` leaves it. Laws speak of legal programs: a
/// step that is not executed is an error of one line.
std::expected<Bytes, std::string> UbAfter(const Case& c,
                                          const diff::StepwiseTarget& target);

/// Describes how the results of two cases break a law; empty if they keep it.
using Relation =
    std::function<std::string(const Bytes& first, const Bytes& second)>;

/// Runs both cases on the target under test and on the oracle, and checks
/// `relation` on each. The witness is the case on which emulator and oracle
/// differ, else `first`; it expects what the oracle does if the oracle itself
/// keeps the law.
Verdict Related(const Case& first, const Case& second,
                const Relation& relation);

/// The target under test and the oracle agree on `c`, step by step.
Verdict Agreed(const Case& c);

/// How two memories differ, if they do; `where` is behind the byte's number.
std::string Difference(const Bytes& first, const Bytes& second,
                       std::string_view where = "");

// ---- What calls write -------------------------------------------------------

/// An element that a step writes.
struct Written {
  std::int64_t at;
  isa::DType dtype;
  std::int64_t iteration = 0;
  bool moved = false;  ///< from elsewhere: every bit counts, of NaNs too
};

/// What the last step of `c` writes, by the documents' formulas and not by what
/// an implementation states, in the order of iterations and lanes, or of rows.
/// Nothing of a copy, and of lanes that a mask register names.
std::vector<Written> WrittenBy(const Case& c);

/// The element of that type at a place.
std::uint64_t ElementAt(const Bytes& ub, isa::DType type, std::int64_t at);

/// How two memories differ outside `written`.
std::string OutsideDifference(const std::vector<Written>& written, Bytes first,
                              Bytes second);

/// Describes how element `i` of both breaks a law; empty if it keeps it.
using ElementRelation = std::function<std::string(
    std::int64_t i, std::uint64_t first, std::uint64_t second)>;

/// Holds what the last steps of both write against `relation`, element by
/// element. If they write nothing, or not equally much, the law is broken.
Verdict WrittenRelated(const Case& first, const Case& second,
                       const ElementRelation& relation);

/// Whether two elements count as the same.
using Same = std::function<bool(isa::DType, std::uint64_t, std::uint64_t)>;

/// What the last steps of both write is the same, element by element.
Verdict SameWritten(const Case& first, const Case& second,
                    const Same& same = SameElement);

/// Both leave the same memory, of NaNs that the last step of `first` computes
/// any.
Verdict SameMemory(const Case& first, const Case& second);

/// Saves the witness in the folder that LANEDIFF_FINDINGS names (default
/// ./findings), under a name made from its content. Returns a text: the path
/// and how to run it again, or why there is none.
std::string SaveWitness(std::string_view slug, std::string_view law,
                        const Verdict& verdict);

// ---- Elements ---------------------------------------------------------------

/// The element of these fields.
inline std::uint64_t Compose(isa::DType type, bool negative,
                             std::int64_t exponent, std::uint64_t fraction) {
  return make::LayoutOf(type).Compose(negative, exponent, fraction);
}

/// The element `integer · 2^exponent`, which must exist.
std::uint64_t ScaledInteger(isa::DType type, std::int64_t integer,
                            int exponent);

/// The finite element `bits` times 2^exponent, which must exist.
std::uint64_t TimesPowerOfTwo(isa::DType type, std::uint64_t bits,
                              int exponent);

// ---- Masks ------------------------------------------------------------------

/// A word whose first `count` bits are set; none if it is negative.
std::uint64_t Ones(std::int64_t count);

// ---- Samples ----------------------------------------------------------------

/// A legal call of vectors or tiles and what is around it in the Unified
/// Buffer.
struct Sample {
  /// Elements of the call's type from a place on.
  struct Data {
    std::int64_t at = 0;
    std::vector<std::uint64_t> elements = {};
  };
  isa::Product product = isa::Product::kAtlasA2;
  bool saturation = true;
  std::uint8_t fill = 0;
  isa::Call call;
  std::vector<Data> data = {};
  std::int64_t end = 0;  ///< of the last window

  std::int64_t element_bytes() const { return isa::SizeBytes(call.dtype); }
  std::int64_t lanes() const {
    return isa::kIterationBytes / isa::LaneBytes(call);
  }
  /// Those of the first data.
  std::vector<std::uint64_t>& source() { return data.front().elements; }

  /// A window of `bytes` behind all others, at a multiple of `unit`.
  isa::Operand Add(std::int64_t bytes,
                   isa::Position position = isa::Position::kVeccalc,
                   std::int64_t unit = isa::kDataBlockBytes);
  /// Fills the window with `elements` over and over; zeros if there are none.
  void Fill(const isa::Operand& window,
            const std::vector<std::uint64_t>& elements);
};

/// `program`, with the surroundings and the data of `s`.
Case CaseOf(const Sample& s, std::vector<isa::Step> program);
/// The call of `s` itself.
inline Case CaseOf(const Sample& s) { return CaseOf(s, {s.call}); }

/// Both programs leave the same memory; the first one is the call of `s`.
inline Verdict SameMemory(const Sample& s, std::vector<isa::Step> second) {
  return SameMemory(CaseOf(s), CaseOf(s, std::move(second)));
}

/// The window without its first `bytes`.
inline isa::Operand Behind(isa::Operand window, std::int64_t bytes) {
  window.at += bytes;
  window.bytes -= bytes;
  return window;
}

/// Iteration `r` of `call` as a call of its own.
isa::Call Iteration(isa::Call call, std::int64_t r);

/// `call` with the lanes of a bitwise mask, as far as its type has them.
isa::Call Bitwise(isa::Call call, std::uint64_t low, std::uint64_t high);

// Properties of calls that several families have.

Verdict RepeatIsSingleRepeats(const Sample& s);
/// Of a call by its number of lanes.
Verdict BitwiseMaskIsContiguous(const Sample& s);
/// The lanes of two words, of which the first is not 0. The call by the
/// register has either form's placeholder.
Verdict RegisterMaskIsBitwiseMask(const Sample& s, std::uint64_t low,
                                  std::uint64_t high);

}  // namespace lanediff::properties
