#include "tools/cli/kernel_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "differential/compare/signature.h"
#include "isa/step.h"
#include "reports/lint.h"
#include "reports/printable.h"
#include "sanitizer/alone.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"

namespace lanediff::cli {

std::expected<std::vector<diff::KnownIssue>, std::string> KnownIssuesOf(
    const std::string& list, const std::vector<std::string>& paths) {
  if (!list.empty()) return diff::ReadKnownIssuesFile(list);
  std::vector<diff::KnownIssue> all;
  for (const std::string& path : paths) {
    const auto file = std::filesystem::path(path) / "known_issues.json";
    std::error_code error;
    if (!std::filesystem::is_directory(path, error) ||
        !std::filesystem::exists(file, error)) {
      continue;
    }
    auto issues = diff::ReadKnownIssuesFile(file.string());
    if (!issues) return std::unexpected(issues.error());
    all.insert(all.end(), issues->begin(), issues->end());
  }
  return all;
}

std::vector<std::string> StaleIssues(const diff::KnownIssueFilter& known,
                                     bool saw_everything) {
  std::vector<std::string> lines = known.Expired(Today());
  if (saw_everything) {
    const auto gone = known.NotOccurred();
    lines.insert(lines.end(), gone.begin(), gone.end());
  }
  return lines;
}

void PrintStaleIssues(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    fmt::print("known issue: {}\n", reports::InOneLine(line));
  }
}

std::vector<std::string> WitnessLines(const Case& c, std::size_t step,
                                      const std::vector<isa::RuleId>& rules) {
  isa::RuleSet set;
  for (const isa::RuleId rule : rules) set.Add(rule);
  std::vector<std::string> lines;
  for (const lint::Witness& witness :
       lint::DiagnoseRejected(c, step, set, false).witnesses) {
    lines.push_back(fmt::format("step {} {}, {}: {}", step,
                                isa::OpName(c.program[step]),
                                witness.rule.text(), witness.text()));
  }
  return lines;
}

void AddWitnesses(const Case& c, view::CaseView& view) {
  for (view::StepView& step : view.steps) {
    if (step.result.status != isa::StepResult::Status::kRejected) continue;
    const lint::Diagnosis diagnosis =
        lint::DiagnoseRejected(c, step.index, step.result.rules, true);
    for (view::RuleUse& use : step.rules) {
      if (use.verdict != view::RuleVerdict::kBroken) continue;
      for (const lint::Witness& witness : diagnosis.witnesses) {
        if (witness.rule == use.rule->id)
          use.witnesses.push_back(witness.text());
      }
    }
    if (diagnosis.repair) step.repair = diagnosis.repair->text;
  }
}

namespace {

diff::Finding FindingOf(const Case& c, std::size_t step, isa::RuleId rule,
                        std::string message) {
  diff::Finding finding;
  finding.kind = diff::FindingKind::kKernel;
  finding.side = "program";
  finding.reference = rule.text();
  finding.step = step;
  finding.op = isa::OpName(c.program[step]);
  // As lint has it, of another kind.
  const std::string of_lint = diff::LintSignature(c.program[step], rule);
  finding.signature = "kernel" + of_lint.substr(of_lint.find('/'));
  finding.message = std::move(message);
  return finding;
}

std::string Listed(const std::set<isa::RuleId>& rules) {
  std::vector<std::string_view> words;
  for (isa::RuleId rule : rules) words.push_back(rule.text());
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

void AddKernelFindings(const Case& c, reports::CaseRecord& record) {
  if (FormatOf(c) == kCaseFormat) return;
  const lint::Verdict verdict = lint::Lint(c);
  for (const auto& [rule, steps] : verdict.notes) {
    record.kernel_notes.push_back(
        fmt::format("{} {}", rule.text(), steps.size()));
  }
  std::set<isa::RuleId> found;
  for (const lint::Hazard& hazard : verdict.hazards) found.insert(hazard.rule);
  if (c.expect && c.expect->findings) {
    const std::set<isa::RuleId> expected(c.expect->findings->begin(),
                                         c.expect->findings->end());
    if (found == expected) return;
    record.findings.push_back(
        FindingOf(c, 0, found.empty() ? *expected.begin() : *found.begin(),
                  fmt::format("expected findings of {}, found {}",
                              Listed(expected), Listed(found))));
  }
  if (!c.expect && verdict.rejected) {
    const auto& [step, rules] = *verdict.rejected;
    const std::string where = lint::WhereOf(c, step);
    for (isa::RuleId rule : rules) {
      record.findings.push_back(FindingOf(
          c, step, rule,
          fmt::format("{}: step {} {} is rejected{}", rule.text(), step,
                      isa::OpName(c.program[step]),
                      where.empty() ? "" : fmt::format(" [{}]", where))));
    }
  }
  for (const lint::Hazard& hazard : verdict.hazards) {
    record.findings.push_back(FindingOf(c, hazard.later.step, hazard.rule,
                                        reports::HazardText(hazard)));
  }
}

std::expected<std::optional<ShrunkKernel>, std::string> ShrinkKernel(
    const Case& c) {
  Case bare = c;
  bare.expect.reset();
  reports::CaseRecord before;
  AddKernelFindings(bare, before);
  if (before.findings.empty()) return std::nullopt;
  const lint::Verdict verdict = lint::Lint(bare);
  auto alone = verdict.rejected
                   ? lint::ShowAlone(bare, *verdict.rejected)
                   : lint::ShowAlone(bare, verdict.hazards.front());
  const std::string& signature = before.findings.front().signature;
  if (!alone) {
    return std::unexpected(
        fmt::format("the program is too long to be cut down to {}", signature));
  }
  reports::CaseRecord after;
  AddKernelFindings(alone->c, after);
  const auto same =
      std::ranges::find(after.findings, signature, &diff::Finding::signature);
  if (same == after.findings.end()) {
    return std::unexpected(
        fmt::format("nothing smaller shows {} again", signature));
  }
  return ShrunkKernel{std::move(alone->c), *same, alone->others};
}

Case Printable(Case c) {
  const auto escape = [](std::string& text) {
    text = reports::InOneLine(text);
  };
  const auto escape_all = [&](isa::Arguments& arguments) {
    for (isa::Argument& argument : arguments) {
      escape(argument.name);
      if (auto* const text = std::get_if<std::string>(&argument.value)) {
        escape(*text);
      }
    }
  };
  for (isa::Step& step : c.program) {
    if (auto* const call = std::get_if<isa::Carried>(&step)) {
      escape(call->name);
      escape_all(call->parameters);
    } else if (auto* const resource = std::get_if<isa::Resource>(&step)) {
      escape_all(resource->arguments);
    }
  }
  for (auto& source : c.sources) {
    if (source) escape(source->file);
  }
  return c;
}

}  // namespace lanediff::cli
