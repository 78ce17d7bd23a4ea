// Git chooses commits, the user's command builds them, lanediff replays the
// case on what it built.

#include "tools/cli/verbs/campaign/bisection.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

#include "reports/headline.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs/campaign/candidates.h"
#include "tools/cli/version.h"

namespace lanediff::cli {
namespace {

template <class T>
using Or = std::expected<T, std::string>;

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

  Or<int> Run() {
    if (answers_.size() > 0) {
      fmt::print("goes on: {} known from a run that was ended\n",
                 reports::Counted(answers_.size(), "commit"));
    }
    if (const auto made = candidates_.Make(search_.bad); !made) {
      return std::unexpected(made.error());
    }
    if (auto ends = CheckEnds(); !ends) return std::unexpected(ends.error());
    auto next = candidates_.Begin(search_.good, search_.bad);
    while (next && !next->commit.empty()) {
      const auto answer = Look(next->commit);
      if (!answer) return std::unexpected(answer.error());
      next = candidates_.Mark(next->commit, answer->standing);
    }
    if (!next) return std::unexpected(next.error());
    if (!next->unsure.empty()) next->among = {next->first, next->unsure};
    return next->among.empty() ? TellOne(next->first) : TellSome(next->among);
  }

 private:
  /// Tests the commit that is in the tree, and prints a line.
  Or<Answer> Look(const std::string& commit) {
    const auto about = candidates_.Describe(commit);
    if (!about) return std::unexpected(about.error());
    Answer answer;
    if (const auto known = answers_.Find(commit)) {
      answer = *known;
    } else {
      const auto tested =
          BuildAndReplay(search_.question, commit, tree_, work_.In("log"),
                         work_.In("replay.json"));
      if (!tested) return std::unexpected(tested.error());
      answer = *tested;
      // What could not be judged may be the next time.
      if (answer.standing != Standing::kSkip) answers_.Add(commit, answer);
    }
    skipped_ += answer.standing == Standing::kSkip;
    ++looked_;
    fmt::print("{:4} {} {} {}{}\n",
               kStandings[static_cast<int>(answer.standing)],
               commit.substr(0, kShortHash), about->date, about->subject,
               answer.why.empty() ? "" : "\n     " + answer.why);
    std::fflush(stdout);
    return answer;
  }

  /// Both must be what they are taken for.
  Or<void> CheckEnds() {
    for (const auto& [commit, wanted] :
         {std::pair{search_.bad, Standing::kBad},
          std::pair{search_.good, Standing::kGood}}) {
      if (const auto taken = candidates_.Take(commit); !taken) return taken;
      const auto answer = Look(commit);
      if (!answer) return std::unexpected(answer.error());
      if (answer->standing == wanted) continue;
      const bool bad = wanted == Standing::kBad;
      return std::unexpected(
          fmt::format("--{} {}: {}; a commit that {} the finding is allowed",
                      bad ? "bad" : "good", commit.substr(0, kShortHash),
                      answer->standing == Standing::kSkip ? answer->why
                      : bad ? "does not show the finding"
                            : "shows the finding already",
                      bad ? "shows" : "does not show"));
    }
    return {};
  }

  std::string Looked() const {
    return fmt::format("looked at {}, {} skipped",
                       reports::Counted(looked_, "commit"), skipped_);
  }

  Or<int> TellOne(const std::string& commit) {
    const auto about = candidates_.Describe(commit);
    if (!about) return std::unexpected(about.error());
    fmt::print("{} began with\n{}\n  {}\n  {}, {}\n",
               search_.question.signature, about->hash, about->subject,
               about->author, about->date);
    if (about->parents.size() > 1) {
      fmt::print("  a merge: its {} parents do not show it\n",
                 about->parents.size());
    }
    fmt::print("{}\nnext: git {}show {}\n", Looked(),
               repository_ == "." ? "" : "-C " + ShellWord(repository_) + " ",
               about->hash.substr(0, kShortHash));
    return kAgree;
  }

  Or<int> TellSome(const std::vector<std::string>& among) {
    fmt::print("{} began with one of these; the others can't be judged\n",
               search_.question.signature);
    for (const std::string& commit : among) {
      const auto about = candidates_.Describe(commit);
      if (!about) return std::unexpected(about.error());
      fmt::print("  {} {} {}\n", commit.substr(0, kShortHash), about->date,
                 about->subject);
    }
    fmt::print("{}\n", Looked());
    return std::unexpected(
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

}  // namespace

Or<int> Bisect(const Search& search, const WorkFolder& work,
               const std::string& repository) {
  return Bisection(search, work, repository).Run();
}

}  // namespace lanediff::cli
