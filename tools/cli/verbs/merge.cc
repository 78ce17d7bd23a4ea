// Joins the results of shards into the report of one run. Everything is read,
// shard by shard, and joined before anything is written.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "audit/process_pool.h"
#include "reports/nightly.h"
#include "reports/printable.h"
#include "reports/shard.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/finish.h"
#include "tools/cli/verbs/merge/parts.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using reports::CaseRecord;
using reports::RunRecord;

struct MergeOptions {
  std::vector<std::string> folders;  ///< with what shards left
  std::string verb;                  ///< of which; empty: there is but one
  std::string baseline;              ///< JSON of an earlier run; empty: none
  std::string out;                   ///< new folder of the report
};

ReportFiles ReportsOf(const MergeOptions& options, const std::string& verb) {
  const fs::path base = fs::path(options.out) / verb;
  ReportFiles files;
  files.json = base.string() + ".json";
  files.junit = base.string() + ".xml";
  files.sarif = base.string() + ".sarif";
  files.html = options.out;
  return files;
}

diff::KnownIssueFilter KnownIn(const Parts& parts) {
  diff::KnownIssueFilter known(parts.front().record.known_issues);
  for (const Part& part : parts) {
    for (const auto& signature : part.record.occurred) {
      known.MarkOccurred(signature);
    }
  }
  return known;
}

std::string DayOf(const Parts& parts) {
  std::string day;
  for (const Part& part : parts) day = std::max(day, part.record.day);
  return day;
}

/// The run of a shard, with kept cases where they will be, below `out`.
RunRecord RunOf(Part& part, const std::string& out) {
  RunRecord run = *std::move(part.record.run);
  if (run.verb != "check") Move(run, part.record.out, out);
  return run;
}

int MergeChecks(Parts& parts, const MergeOptions& options) {
  const auto baseline =
      OrFail(reports::ReadRunBaseline(options.baseline, "check"));
  reports::CheckJoin join;
  parts.Read([&](Part& part) {
    OrFail(join.Add(RunOf(part, options.out), part.record.shard));
  });
  auto run = OrFail(join.Finish());
  for (const CaseRecord& record : run.cases) {
    std::error_code error;
    if (record.findings.empty() || fs::exists(record.path, error)) continue;
    return FailUsage(record.path +
                     ": is not here; merge draws the cases that check read");
  }
  if (!MakeNewFolder(options.out)) return kUsage;
  const auto known = KnownIn(parts);
  run.stale_issues = known.Expired(DayOf(parts));
  if (run.unrecorded == 0) {
    std::ranges::move(known.NotOccurred(),
                      std::back_inserter(run.stale_issues));
  }
  return FinishCheck(run, CaseLines(run), "", baseline,
                     ReportsOf(options, "check"));
}

int MergeSweeps(Parts& parts, const MergeOptions& options) {
  const auto baseline =
      OrFail(reports::ReadRunBaseline(options.baseline, "sweep"));
  reports::SweepJoin join;
  parts.Read([&](Part& part) {
    OrFail(join.Add(RunOf(part, options.out), part.record.shard));
  });
  RunRecord run = join.Finish();
  Files files;
  for (const CaseRecord& record : run.cases) {
    const Part& part = parts[record.number % parts.size()];
    TakeKept(record.path, options.out, part.folder, files);
  }
  if (!MakeNewFolder(options.out)) return kUsage;
  // As a run does, also where nothing was kept.
  const bool written =
      MakeFolder(FindingsBelow(options.out)) && WriteFiles(files);
  const int status =
      FinishSweep(run, false, baseline, ReportsOf(options, "sweep"));
  return written || status != kAgree ? status : kUsage;
}

