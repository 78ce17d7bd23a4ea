// Names the commit where a finding began: the question, and where the answers
// are kept until the end.

#include <fmt/format.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "differential/compare/signature.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "reports/printable.h"
#include "tools/cli/command_line.h"
#include "tools/cli/common.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/process.h"
#include "tools/cli/status.h"
#include "tools/cli/verbs/campaign/bisection.h"
#include "tools/cli/work_folder.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

std::string CaseOf(const BisectOptions& options,
                   const campaign::Origin& origin) {
  const std::string& file = options.case_file;
  const std::string text =
      file.empty() ? origin.case_text : OrFail(ReadFile(file), file + ": ");
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

std::string EndOf(const char* option, const std::string& given,
                  const std::string& recorded, const std::string& missing,
                  Candidates& candidates) {
  if (given.empty() && recorded.empty()) {
    throw BisectError(fmt::format("{}; {} COMMIT names one", missing, option));
  }
  const auto found = candidates.Find(given.empty() ? recorded : given);
  if (!found) throw BisectError(fmt::format("{}: {}", option, found.error()));
  return *found;
}

Search SearchOf(const BisectOptions& options, const campaign::Origin& origin) {
  std::error_code error;
  return {.question = {.signature = options.signature,
                       .case_file = {},
                       .build = options.build,
                       .program = !options.run.empty()
                                      ? options.run
                                      : ShellWord(fs::read_symlink(
                                                      "/proc/self/exe", error)
                                                      .string()),
                       .target = options.target.empty() ? origin.target
                                                        : options.target,
                       .reference = origin.reference},
          .good = {},
          .bad = {},
          .case_text = CaseOf(options, origin)};
}

WorkFolder WorkOf(const std::string& folder, const BisectOptions& options,
                  const Search& search) {
  std::error_code error;
  const fs::path all = fs::absolute(fs::path(folder) / "bisect");
  const Question& q = search.question;
  const std::string name = TextHash(
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", q.signature, q.build, q.program,
                  q.target, q.reference,
                  fs::absolute(options.repository).string(), search.case_text));
  fs::create_directory(all, error);
  if (error) {
    throw Exit{FailUsage(
        fmt::format("{}: can't be made: {}", all.string(), error.message()))};
  }
  return OrFail(WorkFolder::Take((all / name).string()));
}

using reports::ShellWord;

constexpr std::size_t kMaxLogBytes = std::size_t{64} << 20;

