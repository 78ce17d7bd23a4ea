#include "reports/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "audit/applicable_rules.h"
#include "audit/characterize/characterise.h"
#include "audit/child.h"
#include "audit/process_pool.h"
#include "differential/compare/compare.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_writer.h"
#include "isa/catalogue.h"
#include "reports/character_record.h"
#include "reports/report.h"
#include "tools/cli/common.h"
#include "tools/cli/html.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/shard.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/finish.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

/// Writes reports and cases, what took the longest to know first; false, with a
/// message, if one can't be written.
bool WriteAll(const std::string& out, const audit::Audit& audit, int status,
              const reports::AuditChanges* changes,
              const reports::TargetRecord& about) {
  const auto write = [&](const std::string& name, const auto& make) {
    const fs::path path = fs::path(out) / name;
    std::error_code ignored;  // if there is no folder, writing fails
    fs::create_directories(path.parent_path(), ignored);
    return WriteTo(path.string(), make);
  };
  const auto& record = audit.record;
  return write("audit.json",
               [&] { return reports::AuditJson(record, changes, &about); }) &&
         write("audit.xml",
               [&] {
                 return reports::ToJunit(reports::ToReport(record, status));
               }) &&
         write("audit.sarif",
               [&] {
                 return reports::ToSarif(
                     reports::ToReport(record, status, changes));
               }) &&
         std::ranges::all_of(audit.files, [&](const auto& file) {
           return write(file.first, [&] { return WriteCase(file.second); });
         });
}

/// Whether something else went wrong than that the target ended or hung.
bool IsDisagreement(const audit::Cell& cell, bool tolerates) {
  if (cell.verdict != audit::Verdict::kViolated &&
      cell.verdict != audit::Verdict::kContradicted) {
    return false;
  }
  auto alone = cell.alone;
  auto together = cell.together;
  for (audit::Showing failed :
       {audit::Showing::kCrashed, audit::Showing::kHung}) {
    alone[static_cast<std::size_t>(failed)] = 0;
    together[static_cast<std::size_t>(failed)] = 0;
  }
  const auto effect = cell.verdict == audit::Verdict::kViolated
                          ? isa::Effect::kReject
                          : isa::Effect::kSemantics;
  return audit::VerdictOf(effect, alone, together, tolerates) == cell.verdict;
}

int StatusOf(const audit::AuditRecord& record) {
  for (const audit::AuditedRule& rule : record.rules) {
    const auto disagrees = [&](const audit::Cell& cell) {
      return IsDisagreement(cell, record.tolerates);
    };
    if (std::ranges::any_of(rule.cells, disagrees)) return kDisagreement;
  }
  if (record.crashed + record.hung > 0) return kTargetFailed;
  const auto reasons = reports::ReasonsOf(record);
  if (reasons.empty()) return kAgree;
  // Which was printed.
  if (record.interrupted || record.malformed + record.skipped > 0) {
    return kUsage;
  }
  return FailUsage(reasons.front().text);
}

reports::ShardRecord ShardOf(const AuditOptions& options, const Shard& shard,
                             audit::ProcessPoolResult pool) {
  reports::ShardRecord record = NewShard("audit", shard, options.out);
  AddTargets(options.target, "oracle", record);
  record.options.emplace_back("instruction", options.instruction);
  record.options.emplace_back("product", options.product);
  record.options.emplace_back("edition", isa::Name(EditionOf(options.edition)));
  record.options.emplace_back("cases", fmt::format("{}", options.cases));
  record.options.emplace_back("corpus", options.corpus);
  record.options.emplace_back("sample", options.sample ? "yes" : "no");
  record.complete = !pool.interrupted;
  record.audit = audit::ShardOf(pool);
  return record;
}

const diff::Target& CanBeAudited(const diff::Target& target) {
  if (target.name() != "oracle") return target;
  Fail(
      "--target: the oracle is what an audit compares with; nothing would be "
      "compared");
}

/// A shard's verdicts would be of a part: it reports its cases, ends with its
/// status, and leaves the tally.
int FinishShard(const AuditOptions& options, const Shard& shard,
                const audit::AuditRecord& record,
                audit::ProcessPoolResult pool) {
  fmt::print("{}", reports::AuditSummaryText(record));
  const int status = StatusOf(record);
  const bool left = LeaveShard(ShardOf(options, shard, std::move(pool)));
  return left || status != kAgree ? status : kUsage;
}

