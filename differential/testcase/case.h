#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "differential/testcase/record.h"
#include "differential/testcase/series.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"

/// The model of a `lanediff-case/1` or `lanediff-case/2` document
/// (docs/case-format.md). The content of a case is kept as bytes and numbers;
/// how its file spelt them is not.
namespace lanediff {

/// Bytes at a fixed place of a memory.
struct Region {
  std::int64_t at = 0;
  /// The type its values are written in; none if it was given in hex.
  std::optional<isa::DType> dtype;
  std::vector<std::uint8_t> bytes;
  /// Instead of `bytes`, which are empty then: what a memory too large to list
  /// begins with. No expectation and no outcome has any.
  std::shared_ptr<const Series> series = nullptr;

  std::int64_t size() const {
    return series ? series->bytes() : static_cast<std::int64_t>(bytes.size());
  }
  std::int64_t end() const { return at + size(); }
  bool operator==(const Region& other) const {
    return at == other.at && dtype == other.dtype && bytes == other.bytes &&
           (series && other.series ? *series == *other.series
                                   : series == other.series);
  }
};

/// The initial bytes of one memory: `fill` everywhere but in the regions, which
/// are in ascending order and don't overlap.
struct MemoryImage {
  std::uint8_t fill = 0;
  /// In bytes; at most the product's capacity, and 1 GiB for GM.
  std::int64_t size = 0;
  std::vector<Region> regions;
  /// Whether every byte counts as written before the program; otherwise those
  /// of `regions` alone (INIT-READ).
  bool initialised = true;

  bool operator==(const MemoryImage&) const = default;
};

using RegionsByMemory = isa::PerMemory<std::vector<Region>>;

/// What must come out of a case.
struct Expectation {
  bool rejected = false;
  std::size_t step = 0;            ///< the rejected step
  std::vector<isa::RuleId> rules;  ///< sorted; of a rejected case
  /// Sorted; absent where notes are not compared.
  std::optional<std::vector<isa::RuleId>> notes;
  /// The bytes that differ from the initial memory; absent where it is open
  /// what they are: a rejected case leaves it out, an executed one has "any".
  std::optional<RegionsByMemory> memory;

  /// Of kernels: the rules, sorted, that findings of the program break, those
  /// that reject left out. Absent: there must be none.
  std::optional<std::vector<isa::RuleId>> findings = std::nullopt;

  /// Whether nothing but "executed" is requested, notes aside.
  bool memory_open() const { return !rejected && !memory; }

  bool operator==(const Expectation&) const = default;
};

/// Who found the case.
struct Origin {
  std::optional<std::string> tool;
  std::optional<std::variant<std::int64_t, std::string>> seed;
  std::optional<std::string> target;
  std::optional<std::string> signature;
  std::optional<std::string> date;

  bool operator==(const Origin&) const = default;

  static void Fields(auto& o, auto& v) {
    LANEDIFF_OPTIONAL(v, o.tool, o.seed, o.target, o.signature, o.date);
  }
};

/// What lint reads beside the steps (docs/lint.md). Nothing of it
/// changes what a program leaves in memory.
struct LintFacts {
  /// Whether the program states how it is synchronized: `automatic` if the
  /// compiler inserts what SYNC-AUTO lists. Absent: each step ends before the
  /// next begins.
  struct Sync {
    bool automatic = false;
    bool operator==(const Sync&) const = default;
  };
  std::optional<Sync> sync;
  /// Mask register and mode at the start are whatever a kernel before left,
  /// instead of all ones and normal.
  bool start_unknown = false;
  /// Bytes that nothing wrote may be read and make what is computed from them
  /// unwritten, instead of INIT-READ at the first read.
  bool propagate = false;

  bool operator==(const LintFacts&) const = default;
};

/// Where a step of a kernel was called.
struct StepSource {
  std::string file;
  std::int64_t line = 0;
  /// The n-th call on that line, from 1; the block; and how often this place
  /// had been executed in it, from 1.
  std::optional<std::int64_t> call = std::nullopt;
  std::optional<std::int64_t> block = std::nullopt;
  std::optional<std::int64_t> execution = std::nullopt;

  bool operator==(const StepSource&) const = default;