int MergeFuzzing(Parts& parts, const MergeOptions& options) {
  const auto baseline =
      OrFail(reports::ReadRunBaseline(options.baseline, "fuzz"));
  const auto source = [&](const CaseRecord& record) {
    return Moved(record.path, options.out, parts[record.number].folder);
  };
  reports::FuzzJoin join([&](const CaseRecord& a, const CaseRecord& b) {
    return IsSmaller(source(a), source(b));
  });
  parts.Read([&](Part& part) {
    RunRecord run = RunOf(part, options.out);
    for (CaseRecord& record : run.cases) {
      record.number = part.record.shard.index;
    }
    join.Add(std::move(run));
  });
  RunRecord run = join.Finish();
  Files files;
  for (const CaseRecord& record : run.cases) {
    const Part& part = parts[record.number];
    TakeKept(record.path, options.out, part.folder, files);
  }
  if (!MakeNewFolder(options.out)) return kUsage;
  const bool written = WriteFiles(files);
  if (!written) run.unfinished = "something could not be written";
  run.stale_issues = KnownIn(parts).Expired(DayOf(parts));
  const bool failed = std::ranges::any_of(
      run.fuzzers, [](const auto& fuzzer) { return !fuzzer.error.empty(); });
  return FinishFuzz(run, false, failed, options.out, baseline,
                    ReportsOf(options, "fuzz"));
}

int MergeMutants(Parts& parts, const MergeOptions& options) {
  const auto baseline = OrFail(reports::ReadMutantsBaseline(options.baseline));
  reports::MutantsJoin join;
  parts.Read([&](Part& part) { join.Add(*std::move(part.record.mutants)); });
  auto record = OrFail(join.Finish());
  if (!MakeNewFolder(options.out)) return kUsage;
  return FinishMutants(record, baseline, ReportsOf(options, "mutants"));
}

/// One state for each space, with kept cases where they will be.
std::vector<make::exhaust::State> StatesOf(Parts& parts,
                                           const std::string& out) {
  std::vector<reports::StateJoin> joins;
  parts.Read([&](Part& part) {
    auto& states = part.record.states;
    if (joins.empty()) joins.resize(states.size());
    if (states.size() != joins.size()) {
      Fail("{}: {} spaces, but {} in {}", part.file, states.size(),
           joins.size(), parts.front().file);
    }
    for (std::size_t s = 0; s < states.size(); ++s) {
      for (auto& finding : states[s].findings) {
        finding.path = Moved(finding.path, part.record.out, out);
      }
      OrFail(joins[s].Add(std::move(states[s]), part.record.shard));
    }
  });
  std::vector<make::exhaust::State> all;
  for (reports::StateJoin& join : joins) all.push_back(join.Finish());
  return all;
}

int MergeSpaces(Parts& parts, const MergeOptions& options) {
  if (!options.baseline.empty()) {
    return FailUsage("--baseline: exhaust has none");
  }
  const auto states = StatesOf(parts, options.out);
  Files files;
  for (const auto& state : states) {
    for (const auto& finding : state.findings) {
      const Part& part = parts[finding.call % parts.size()];
      TakeKept(finding.path, options.out, part.folder, files);
    }
  }
  if (!MakeNewFolder(options.out)) return kUsage;
  const bool written = WriteFiles(files);
  for (const auto& state : states) {
    for (const auto& finding : state.findings) {
      fmt::print("{}", FindingText(finding, state.target));
    }
    fmt::print("{}", ExhaustText(state));
  }
  RunRecord run;
  run.verb = "exhaust";
  run.target = states.empty() ? "" : states.front().target;
  run.reference = "oracle";
  return FinishExhaust(std::move(run), states, written,
                       ReportsOf(options, "exhaust"));
}

AuditOptions AuditOf(const reports::ShardRecord& record) {
  AuditOptions options;
  for (const auto& [name, value] : record.options) {
    if (name == "target") options.target.name = value;
    if (name == "legal-only") options.target.legal_only = value == "yes";
    if (name == "instruction") options.instruction = value;
    if (name == "product") options.product = value;
    if (name == "edition") options.edition = value;
    if (name == "sample") options.sample = value == "yes";
    if (name == "corpus") options.corpus = value;
  }
  return options;
}

int MergeAudits(Parts& parts, const MergeOptions& options) {
  audit::ProcessPoolResult pool;
  parts.Read([&](Part& part) {
    audit::Join(
        OrFail(audit::PoolResultOf(part.record.audit), part.file + ": "), pool);
  });
  const AuditOptions of_parts = AuditOf(parts.front().record);
  const diff::Target& target = AuditTarget(of_parts.target);
  auto settings = AuditSettings(of_parts);
  const auto baseline = OrFail(reports::ReadAuditBaseline(options.baseline));
  if (!MakeNewFolder(options.out)) return kUsage;
  reports::TargetRecord about = reports::DescribeTarget(target);
  AddCharacterTo(about, of_parts, settings, target, pool);
  settings.measured = about.measured;
  const auto audit = audit::Judge(target, settings, pool);
  return FinishAudit(audit, target, about, baseline, options.out);
}