constexpr const char* kWasInterrupted = "the audit was interrupted";

/// Why the target is not characterised; empty: it is.
std::string WhyNoCharacter(const AuditOptions& options,
                           const diff::Target& target,
                           const audit::ProcessPoolResult& pool) {
  if (options.no_character) return "not requested: --no-character";
  if (!target.runs_any_case()) return "it only has outcomes of given cases";
  if (pool.interrupted) return kWasInterrupted;
  if (!pool.stopped.empty()) return "the target was given up";
  if (pool.hung > 0) return "the target hangs; use characterise";
  return "";
}

/// Probes in a process of its own, as the audit does.
void ProbeCharacter(const audit::AuditOptions& settings,
                    const diff::Target& target, reports::TargetRecord& about) {
  const isa::Instruction* const only =
      isa::FindInstruction(settings.instruction);
  Progress progress(0, "probes of the target's character");
  const audit::Apart apart = audit::RunApart(
      [&](audit::Beacon& beacon) {
        const character::Character found = character::Characterise(
            target,
            {.instruction = only == nullptr ? "" : std::string(only->op),
             .lengths = {},
             .goes_on = [&] {
               ++beacon.beats;
               return true;
             }});
        return reports::CharacterJson(found);
      },
      std::max(20.0, settings.hang_seconds),
      [&] {
        progress.Step(0, 0);
        return !Interrupted();
      });
  const auto character = reports::CharacterIn(apart.bytes);
  if (apart.end == audit::Child::End::kDone && character &&
      !character->answers.empty()) {
    reports::SetCharacter(*character, about);
    about.measured = character::MeasurementsOf(*character);
  } else if (apart.end == audit::Child::End::kRunning) {
    about.no_character = kWasInterrupted;
  } else {
    about.no_character = "the target ended or hung during the probes";
  }
}

int RunAudit(const AuditOptions& options) {
  return options.targets.size() > 1 ? AuditEach(options) : AuditOne(options);
}

}  // namespace

int AuditOne(const AuditOptions& given) {
  AuditOptions options = given;
  options.target.name = options.targets.front();
  const diff::Target& target =
      CanBeAudited(*FindTarget(options.target, Takes::kAny));
  auto settings = AuditSettings(options);
  const Shard shard = ShardFor(options.shard, options.baseline);
  settings.shard = shard;
  if (target.account() != nullptr) {
    // A target of its own process is ended before the process that runs it.
    settings.hang_seconds =
        std::max(settings.hang_seconds, options.target.timeout_seconds + 5);
  }
  const auto baseline = OrFail(reports::ReadAuditBaseline(options.baseline));
  auto about = AboutTarget(target, options.character);
  if (!shard.IsPart() && !MakeNewFolder(options.out)) return kUsage;
  WatchInterrupt();
  audit::ProcessPoolResult pool;
  {
    std::optional<Progress> progress;
    settings.goes_on = [&](std::uint64_t done, std::uint64_t total) {
      if (!progress) progress.emplace(total);
      progress->Step(done, 0);
      return !Interrupted();
    };
    pool = audit::RunCases(target, settings);
  }
  if (!shard.IsPart()) {
    AddCharacterTo(about, options, settings, target, pool);
    settings.measured = about.measured;
  }
  std::optional<Progress> phase(std::in_place, 0, "judging rules");
  const audit::Audit result = audit::Judge(target, settings, pool);
  phase.reset();
  if (shard.IsPart()) {
    return FinishTarget(
        target, FinishShard(options, shard, result.record, std::move(pool)));
  }
  return FinishTarget(
      target, FinishAudit(result, target, about, baseline, options.out));
}

audit::AuditOptions AuditSettings(const AuditOptions& given) {
  audit::AuditOptions options;
  options.instruction = given.instruction;
  options.product = isa::Parse<isa::Product>(given.product);
  options.edition = EditionOf(given.edition);
  options.sample = static_cast<std::uint64_t>(given.cases);
  options.sample_is_meant = given.sample;
  if (!given.corpus.empty()) options.given = ReadCorpus(given.corpus);
  options.jobs = JobsOf(given.jobs);
  if (given.target.name != "emulator")
    options.target_word = ShellWord(given.target.name);
  return options;
}

