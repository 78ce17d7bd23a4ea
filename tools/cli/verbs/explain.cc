#include "tools/cli/verbs/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/rule_text.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "oracle/oracle.h"
#include "reports/html.h"
#include "reports/trace/case_view.h"
#include "reports/trace/facts.h"
#include "tools/cli/common.h"
#include "tools/cli/html.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"

namespace lanediff::cli {
namespace {

using isa::StepResult;

struct ExplainOptions {
  std::string path;
  TargetOptions target;
  std::string html;  ///< folder for the case's page; empty: none
  bool all = false;
  std::string edition;  ///< empty: the case's own
  std::string product;  ///< likewise
};

void PrintHead(std::size_t i, const isa::Step& step, const StepResult& result) {
  const std::vector<isa::RuleId> rules(result.rules.begin(),
                                       result.rules.end());
  const std::vector<isa::RuleId> notes(result.notes.begin(),
                                       result.notes.end());
  const bool executed = result.status == StepResult::Status::kExecuted;
  fmt::print("\nstep {} {}: {}{}{}\n", i, isa::OpName(step),
             executed ? "executed" : "rejected", diff::RuleList(rules),
             notes.empty() ? "" : ", noted" + diff::RuleList(notes));
  std::string fields;
  for (const view::FieldText& field : view::FieldTexts(step)) {
    fields += fmt::format("{}{} {}", fields.empty() ? "" : ", ", field.name,
                          field.value);
  }
  explain::PrintWrapped("  ", fields);
}

void PrintSteps(const Case& c, const diff::Comparison& compared, bool all) {
  diff::MemorySet memory(c);
  oracle::Oracle oracle(c.profile(), memory.view());
  oracle.set_tracing(true);
  view::History history;
  const bool found = std::ranges::any_of(compared.findings, view::IsOfStep);
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    const isa::Step& step = c.program[i];
    const StepResult result = oracle.Execute(step);
    PrintHead(i, step, result);
    if (result.status == StepResult::Status::kUnsupported) {
      fmt::print("  the oracle has no memory to do it\n");
      break;
    }
    if (result.status == StepResult::Status::kRejected) {
      explain::PrintRejection(c, i, result, all);
      break;
    }
    const diff::Finding* const finding = view::FindingOf(compared.findings, i);
    if (found && finding == nullptr && !all) {
      fmt::print("  no difference here; --all explains it\n");
    } else {
      const explain::StepFacts facts{
          .result = result,
          .before = history,
          .accesses = oracle.accesses(),
          .nodes = oracle.nodes(),
          .true_results = oracle.true_results(),
          .memory = memory,
          .focus = finding != nullptr && finding->difference
                       ? finding->difference->iteration
                       : 0,
          .all = all};
      explain::PrintRules(step, facts);
      explain::Picture(step, facts);
    }
    history.Add(i, step, result);
  }
}

/// The case's page, if it was requested; false, with a message, if it can't be
/// written.
bool WriteCasePage(const ExplainOptions& options, const Case& c,
                   const diff::Target& target,
                   const diff::Examination& examined) {
  return WritePage(options.html, [&] {
    reports::HtmlReport report{.title = c.id, .verb = "explain"};
    report.cases.push_back(view::ViewCase(
        c, target, examined,
        {.reproduce = Reproduce(options.path, options.target.name) +
                      ReadOption(options.edition, options.product)}));
    AddWitnesses(c, report.cases.back());
    return reports::ReportHtml(report);
  });
}

int RunExplain(const ExplainOptions& options) {
  const diff::Target* const target = FindTarget(options.target, Takes::kAny);
  auto c = OrFail(ReadCaseFile(options.path), options.path + ": ");
  ReadAs(options.edition, c, options.product);
  c = Printable(std::move(c));
  const diff::Target* const reference = *diff::FindTarget("oracle");
  const diff::Examination examined = diff::Examine(c, *target, *reference);
  if (!WriteCasePage(options, c, *target, examined)) return kUsage;

  const diff::Comparison& compared = examined.comparison;
  reports::CaseRecord of_kernel;
  if (!compared.malformed) AddKernelFindings(c, of_kernel);
  explain::PrintScreen(c, examined, of_kernel.findings);
  explain::PrintOutcome(c, examined);
  PrintSteps(c, compared, options.all);
  int status = kAgree;
  if (!compared.findings.empty() || !of_kernel.findings.empty()) {
    status = kDisagreement;
  } else if (compared.malformed || compared.unsupported) {
    status = kUsage;
  }
  return FinishTarget(*target, status);
}

}  // namespace

