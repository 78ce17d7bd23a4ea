#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_reader.h"
#include "reports/comparison.h"
#include "tools/cli/common.h"
#include "tools/cli/program.h"
#include "tools/cli/shard.h"
#include "tools/cli/verbs/finish.h"

namespace lanediff::cli {
namespace {

/// What `work` returns, or 128 + the signal that ended it. An interrupt is
/// passed on; what has been done is then kept.
int InAnotherProcess(const std::function<int()>& work) {
  std::fflush(nullptr);
  const auto run = [&] {
    int status = kUsage;
    const auto thrown = Thrown([&] {
      try {
        status = work();
      } catch (const Exit& exit) {
        status = exit.status;
      }
    });
    if (thrown) status = FailUsage(*thrown);
    return FinishStandardOutput(status);
  };
  // What a terminal sends comes from this process alone.
  auto process = diff::Process::Start(
      {.work = run, .own_group = true, .end_signal = SIGTERM});
  if (!process) throw std::system_error(process.error(), "no process");
  auto status = process->Wait(diff::kForever, [] { return !Interrupted(); });
  if (!status) {
    process->Send(SIGINT);
    status = process->Wait();
  }
  return diff::ExitStatus(*status);
}

/// The targets and a folder for each, named after it.
std::vector<reports::ComparedTarget> WithFolders(const AuditOptions& options) {
  std::vector<reports::ComparedTarget> targets;
  for (const std::string& name : options.targets) {
    std::string folder = name.substr(0, 80);
    std::ranges::replace_if(
        folder,
        [](unsigned char c) {
          return std::isalnum(c) == 0 && c != '.' && c != '_';
        },
        '-');
    if (folder.starts_with('.')) folder.front() = '-';
    const auto known = [&](std::string reports::ComparedTarget::* member,
                           const std::string& value) {
      return std::ranges::find(targets, value, member) != targets.end();
    };
    if (known(&reports::ComparedTarget::target, name)) {
      Fail("--target: found \"{}\" several times; expected it once", name);
    }
    while (known(&reports::ComparedTarget::folder, folder)) folder += '-';
    targets.push_back({name, folder, kUsage, ""});
  }
  return targets;
}

/// What is of one target, or of one of many processes.
void RefuseWhatIsOfOne(const AuditOptions& options) {
  for (const auto& [name, value] :
       {std::pair("--baseline", options.baseline),
        std::pair("--character", options.character)}) {
    if (value.empty()) continue;
    Fail(
        "{}: it is of one target; found {} of "
        "--target, expected 1",
        name, options.targets.size());
  }
  if (ShardFor(options.shard, "").IsPart()) {
    Fail("--shard: found {} of --target, expected 1", options.targets.size());
  }
}

}  // namespace

int AuditEach(const AuditOptions& options) {
  RefuseWhatIsOfOne(options);
  auto targets = WithFolders(options);
  for (const std::string& name : options.targets) {
    // Programs are started where they are audited.
    if (name.starts_with("exec:") || name.starts_with("plugin:")) continue;
    TargetOptions target;
    target.name = name;
    AuditTarget(target);
  }
  if (!MakeNewFolder(options.out)) return kUsage;
  WatchInterrupt();
  int worst = kAgree;
  std::vector<std::string> audits;
  for (reports::ComparedTarget& target : targets) {
    AuditOptions one = options;
    one.targets = {target.target};
    one.out = (std::filesystem::path(options.out) / target.folder).string();
    if (!Interrupted()) {
      fmt::print("target {}\n", target.target);
      const int status = InAnotherProcess([&] { return AuditOne(one); });
      target.status =
          static_cast<std::uint64_t>(status > 3 ? kTargetFailed : status);
    }
    worst = Worse(worst, static_cast<int>(target.status));
    audits.push_back(ReadFile(one.out + "/audit.json").value_or(""));
  }
  const auto record = reports::ComparisonOf(std::move(targets), audits);
  fmt::print("{}", reports::ComparisonText(record, IsVerbose()));
  const bool written =
      WriteTo(options.out + "/comparison.json",
              [&] { return reports::ComparisonJson(record); }) &&
      WriteTo(options.out + "/index.html",
              [&] { return reports::ComparisonHtml(record); });
  if (!record.reasons.empty()) worst = Worse(worst, kUsage);
  return written ? worst : Worse(worst, kUsage);
}

}  // namespace lanediff::cli
