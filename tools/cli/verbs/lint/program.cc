// One program on one product, and the smallest cases of its findings.

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "differential/testcase/case_writer.h"
#include "differential/testcase/content_hash.h"
#include "differential/testcase/write_file.h"
#include "reports/lint.h"
#include "reports/printable.h"
#include "sanitizer/alone.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"
#include "sanitizer/repair.h"
#include "sanitizer/unwritten.h"
#include "tools/cli/common.h"
#include "tools/cli/kernel_findings.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs/lint/lint.h"

namespace lanediff::cli {
namespace {

/// Of a program's findings, for how many the smallest case is looked for.
constexpr std::size_t kMostAlone = 64;

/// Saves a case that shows the finding alone; a line on what was done.
std::expected<std::string, std::string> SaveAlone(
    const std::string& folder, const lint::AloneCase& alone,
    reports::LintFinding& finding) {
  Case c = alone.c;
  std::string rule(finding.rule.text());
  for (char& letter : rule) {
    letter = static_cast<char>(std::tolower(letter));
  }
  c.id.clear();
  c.note = finding.message;
  c.origin = Origin{.tool = "lanediff-lint",
                    .seed = std::nullopt,
                    .target = std::nullopt,
                    .signature = finding.signature,
                    .date = std::nullopt};
  const std::string text = WriteCase(c);
  const std::string hash = TextHash(text);
  c.id = fmt::format("lint/{}-{}", rule, hash);
  const std::string path =
      (std::filesystem::path(folder) / fmt::format("{}-{}.json", rule, hash))
          .string();
  const auto written = WriteFile(path, WriteCase(c));
  if (!written) return std::unexpected(written.error());
  finding.alone = path;
  return fmt::format(
      "alone: {} at step {}: {} in {}{}\n", finding.rule.text(), finding.step,
      reports::InOneLine(path), Counted(c.program.size(), "step"),
      alone.others == 0
          ? ""
          : fmt::format(", beside {} that it can't be parted from",
                        Counted(alone.others, "other finding")));
}

}  // namespace

void Apply(const LintOptions& options, Case& c) {
  if (!options.auto_sync.empty()) {
    c.lint.sync = {.automatic = options.auto_sync == "on"};
  }
  if (!options.init.empty()) c.lint.propagate = options.init == "propagate";
  if (!options.start_mask.empty()) {
    c.lint.start_unknown = options.start_mask == "unknown";
  }
}

reports::LintedCase LintOn(isa::Product product, const std::string& path,
                           Case c) {
  reports::LintedCase linted;
  linted.path = path;
  linted.id = c.id;
  c = Printable(std::move(c));
  linted.product = c.product = product;
  linted.edition = c.edition;
  for (const isa::Step& step : c.program) {
    linted.ops.push_back(isa::OpName(step));
  }
  if (FormatOf(c) != kCaseFormat) {
    for (std::size_t i = 0; i < c.program.size(); ++i) {
      linted.where.push_back(lint::WhereOf(c, i));
    }
  }
  linted.verdict = lint::Lint(c);
  linted.diagnoses = lint::Diagnose(c, linted.verdict);
  linted.hazard_repairs = lint::FindHazardRepairs(c, linted.verdict);
  lint::FindCauses(c, linted.verdict);
  linted.taken_as_written = lint::TakenAsWritten(c);
  linted.findings = reports::FindingsOf(linted, c.program);
  return linted;
}

std::string ReproduceLint(const LintOptions& options,
                          const reports::LintedCase& linted) {
  std::string command = "lanediff lint " + ShellWord(linted.path);
  if (!options.products.empty()) {
    command += fmt::format(" --product {}", isa::Name(linted.product));
  }
  command += ReadOption(options.edition);
  if (!options.auto_sync.empty()) {
    command += " --auto-sync " + options.auto_sync;
  }
  if (!options.init.empty()) command += " --init " + options.init;
  if (!options.start_mask.empty()) {
    command += " --start-mask " + options.start_mask;
  }
  return command;
}

bool SaveAll(const LintOptions& options, const Case& c,
             reports::LintedCase& linted, std::string& text) {
  if (options.out.empty()) return true;
  const lint::Verdict& verdict = linted.verdict;
  std::size_t looked_for = 0;
  for (std::size_t i = 0; i < linted.findings.size(); ++i) {
    reports::LintFinding& finding = linted.findings[i];
    if (!finding.known.empty()) continue;
    // The rules that one step breaks share one case.
    if (i > verdict.hazards.size()) {
      finding.alone = linted.findings[verdict.hazards.size()].alone;
      continue;
    }
    if (++looked_for > kMostAlone) {
      text += fmt::format(
          "of this program, the first {} findings have a case alone\n",
          kMostAlone);
      break;
    }
    const auto alone = i < verdict.hazards.size()
                           ? lint::ShowAlone(c, verdict.hazards[i])
                           : lint::ShowAlone(c, *verdict.rejected);
    if (!alone) {
      text += fmt::format("alone: {} at step {}: no smaller program shows it\n",
                          finding.rule.text(), finding.step);
      continue;
    }
    const auto line = SaveAlone(options.out, *alone, finding);
    if (!line) {
      FailUsage(line.error());
      return false;
    }
    text += *line;
  }
  return true;
}

}  // namespace lanediff::cli
