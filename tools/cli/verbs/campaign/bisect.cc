// Names the commit where a finding began: the question, and where the answers
// are kept until the end.

#include "tools/cli/verbs/campaign/bisect.h"

#include <fmt/format.h>

#include <filesystem>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "tools/cli/command_line.h"
#include "tools/cli/common.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/verbs/campaign/bisection.h"
#include "tools/cli/verbs/campaign/candidates.h"
#include "tools/cli/work_folder.h"
#include "tools/history/origin.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

template <class T>
using Or = std::expected<T, std::string>;

Or<std::string> CaseOf(const BisectOptions& options,
                       const campaign::Origin& origin) {
  std::string text = origin.case_text;
  if (!options.case_file.empty()) {
    const auto read = ReadFile(options.case_file);
    if (!read) return std::unexpected(options.case_file + ": " + read.error());
    text = *read;
  }
  if (text.empty()) {
    return std::unexpected(
        "the campaign has kept no case of it; --case FILE names one");
  }
  if (const auto c = ReadCase(text); !c) {
    return std::unexpected(fmt::format("{}: {}",
                                       options.case_file.empty()
                                           ? "the case of the campaign"
                                           : options.case_file,
                                       LineOf(c.error())));
  }
  return text;
}

Or<std::string> EndOf(const char* option, const std::string& given,
                      const std::string& recorded, const std::string& missing,
                      Candidates& candidates) {
  if (given.empty() && recorded.empty()) {
    return std::unexpected(
        fmt::format("{}; {} COMMIT names one", missing, option));
  }
  const auto found = candidates.Find(given.empty() ? recorded : given);
  if (!found) {
    return std::unexpected(fmt::format("{}: {}", option, found.error()));
  }
  return *found;
}

Or<Search> SearchOf(const BisectOptions& options,
                    const campaign::Origin& origin) {
  Search search;
  auto text = CaseOf(options, origin);
  if (!text) return std::unexpected(text.error());
  search.case_text = *std::move(text);
  search.question = {
      .signature = options.signature,
      .case_file = {},
      .build = options.build,
      .program = options.run,
      .target = options.target.empty() ? origin.target : options.target,
      .reference = origin.reference};
  if (options.run.empty()) {
    std::error_code error;
    search.question.program =
        ShellWord(fs::read_symlink("/proc/self/exe", error).string());
  }
  return search;
}

/// The work folder, made; its name is a hash of the question.
Or<WorkFolder> WorkOf(const std::string& folder, const BisectOptions& options,
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
    return std::unexpected(
        fmt::format("{}: can't be made: {}", all.string(), error.message()));
  }
  return WorkFolder::Take((all / name).string());
}

Or<int> Run(const BisectOptions& options, const WorkFolder& work,
            Search& search) {
  search.question.case_file = work.In("case.json");
  if (!WriteTo(search.question.case_file, [&] { return search.case_text; })) {
    return std::unexpected(search.question.case_file + ": can't be written");
  }
  return Bisect(search, work, options.repository);
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
  const auto origin =
      campaign::OriginOf(database, history, options.signature, options.of);
  if (!origin) return FailUsage(origin.error());
  auto search = SearchOf(options, *origin);
  if (!search) return FailUsage(search.error());
  auto work = WorkOf(folder, options, *search);
  if (!work) return FailUsage(work.error());
  WatchInterrupt();
  Or<int> status = std::unexpected<std::string>("");
  {
    Candidates names(options.repository, "", work->In("git.log"));
    auto bad = EndOf("--bad", options.bad, origin->bad,
                     "the campaign knows no commit with the finding", names);
    auto good = EndOf("--good", options.good, origin->good,
                      "the campaign knows no commit that was looked at without "
                      "the finding before",
                      names);
    if (!bad || !good) {
      status = std::unexpected(!bad ? bad.error() : good.error());
    } else {
      search->bad = *bad;
      search->good = *good;
      status = Run(options, *work, *search);
    }
  }
  if (Interrupted()) {
    return FailUsage("campaign bisect: interrupted; run it again to go on");
  }
  const fs::path made = fs::path(work->In("log")).parent_path();
  std::error_code error;
  fs::remove_all(made, error);
  fs::remove(made.parent_path(), error);  // if it is empty
  if (!status) return FailUsage("campaign bisect: " + status.error());
  return *status;
}

}  // namespace lanediff::cli