void AddExplain(CommandLine& line) {
  auto [verb, options] =
      line.Add("explain",
               "explain a case: rules, DataBlocks, arithmetic, "
               "expected against actual",
               RunExplain);
  AddCase(verb, options.path);
  verb.Add("--all", options.all,
           "every iteration and node, however many there are");
  AddTarget(verb, options.target);
  AddReadAs(verb, options.edition, options.product);
  AddPage(verb, options.html);
  verb.Docs("tutorial.md",
            {{"explain corpus/min/count-129-halves-accepted.json"},
             {"explain corpus/min/align-dst-at-16-rejected.json --html page"}});
}

}  // namespace lanediff::cli

namespace lanediff::cli::explain {

void PrintLeftOut(std::int64_t count, std::string_view word) {
  if (count == 0) return;
  fmt::print("    … {} left out; --all shows them\n", Counted(count, word));
}

namespace {

std::vector<std::string> BlocksOf(const std::string& drawing, isa::DType type) {
  const auto per_block = static_cast<std::size_t>(32 / isa::SizeBytes(type));
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at < drawing.size(); at += per_block) {
    blocks.push_back(drawing.substr(at, per_block));
  }
  return blocks;
}

using isa::Access;

using isa::kDataBlockBytes;

/// DataBlocks `first` to `last`, read or written one after the other, as the
/// `group`-th DataBlock of the iteration's lanes and those that follow.
struct Run {
  std::int64_t first;
  std::int64_t last;
  std::int64_t group;
};

/// Appends the DataBlocks of `access`; lanes of one group that lie in the same
/// DataBlock name it once.
void Append(const Access& access, std::vector<Run>& runs) {
  const Run run{
      .first = access.at / kDataBlockBytes,
      .last = (access.at + access.bytes - 1) / kDataBlockBytes,
      .group = access.lane * isa::SizeBytes(access.dtype) / kDataBlockBytes};
  if (!runs.empty()) {
    Run& before = runs.back();
    const std::int64_t group = before.group + before.last - before.first;
    const std::int64_t gap = run.first - before.last;
    if ((gap == 0 || gap == 1) && run.group == group + gap) {
      before.last = run.last;
      return;
    }
  }
  runs.push_back(run);
}

std::string RunText(const Run& run) {
  return run.first == run.last ? std::to_string(run.first)
                               : fmt::format("{}-{}", run.first, run.last);
}

/// "0-7", "0, 2, 4", "5 (8 times)".
std::string RunsText(const std::vector<Run>& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t same = i + 1;
    while (same < runs.size() && runs[same].first == runs[i].first &&
           runs[same].last == runs[i].last) {
      ++same;
    }
    text += (text.empty() ? "" : ", ") + RunText(runs[i]);
    if (same - i > 1) text += fmt::format(" ({} times)", same - i);
    i = same;
  }
  const bool one = runs.size() == 1 && runs[0].first == runs[0].last;
  return (one ? "DataBlock " : "DataBlocks ") + text;
}

