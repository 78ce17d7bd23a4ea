#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/boundary/breaker.h"
#include "generators/boundary/emitter.h"
#include "generators/boundary/fit.h"

namespace lanediff::make::sweep {

/// A legal call to start from.
struct Base {
  std::string name;
  Case c;
};

/// A rule that an integer field belongs to; beside those of the catalogue.
struct FieldRule {
  std::string_view field;
  isa::CallRule rule;
};

/// What the general part of a sweep needs to know of an instruction.
struct Kit {
  const isa::Signature& row;
  std::vector<Base> bases;
  std::vector<Breaker> breakers;
  std::span<const FieldRule> field_rules = {};
};

/// The values of field `name` of `op` at which something may change: one below,
/// at and one above each end of its ranges in the catalogue, and the edges of
/// integers of 8, 16, 32 and 64 bits. `now` is the field's legal value.
std::vector<std::int64_t> BoundaryValues(std::string_view op,
                                         std::string_view name,
                                         std::int64_t now);

/// Every integer field of every base at every boundary value: with the windows
/// of the base; with windows that fit exactly, each operand in turn at the end
/// of its memory; and with one byte less of window or memory.
void SweepBoundaries(Emitter& out, const Kit& kit);

/// Every boundary value with one breaker: all breakers for the first base, a
/// few in turn for the others.
void SweepBrokenBoundaries(Emitter& out, const Kit& kit);

/// Each breaker alone, each pair and triple of neighbours, and all together.
void SweepBreakers(Emitter& out, const Kit& kit);

/// For every type, place and form that a rule may speak of: `bases` hold a
/// legal call of each. Each breaker alone, and every integer field of those
/// bases that require it at every boundary value.
struct EveryBase {
  Base base;
  bool fields = true;  ///< whether its fields go to their boundaries
};
void SweepEverywhere(Emitter& out, const Kit& kit,
                     const std::vector<EveryBase>& bases);

/// The fields whose rule differs in edition 2024, at their boundaries in that
/// edition.
void SweepOlderBoundaries(Emitter& out, const Kit& kit);

/// Every value in [0, count) of every window's `at`, behind its legal place, in
/// memories with space for it.
void SweepAlignment(Emitter& out, const Kit& kit, std::int64_t count);

/// Windows moved against each other by single bytes, elements and blocks: dst
/// from before the start of source `i` to behind its end, in memories that hold
/// both. `shifts` are in bytes.
void SweepShift(Emitter& out, const Base& base, std::size_t i,
                isa::CallRule rule, const std::vector<std::int64_t>& shifts);

}  // namespace lanediff::make::sweep