/// Runs a shell command; throws a `BisectError` if the run was interrupted.
int Shell(const std::string& command, const std::string& commit,
          const std::string& folder, const std::string& log) {
  std::error_code error;
  fs::remove(log, error);
  Process shell{
      .program = "/bin/sh",
      .arguments = {"-c", "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; cd " +
                              ShellWord(folder) + " || exit 127\n" + command},
      .environment = {"LANEDIFF_COMMIT=" + commit, "LANEDIFF_DIR=" + folder},
      .log = log,
      .own_group = true};
  if (!Start(shell)) return kNotStarted;
  int status = 0;
  while (!HasEnded(shell, status)) {
    if (Interrupted()) {
      Kill(shell);
      waitpid(shell.pid, nullptr, 0);
      throw BisectError("interrupted");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

std::string LastLineOf(const std::string& log) {
  std::string text = ReadFile(log, kMaxLogBytes).value_or("");
  const auto end = text.find_last_not_of(" \t\r\n");
  if (end == text.npos) return "";
  text.resize(end + 1);
  return reports::InOneLine(text.substr(text.find_last_of("\r\n") + 1));
}

std::string WithReason(std::string what, const std::string& log) {
  const std::string line = LastLineOf(log);
  return line.empty() ? what : what + ": " + line;
}

enum class Shown : std::uint8_t { kYes, kNo, kNotCompared };

/// The member of an object of any version of a format; null where it isn't one
/// or has none.
const nlohmann::json& At(const nlohmann::json& object, const char* name) {
  static const nlohmann::json null;
  const auto member = object.is_object() ? object.find(name) : object.end();
  return member == object.end() ? null : *member;
}
std::string TextAt(const nlohmann::json& object, const char* name) {
  const nlohmann::json& text = At(object, name);
  return text.is_string() ? text.get<std::string>() : "";
}

/// The result in the report of a replay. Without an answer of the target it is
/// not compared.
Shown ShownIn(const std::string& json, const std::string& signature) {
  const auto text = ReadFile(json, kMaxLogBytes);
  if (!text) return Shown::kNotCompared;
  const auto run = nlohmann::json::parse(*text, nullptr, false);
  Shown shown = Shown::kNotCompared;
  bool failed = false;
  for (const auto& one : At(run, "cases")) {
    const std::string verdict = TextAt(one, "verdict");
    if (verdict == "unsupported" || verdict == "malformed") continue;
    shown = Shown::kNo;
    for (const auto& finding : At(one, "findings")) {
      const std::string found = TextAt(finding, "signature");
      if (found == signature) return Shown::kYes;
      const auto kind = diff::KindIn(found);
      failed = failed || (kind && diff::IsFailure(*kind));
    }
  }
  return failed ? Shown::kNotCompared : shown;
}

/// The result of `lint --compare`, from its log and status.
Shown ShownByLint(const std::string& log, int status,
                  const std::string& signature) {
  if (status == kAgree) return Shown::kNo;
  if (status != kDisagreement) return Shown::kNotCompared;
  const auto text = ReadFile(log, kMaxLogBytes);
  return text && text->contains("  signature: " + signature + "\n")
             ? Shown::kYes
             : Shown::kNo;
}

std::string WithReplaced(std::string text, std::string_view from,
                         const std::string& to) {
  for (auto at = text.find(from); at != text.npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Whether lint and its model differ, which no target has a part in.
bool IsOfLint(const Question& question) {
  return diff::KindIn(question.signature) == diff::FindingKind::kLintDiffers;
}

std::string ReplayCommand(const Question& question, const std::string& folder,
                          const std::string& json) {
  const std::string program =
      WithReplaced(question.program, "{dir}", ShellWord(folder));
  if (IsOfLint(question)) {
    return fmt::format("{} lint --compare {}", program,
                       ShellWord(question.case_file));
  }
  return fmt::format("{} check {} --target {} --reference {} --json {}",
                     program, ShellWord(question.case_file),
                     ShellWord(WithReplaced(question.target, "{dir}", folder)),
                     ShellWord(question.reference), ShellWord(json));
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
  verb.Add("--of", options.of,
           "of bisect: the target on which it was found, if there are several")
      .Called("TARGET");
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

bool IsGiven(const BisectOptions& options) {
  return !options.build.empty() || !options.good.empty() ||
         !options.bad.empty() || !options.of.empty() ||
         !options.target.empty() || !options.run.empty() ||
         !options.case_file.empty() ||
         options.repository != BisectOptions().repository;
}

int RunBisect(const std::string& folder, campaign::Database& database,
              const campaign::HistoryOptions& history,
              const BisectOptions& options) {
  if (options.build.empty()) {
    return FailUsage(
        "campaign bisect: --build COMMAND is missing: what builds a commit");
  }
  const auto origin = OrFail(
      campaign::OriginOf(database, history, options.signature, options.of));
  Search search = SearchOf(options, origin);
  const WorkFolder work = WorkOf(folder, options, search);
  WatchInterrupt();
  int status = kUsage;
  std::string objection;
  try {
    Candidates names(options.repository, "", work.In("git.log"));
    search.bad = EndOf("--bad", options.bad, origin.bad,
                       "the campaign knows no commit with the finding", names);
    search.good = EndOf("--good", options.good, origin.good,
                        "the campaign knows no commit that was looked at "
                        "without the finding before",
                        names);
    search.question.case_file = work.In("case.json");
    if (!WriteTo(search.question.case_file, [&] { return search.case_text; })) {
      throw BisectError(search.question.case_file + ": can't be written");
    }
    status = Bisect(search, work, options.repository);
  } catch (const BisectError& error) {
    objection = error.why;
  }
  if (Interrupted()) {
    return FailUsage("campaign bisect: interrupted; run it again to go on");
  }
  const fs::path made = fs::path(work.In("log")).parent_path();
  std::error_code error;
  fs::remove_all(made, error);
  fs::remove(made.parent_path(), error);  // if it is empty
  return objection.empty() ? status
                           : FailUsage("campaign bisect: " + objection);
}

Answer BuildAndReplay(const Question& question, const std::string& commit,
                      const std::string& folder, const std::string& log,
                      const std::string& json) {
  const auto skipped = [](std::string why) {
    return Answer{.standing = Standing::kSkip, .why = std::move(why)};
  };
  const auto built = Shell(question.build, commit, folder, log);
  if (built != 0) {
    return skipped(
        WithReason(fmt::format("does not build, status {}", built), log));
  }
  const std::string replay = ReplayCommand(question, folder, json);
  int times = 0;
  constexpr int kReplays = 2;
  for (int i = 0; i < kReplays; ++i) {
    std::error_code error;
    fs::remove(json, error);
    const auto status = Shell(replay, commit, folder, log);
    const Shown shown = IsOfLint(question)
                            ? ShownByLint(log, status, question.signature)
                            : ShownIn(json, question.signature);
    if (shown == Shown::kNotCompared) {
      return skipped(WithReason(
          fmt::format("the case is not compared there, status {}", status),
          log));
    }
    times += shown == Shown::kYes;
  }
  if (times == 1) return skipped("shows the finding in one of two replays");
  return Answer{.standing = times == 0 ? Standing::kGood : Standing::kBad,
                .why = {}};
}

}  // namespace lanediff::cli
