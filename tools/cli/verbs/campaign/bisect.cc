// Names the commit where a finding began: the question, and how a commit
// answers it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <sstream>
#include <utility>
#include <vector>

#include "differential/compare/signature.h"
#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "reports/printable.h"
#include "tools/cli/command_line.h"
#include "tools/cli/common.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/shard.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs/campaign/bisection.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using reports::CampaignFinding;

/// The finding on the target that is meant, or on the only one.
const CampaignFinding& FindingOf(const reports::CampaignRecord& record,
                                 const BisectOptions& options,
                                 const std::string& folder) {
  std::vector<std::string> targets;
  const CampaignFinding* found = nullptr;
  for (const CampaignFinding& one : record.findings) {
    if (one.signature != options.signature) continue;
    targets.push_back(one.target);
    if (options.of.empty() || one.target == options.of) found = &one;
  }
  if (targets.empty()) {
    throw Exit{FailUsage(fmt::format(
        "{}: holds no finding \"{}\"; one that `lanediff campaign list` prints "
        "is allowed",
        folder, options.signature))};
  }
  if (found == nullptr || (options.of.empty() && targets.size() > 1)) {
    throw Exit{FailUsage(
        fmt::format("{}: was found on {}; --of names the one that is meant",
                    options.signature, fmt::join(targets, " and ")))};
  }
  return *found;
}

std::string CaseOf(const std::string& file, const std::string& kept) {
  const std::string text =
      file.empty() ? kept : OrFail(ReadFile(file), file + ": ");
  if (text.empty()) {
    throw Exit{FailUsage(
        "the campaign has kept no case of it; --case FILE names one")};
  }
  if (const auto c = ReadCase(text); !c) {
    throw Exit{FailUsage(
        fmt::format("{}: {}", file.empty() ? "the case of the campaign" : file,
                    LineOf(c.error())))};
  }
  return text;
}

std::string EndOf(const std::string& option, const std::string& given,
                  const std::string& recorded, const std::string& missing,
                  const Search& search) {
  if (given.empty() && recorded.empty()) {
    throw BisectError(
        fmt::format("the campaign knows no commit {}; {} COMMIT names one",
                    missing, option));
  }
  try {
    return FindCommit(search.repository, given.empty() ? recorded : given);
  } catch (const BisectError& error) {
    throw BisectError(option + ": " + error.why);
  }
}

WorkFolder WorkOf(const std::string& folder, const Search& search,
                  const std::string& case_text) {
  std::error_code error;
  const fs::path all = fs::absolute(fs::path(folder) / "bisect");
  const std::string name = TextHash(
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", search.signature, search.build,
                  search.program, search.target, search.reference,
                  fs::absolute(search.repository).string(), case_text));
  fs::create_directory(all, error);
  if (error) {
    throw Exit{FailUsage(
        fmt::format("{}: can't be made: {}", all.string(), error.message()))};
  }
  return OrFail(WorkFolder::Take((all / name).string()));
}

/// Runs a shell command; throws a `BisectError` if the run was interrupted.
diff::RunResult Shell(const std::string& command, const std::string& commit,
                      const std::string& folder) {
  auto result = diff::RunToEnd(
      {.words = {"/bin/sh", "-c",
                 "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; cd " +
                     ShellWord(folder) + " || exit 127\n" + command},
       .environment = ChildEnvironment(
           {"LANEDIFF_COMMIT=" + commit, "LANEDIFF_DIR=" + folder}),
       .own_group = true},
      diff::kForever, [] { return !Interrupted(); });
  if (result.status == diff::kStopped) throw BisectError("interrupted");
  return result;
}

std::string WithReason(std::string what, std::string text) {
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
  if (text.empty()) return what;
  return what + ": " +
         reports::InOneLine(text.substr(text.find_last_of("\r\n") + 1));
}

enum class Shown : std::uint8_t { kYes, kNo, kNotCompared };

/// The result of a replay, by its status, verdict and printed signatures. A
/// target that failed gave no answer. The status is not `kAgree` where the two
/// agree in a refusal alone.
Shown ShownBy(const diff::RunResult& replay, const Search& search) {
  if (replay.status == kAgree) return Shown::kNo;
  const std::string agrees = "agree " + reports::InOneLine(search.case_file);
  bool any = false, failed = replay.status != kDisagreement;
  std::istringstream text(replay.output);
  constexpr std::string_view kMark = "  signature: ";
  for (std::string line; std::getline(text, line);) {
    if (line == agrees) return Shown::kNo;
    if (!line.starts_with(kMark)) continue;
    const std::string found = line.substr(kMark.size());
    if (found == search.signature) return Shown::kYes;
    const auto kind = diff::KindIn(found);
    failed = failed || (kind && diff::IsFailure(*kind));
    any = true;
  }
  return any && !failed ? Shown::kNo : Shown::kNotCompared;
}

