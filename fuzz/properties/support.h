#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "generators/random.h"
#include "isa/step.h"
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

/// Bytes that a call writes.
struct Written {
  std::int64_t at;
  std::int64_t bytes;
};

/// How two memories differ outside `written`.
std::string OutsideDifference(const std::vector<Written>& written, Bytes first,
                              Bytes second, std::string_view where = "");

/// Saves the witness in the folder that LANEDIFF_FINDINGS names (default
/// ./findings), under a name made from its content. Returns a text: the path
/// and how to run it again, or why there is none.
std::string SaveWitness(std::string_view slug, std::string_view law,
                        const Verdict& verdict);

// ---- Elements ---------------------------------------------------------------

/// Fields of a half, a bfloat16 or a float.
struct FloatFormat {
  int fraction_bits;
  int top_exponent;  ///< of infinities and NaNs

  int bias() const { return top_exponent / 2; }
};
FloatFormat FormatOf(isa::DType type);

/// The element of these fields.
std::uint64_t Compose(isa::DType type, bool negative, std::uint64_t exponent,
                      std::uint64_t fraction);

/// The element `integer · 2^exponent`, which must exist.
std::uint64_t ScaledInteger(isa::DType type, std::int64_t integer,
                            int exponent);

/// The finite element `bits` times 2^exponent, which must exist.
std::uint64_t TimesPowerOfTwo(isa::DType type, std::uint64_t bits,
                              int exponent);

// ---- Masks ------------------------------------------------------------------

/// A word whose first `count` bits are set; none if it is negative.
std::uint64_t Ones(std::int64_t count);

}  // namespace lanediff::properties
