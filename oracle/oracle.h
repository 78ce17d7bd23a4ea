#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/access.h"
#include "isa/memories.h"
#include "isa/numeric_events.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// The oracle: every rule of the documents, written down literally and slowly.
/// Arithmetic is exact with one rounding per node; legality is decided by
/// listing the bytes that every iteration reads and writes. It shares nothing
/// with the emulator but rule ids and parameter types.
namespace lanediff::oracle {

/// One arithmetic node: its inputs, exact value and what became of it.
struct Node {
  std::int64_t iteration = 0;
  int level = 0;           ///< 0 is the level next to the leaves
  std::int64_t index = 0;  ///< position within the level, from 0
  isa::DType dtype = isa::DType::kHalf;
  /// Of a conversion, whose inputs are of `dtype`; else `dtype`, or none.
  std::optional<isa::DType> result_dtype = std::nullopt;
  std::string_view operation;  ///< "add", "min", "abs", "write" …
  std::uint64_t left = 0;      ///< bits of the first input
  std::uint64_t right = 0;     ///< of the next; equal to `left` if it is alone
  std::optional<std::uint64_t> third = {};  ///< of a third, if there is one
  std::uint64_t result = 0;                 ///< bits of the result
  std::string exact;     ///< exact value in decimal, "nan", "inf", "-inf"
  bool rounded = false;  ///< a floating type lacks the exact value
  bool tie = false;      ///< it lay exactly between two neighbours
  /// Kept at ±65504 or at the least or greatest integer, or NaN made +0.
  bool saturated = false;
  bool wrapped = false;  ///< an integer's low bits, the others cut off
};

/// The true, unrounded result of one written element, for calls that can write
/// another: not those that pick a value or bits (Min, And), nor moves of data.
struct TrueResult {
  std::int64_t iteration = 0;
  std::int64_t lane = 0;
  std::int64_t at = 0;     ///< address of the written element
  std::string exact;       ///< in decimal, exact; "nan", "inf", "-inf"
  std::uint64_t bits = 0;  ///< what was written
};

/// Executes the steps of one program on memories that the caller owns. Holds
/// the machine state: vector mask register and its mode, saturation mode,
/// copies under way, flags.
class Oracle {
 public:
  Oracle(isa::Profile profile, isa::Memories memories);
  ~Oracle();
  Oracle(Oracle&&) noexcept;
  Oracle& operator=(Oracle&&) noexcept;

  /// Executes `step` or, if it breaks a reject rule, changes nothing and
  /// returns the broken rules. A masked call in counter mode is unsupported,
  /// whatever it breaks (STATE-MASK-MODE); it changes nothing either.
  isa::StepResult Execute(const isa::Step& step);

  /// Every reject rule that `step` breaks, each judged by itself: of whatever
  /// stage it is, whatever else is broken, and also where the documents' stages
  /// would not look at it. A rule is left out where its question has no answer
  /// for this call: BOUNDS of an operand whose position has no memory, or of
  /// bytes that no formula gives (a negative repeat, lanes that no iteration
  /// has); OVERLAP* and *-BARRIER where the bytes cannot be listed, lie
  /// outside their memory or are more than `ExecuteExtended` runs; ranges given
  /// for other widths; routes of a product without any, and types of no route.
  /// Holds whatever `Execute` would report, and nothing if `Execute` would
  /// execute, or doesn't support it. Changes nothing.
  isa::RuleSet BrokenAnywhere(const isa::Step& step) const;

  /// Executes `step` whatever rules it breaks, as its address arithmetic goes
  /// on: the same formulas, order, arithmetic and effects on the state with the
  /// illegal values put in. Windows don't count, but every byte must lie in its
  /// memory. docs/semantics.md, "Illegal calls", has the decisions.
  /// A legal step does exactly what `Execute` does. Afterwards `accesses`,
  /// `nodes`, `true_results` and `events` describe the run. Where nothing
  /// natural is defined, or it is more than 1,000,000 accesses or 16 MiB of
  /// reads and writes, changes nothing and returns the reason, a constant.
  std::expected<void, std::string_view> ExecuteExtended(const isa::Step& step);

  /// Every read and write of the last step in the order of execution, each
  /// iteration's reads before its writes; empty if it was rejected.
  const std::vector<isa::Access>& accesses() const;

  /// The elements that the last step left which no document determines to the
  /// last bit: what stands there is the correctly rounded value. In ascending
  /// order; iteration and lane are not stated.
  const std::vector<isa::Access>& open_results() const;

  /// The vector mask register: lanes 64 to 127, lanes 0 to 63.
  std::pair<std::uint64_t, std::uint64_t> mask_register() const;
  /// Whether SetMaskCount has set counter mode and nothing has ended it.
  bool counter_mode() const;

  /// Whether steps compute. On at the start. Off, steps are judged: verdicts,
  /// machine state and `accesses` are as ever, but no byte is loaded, computed
  /// or stored. Of memories only the sizes count then, their bytes may be
  /// anywhere; there are no nodes and no events.
  void set_computing(bool on);

  /// Whether `nodes` and `true_results` are filled. Off at the start.
  void set_tracing(bool on);
  const std::vector<Node>& nodes() const;
  const std::vector<TrueResult>& true_results() const;

  /// What happened in the last step's nodes, traced or not: every arithmetic
  /// node, value written without arithmetic, and conversion between half and
  /// float that is written. All zero if the step was rejected.
  const isa::NumericEvents& events() const;

  /// Arithmetic nodes computed since construction, traced or not.
  std::uint64_t node_count() const;

  struct State;  // oracle/state.h, for the oracle's own files

 private:
  std::unique_ptr<State> state_;
};

}  // namespace lanediff::oracle
