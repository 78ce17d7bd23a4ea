#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// The hazards of a program, literally: every byte by itself, every access of
/// it looked up among all before it. For small programs, to hold what is fast
/// against.
namespace lanediff::oracle {

inline constexpr std::size_t kMostHazardSteps = 1000;
/// Bytes that the accesses of all steps touch together.
inline constexpr std::int64_t kMostHazardBytes = std::int64_t{4} << 20;

/// A program and what hazards depend on beside its steps.
struct HazardQuestion {
  isa::Product product = isa::Product::kAtlasA2;
  isa::Edition edition = isa::kNewestEdition;
  using Written = std::array<std::vector<bool>, isa::kCount<isa::Memory>>;
  /// Of each memory a mark for each byte: whether it counts as written before
  /// the program. As many marks as the memory has bytes.
  Written written;
  std::vector<isa::Step> program;
  /// Whether the compiler inserts what SYNC-AUTO lists; absent: each step ends
  /// before the next begins.
  std::optional<bool> automatic;
  bool start_unknown = false;
  /// The second strictness of INIT-READ.
  bool propagate = false;
  /// Programs of more get no answer; at most `kMostHazardBytes`.
  std::int64_t most_bytes = kMostHazardBytes;
};

/// An access by its step, the operand's name and repeat, block or row.
struct Toucher {
  std::size_t step = 0;
  std::string_view operand = {};
  std::int64_t iteration = 0;

  bool operator==(const Toucher&) const = default;
};

/// A rule broken at one byte. Of INIT-READ with `propagate`, `earlier` is the
/// step before the later one that first read what nothing had written; there is
/// none if that is the later one itself, and none without.
struct ByteHazard {
  isa::RuleId rule;
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t at = 0;
  std::optional<Toucher> earlier;
  Toucher later;

  bool operator==(const ByteHazard&) const = default;
};

/// A rule of flags or of state, broken by a step.
struct StepHazard {
  isa::RuleId rule;
  std::optional<std::size_t> earlier;
  std::size_t later = 0;
  std::vector<isa::Step> fix;

  bool operator==(const StepHazard&) const = default;
};

struct HazardAnswer {
  /// By memory, byte and access; at each byte a (rule, earlier step, later
  /// step) once and INIT-READ once for a step's operand, with the first access
  /// of the later step that breaks it.
  std::vector<ByteHazard> bytes;
  std::vector<StepHazard> steps;
  /// What is open behind the last step of a program with a rejected one:
  /// reported, no hazard, as such a program does not come to its end.
  std::vector<StepHazard> at_end;
  /// Every rejected step, with its rules; the first ends the program, and what
  /// follows it is looked at as if it did nothing.
  struct Rejection {
    std::size_t step = 0;
    isa::RuleSet rules;
  };
  std::vector<Rejection> rejected;
  /// The masked call in counter mode at which everything stops, unless a
  /// rejected step came before it.
  std::optional<std::size_t> unsupported;

  /// Executed steps that have a pipe, and of each whether it is before another:
  /// `before[a][b]` of their numbers here, a < b. With `automatic` absent all
  /// are.
  struct Operation {
    std::size_t step = 0;
    isa::Pipe pipe = isa::Pipe::kV;
  };
  std::vector<Operation> operations;
  std::vector<std::vector<bool>> before;
  /// Pairs of those numbers, a < b, that have a byte in common which one of
  /// them writes.
  std::vector<std::pair<std::size_t, std::size_t>> sharing;
};

/// Every hazard of the program; the error names in a few constant words what is
/// beyond the model: the limits above, queues, blocks, an atomic mode, ….
std::expected<HazardAnswer, std::string_view> FindHazards(
    const HazardQuestion& question);

/// The missing call between an operation of `earlier` and one of `later` in
/// `program`: PipeBarrier, or SetFlag and WaitFlag, or nothing.
std::vector<isa::Step> MissingCall(isa::Product product,
                                   const std::vector<isa::Step>& program,
                                   isa::Pipe earlier, isa::Pipe later);

}  // namespace lanediff::oracle
