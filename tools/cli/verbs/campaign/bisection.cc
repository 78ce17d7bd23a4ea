// Git chooses commits, the user's command builds them, lanediff replays the
// case on what it built.

#include "tools/cli/verbs/campaign/bisection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_reader.h"
#include "reports/headline.h"
#include "reports/printable.h"
#include "tools/cli/shard.h"
#include "tools/cli/version.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using TextList = std::vector<std::string>;

/// Variables of a hook would lead git to the hook's repository, and messages
/// are read; no hook of the user's runs in a tree of ours.
constexpr const char* kGit =
    "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX; LC_ALL=C; export "
    "LC_ALL; exec git -c core.hooksPath=/dev/null -c advice.detachedHead=false "
    "\"$@\"";

struct Output {
  int status = 0;
  TextList lines;

  std::string Last() const {
    return lines.empty() ? "" : reports::InOneLine(lines.back());
  }
};

Output Git(const std::string& folder, const TextList& words) {
  diff::Spawn git{.words = {"/bin/sh", "-c", kGit, "git", "-C", folder},
                  .environment = ChildEnvironment(),
                  .own_group = true};
  git.words.insert(git.words.end(), words.begin(), words.end());
  const auto result = diff::RunToEnd(std::move(git));
  Output output{.status = result.status, .lines = {}};
  std::istringstream text(result.output);
  for (std::string line; std::getline(text, line);) {
    output.lines.push_back(line);
  }
  return output;
}

bool IsHash(std::string_view word) {
  return word.size() >= 40 &&
         word.find_first_not_of("0123456789abcdef") == word.npos;
}

std::string Short(const std::string& commit) { return commit.substr(0, 12); }

class Bisection {
 public:
  Bisection(const Search& search, const WorkFolder& work)
      : search_(search),
        work_(work),
        tree_(work.In(fmt::format("tree-{}", getpid()))) {
    ReadAnswers();
  }
  ~Bisection() { RemoveTrees(); }
  Bisection(const Bisection&) = delete;
  Bisection& operator=(const Bisection&) = delete;

  void Run() {
    if (!known_.empty()) {
      fmt::print("goes on: {} known from a run that was ended\n",
                 reports::Counted(known_.size(), "commit"));
    }
    RemoveTrees();
    Must(Git(search_.repository,
             {"worktree", "add", "--detach", "--force", tree_, search_.bad}),
         tree_ + ": git makes no working tree");
    MustBe("bad", search_.bad, "does not show the finding",
           "shows the finding");
    MustBe("good", search_.good, "shows the finding already",
           "does not show the finding");
    // Git's own checkout would stumble over what a build leaves.
    TextList bisect = {"start", "--no-checkout", search_.bad, search_.good,
                       "--"};
    while (Choose(bisect)) {
      const std::string commit =
          Git(tree_, {"rev-parse", "BISECT_HEAD"}).Last();
      bisect = {Look(commit).word, commit};
    }
  }

 private:
  static void Must(const Output& output, const std::string& what) {
    if (output.status == 0) return;
    throw BisectError(what + ": " + output.Last());
  }

  /// Each run has a tree of its own: in that of a killed one its build may be
  /// at work. All are removed, also one that was killed while it was made.
  void RemoveTrees() {
    std::error_code error;
    std::vector<fs::path> trees;
    for (const auto& entry :
         fs::directory_iterator(fs::path(tree_).parent_path(), error)) {
      if (entry.path().filename().string().starts_with("tree")) {
        trees.push_back(entry.path());
      }
    }
    for (const fs::path& tree : trees) {
      Git(search_.repository,
          {"worktree", "remove", "--force", "--force", tree.string()});
      fs::remove_all(tree, error);
    }
  }

  /// Answers of a run that was ended, a line each, behind the version of
  /// lanediff that gave them: those of another one are requested again. What
  /// could not be judged may be the next time.
  void ReadAnswers() {
    std::ifstream in(work_.In("answers"));
    std::string version, commit, word;
    if (!std::getline(in, version) || version != kVersion) {
      std::ofstream(work_.In("answers")) << kVersion << '\n';
      return;
    }
    while (in >> commit >> word) {
      if (word == "good" || word == "bad") known_[commit] = word;
    }
  }

  /// Subject, author with address, date and parents of a commit.
  TextList Describe(const std::string& commit) const {
    auto [status, lines] = Git(
        search_.repository,
        {"show", "--no-patch", "--no-show-signature", "--date=format:%Y-%m-%d",
         "--format=%H%n%s%n%an <%ae>%n%ad%n%P", commit, "--"});
    // Before them git may print warnings.
    lines.erase(lines.begin(), std::ranges::find(lines, commit));
    if (status != 0 || lines.size() < 4) {
      throw BisectError("git can't show " + commit);
    }
    lines.erase(lines.begin());
    lines.resize(4);
    for (std::string& line : lines) line = reports::InOneLine(line);
    return lines;
  }

