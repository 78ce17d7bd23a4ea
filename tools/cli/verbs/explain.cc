#include "tools/cli/verbs/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "differential/compare/check.h"
#include "differential/compare/rule_text.h"
#include "differential/memory/memory_set.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "oracle/oracle.h"
#include "reports/html.h"
#include "reports/trace/case_view.h"
#include "tools/cli/common.h"
#include "tools/cli/html.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/target_options.h"
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

/// What only disagrees with the expectation of the whole program belongs to no
/// step.
bool IsOfStep(const diff::Finding& finding) {
  return finding.kind != diff::FindingKind::kExpectation;
}

void PrintHead(std::size_t i, const isa::Step& step, const StepResult& result) {
  const std::vector<isa::RuleId> rules(result.rules.begin(),
                                       result.rules.end());
  const std::vector<isa::RuleId> notes(result.notes.begin(),
                                       result.notes.end());
  const bool executed = result.status == StepResult::Status::kExecuted;
  fmt::print("\nstep {} {}: {}{}{}\n", i, isa::OpName(step),
             executed ? "executed" : "rejected", diff::RuleList(rules),
             notes.empty() ? "" : ", noted" + diff::RuleList(notes));
  explain::PrintWrapped("  ", explain::FieldsText(step));
}

void PrintSteps(const Case& c, const diff::Comparison& compared, bool all) {
  diff::MemorySet memory(c);
  oracle::Oracle oracle(c.profile(), memory.view());
  oracle.set_tracing(true);
  view::History history;
  const bool found = std::ranges::any_of(compared.findings, IsOfStep);
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
    const auto finding = std::ranges::find_if(
        compared.findings,
        [&](const auto& f) { return IsOfStep(f) && f.step == i; });
    const bool differs = finding != compared.findings.end();
    if (found && !differs && !all) {
      fmt::print("  no difference here; --all explains it\n");
    } else {
      const explain::StepFacts facts{
          .result = result,
          .before = history,
          .accesses = oracle.accesses(),
          .nodes = oracle.nodes(),
          .true_results = oracle.true_results(),
          .memory = memory,
          .focus = differs && finding->difference
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
