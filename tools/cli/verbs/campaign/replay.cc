#include "tools/cli/verbs/campaign/replay.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "differential/compare/signature.h"
#include "differential/testcase/case_reader.h"
#include "reports/printable.h"
#include "reports/shell_word.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/process.h"
#include "tools/cli/status.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using reports::ShellWord;

constexpr std::size_t kMaxLogBytes = std::size_t{64} << 20;

/// Runs a shell command; nothing if the run was interrupted.
std::optional<int> Shell(const std::string& command, const std::string& commit,
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
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

/// The last line of a log that holds more than spaces.
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

std::string Replaced(std::string text, std::string_view from,
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
      Replaced(question.program, "{dir}", ShellWord(folder));
  if (IsOfLint(question)) {
    return fmt::format("{} lint --compare {}", program,
                       ShellWord(question.case_file));
  }
  return fmt::format("{} check {} --target {} --reference {} --json {}",
                     program, ShellWord(question.case_file),
                     ShellWord(Replaced(question.target, "{dir}", folder)),
                     ShellWord(question.reference), ShellWord(json));
}

}  // namespace

std::expected<Answer, std::string> BuildAndReplay(const Question& question,
                                                  const std::string& commit,
                                                  const std::string& folder,
                                                  const std::string& log,
                                                  const std::string& json) {
  const auto skipped = [](std::string why) {
    return Answer{.standing = Standing::kSkip, .why = std::move(why)};
  };
  const auto interrupted = std::unexpected<std::string>("interrupted");
  const auto built = Shell(question.build, commit, folder, log);
  if (!built) return interrupted;
  if (*built != 0) {
    return skipped(
        WithReason(fmt::format("does not build, status {}", *built), log));
  }
  const std::string replay = ReplayCommand(question, folder, json);
  int times = 0;
  constexpr int kReplays = 2;
  for (int i = 0; i < kReplays; ++i) {
    std::error_code error;
    fs::remove(json, error);
    const auto status = Shell(replay, commit, folder, log);
    if (!status) return interrupted;
    const Shown shown = IsOfLint(question)
                            ? ShownByLint(log, *status, question.signature)
                            : ShownIn(json, question.signature);
    if (shown == Shown::kNotCompared) {
      return skipped(WithReason(
          fmt::format("the case is not compared there, status {}", *status),
          log));
    }
    times += shown == Shown::kYes;
  }
  if (times == 1) return skipped("shows the finding in one of two replays");
  return Answer{.standing = times == 0 ? Standing::kGood : Standing::kBad,
                .why = {}};
}

}  // namespace lanediff::cli
