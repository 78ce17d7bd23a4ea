#include "tools/cli/verbs/campaign/candidates.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "reports/printable.h"
#include "tools/cli/process.h"

namespace lanediff::cli {
namespace {

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

Candidates::Or<std::string> Candidates::Find(const std::string& name) {
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

Candidates::Or<CommitLines> Candidates::Describe(const std::string& commit) {
  const Output output =
      Git(repository_, {"show", "--no-patch", "--no-show-signature",
                        "--date=format:%Y-%m-%d",
                        "--format=%H%n%s%n%an <%ae>%n%ad%n%P", commit, "--"});
  auto lines = LinesOf(output.text);
  // Before them git may print warnings.
  lines.erase(lines.begin(), std::ranges::find(lines, commit));
  if (output.status != 0 || lines.size() < 4) {
    return std::unexpected("git: " + LastLine(output.text));
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

Candidates::Or<void> Candidates::Make(const std::string& commit) {
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
  if (output.status == 0) return {};
  return std::unexpected(fmt::format("{}: git makes no working tree: {}", tree_,
                                     LastLine(output.text)));
}

Candidates::Or<void> Candidates::Take(const std::string& commit) {
  const Output output =
      Git(tree_, {"checkout", "--quiet", "--force", "--detach", commit, "--"});
  if (output.status == 0) return {};
  return std::unexpected(fmt::format("{}: git can't put it into {}: {}", commit,
                                     tree_, LastLine(output.text)));
}

Candidates::Or<Candidates::Next> Candidates::Begin(const std::string& good,
                                                   const std::string& bad) {
  // Git's own checkout would stumble over what a build leaves.
  return Read(
      Git(tree_, {"bisect", "start", "--no-checkout", bad, good, "--"}));
}

Candidates::Or<Candidates::Next> Candidates::Mark(const std::string& commit,
                                                  Standing standing) {
  return Read(
      Git(tree_, {"bisect", kStandings[static_cast<int>(standing)], commit}));
}

Candidates::Or<Candidates::Next> Candidates::Read(const Output& output) {
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
    return std::unexpected("git bisect: " + reports::InOneLine(why));
  }
  const Output head = Git(tree_, {"rev-parse", "BISECT_HEAD"});
  next.commit = LastLine(head.text);
  next.among.clear();
  if (const auto taken = Take(next.commit); !taken) {
    return std::unexpected(taken.error());
  }
  return next;
}

}  // namespace lanediff::cli