  /// Tests a commit, and prints a line.
  Answer Look(const std::string& commit) {
    const TextList about = Describe(commit);
    // Files that git does not know stay.
    Must(Git(tree_,
             {"checkout", "--quiet", "--force", "--detach", commit, "--"}),
         commit + ": git can't put it into " + tree_);
    Answer answer{known_[commit]};
    if (answer.word.empty()) {
      answer = BuildAndReplay(search_, commit, tree_);
      if (answer.word != "skip") {
        // A file that can't be written costs no more than time after a kill.
        std::ofstream(work_.In("answers"), std::ios::app)
            << commit << ' ' << answer.word << '\n';
      }
    }
    skipped_ += answer.word == "skip" ? 1 : 0;
    ++looked_;
    fmt::print("{:4} {} {} {}{}\n", answer.word, Short(commit), about[2],
               about[0], answer.why.empty() ? "" : "\n     " + answer.why);
    std::fflush(stdout);
    return answer;
  }

  /// An end must be what it is taken for.
  void MustBe(const std::string& word, const std::string& commit,
              const std::string& found, const std::string& allowed) {
    const Answer answer = Look(commit);
    if (answer.word == word) return;
    throw BisectError(fmt::format(
        "--{} {}: {}; a commit that {} is allowed", word, Short(commit),
        answer.why.empty() ? found : answer.why, allowed));
  }

  /// Has git bisect take a step; false if it has come to its end, which is
  /// printed.
  bool Choose(TextList words) {
    words.insert(words.begin(), "bisect");
    const Output output = Git(tree_, words);
    constexpr std::string_view kFirst = " is the first bad commit";
    constexpr std::string_view kBetween = "first bad commit is between ";
    TextList among;
    for (const std::string& line : output.lines) {
      // Where good and bad part was skipped: it may be there or before it.
      if (const auto at = line.find(kBetween); at != line.npos) {
        const std::string rest = line.substr(at + kBetween.size());
        parted_at_ = rest.substr(0, rest.find(' '));
      }
      const std::string first = line.substr(0, line.find(kFirst));
      if (first != line && IsHash(first)) {
        if (!parted_at_.empty()) PrintSome({first, parted_at_});
        PrintOne(first);
        return false;
      }
      if (IsHash(line)) among.push_back(line);
    }
    constexpr int kOnlySkipped = 2;
    if (output.status == kOnlySkipped && !among.empty()) PrintSome(among);
    if (output.status != 0) {
      throw BisectError(
          fmt::format("git bisect: {}", fmt::join(output.lines, " ")));
    }
    return true;
  }

  std::string Looked() const {
    return fmt::format("looked at {}, {} skipped",
                       reports::Counted(looked_, "commit"), skipped_);
  }

  void PrintOne(const std::string& commit) const {
    const TextList about = Describe(commit);
    fmt::print("{} began with\n{}\n  {}\n  {}, {}\n", search_.signature, commit,
               about[0], about[1], about[2]);
    const auto parents = 1 + std::ranges::count(about[3], ' ');
    if (parents > 1) {
      fmt::print("  a merge: its {} parents do not show it\n", parents);
    }
    const std::string& repository = search_.repository;
    fmt::print(
        "{}\nnext: git {}show {}\n", Looked(),
        repository == "." ? "" : "-C " + reports::ShellWord(repository) + " ",
        Short(commit));
  }

  [[noreturn]] void PrintSome(const TextList& among) const {
    fmt::print("{} began with one of these; the others can't be judged\n",
               search_.signature);
    for (const std::string& commit : among) {
      const TextList about = Describe(commit);
      fmt::print("  {} {} {}\n", Short(commit), about[2], about[0]);
    }
    fmt::print("{}\n", Looked());
    throw BisectError(
        "the commit is not named: those that are left are skipped");
  }

  const Search& search_;
  const WorkFolder& work_;
  std::string tree_;
  std::map<std::string, std::string> known_;  ///< by commit
  std::string parted_at_;
  std::size_t looked_ = 0;
  std::size_t skipped_ = 0;
};

}  // namespace

std::string FindCommit(const std::string& repository, const std::string& name) {
  const Output output =
      Git(repository, {"rev-parse", "--verify", "--quiet", "--end-of-options",
                       name + "^{commit}"});
  if (output.status == 0 && IsHash(output.Last())) return output.Last();
  const Output git = Git(repository, {"rev-parse", "--git-dir"});
  if (git.status == 0) {
    throw BisectError(
        fmt::format("{}: holds no commit \"{}\"", repository, name));
  }
  throw BisectError(
      fmt::format("--repo: {}: is no git repository, or git can't be run{}",
                  repository, git.lines.empty() ? "" : ": " + git.Last()));
}

void Bisect(const Search& search, const WorkFolder& work) {
  Bisection(search, work).Run();
}

}  // namespace lanediff::cli
