#include "tools/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <expected>
#include <limits>
#include <optional>
#include <utility>

#include "audit/characterize/characterise.h"
#include "differential/compare/compare.h"
#include "differential/compare/open_elements.h"
#include "differential/subprocess/spawn.h"
#include "differential/targets/account.h"
#include "differential/targets/capabilities.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/json.h"
#include "differential/testcase/nearest.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "reports/headline.h"
#include "reports/printable.h"
#include "reports/printers.h"
#include "tools/cli/common.h"
#include "tools/cli/progress.h"

namespace lanediff::cli {

void AddInstruction(Verb& verb, std::string& into, const char* help,
                    std::vector<std::string_view> also) {
  verb.Add("--instruction INSTRUCTION", into, help)
      .ParsedBy([also = std::move(also)](const std::string& name)
                    -> std::expected<std::string, std::string> {
        if (std::ranges::find(also, name) != also.end()) return name;
        if (const isa::Instruction* const one = isa::FindInstruction(name)) {
          return std::string(one->slug);
        }
        std::vector<std::string_view> allowed;
        for (const auto& one : isa::Instructions()) allowed.push_back(one.slug);
        allowed.insert(allowed.end(), also.begin(), also.end());
        return std::unexpected(fmt::format(
            "no instruction \"{}\"{}; {} are allowed", Quote(name, 80),
            DidYouMean(name, allowed), fmt::join(allowed, ", ")));
      });
}

void AddReportFiles(Verb& verb, ReportFiles& files, bool has_baseline) {
  verb.Add("--json FILE", files.json, "leave the results as JSON");
  verb.Add("--junit FILE", files.junit, "leave the results as JUnit XML");
  if (has_baseline) {
    verb.Add("--baseline FILE", files.baseline,
             "report changes since the earlier run that left this JSON; the "
             "exit status stays what it would be without");
  }
  AddPage(verb, files.html);
}

void AddPage(Verb& verb, std::string& html) {
  verb.Add("--html DIR", html,
           "folder; leave the results as a page, DIR/index.html, that "
           "opens from disk");
}

void AddSarif(Verb& verb, ReportFiles& files) {
  verb.Add("--sarif FILE", files.sarif, "leave the findings as SARIF 2.1.0");
}

void AddShard(Verb& verb, std::string& shard) {
  verb.Add("--shard I/N", shard,
           "i/n: part i of n, from 0, for lanediff merge; default: from "
           "GTEST_SHARD_INDEX and GTEST_TOTAL_SHARDS, or "
           "JOB_COMPLETION_INDEX and JOB_COMPLETIONS")
      .NotEmpty("i/n");
}

void AddSample(Verb& verb, std::int64_t& cases, bool& is_meant) {
  verb.Add("--max-cases", cases,
           "a sample, for a target that is slow: at most so many systematic "
           "cases of each rule of an instruction, spread over all there are of "
           "it; reports have its share, and the status is 2 at best")
      .Within(1, 1'000'000'000)
      .Was("--cases");
  verb.Add("--sample", is_meant,
           "a sample is meant: status 0 where all of it agrees");
}

void AddReference(Verb& verb, std::string& reference) {
  verb.Add("--reference TARGET", reference, "what it is held against")
      .ShowDefault();
}

void AddJobs(Verb& verb, std::int64_t& jobs, const std::string& what) {
  verb.Add("--jobs", jobs, what + "; 0: all processors")
      .Within(0, 1024)
      .ShowDefault();
}

void AddEdition(Verb& verb, std::string& edition) {
  verb.Add("--edition EDITION", edition,
           "of the documents, by which cases are judged: 2024, those that the "
           "project began with, or the newest, 2026")
      .OneOf(AllWords<isa::Edition>());
}

void AddCaseEdition(Verb& verb, std::string& edition) {
  verb.Add(
          "--edition EDITION", edition,
          "judge cases by this edition of the documents, 2024 or 2026, instead "
          "of their own; one of another edition is held to no expectation")
      .OneOf(AllWords<isa::Edition>());
}

void AddReadAs(Verb& verb, std::string& edition, std::string& product) {
  AddCaseEdition(verb, edition);
  verb.Add("--product PRODUCT", product,
           "run cases as of this product instead of their own; one of another "
           "product is held to no expectation")
      .OneOf(AllWords<isa::Product>());
}

void AddCase(Verb& verb, std::string& path) {
  verb.Add("CASE", path, "case file").Required().Of(FileKind::kCases);
}

void AddCases(Verb& verb, std::vector<std::string>& paths) {
  verb.Add("PATH", paths, "case files, and folders of them")
      .Required()
      .Of(FileKind::kCases);
}

void AddKnownIssues(Verb& verb, std::string& file, const char* where) {
  verb.Add("--known-issues FILE", file,
           fmt::format("list of accepted findings; without it, "
                       "known_issues.json {}",
                       where));
}

isa::Edition EditionOf(const std::string& word) {
  return isa::Parse<isa::Edition>(word).value_or(isa::kNewestEdition);
}

std::string ReadOption(const std::string& edition, const std::string& product) {
  return (edition.empty() ? "" : " --edition " + edition) +
         (product.empty() ? "" : " --product " + product);
}

void ReadAs(const std::string& edition, Case& c, const std::string& product) {
  const isa::Profile before = c.profile();
  if (!edition.empty()) c.edition = EditionOf(edition);
  c.product = isa::Parse<isa::Product>(product).value_or(c.product);
  if (c.edition != before.edition || c.product != before.product) {
    c.expect.reset();
  }
  if (c.product == before.product) return;
  for (std::size_t i = 0; i < c.memory.size(); ++i) {
    const auto memory = static_cast<isa::Memory>(i);
    if (memory == isa::Memory::kGm || !c.memory[i]) continue;
    if (c.memory[i]->size == isa::CapacityBytes(before.product, memory)) {
      c.memory[i]->size = isa::CapacityBytes(c.product, memory);
    }
  }
  FitMemories(c);
}

bool& IsVerbose() {
  static bool verbose = false;
  return verbose;
}

void AddVerbose(Verb& verb, const std::string& more) {
  IsQuiet() = IsVerbose() = false;
  verb.Add("--quiet", IsQuiet(),
           "print findings and counts: no lines for what is well, no progress");
  verb.Add("--verbose", IsVerbose(), "print also: " + more);
}

void AddSeed(Verb& verb, std::uint64_t& seed, const char* help) {
  verb.Add("--seed", seed, help)
      .Within(0, std::numeric_limits<std::uint64_t>::max())
      .ShowDefault();
}

namespace {

constexpr double kLeastSeconds = 0.001;
constexpr double kMostSeconds = 86400;

/// A program under test may stop this process.
std::optional<diff::StopGuard>& Guard() {
  static std::optional<diff::StopGuard> guard;
  return guard;
}

/// The account, in which many kinds of unsupported calls are counted alone.
std::string ScreenText(diff::AccountRecord account) {
  constexpr std::size_t kFew = 3;
  if (IsVerbose() || account.unsupported.size() <= kFew) {
    return diff::AccountText(account);
  }
  std::uint64_t cases = 0;
  for (const auto& calls : account.unsupported) cases += calls.cases;
  const auto kinds = std::exchange(account.unsupported, {});
  return diff::AccountText(account) +
         fmt::format(
             "unsupported: {} cases of {} kinds by instruction, type and "
             "product\n",
             cases, kinds.size());
}

/// Programs that lanediff starts, as fuzz programs, do the same.
void TellChildren(const TargetOptions& options) {
  setenv("LANEDIFF_TIMEOUT", fmt::format("{}", options.timeout_seconds).c_str(),
         1);
  setenv("LANEDIFF_MAX_RESTARTS",
         fmt::format("{}", options.max_restarts).c_str(), 1);
  const std::string ulp = diff::UlpText(diff::TheUlpBounds());
  if (!ulp.empty()) setenv("LANEDIFF_ULP", ulp.c_str(), 1);
  if (options.legal_only) setenv("LANEDIFF_LEGAL_ONLY", "1", 1);
  if (!options.product.empty()) {
    setenv("LANEDIFF_PRODUCT", options.product.c_str(), 1);
  }
}

/// The account of a target that is not part of lanediff; without what it lacks
/// where that is allowed.
std::optional<diff::AccountRecord> AccountOf(const diff::Target& target,
                                             const TargetOptions& options) {
  if (target.account() == nullptr) return std::nullopt;
  diff::AccountRecord account = target.account()->Record();
  if (options.allow_unsupported) account.lacking = 0;
  return account;
}

}  // namespace

void AddTarget(Verb& verb, TargetOptions& options, const char* help) {
  verb.Add("--target TARGET", options.name, help).ShowDefault();
  AddTargetLimits(verb, options);
}

void AddTargetLimits(Verb& verb, TargetOptions& options) {
  verb.Add("--timeout", options.timeout_seconds,
           "seconds that a target in a process of its own has for a case")
      .Within(kLeastSeconds, kMostSeconds)
      .ShowDefault();
  verb.Add("--ulp NAME=N", options.ulp,
           "results of NAME are right within N ULP of the correctly rounded "
           "value; may be repeated");
  verb.Add("--max-restarts", options.max_restarts,
           "restarts of a target that fails before it is given up")
      .Within(0, 1'000'000'000)
      .ShowDefault();
}

void AddAnyNumber(Verb& verb) {
  verb.Add("--any-number", diff::MakesAnyNumber(),
           "numbers beyond the prototypes' types, too, for a target that "
           "checks no rules");
}

void AddLegalOnly(Verb& verb, TargetOptions& options) {
  verb.Add("--legal-only", options.legal_only,
           "leave out cases that the documents refuse");
}

void AddProduct(Verb& verb, TargetOptions& options) {
  verb.Add("--product PRODUCT", options.product,
           "cases of this product only; others are left out, as what the "
           "target does not claim")
      .OneOf(AllWords<isa::Product>());
}

void AddAllowUnsupported(Verb& verb, TargetOptions& options) {
  verb.Add("--allow-unsupported", options.allow_unsupported,
           "status 0 where all that was compared agrees, though the target "
           "answers unsupported to cases that it claims");
}

void AddCharacter(Verb& verb, std::string& file) {
  verb.Add("--character FILE", file,
           "what characterise --json left of the target; reports then have "
           "its character");
}

reports::TargetRecord AboutTarget(const diff::Target& target,
                                  const std::string& file) {
  reports::TargetRecord about = reports::DescribeTarget(target);
  if (file.empty()) {
    about.no_character = "not requested: --character FILE";
    return about;
  }
  const auto character = OrFail(reports::ReadCharacter(file, target.name()));
  reports::SetCharacter(character, about);
  about.measured = character::MeasurementsOf(character);
  return about;
}

void EndTargetsAtOnce() {
  diff::EndOutsideProcesses();
  Guard().reset();
}

const diff::Target* FindTarget(const TargetOptions& options, Takes takes) {
  diff::TheOutsideOptions().timeout_seconds = options.timeout_seconds;
  diff::TheOutsideOptions().max_restarts = options.max_restarts;
  for (const std::string& word : options.ulp) {
    const auto added = diff::AddUlpBound(word, diff::TheUlpBounds());
    if (!added) {
      Fail("--ulp: found \"{}\"; {} is allowed", Quote(word), added.error());
    }
  }
  TellChildren(options);
  diff::StartFailed() = false;
  if (options.name.starts_with("exec:") ||
      options.name.starts_with("plugin:")) {
    if (!Guard()) Guard().emplace();
  }
  const auto found = takes == Takes::kAny
                         ? diff::FindTarget(options.name)
                         : diff::FindRunningTarget(options.name);
  if (!found) {
    FailUsage("--target: " + found.error());
    throw Exit{diff::StartFailed() ? kTargetFailed : kUsage};
  }
  const diff::Target& target = Narrow(**found, options);
  const auto products = target.capabilities().products;
  if (products && products->empty() && !options.product.empty()) {
    Fail("--product: {} does not claim {}", options.name, options.product);
  }
  return &target;
}

const diff::Target& Narrow(const diff::Target& target,
                           const TargetOptions& options) {
  return diff::Narrowed(target, isa::Parse<isa::Product>(options.product),
                        options.legal_only);
}

Sides FindSides(const TargetOptions& options, const std::string& reference,
                Takes takes, const char* why) {
  const diff::Target* const target = FindTarget(options, takes);
  const diff::StepwiseTarget* const side =
      OrFail(diff::FindStepwiseTarget(reference), "--reference: ");
  // With other options it is another object.
  if (options.name == reference || target == side) {
    Fail("--target: {} is the reference; {}", options.name, why);
  }
  return {target, side};
}

int Worse(int a, int b) {
  for (const int status : {kDisagreement, kTargetFailed, kUsage}) {
    if (a == status || b == status) return status;
  }
  return kAgree;
}

int FinishTarget(const diff::Target& target, int status) {
  const auto complaints = diff::EndOutsideTargets();
  for (const std::string& line : complaints) FailUsage(line);
  if (!complaints.empty()) status = Worse(status, kTargetFailed);
  if (target.account() == nullptr) return status;
  const diff::AccountRecord account = target.account()->Record();
  fmt::print("{}", reports::InLines(ScreenText(account)));
  // Verbs that don't compare have no findings.
  if (account.failed > 0 && account.disagreed == 0 && status == kDisagreement) {
    status = kTargetFailed;
  }
  if (!account.never_executed.empty()) status = Worse(status, kUsage);
  return account.failed > 0 ? Worse(status, kTargetFailed) : status;
}

std::string LackingOf(const diff::Target& target,
                      const TargetOptions& options) {
  const auto account = AccountOf(target, options);
  return account ? reports::LackingText(*account) : "";
}

int FinishComparison(const diff::Target& target, const TargetOptions& options,
                     int status) {
  status = FinishTarget(target, status);
  const std::string lacking = LackingOf(target, options);
  return status != kAgree || lacking.empty() ? status : FailUsage(lacking);
}

void KeepAccount(const diff::Target& target, const TargetOptions& options,
                 bool part, reports::RunRecord& run) {
  auto account = AccountOf(target, options);
  if (account && (part || !account->empty())) run.account = std::move(account);
}

}  // namespace lanediff::cli