std::string WithFolder(std::string text, const std::string& folder) {
  constexpr std::string_view kFolder = "{dir}";
  for (auto at = text.find(kFolder); at != text.npos;
       at = text.find(kFolder, at + folder.size())) {
    text.replace(at, kFolder.size(), folder);
  }
  return text;
}

}  // namespace

void AddBisect(Verb& verb, BisectOptions& options) {
  verb.Add(
      "--build", options.build,
      "of bisect: shell command that builds a commit in the current folder; "
      "LANEDIFF_COMMIT and LANEDIFF_DIR name both");
  verb.Add("--good", options.good,
           "of bisect: a commit without the finding; else the last that was "
           "looked at without it");
  verb.Add(
      "--bad", options.bad,
      "of bisect: a commit with it; else that of the run that saw it first, "
      "or again");
  verb.Add("--repo", options.repository,
           "of bisect: folder of the git repository")
      .ShowDefault();
  verb.Add("--of TARGET", options.of,
           "of bisect: the target on which it was found, if there are several");
  verb.Add(
      "--target", options.target,
      "of bisect: what a build leaves, such as plugin:{dir}/lib.so; {dir} is "
      "its folder, which is also the current one; else the target on "
      "which it was found");
  verb.Add("--run", options.run,
           "of bisect: the lanediff that replays, such as "
           "build/release/bin/lanediff; else this one");
  verb.Add("--case", options.case_file,
           "of bisect: a case that shows it; else the smallest that was kept");
}

int RunBisect(const std::string& folder, campaign::Database& database,
              const campaign::HistoryOptions& history,
              const BisectOptions& options) {
  if (options.build.empty()) {
    return FailUsage(
        "campaign bisect: --build COMMAND is missing: what builds a commit");
  }
  const auto record = campaign::ReadHistory(database, history);
  const CampaignFinding& found = FindingOf(record, options, folder);
  const reports::CampaignPeriod& period = found.periods.back();
  const std::string case_text =
      CaseOf(options.case_file, campaign::KeptCase(database, found));
  std::error_code error;
  const auto self = fs::read_symlink("/proc/self/exe", error).string();
  Search search = {
      .signature = options.signature,
      .build = options.build,
      .program = options.run.empty() ? ShellWord(self) : options.run,
      .target = options.target.empty() ? found.target : options.target,
      .reference = found.reference,
      .repository = options.repository};
  const WorkFolder work = WorkOf(folder, search, case_text);
  WatchInterrupt();
  std::string objection;
  try {
    search.bad = EndOf("--bad", options.bad, period.seen.commit,
                       "with the finding", search);
    search.good = EndOf(
        "--good", options.good, period.before ? period.before->commit : "",
        "that was looked at without the finding before", search);
    search.case_file = work.In("case.json");
    if (!WriteTo(search.case_file, [&] { return case_text; })) {
      throw BisectError(search.case_file + ": can't be written");
    }
    Bisect(search, work);
  } catch (const BisectError& failure) {
    objection = failure.why;
  }
  if (Interrupted()) {
    return FailUsage("campaign bisect: interrupted; run it again to go on");
  }
  const fs::path made = fs::path(work.In("log")).parent_path();
  fs::remove_all(made, error);
  fs::remove(made.parent_path(), error);  // if it is empty
  return objection.empty() ? kAgree
                           : FailUsage("campaign bisect: " + objection);
}

Answer BuildAndReplay(const Search& search, const std::string& commit,
                      const std::string& folder) {
  const auto built = Shell(search.build, commit, folder);
  if (built.status != 0) {
    return {"skip",
            WithReason(fmt::format("does not build, status {}", built.status),
                       built.output)};
  }
  // Whether lint and its model differ, which no target has a part in.
  const bool by_lint =
      diff::KindIn(search.signature) == diff::FindingKind::kLintDiffers;
  const std::string case_file = ShellWord(search.case_file);
  const std::string replay =
      WithFolder(search.program, ShellWord(folder)) +
      (by_lint ? " lint --compare " + case_file
               : fmt::format(" check {} --target {} --reference {}", case_file,
                             ShellWord(WithFolder(search.target, folder)),
                             ShellWord(search.reference)));
  int times = 0;
  constexpr int kReplays = 2;
  for (int i = 0; i < kReplays; ++i) {
    const auto result = Shell(replay, commit, folder);
    const Shown shown = ShownBy(result, search);
    if (shown == Shown::kNotCompared) {
      return {
          "skip",
          WithReason(fmt::format("the case is not compared there, status {}",
                                 result.status),
                     result.output)};
    }
    times += shown == Shown::kYes ? 1 : 0;
  }
  if (times == 1) return {"skip", "shows the finding in one of two replays"};
  return {times == 0 ? "good" : "bad"};
}

}  // namespace lanediff::cli
