// Git chooses commits, the user's command builds them, lanediff replays the
// case on what it built.

#include "tools/cli/verbs/campaign/bisection.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "reports/headline.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/process.h"
#include "tools/cli/version.h"

namespace lanediff::cli {
namespace {

constexpr std::size_t kShortHash = 12;

/// Answers of this run and of one that was killed, in a file, behind the
/// version of lanediff that gave them: those of another one are requested
/// again.
class Answers {
 public:
  explicit Answers(std::string path) : path_(std::move(path)) {
    std::ifstream in(path_);
    std::string line;
    if (!std::getline(in, line) || in.eof() || line != kVersion) {
      std::ofstream(path_) << kVersion << '\n';
      return;
    }
    while (std::getline(in, line)) {
      // A line that was cut short has no end.
      if (in.eof()) break;
      const auto space = line.find(' ');
      const auto next = line.find(' ', space + 1);
      if (space == line.npos || next == line.npos) continue;
      const std::string word = line.substr(space + 1, next - space - 1);
      for (std::size_t i = 0; i < std::size(kStandings); ++i) {
        if (word != kStandings[i]) continue;
        known_[line.substr(0, space)] = {.standing = static_cast<Standing>(i),
                                         .why = line.substr(next + 1)};
      }
    }
  }
  std::size_t size() const { return known_.size(); }
  std::optional<Answer> Find(const std::string& commit) const {
    const auto place = known_.find(commit);
    if (place == known_.end()) return std::nullopt;
    return place->second;
  }
  /// A file that can't be written costs no more than time after a kill.
  void Add(const std::string& commit, const Answer& answer) {
    known_[commit] = answer;
    std::ofstream(path_, std::ios::app)
        << commit << ' ' << kStandings[static_cast<int>(answer.standing)] << ' '
        << answer.why << '\n'
        << std::flush;
  }

 private:
  std::string path_;
  std::map<std::string, Answer> known_;
};

class Bisection {
 public:
  Bisection(const Search& search, const WorkFolder& work,
            const std::string& repository)
      : search_(search),
        work_(work),
        repository_(repository),
        tree_(work.In(fmt::format("tree-{}", getpid()))),
        candidates_(repository, tree_, work.In("git.log")),
        answers_(work.In("answers")) {}

  int Run() {
    if (answers_.size() > 0) {
      fmt::print("goes on: {} known from a run that was ended\n",
                 reports::Counted(answers_.size(), "commit"));
    }
    candidates_.Make(search_.bad);
    CheckEnds();
    auto next = candidates_.Begin(search_.good, search_.bad);
    while (!next.commit.empty()) {
      next = candidates_.Mark(next.commit, Look(next.commit).standing);
    }
    if (!next.unsure.empty()) next.among = {next.first, next.unsure};
    if (!next.among.empty()) TellSome(next.among);
    TellOne(next.first);
    return kAgree;
  }

 private:
  /// Tests the commit that is in the tree, and prints a line.
  Answer Look(const std::string& commit) {
    const CommitLines about = candidates_.Describe(commit);
    Answer answer;
    if (const auto known = answers_.Find(commit)) {
      answer = *known;
    } else {
      answer = BuildAndReplay(search_.question, commit, tree_, work_.In("log"),
                              work_.In("replay.json"));
      // What could not be judged may be the next time.
      if (answer.standing != Standing::kSkip) answers_.Add(commit, answer);
    }
    skipped_ += answer.standing == Standing::kSkip;
    ++looked_;
    fmt::print("{:4} {} {} {}{}\n",
               kStandings[static_cast<int>(answer.standing)],
               commit.substr(0, kShortHash), about.date, about.subject,
               answer.why.empty() ? "" : "\n     " + answer.why);
    std::fflush(stdout);
    return answer;
  }

  /// Both must be what they are taken for.
  void CheckEnds() {
    for (const auto& [commit, wanted] :
         {std::pair{search_.bad, Standing::kBad},
          std::pair{search_.good, Standing::kGood}}) {
      candidates_.Take(commit);
      const Answer answer = Look(commit);
      if (answer.standing == wanted) continue;
      const bool bad = wanted == Standing::kBad;
      throw BisectError(
          fmt::format("--{} {}: {}; a commit that {} the finding is allowed",
                      bad ? "bad" : "good", commit.substr(0, kShortHash),
                      answer.standing == Standing::kSkip ? answer.why
                      : bad ? "does not show the finding"
                            : "shows the finding already",
                      bad ? "shows" : "does not show"));
    }
  }