const diff::Target& AuditTarget(const TargetOptions& options) {
  const auto* const target =
      OrFail(diff::FindTarget(options.name), "--target: ");
  return CanBeAudited(Narrow(*target, options));
}

int FinishAudit(const audit::Audit& result, const diff::Target& target,
                const reports::TargetRecord& about,
                const std::optional<reports::AuditBaseline>& baseline,
                const std::string& out) {
  std::optional<reports::AuditChanges> changes;
  if (baseline) changes = reports::ChangesSince(*baseline, result.record);
  const auto* const since = changes ? &*changes : nullptr;
  fmt::print("{}",
             reports::AuditText(result.record, since, &about, IsVerbose()));
  if (result.record.beyond > 0) {
    fmt::print("left out: {} cases beyond what the target claims\n",
               result.record.beyond);
  }
  for (const std::string& problem : result.record.problems) {
    fmt::print(stderr, "lanediff: {}\n", problem);
  }
  if (result.record.interrupted) {
    fmt::print(stderr, "lanediff: interrupted after {} cases\n",
               result.record.cases);
  }
  const int status = StatusOf(result.record);
  const bool written = WriteAll(out, result, status, since, about) &&
                       WriteAuditHtml(out, result, target, since, about);
  return written || status != kAgree ? status : kUsage;
}

void AddCharacterTo(reports::TargetRecord& about, const AuditOptions& options,
                    const audit::AuditOptions& settings,
                    const diff::Target& target,
                    const audit::ProcessPoolResult& pool) {
  if (!options.character.empty()) return;  // it was read
  about.no_character = WhyNoCharacter(options, target, pool);
  if (about.no_character.empty()) ProbeCharacter(settings, target, about);
}

void AddAudit(CommandLine& line) {
  auto [verb, options] = line.Add(
      "audit",
      "every rule of the documents against its boundaries, on every product: a "
      "verdict, and cases as evidence",
      RunAudit);
  verb.footer =
      "OUT is a new folder, or an empty one. It gets index.html with parts/, "
      "audit.json, audit.xml (JUnit), audit.sarif and the evidence in cases/; "
      "commands in the report are meant to be run there. Of several targets "
      "each has such a folder in OUT, and OUT gets index.html and "
      "comparison.json: the audits side by side.\n"
      "Status 0: nothing is violated or contradicted; 1: something is; 3: the "
      "target crashed or hung; 2: wrong usage, OUT can't be written, nothing "
      "was compared, or not all was done, as of --max-cases without --sample.";
  AddInstruction(verb, options.instruction,
                 "one instruction only, and the machine state it uses");
  verb.Add("--product PRODUCT", options.product, "one product only")
      .OneOf(AllWords<isa::Product>());
  AddEdition(verb, options.edition);
  AddSample(verb, options.cases, options.sample);
  verb.Add("--corpus DIR", options.corpus,
           "folder of cases that are run, too: one that is wrong speaks "
           "against the rules in its requirement")
      .NotEmpty("a folder");
  AddShard(verb, options.shard);
  verb.Add("--target TARGET", options.targets,
           "what is audited; several: one after the other")
      .Each()
      .ShowDefault();
  AddTargetLimits(verb, options.target);
  AddLegalOnly(verb, options.target);
  AddAnyNumber(verb);
  AddJobs(verb, options.jobs, "processes");
  AddCharacter(verb, options.character);
  verb.Add("--no-character", options.no_character,
           "leave out the target's character");
  verb.Add("--baseline FILE", options.baseline,
           "audit.json of an earlier audit; report changes since then");
  verb.Add("--out DIR", options.out, "folder of the report").Required();
  AddVerbose(verb, "every rule and every disagreement of the documents");
  verb.Docs("audit.md",
            {{"audit --instruction min --max-cases 2 --sample --no-character "
              "--out audit"},
             {"audit --target exec:./mine --jobs 2 --out audit",
              "of your target; takes minutes"}});
}

}  // namespace lanediff::cli