constexpr std::pair<const char*, int (*)(Parts&, const MergeOptions&)>
    kMerges[] = {{"check", MergeChecks}, {"fuzz", MergeFuzzing},
                 {"sweep", MergeSweeps}, {"exhaust", MergeSpaces},
                 {"audit", MergeAudits}, {"mutants", MergeMutants}};

int RunMerge(const MergeOptions& options) {
  auto parts = Parts::Find(options.folders, options.verb);
  for (const auto& [verb, merge] : kMerges) {
    if (parts.front().record.verb == verb) return merge(parts, options);
  }
  return FailUsage(parts.front().file + ": is of no verb that has shards");
}

struct IndexOptions {
  std::string out;  ///< folder of a nightly run
  bool summary = false;
};

int RunIndex(const IndexOptions& options) {
  const auto nightly = OrFail(reports::ReadNightly(options.out));
  int status = kAgree;
  for (const reports::NightlyStage& stage : nightly.stages) {
    if (stage.problem.empty()) continue;
    status = FailUsage("{}: {}", stage.name, stage.problem);
  }
  const auto page = (fs::path(options.out) / "index.html").string();
  if (!WriteTo(page, [&] { return reports::NightlyHtml(nightly); })) {
    return kUsage;
  }
  if (options.summary) {
    fmt::print("{}", reports::NightlySummary(nightly));
  } else {
    fmt::print("{}\n", reports::InOneLine(page));
  }
  return status;
}

}  // namespace

void AddMerge(CommandLine& line) {
  std::vector<std::string> verbs;
  for (const auto& merge : kMerges) verbs.emplace_back(merge.first);
  auto [verb, options] =
      line.Add("merge", "join the results of shards into the report of one run",
               RunMerge);
  verb.footer =
      "Each shard of check, fuzz, sweep, exhaust, audit and mutants leaves "
      "VERB.I-of-N.json, and cases that it kept, in its --out DIR. All N must "
      "be there, once each, and be of the same options and version. OUT, a new "
      "folder or an empty one, gets VERB.json, VERB.xml (JUnit), VERB.sarif, "
      "index.html and the kept cases, as far as the verb has them. Report and "
      "status are those of one run; elapsed times are added up.";
  verb.Add("DIR", options.folders, "folders with results of shards")
      .Required()
      .Of(FileKind::kAny);
  verb.Add("--verb VERB", options.verb,
           "whose results, where the folders hold those of several")
      .OneOf(std::move(verbs));
  verb.Add("--baseline FILE", options.baseline,
           "report changes since the earlier run that left this JSON");
  verb.Add("--out DIR", options.out, "folder of the report").Required();
  AddVerbose(verb, "what the verb of the shards prints with it");
  verb.Docs("clusters.md",
            {{"merge part0 part1 --out merged"},
             {"merge part0 part1 --verb check --out again --baseline "
              "run.json"}});
}

void AddIndex(CommandLine& line) {
  auto [verb, options] =
      line.Add("merge --nightly",
               "the page over what script/nightly or "
               "tools/deploy/sharded-run left: OUT/index.html",
               RunIndex);
  verb.older = "index";
  verb.footer =
      "OUT/stages.txt lists what ran, in lines \"date TEXT\", \"commit "
      "TEXT\" and \"stage NAME STATUS SECONDS [unfinished]\". Status 0: the "
      "page is written; 2: it can't be, or results of a stage that ran can't "
      "be read, as the page reports.";
  verb.Add("OUT", options.out, "folder of a nightly run")
      .Required()
      .Of(FileKind::kAny);
  verb.Docs("nightly-ci.md",
            {{"merge --nightly out"}, {"merge --nightly out --summary"}});
  verb.Add(
      "--summary", options.summary,
      "print the stages and the findings by signature in Markdown, for the "
      "page of a CI run, instead of the page's path");
}

}  // namespace lanediff::cli