  static void Fields(auto& s, auto& v) {
    v.Required("file", s.file, {.check = NoName});
    v.Required("line", s.line, {.low = 1});
    v.Optional("call", s.call, {.low = 1});
    v.Optional("block", s.block, {.low = 0});
    v.Optional("execution", s.execution, {.low = 1});
  }
};

struct Case {
  std::string id;
  std::string note;
  isa::Product product = isa::Product::kAtlasA2;
  /// A memory that only the program names is absent and all zero, of the
  /// product's capacity.
  isa::PerMemory<std::optional<MemoryImage>> memory;
  std::vector<isa::Step> program;
  /// Empty, or one for each step. Who changes the number or order of steps
  /// changes or empties it.
  std::vector<std::optional<StepSource>> sources = {};
  LintFacts lint;
  std::optional<Expectation> expect;
  std::optional<Origin> origin;
  std::vector<isa::RuleId> requirement;
  /// Of the documents that state what must come out.
  isa::Edition edition = isa::kNewestEdition;

  isa::Profile profile() const { return {product, edition}; }

  bool operator==(const Case&) const = default;
};

/// What an expectation states of memory that it leaves open.
inline constexpr std::string_view kAnyMemory = "any";
inline constexpr std::string_view kCaseFormat = "lanediff-case/1";
/// Of cases with steps of kernels or with sources.
inline constexpr std::string_view kKernelCaseFormat = "lanediff-case/2";
inline constexpr std::int64_t kMaxMemoryBytes = std::int64_t{1} << 30;
/// A larger memory is made only where it is touched
/// (differential/memory/lazy_bytes.h); only GM can be.
inline constexpr std::int64_t kMaxWholeBytes = std::int64_t{4} << 20;
/// Of such a memory so much is listed; runs and ramps beyond are kept as
/// `Series`.
inline constexpr std::int64_t kMaxListedBytes = std::int64_t{1} << 20;
/// What an expectation or an outcome may list in all.
inline constexpr std::int64_t kMaxChangedBytes = std::int64_t{16} << 20;

/// The format that `c` is written in: the older one where it can hold all.
std::string_view FormatOf(const Case& c);

/// Where step `step` was called; null where the case doesn't state it.
const StepSource* SourceOf(const Case& c, std::size_t step);

/// Which memories exist for `c`: those it lists and those its operands name,
/// or bytes that an unaudited call read or wrote.
isa::PerMemory<bool> MemoriesOf(const Case& c);

/// Size in bytes of `memory` in `c`, whether listed or only named.
std::int64_t SizeOf(const Case& c, isa::Memory memory);

/// Cuts memories to the product's capacities and drops regions that lie beyond,
/// so that the case is well formed again.
void FitMemories(Case& c);

/// As `FitMemories`, and gives `c` a GM if its program names one and there is
/// none.
void MakeWellFormed(Case& c);

/// The edition of the documents that the environment variable `name` holds;
/// none if it is unset or empty. Another word is one line, and ends the process
/// with status 2.
std::optional<isa::Edition> EditionOfVariable(const char* name);

/// What a target makes of a case, or was seen to make of it elsewhere: the
/// content of an outcome document (docs/own-implementation.md). What is absent
/// the target doesn't report or was not observed, and it is not compared.
struct Outcome {
  enum class Status : unsigned char { kExecuted, kRejected, kUnsupported };

  Status status = Status::kExecuted;
  std::size_t step = 0;  ///< rejected or unsupported: the step
  /// Sorted; there for a rejected case only.
  std::optional<std::vector<isa::RuleId>> rules;
  /// Of all executed steps, sorted, unique.
  std::optional<std::vector<isa::RuleId>> notes;
  /// Maximal ranges of bytes that differ from the initial memory, those left
  /// out that are unspecified (differential/compare/unspecified.h). Always
  /// there for an executed case.
  std::optional<RegionsByMemory> memory;
  /// What was observed, free text; empty where the document doesn't state it.
  std::string observed;

  bool operator==(const Outcome&) const = default;

  bool rejected() const { return status == Status::kRejected; }
  /// None where nothing is stated of them.
  std::vector<isa::RuleId> RulesOrNone() const {
    return rules.value_or(std::vector<isa::RuleId>());
  }
  std::vector<isa::RuleId> NotesOrNone() const {
    return notes.value_or(std::vector<isa::RuleId>());
  }
};

/// How many steps of `c` were executed by a target that ended with `outcome`.
inline std::size_t StepsExecuted(const Case& c, const Outcome& outcome) {
  return outcome.status == Outcome::Status::kExecuted ? c.program.size()
                                                      : outcome.step;
}

}  // namespace lanediff
