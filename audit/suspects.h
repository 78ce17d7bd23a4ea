#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "isa/numeric_events.h"
#include "isa/step.h"

/// Which semantics rules a step rests on, and which of them a wrong result may
/// speak against; which it does is found from all results (tally.h).
namespace lanediff::audit {

/// What is wrong with the first wrong element of a step, as far as it excludes
/// rules as the reason.
enum class MismatchKind : std::uint8_t {
  kOther,     ///< another value, or a byte that nothing was to write
  kMissing,   ///< the element kept what stood there before
  kZeroSign,  ///< a zero of the other sign
  kZeroLost,  ///< a zero was expected, and it is another value
};

/// The rules of the machine (ARITH-*, STATE-SATURATION) and the instruction's
/// rules of saturation and overflow that numeric events of an executed step put
/// to use.
std::vector<isa::RuleId> RulesInUse(const isa::Step& step,
                                    const isa::NumericEvents& events);

/// Whether `rule` speaks of the step's type: an instruction's rule of
/// saturation excludes float.
bool SpeaksOfTypeOf(const isa::Step& step, isa::RuleId rule);

/// Whether the rule states what becomes of some operands and not of others.
bool IsAboutSomeValues(isa::RuleId rule);
/// Whether the rule states what is written, and not where.
bool IsAboutValues(isa::RuleId rule);

/// The semantics rules that an executed step rests on, whatever comes out: its
/// addresses and values, the mask register where it reads that, and
/// `RulesInUse`.
std::vector<isa::RuleId> RulesInPlay(const isa::Step& step,
                                     const isa::NumericEvents& events);

/// The semantics rules of which a wrong result of an executed step may show
/// that one is not followed: those in play, but for those that the first
/// element that differs can have nothing to do with: a byte that nothing was to
/// write is no matter of arithmetic.
/// Each of them `MaySpeakAgainst`. `finding` is about memory.
std::vector<isa::RuleId> SuspectsOf(const isa::Step& step,
                                    const isa::NumericEvents& events,
                                    const diff::Finding& finding);

/// Whether it is a wrong memory.
bool IsAboutMemory(const diff::Finding& finding);

/// What is wrong with the first element that differs.
MismatchKind MismatchKindOf(const diff::Finding& finding);

/// Whether what is wrong with it may be a matter of `rule`, as far as the two
/// values show: the sign of a zero is no matter of saturation or of subnormal
/// numbers, and nothing else is one of the rule of zero signs. `finding` is
/// about memory.
bool MaySpeakAgainst(isa::RuleId rule, const isa::Step& step,
                     const diff::Finding& finding);

}  // namespace lanediff::audit

template <>
struct lanediff::isa::Words<lanediff::audit::MismatchKind> {
  static constexpr std::array<std::string_view, 4> kSpelling = {
      "other", "missing", "zero sign", "zero lost"};
};
