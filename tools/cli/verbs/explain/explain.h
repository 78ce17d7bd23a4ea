#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/check.h"
#include "differential/testcase/case.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "reports/trace/facts.h"
#include "reports/trace/sides.h"

/// The parts of the page of `explain`. No line that these make is wider than
/// `kPageWidth` columns, long words aside.
namespace lanediff::cli::explain {

inline constexpr std::size_t kPageWidth = 100;

/// Columns of a terminal that `text` (UTF-8) takes; ideographs take two.
std::size_t DisplayWidth(std::string_view text);

/// `text`, or as much of it as fits into `width` columns with "…" at its end,
/// cut between words.
std::string Cut(std::string_view text, std::size_t width);

/// The lines of `text` behind `head`, at most `width` columns wide, long words
/// aside; further lines start below the first word of the first line.
std::vector<std::string> Wrapped(const std::string& head, std::string_view text,
                                 std::size_t width = kPageWidth);

/// Prints `text` behind `head`, broken between words; further lines start below
/// the first word of the first line.
void PrintWrapped(const std::string& head, std::string_view text);

using view::StepFacts;

/// Prints how many `word`s were passed over, if any were.
void PrintLeftOut(std::int64_t count, std::string_view word);

/// Draws the lanes that take part in an iteration, DataBlock by DataBlock, "#"
/// for one that does and "." for one that doesn't, from the accesses to
/// `operand`. Covers 8 DataBlocks or, where there are more lanes, as many as
/// hold them; alike ones that follow each other share a line. `origin` is
/// the source of the mask.
void PrintLanes(const StepFacts& facts, std::string_view operand,
                isa::DType type, std::int64_t lane_bytes,
                const std::string& origin);

/// Prints the DataBlocks (number = address / 32) that each iteration reads and
/// writes, operand by operand: the first iterations, that in focus and the
/// last, with a count of those left out. `iteration` is the word for one, such
/// as "row". `behind`, if given, adds words behind the line of the access with
/// that index, the last of its operand and iteration.
void PrintBlocks(const StepFacts& facts, std::string_view iteration,
                 const std::function<std::string(std::size_t)>& behind = {});

/// Prints what each rule of an executed step's instruction, and each rule of
/// the machine, had to do with it. Rules that had nothing to do are named, the
/// others shown with document and statement.
void PrintRules(const isa::Step& step, const StepFacts& facts);

/// The same for step `step` of `c`, which is rejected: broken rules in full,
/// with the fields that are out of range and the bytes that collide.
void PrintRejection(const Case& c, std::size_t step,
                    const isa::StepResult& result, bool all);

/// Prints what an executed step did: DataBlocks, lanes, arithmetic; nothing of
/// a step that sets machine state.
void Picture(const isa::Step& step, const StepFacts& facts);

/// Prints whether target and reference agree with each other and with the case,
/// every finding, and what was expected beside what came out: outcome, rules,
/// notes and elements, those that differ before any others.
void PrintOutcome(const Case& c, const diff::Examination& examined);

/// "DISAGREE", "all agree", or why nothing was compared.
std::string VerdictText(const diff::Comparison& compared);

/// "0.5 (0x3800) ×128".
std::string ValueText(isa::DType type, const view::Value& value);

/// "  UB 0 half, step 3 Min dst: ".
std::string RowHead(const Case& c, const view::ValueRow& row);

/// "0.5 (0x3800) ×128, 1 (0x3c00)"; once it has `enough` bytes the rest is
/// counted.
std::string RowText(const view::ValueRow& row, std::size_t enough);

/// What matters first, on one screen of 24 lines of 80 columns: the verdict; of
/// a case of kernels each finding and its rule; of a rejected step each rule,
/// what shows that it is broken, and a repair; of an executed program what it
/// wrote, as values. `kernel`: what `AddKernelFindings` found.
void PrintScreen(const Case& c, const diff::Examination& examined,
                 const std::vector<diff::Finding>& kernel);

}  // namespace lanediff::cli::explain
