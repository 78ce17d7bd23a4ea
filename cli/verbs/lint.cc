// Judges programs as they were meant, by the oracle alone.

#include "lint/lint.h"

#include <fmt/format.h>

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "case/case_reader.h"
#include "case/case_writer.h"
#include "cli/common.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "lint/fix_program.h"
#include "lint/tell.h"
#include "reports/lint.h"
#include "reports/printable.h"

namespace lanediff::cli {
namespace {

struct LintOptions {
  std::vector<std::string> paths;
  std::string sync;                   ///< empty: what the case says
  std::string init;                   ///< likewise
  std::string start_mask;             ///< likewise
  std::vector<std::string> products;  ///< none: the case's
  std::uint64_t max_errors = 0;
  std::string json;
  bool fix = false;
  std::string out;  ///< of --fix: where the repaired program goes
};

/// Replaces what the case says by what was asked for.
void Apply(const LintOptions& options, Case& c) {
  if (!options.sync.empty()) {
    c.lint.sync = {.automatic = options.sync == "auto"};
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
  linted.product = c.product = product;
  for (const isa::Step& step : c.program) {
    linted.ops.push_back(isa::OpName(step));
  }
  linted.verdict = lint::Lint(c);
  linted.told = lint::Tell(c, linted.verdict);
  return linted;
}

/// One row for each product: where the program is legal and clean.
std::string ProductTable(const std::vector<reports::LintedCase>& rows) {
  std::string text;
  for (const reports::LintedCase& row : rows) {
    const lint::Verdict& v = row.verdict;
    std::string what = "clean";
    if (v.rejected) {
      what = fmt::format("step {} rejected", v.rejected->step);
    } else if (v.unsupported) {
      what = fmt::format("step {} unsupported", *v.unsupported);
    } else if (!v.hazards.empty()) {
      what = "legal";
    }
    text += fmt::format("  {:<26} {:<18} {} hazards\n", isa::Name(row.product),
                        what, v.hazards.size());
  }
  return text;
}

/// Lints the case on every product that is asked for; a line in place of what
/// can't be done.
std::expected<void, std::string> LintPath(
    const std::string& path, const std::vector<isa::Product>& products,
    const LintOptions& options, reports::LintRecord& record) {
  auto c = ReadCaseFile(path);
  if (!c) return std::unexpected(c.error());
  Apply(options, *c);
  std::vector<reports::LintedCase> rows;
  const auto wanted = products.empty() ? std::vector{c->product} : products;
  const auto thrown = Thrown([&] {
    for (isa::Product product : wanted) {
      rows.push_back(LintOn(product, path, *c));
    }
  });
  if (thrown) return std::unexpected(*thrown);
  for (const reports::LintedCase& row : rows) {
    fmt::print("{}", reports::LintText(row, options.max_errors));
  }
  if (rows.size() > 1) fmt::print("{}", ProductTable(rows));
  std::ranges::move(rows, std::back_inserter(record.cases));
  return {};
}

int StatusOf(const reports::LintRecord& record) {
  const auto sums = record.Sum();
  if (sums.hazards + sums.rejected > 0) return kDisagreement;
  if (record.malformed > 0 || !record.unfinished.empty()) return kUsage;
  if (record.cases.empty()) return FailUsage("nothing was looked at");
  if (sums.unsupported > 0) {
    return FailUsage(fmt::format("{} of {} programs end at an unsupported step",
                                 sums.unsupported, record.cases.size()));
  }
  return kAgree;
}

/// What --fix can't be asked together with; empty if all is well.
std::string ObjectionToFix(const LintOptions& options) {
  if (!options.fix) {
    return options.out.empty() ? "" : "-o is where --fix writes; add --fix";
  }
  if (options.out.empty()) return "--fix needs -o FILE for what is repaired";
  if (options.paths.size() != 1) {
    return fmt::format("--fix repairs one file, and {} are given",
                       options.paths.size());
  }
  std::error_code error;
  if (std::filesystem::is_directory(options.paths[0], error)) {
    return "--fix repairs one file, and " + options.paths[0] + " is a folder";
  }
  return options.products.empty()
             ? ""
             : "--fix repairs for the case's product; leave --product out";
}

/// Writes the repaired program and tells what was done and what is left.
int RunFix(const LintOptions& options) {
  const std::string& path = options.paths[0];
  const auto c = ReadCaseFile(path);
  if (!c) return FailUsage(path + ": " + c.error());
  Case meant = *c;
  Apply(options, meant);
  lint::FixedProgram fixed;
  reports::LintRecord record;
  const auto thrown = Thrown([&] {
    fixed = lint::FixProgram(meant);
    record.cases.push_back(LintOn(c->product, options.out, fixed.c));
  });
  if (thrown) return FailUsage(path + ": " + *thrown);
  fixed.c.lint = c->lint;  // what was asked for is no part of the program
  if (!WriteTo(options.out, [&] { return WriteCase(fixed.c); })) return kUsage;
  for (const std::string& line : fixed.done) fmt::print("fixed {}\n", line);
  fmt::print("{} change{} to {}, written to {}\n", fixed.done.size(),
             fixed.done.size() == 1 ? "" : "s", reports::InOneLine(path),
             reports::InOneLine(options.out));
  fmt::print("{}{}", reports::LintText(record.cases[0], options.max_errors),
             reports::LintSummary(record));
  if (!WriteTo(options.json, [&] { return reports::LintJson(record); })) {
    return kUsage;
  }
  return StatusOf(record);
}

int RunLint(const LintOptions& options) {
  const std::string objection = ObjectionToFix(options);
  if (!objection.empty()) return FailUsage(objection);
  if (options.fix) return RunFix(options);
  std::vector<isa::Product> products;
  for (const std::string& word : options.products) {
    products.push_back(*isa::Parse<isa::Product>(word));
  }
  WatchInterrupt();
  reports::LintRecord record;
  const auto paths = FindCases(options.paths);
  std::size_t done = 0;
  for (; done < paths.size() && !Interrupted(); ++done) {
    const auto& [path, error] = paths[done];
    const auto linted = error.empty()
                            ? LintPath(path, products, options, record)
                            : std::unexpected(error);
    if (linted) continue;
    ++record.malformed;
    fmt::print("malformed {}: {}\n", reports::InOneLine(path),
               reports::InOneLine(linted.error()));
  }
  if (done < paths.size()) {
    record.unfinished =
        fmt::format("interrupted after {} of {} cases", done, paths.size());
    FailUsage(record.unfinished);
  }
  fmt::print("{}", reports::LintSummary(record));
  if (!WriteTo(options.json, [&] { return reports::LintJson(record); })) {
    return kUsage;
  }
  return StatusOf(record);
}

}  // namespace

void AddLint(CommandLine& line) {
  const auto options = std::make_shared<LintOptions>();
  Verb verb = line.Add("lint",
                       "judge programs as they were meant: rules, races, "
                       "unwritten bytes, flags, masks",
                       [options] { return RunLint(*options); });
  verb.Footer(
      "By the oracle alone; nothing is compared. Status 0: clean; 1: a hazard "
      "or a rejected step; 2: wrong usage, or not all was looked at.");
  verb.Add("PATH", options->paths, "case files, and folders of them")
      .Required();
  verb.Add("--sync", options->sync,
           "how programs are synchronized, instead of what they say: auto, the "
           "compiler puts in what it does; manual, nothing but what is there")
      .OneOf({"auto", "manual"});
  verb.Add("--init", options->init,
           "what reading unwritten bytes is: first-read, a hazard; propagate, "
           "a hazard where what is computed from them leaves the core")
      .OneOf({"first-read", "propagate"});
  verb.Add("--start-mask", options->start_mask,
           "mask register and mode at the start: ones, or unknown, whatever a "
           "kernel before left")
      .OneOf({"ones", "unknown"});
  verb.Add("--product", options->products,
           "on this product instead of the case's; several give a table")
      .ByCommas()
      .OneOf(AllWords<isa::Product>());
  verb.Add("--max-errors", options->max_errors,
           "hazards to print of each program; 0 for all")
      .ShowDefault();
  verb.Add("--json", options->json, "write what was found to this file");
  verb.Flag("--fix", options->fix,
            "repair the one PATH: rejected steps as their repairs say, and the "
            "missing calls put in; needs -o, and judges what comes out");
  verb.Add("-o", options->out, "where --fix writes; may be PATH itself")
      .Called("FILE");
}

}  // namespace lanediff::cli