  std::string Looked() const {
    return fmt::format("looked at {}, {} skipped",
                       reports::Counted(looked_, "commit"), skipped_);
  }

  void TellOne(const std::string& commit) {
    const CommitLines about = candidates_.Describe(commit);
    fmt::print("{} began with\n{}\n  {}\n  {}, {}\n",
               search_.question.signature, about.hash, about.subject,
               about.author, about.date);
    if (about.parents.size() > 1) {
      fmt::print("  a merge: its {} parents do not show it\n",
                 about.parents.size());
    }
    fmt::print("{}\nnext: git {}show {}\n", Looked(),
               repository_ == "." ? "" : "-C " + ShellWord(repository_) + " ",
               about.hash.substr(0, kShortHash));
  }

  [[noreturn]] void TellSome(const std::vector<std::string>& among) {
    fmt::print("{} began with one of these; the others can't be judged\n",
               search_.question.signature);
    for (const std::string& commit : among) {
      const CommitLines about = candidates_.Describe(commit);
      fmt::print("  {} {} {}\n", commit.substr(0, kShortHash), about.date,
                 about.subject);
    }
    fmt::print("{}\n", Looked());
    throw BisectError(
        "the commit is not named: those that are left are skipped");
  }

  const Search& search_;
  const WorkFolder& work_;
  std::string repository_;
  /// Another one in each run: in that of a killed one its build may be at work.
  std::string tree_;
  Candidates candidates_;
  Answers answers_;
  std::size_t looked_ = 0;
  std::size_t skipped_ = 0;
};

namespace fs = std::filesystem;

/// More than git prints on a commit.
constexpr std::size_t kMaxOutputBytes = std::size_t{16} << 20;

/// Variables of a hook would lead git to the hook's repository, and messages
/// are read; no hook of the user's runs in a tree of ours.
constexpr const char* kGit =
    "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX; LC_ALL=C; export "
    "LC_ALL; exec git -c core.hooksPath=/dev/null -c advice.detachedHead=false "
    "\"$@\"";

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string LastLine(const std::string& text) {
  const auto lines = LinesOf(text);
  return lines.empty() ? "" : reports::InOneLine(lines.back());
}

bool IsHash(std::string_view word) {
  return word.size() >= 40 &&
         word.find_first_not_of("0123456789abcdef") == word.npos;
}

}  // namespace

int Bisect(const Search& search, const WorkFolder& work,
           const std::string& repository) {
  return Bisection(search, work, repository).Run();
}

Candidates::Candidates(std::string repository, std::string tree,
                       std::string log)
    : repository_(std::move(repository)),
      tree_(std::move(tree)),
      log_(std::move(log)) {}

Candidates::~Candidates() {
  if (made_) Remove(tree_);
}

Candidates::Output Candidates::Git(const std::string& folder,
                                   const std::vector<std::string>& words) {
  std::error_code error;
  fs::remove(log_, error);
  Process git{.program = "/bin/sh",
              .arguments = {"-c", kGit, "git", "-C", folder},
              .environment = {},
              .log = log_,
              .own_group = true};
  git.arguments.insert(git.arguments.end(), words.begin(), words.end());
  Output output;
  output.status = RunToEnd(git, std::numeric_limits<std::int32_t>::max());
  output.text = ReadFile(log_, kMaxOutputBytes).value_or("");
  return output;
}

std::expected<std::string, std::string> Candidates::Find(
    const std::string& name) {
  const Output output =
      Git(repository_, {"rev-parse", "--verify", "--quiet", "--end-of-options",
                        name + "^{commit}"});
  const std::string line = LastLine(output.text);
  if (output.status == 0 && IsHash(line)) return line;
  const Output git = Git(repository_, {"rev-parse", "--git-dir"});
  if (git.status != 0) {
    const std::string why = LastLine(git.text);
    return std::unexpected(
        fmt::format("--repo: {}: is no git repository, or git can't be run{}",
                    repository_, why.empty() ? "" : ": " + why));
  }
  return std::unexpected(
      fmt::format("{}: holds no commit \"{}\"", repository_, name));
}

CommitLines Candidates::Describe(const std::string& commit) {
  const Output output =
      Git(repository_, {"show", "--no-patch", "--no-show-signature",
                        "--date=format:%Y-%m-%d",
                        "--format=%H%n%s%n%an <%ae>%n%ad%n%P", commit, "--"});
  auto lines = LinesOf(output.text);
  // Before them git may print warnings.
  lines.erase(lines.begin(), std::ranges::find(lines, commit));
  if (output.status != 0 || lines.size() < 4) {
    throw BisectError("git: " + LastLine(output.text));
  }
  CommitLines about{.hash = lines[0],
                    .subject = reports::InOneLine(lines[1]),
                    .author = reports::InOneLine(lines[2]),
                    .date = lines[3],
                    .parents = {}};
  if (lines.size() > 4) {
    std::istringstream parents(lines[4]);
    for (std::string one; parents >> one;) about.parents.push_back(one);
  }
  return about;
}

void Candidates::Remove(const std::string& tree) {
  // Twice: also one that was killed while it was made.
  Git(repository_, {"worktree", "remove", "--force", "--force", tree});
  std::error_code error;
  fs::remove_all(tree, error);
}

void Candidates::Make(const std::string& commit) {
  std::error_code error;
  std::vector<std::string> left;
  for (const auto& entry :
       fs::directory_iterator(fs::path(tree_).parent_path(), error)) {
    if (entry.path().filename().string().starts_with("tree")) {
      left.push_back(entry.path().string());
    }
  }
  for (const std::string& tree : left) Remove(tree);
  made_ = true;
  const Output output = Git(
      repository_, {"worktree", "add", "--detach", "--force", tree_, commit});
  if (output.status == 0) return;
  throw BisectError(fmt::format("{}: git makes no working tree: {}", tree_,
                                LastLine(output.text)));
}

void Candidates::Take(const std::string& commit) {
  const Output output =
      Git(tree_, {"checkout", "--quiet", "--force", "--detach", commit, "--"});
  if (output.status == 0) return;
  throw BisectError(fmt::format("{}: git can't put it into {}: {}", commit,
                                tree_, LastLine(output.text)));
}

Candidates::Next Candidates::Begin(const std::string& good,
                                   const std::string& bad) {
  // Git's own checkout would stumble over what a build leaves.
  return Read(
      Git(tree_, {"bisect", "start", "--no-checkout", bad, good, "--"}));
}

Candidates::Next Candidates::Mark(const std::string& commit,
                                  Standing standing) {
  return Read(
      Git(tree_, {"bisect", kStandings[static_cast<int>(standing)], commit}));
}

Candidates::Next Candidates::Read(const Output& output) {
  constexpr std::string_view kFirst = " is the first bad commit";
  constexpr std::string_view kUnsure = "first bad commit is between ";
  Next next;
  for (const std::string& line : LinesOf(output.text)) {
    if (const auto at = line.find(kUnsure); at != line.npos) {
      const std::string rest = line.substr(at + kUnsure.size());
      unsure_ = rest.substr(0, rest.find(' '));
    }
    const auto end = line.find(kFirst);
    if (end != line.npos && IsHash(line.substr(0, end))) {
      next.first = line.substr(0, end);
      next.unsure = unsure_;
      return next;
    }
    if (IsHash(line)) next.among.push_back(line);
  }
  constexpr int kOnlySkipped = 2;
  if (output.status == kOnlySkipped && !next.among.empty()) return next;
  if (output.status != 0) {
    std::string why = output.text;
    std::ranges::replace(why, '\n', ' ');
    throw BisectError("git bisect: " + reports::InOneLine(why));
  }
  const Output head = Git(tree_, {"rev-parse", "BISECT_HEAD"});
  next.commit = LastLine(head.text);
  next.among.clear();
  Take(next.commit);
  return next;
}

}  // namespace lanediff::cli