/// "[0, 256)" where the bytes are in one piece, else "from 0 to below 480, 64
/// bytes of it".
std::string BytesText(const std::vector<Access>& accesses, std::size_t begin,
                      std::size_t end) {
  std::int64_t low = accesses[begin].at;
  std::int64_t high = low;
  std::int64_t bytes = 0;
  for (std::size_t i = begin; i < end; ++i) {
    low = std::min(low, accesses[i].at);
    high = std::max(high, accesses[i].at + accesses[i].bytes);
    bytes += accesses[i].bytes;
  }
  return (bytes == high - low ? "" : fmt::format("{} bytes in ", bytes)) +
         fmt::format("[{}, {})", low, high);
}

/// One past the last access of the operand and iteration of number `begin`.
std::size_t EndOfOperand(const std::vector<Access>& accesses,
                         std::size_t begin) {
  const Access& first = accesses[begin];
  std::size_t end = begin + 1;
  while (end < accesses.size() && accesses[end].operand == first.operand &&
         accesses[end].write == first.write &&
         accesses[end].iteration == first.iteration) {
    ++end;
  }
  return end;
}

void PrintOperand(const std::vector<Access>& accesses, std::size_t begin,
                  std::size_t end, std::string_view head,
                  const std::function<std::string(std::size_t)>& behind) {
  const Access& access = accesses[begin];
  std::vector<Run> runs;
  for (std::size_t i = begin; i < end; ++i) Append(accesses[i], runs);
  PrintWrapped(fmt::format("    {:<13} {:<6} {:<4} ", head,
                           access.write ? "writes" : "reads", access.operand),
               fmt::format("{} {} {}{}", isa::Name(access.memory),
                           BytesText(accesses, begin, end), RunsText(runs),
                           behind ? behind(end - 1) : ""));
}

}  // namespace

void PrintLanes(const StepFacts& facts, std::string_view operand,
                isa::DType type, std::int64_t lane_bytes,
                const std::string& origin) {
  if (facts.accesses.empty()) {
    PrintWrapped("  lanes: ", "none takes part; " + origin);
    return;
  }
  const view::Lanes lanes = view::LanesOf(facts, operand, type, lane_bytes);
  PrintWrapped("  lanes: ",
               fmt::format("{} take part; {}",
                           Counted(lanes.taking_part, "lane"), origin));
  const std::vector<std::string> blocks = BlocksOf(lanes.drawing, type);
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t end = i + 1;
    while (end < blocks.size() && blocks[end] == blocks[i]) ++end;
    const std::string which = end - i == 1
                                  ? fmt::format("block {}", i)
                                  : fmt::format("blocks {}-{}", i, end - 1);
    fmt::print("    {:<12} |{}|\n", which, blocks[i]);
    i = end;
  }
}

void PrintBlocks(const StepFacts& facts, std::string_view iteration,
                 const std::function<std::string(std::size_t)>& behind) {
  const std::vector<Access>& accesses = facts.accesses;
  if (accesses.empty()) {
    fmt::print("  DataBlocks: none is read or written\n");
    return;
  }
  fmt::print("  DataBlocks (32 bytes; number = address / 32) by {}\n",
             iteration);
  // The first three, that in focus and the last, or all if one alone is left.
  const std::int64_t total = facts.iterations();
  const auto shown = [&](std::int64_t i) {
    return facts.all || total <= 5 || i < 3 || i == total - 1 ||
           i == facts.focus;
  };
  std::int64_t left_out = 0;
  std::int64_t last = -1;
  for (std::size_t begin = 0; begin < accesses.size();) {
    const std::int64_t number = accesses[begin].iteration;
    const std::size_t end = EndOfOperand(accesses, begin);
    if (shown(number)) {
      PrintLeftOut(std::exchange(left_out, 0), iteration);
      PrintOperand(
          accesses, begin, end,
          number == last ? "" : fmt::format("{} {}", iteration, number),
          behind);
    } else if (number != last) {
      ++left_out;
    }
    last = number;
    begin = end;
  }
}

}  // namespace lanediff::cli::explain
