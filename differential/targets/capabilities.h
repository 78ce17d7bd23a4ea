#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

namespace lanediff::diff {

/// What a target can do. A list that is absent means everything.
struct Capabilities {
  /// What it does with calls that the documents refuse.
  enum class Legality : std::uint8_t {
    kRules,  ///< rejects them and names the broken rules
    kYes,    ///< rejects them and names none
    kNone,   ///< executes whatever it is given
  };

  std::optional<std::vector<std::string>> instructions;  ///< their names
  std::optional<std::vector<isa::Product>> products;
  std::optional<std::vector<isa::DType>> dtypes;  ///< of operands
  /// Of TROWPROD; the first one is what it does unasked.
  std::optional<std::vector<isa::Order>> orders;
  std::optional<std::vector<bool>> saturation;  ///< modes that can be set
  /// Of calls that have several: each a word of `FormWord`
  /// (differential/compare/signature.h).
  std::optional<std::vector<std::string>> forms;
  Legality legality = Legality::kRules;
  bool kernels = true;  ///< steps of kernels: Carried and Resource
  bool notes = true;    ///< it reports the notes of what it executes
  /// Cases that the documents refuse are left out on request.
  bool legal_only = false;
};

/// `c` as it is put to a target that multiplies in an order of its own where
/// none is requested; nothing where it is put as it stands.
std::optional<Case> InOrderOf(const Case& c, const Capabilities& capabilities);

/// Whether the instruction whose slug is `slug` is among them, with a type of
/// its own. Steps that set machine state are.
bool Claims(const Capabilities& capabilities, std::string_view slug);

/// What of `c` is beyond `capabilities`, in a few words, such as "products
/// without atlas-a2"; nothing where all is supported.
std::optional<std::string> BeyondCapabilities(const Case& c,
                                              const Capabilities& capabilities);

/// A number of the step that does not fit the type that its parameter has in
/// the documents' prototype, such as "repeatTimes 256 (uint8_t)"; nothing where
/// each fits. What the documents do not declare in C++ takes any number.
std::optional<std::string> BeyondPrototype(const isa::Step& step);

/// Whether cases that are made for a target which checks no rules hold numbers
/// beyond the prototypes' types, which no compiler passes on; false by default.
bool& MakesAnyNumber();

/// As `BeyondCapabilities` of a case that a person gave: its numbers are not
/// looked at.
std::optional<std::string> BeyondClaims(const Case& c,
                                        const Capabilities& capabilities);

}  // namespace lanediff::diff
