#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/finding.h"
#include "differential/memory/collision.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "isa/vocabulary.h"
#include "oracle/oracle.h"
#include "reports/trace/facts.h"
#include "reports/trace/instructions.h"
#include "reports/trace/sides.h"

/// One case, as much of it as a page shows: a record without references that
/// outlives the run. Pages print it and compute nothing.
namespace lanediff::view {

/// What only disagrees with the expectation of the whole program belongs to no
/// step.
bool IsOfStep(const diff::Finding& finding);

/// The first finding of step `i`; null if there is none.
const diff::Finding* FindingOf(const std::vector<diff::Finding>& findings,
                               std::size_t i);

/// How much of a case is kept. What is left out is counted. The numbers of a
/// step hold for one that has the case to itself; several share them.
struct ViewLimits {
  std::size_t steps = 24;
  std::size_t iterations = 8;  ///< of each step
  std::size_t accesses = 700;
  std::size_t blocks = 144;
  std::size_t nodes = 400;
  std::size_t overlaps = 40;  ///< of each step
  std::size_t findings = 12;
  RowLimits rows = {.differing = 12, .agreeing = 8};
};

/// Consecutive elements that an iteration reads, writes, or leaves out because
/// their lanes are masked.
struct AccessView {
  enum class Kind : std::uint8_t { kRead, kWrite, kMasked };

  std::size_t operand = 0;  ///< index into `StepView::operands`
  Kind kind = Kind::kRead;
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  std::int64_t lane = 0;  ///< of the first element
};

struct IterationView {
  std::int64_t number = 0;
  std::vector<AccessView> accesses = {};  ///< in the order of execution
  std::size_t omitted_accesses = 0;
  NodeCounts counts = {};                ///< of all its nodes
  std::vector<oracle::Node> nodes = {};  ///< those kept; `exact` shortened
  std::int64_t omitted_nodes = 0;
};

/// 32 bytes of a memory, fewer where the memory ends.
struct BlockView {
  isa::Memory memory = isa::Memory::kUb;
  std::int64_t number = 0;                 ///< address / 32
  std::vector<std::size_t> operands = {};  ///< in `StepView::operands`
  isa::DType dtype = isa::DType::kUint8;
  std::vector<std::uint8_t> before = {};  ///< empty: no such memory
  std::vector<std::uint8_t> after = {};   ///< by the oracle; see `extended`
  std::vector<std::uint8_t> actual = {};  ///< empty: the target was not run
  /// Elements in which the target is not as expected, by index: not `after`, or
  /// not `before` if the call was rejected. NaNs are all the same.
  std::vector<std::size_t> differing = {};
  /// `TouchedBlock::touched` over all iterations.
  std::array<std::uint8_t, kDataBlockBytes> touched{};
  /// DataBlocks that the step touches between the shown one before this in the
  /// same memory and this one, and are left out.
  std::int64_t omitted_before = 0;
};

/// A name under which a step reads or writes memory.
struct OperandView {
  std::string name;
  isa::Memory memory = isa::Memory::kUb;
  isa::DType dtype = isa::DType::kUint8;
};

/// The true result of an element beside what was written.
struct TrueResultView {
  std::int64_t iteration = 0;
  std::int64_t lane = 0;
  std::int64_t at = 0;
  isa::DType dtype = isa::DType::kHalf;
  std::string exact = {};  ///< shortened
  Nearest nearest = {};
  std::uint64_t written = 0;  ///< bits
};

/// A phase and what happened in it, over all iterations.
struct PhaseView {
  Phase phase;
  NodeCounts counts;
};

/// One step of the program.
struct StepView {
  std::size_t index = 0;
  std::string_view op;
  std::vector<FieldText> fields;
  isa::StepResult result;  ///< of the oracle
  std::vector<RuleUse> rules;
  std::vector<Window> windows;
  std::vector<SharedBytes> shared;  ///< by the windows
  /// The call was rejected. Accesses, nodes and `BlockView::after` are what its
  /// address arithmetic would have come to.
  bool extended = false;
  /// Of a rejected call: the change that was tried and makes it legal,
  /// shown with the witnesses of its rules; empty if there is none.
  std::string repair = {};

  std::string_view iteration_word = "iteration";
  std::int64_t iterations = 0;
  std::int64_t focus = 0;  ///< the iteration to show first
  std::vector<IterationView> shown;
  std::vector<OperandView> operands;
  std::vector<BlockView> blocks;  ///< by memory and number
  std::int64_t omitted_blocks = 0;
  std::vector<Overlap> overlaps;
  std::size_t omitted_overlaps = 0;

  bool has_mask = false;
  Lanes lanes;
  isa::DType lane_dtype = isa::DType::kUint8;
  std::string mask_origin;

  Arithmetic arithmetic = Arithmetic::kNone;
  NodeCounts counts;  ///< over all iterations
  std::vector<PhaseView> phases;
  std::vector<TrueResultView> true_results;
  std::size_t omitted_true_results = 0;

  /// The index of an operand, which is added if it is not there yet.
  std::size_t IndexOf(std::string_view name, isa::Memory memory,
                      isa::DType type);
};

struct CaseView {
  std::string id = {};
  std::string note = {};
  isa::Product product = isa::Product::kAtlasA2;
  isa::Edition edition = isa::kNewestEdition;
  std::string target = {};
  std::string reference = {};
  bool unsupported = false;  ///< nothing, or not all, could be compared
  std::string why = {};      ///< it couldn't, one line, if more is known
  bool target_was_run = true;
  std::vector<diff::Finding> findings = {};
  std::size_t omitted_findings = 0;
  Sides sides = {};
  std::vector<isa::RuleId> requirement = {};
  std::size_t program_steps = 0;
  std::size_t focus = 0;  ///< index into `steps`: the one to show first
  /// Those that were reached and kept.
  std::vector<StepView> steps = {};
  std::size_t omitted_steps = 0;
  std::string reproduce = {};  ///< the command that shows it again
};

struct ViewOptions {
  ViewLimits limits = {};
  std::string reproduce = {};
  /// False where the target is known to crash or hang. Its findings must then
  /// be passed.
  bool run_target = true;
  /// What else is known of the case; comes before what comparing finds.
  std::vector<diff::Finding> findings = {};
};

/// Keeps what a page needs of `c`, which was examined on `target`. Addresses,
/// nodes and values are the oracle's, with any reference; the target is
/// shown taking each step from what the oracle left by the one before.
CaseView ViewCase(const Case& c, const diff::Target& target,
                  const diff::Examination& examined,
                  const ViewOptions& options = {});
/// The same, examining it.
CaseView ViewCase(const Case& c, const diff::Target& target,
                  const diff::Target& reference,
                  const ViewOptions& options = {});

}  // namespace lanediff::view
