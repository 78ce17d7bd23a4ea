// Names the commit where a finding began. Git chooses commits, the user's
// command builds them, lanediff replays the case on what it built: a shell
// script, whose lines are passed on.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "differential/compare/signature.h"
#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/content_hash.h"
#include "reports/printable.h"
#include "tools/cli/command_line.h"
#include "tools/cli/common.h"
#include "tools/cli/program.h"
#include "tools/cli/shard.h"
#include "tools/cli/verbs/campaign/bisection.h"
#include "tools/cli/version.h"
#include "tools/cli/work_folder.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using reports::CampaignFinding;

/// Prints a line for each commit, and the result. Where no commit is named it
/// writes the reason to the file `why` of its work folder. Decided commits are
/// kept in `answers`, behind the version of lanediff that decided.
constexpr const char* kScript = R"sh(
action=$1 work=$2 tree=$3 repo=$4 signature=$5 build=$6 replay=$7 agrees=$8
shift 8
failures=$1 version=$2 good=$3 bad=$4 next=$5
looked=0 skipped=0 parted=
# Variables of a hook would lead git to the hook's repository.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX
git() { # its messages are read; no hook of the user's runs in a tree of ours
  LC_ALL=C command git -c core.hooksPath=/dev/null -c advice.detachedHead=false "$@"
}
# A killed caller leaves this script, and another run may have the folder by now.
check_caller() { kill -0 "$PPID" 2>/dev/null || exit 1; }
fail() { # why
  check_caller
  printf '%s\n' "$1" >"$work/why"
  exit 1
}
in_log() { # command...
  rm -f "$work/log" # a process of a killed run may write to the old one
  "$@" >"$work/log" 2>&1
}
reason() { # the last line of the log behind a colon
  sed -n '/[^[:space:]]/h; ${ x; s/^./: &/p; }' "$work/log"
}
counted() { # number, noun
  if [ "$1" -eq 1 ]; then echo "1 $2"; else echo "$1 $2s"; fi
}
show() { # format, commit
  git -C "$repo" show --no-patch --no-show-signature --date=format:%Y-%m-%d --format="$1" "$2" -- 2>/dev/null
}
# Each run has a tree of its own: in that of a killed one its build may be at work.
remove_trees() {
  for old in "$work"/tree*; do
    [ -e "$old" ] || continue
    in_log git -C "$repo" worktree remove --force --force "$old"
    rm -rf "$old"
  done
}
if [ "$action" = clean ]; then
  remove_trees
  exit
fi
name() { # option, commit: sets `commit` to its whole name
  commit=$(git -C "$repo" rev-parse --verify --quiet --end-of-options "$2^{commit}") && return
  in_log git -C "$repo" rev-parse --git-dir ||
    fail "--repo: $repo: is no git repository, or git can't be run$(reason)"
  fail "$1: $repo: holds no commit \"$2\""
}
in_tree() { # shell command, commit
  (cd "$tree" && LANEDIFF_COMMIT=$2 LANEDIFF_DIR=$tree exec sh -c "$1")
}
# Of a replay: bad, good, or nothing where the case was not compared, as the target
# failed, or as the two agree in a refusal alone.
shown() { # status
  if [ "$1" -eq 0 ]; then
    echo good
  elif grep -Fqx -e "  signature: $signature" "$work/log"; then
    echo bad
  elif grep -Fqx -e "$agrees" "$work/log"; then
    echo good
  elif [ "$1" -eq 1 ] && grep -q '^  signature: ' "$work/log" &&
    ! grep -qE "^  signature: ($failures)/" "$work/log"; then
    echo good
  fi
}
judge() { # commit: sets `word` and `why`
  word=skip
  in_log in_tree "$build" "$1" || { why="does not build, status $?$(reason)"; return; }
  for again in '' 1; do
    before=$word status=0
    in_log in_tree "$replay" "$1" || status=$?
    word=$(shown "$status")
    [ -n "$word" ] ||
      { word=skip why="the case is not compared there, status $status$(reason)"; return; }
  done
  [ "$word" = "$before" ] || { word=skip why='shows the finding in one of two replays'; }
}
look() { # commit: tests it, and prints a line
  # Git's own checkout would stumble over what a build leaves; files that git does
  # not know stay.
  in_log git -C "$tree" checkout --quiet --force --detach "$1" -- ||
    fail "$1: git can't put it into $tree$(reason)"
  why='' word=$(sed -n "s/^$1 //p" "$work/answers")
  if [ -z "$word" ]; then
    judge "$1"
    check_caller
    # What could not be judged may be the next time.
    [ "$word" = skip ] || echo "$1 $word" >>"$work/answers"
  fi
  [ "$word" != skip ] || skipped=$((skipped + 1))
  looked=$((looked + 1))
  printf '%-4s %.12s %s\n' "$word" "$1" "$(show '%ad %s' "$1")"
  [ -z "$why" ] || printf '     %s\n' "$why"
}
must_be() { # good or bad, commit, what is found otherwise, what is allowed
  look "$2"
  [ "$word" = "$1" ] ||
    fail "--$1 $(printf %.12s "$2"): ${why:-$3}; a commit that $4 is allowed"
}
sum_up() { echo "looked at $(counted "$looked" commit), $skipped skipped"; }
name_one() { # commit
  printf '%s began with\n%s\n' "$signature" "$1"
  show '  %s%n  %an <%ae>, %ad' "$1"
  set -- "$1" $(show %P "$1")
  [ $# -le 2 ] || echo "  a merge: its $(($# - 1)) parents do not show it"
  sum_up
  echo "next: $next show $(printf %.12s "$1")"
  remove_trees
  exit
}
name_some() { # commits...
  echo "$signature began with one of these; the others can't be judged"
  for commit; do
    printf '  %.12s %s\n' "$commit" "$(show '%ad %s' "$commit")"
  done
  sum_up
  fail 'the commit is not named: those that are left are skipped'
}

name --bad "$bad"
bad=$commit
name --good "$good"
good=$commit
# Another version may have judged otherwise.
[ "$(sed 1q "$work/answers" 2>/dev/null)" = "$version" ] || printf '%s\n' "$version" >"$work/answers"
known=$(sed 1d "$work/answers" | wc -l)
[ "$known" -eq 0 ] || echo "goes on: $(counted "$known" commit) known from a run that was ended"
remove_trees
in_log git -C "$repo" worktree add --detach --force "$tree" "$bad" ||
  fail "$tree: git makes no working tree$(reason)"
must_be bad "$bad" 'does not show the finding' 'shows the finding'
must_be good "$good" 'shows the finding already' 'does not show the finding'
set -- start --no-checkout "$bad" "$good" --
while :; do
  output=$(git -C "$tree" bisect "$@" 2>&1)
  status=$?
  # Where good and bad part was skipped: it may be there or before it.
  between=$(printf '%s\n' "$output" | sed -n 's/.*first bad commit is between \([0-9a-f]*\).*/\1/p')
  parted=${between:-$parted}
  first=$(printf '%s\n' "$output" | sed -n 's/^\([0-9a-f]\{40,\}\) is the first bad commit.*/\1/p')
  [ -z "$first" ] || [ -z "$parted" ] || name_some "$first" "$parted"
  [ -z "$first" ] || name_one "$first"
  among=$(printf '%s\n' "$output" | grep -xE '[0-9a-f]{40,}')
  [ "$status" -ne 2 ] || [ -z "$among" ] || name_some $among
  [ "$status" -eq 0 ] || fail "git bisect: $output"
  commit=$(git -C "$tree" rev-parse BISECT_HEAD)
  look "$commit"
  set -- "$word" "$commit"
done
)sh";

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
    Fail(
        "{}: holds no finding \"{}\"; one that `lanediff campaign list` prints "
        "is allowed",
        folder, options.signature);
  }
  if (found == nullptr || (options.of.empty() && targets.size() > 1)) {
    Fail("{}: was found on {}; --of names the one that is meant",
         options.signature, fmt::join(targets, " and "));
  }
  return *found;
}

std::string CaseOf(const std::string& file, const std::string& kept) {
  const std::string text =
      file.empty() ? kept : OrFail(ReadFile(file), file + ": ");
  if (text.empty()) {
    Fail("the campaign has kept no case of it; --case FILE names one");
  }
  if (const auto c = ReadCase(text); !c) {
    Fail("{}: {}", file.empty() ? "the case of the campaign" : file,
         LineOf(c.error()));
  }
  return text;
}

std::string EndOf(const std::string& option, const std::string& given,
                  const std::string& recorded, const std::string& missing) {
  if (given.empty() && recorded.empty()) {
    Fail(
        "campaign bisect: the campaign knows no commit {}; {} COMMIT names one",
        missing, option);
  }
  return given.empty() ? recorded : given;
}

/// The same question, also in another run, has the same folder.
WorkFolder WorkOf(const std::string& folder,
                  const std::vector<std::string>& question) {
  std::error_code error;
  const fs::path all = fs::absolute(fs::path(folder) / "bisect");
  fs::create_directory(all, error);
  if (error) {
    Fail("{}: can't be made: {}", all.string(), error.message());
  }
  const std::string name =
      TextHash(fmt::format("{}", fmt::join(question, "\n")));
  return OrFail(WorkFolder::Take((all / name).string()));
}

/// Passes on the complete lines of a file that grows.
class LineRelay {
 public:
  explicit LineRelay(const std::string& path) : in_(path) {}

  void Pass() {
    in_.clear();
    text_.append(std::istreambuf_iterator<char>(in_), {});
    const std::size_t end = text_.rfind('\n') + 1;  // 0: there is none
    fmt::print("{}", reports::InLines(text_.substr(0, end)));
    std::fflush(stdout);
    text_.erase(0, end);
  }

 private:
  std::ifstream in_;
  std::string text_;
};

std::string WithFolder(std::string text, const std::string& folder) {
  constexpr std::string_view kFolder = "{dir}";
  for (auto at = text.find(kFolder); at != text.npos;
       at = text.find(kFolder, at + folder.size())) {
    text.replace(at, kFolder.size(), folder);
  }
  return text;
}

std::string FailureKinds() {
  std::vector<std::string_view> kinds;
  for (const auto word : isa::Words<diff::FindingKind>::kSpelling) {
    if (diff::IsFailure(*isa::Parse<diff::FindingKind>(word))) {
      kinds.push_back(word);
    }
  }
  return fmt::format("{}", fmt::join(kinds, "|"));
}

/// Runs it, passes its lines on and removes its tree. Its exit status; nothing
/// after an interrupt.
std::optional<int> RunScript(diff::Spawn script, const WorkFolder& work) {
  WatchInterrupt();
  int status = diff::kNotStarted;
  if (WriteTo(script.log, [] { return ""; })) {
    LineRelay lines(script.log);
    status = diff::RunToEnd(script, diff::kForever, [&] {
               lines.Pass();
               return !Interrupted();
             }).status;
    lines.Pass();
  }
  if (status == diff::kNotStarted) {
    Fail("campaign bisect: /bin/sh can't be started");
  }
  script.words[4] = "clean";
  script.log = work.In("log");
  diff::RunToEnd(std::move(script));
  return status == diff::kStopped ? std::nullopt : std::optional(status);
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
      "--target TARGET", options.target,
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
  const std::string bad =
      EndOf("--bad", options.bad, period.seen.commit, "with the finding");
  const std::string good =
      EndOf("--good", options.good, period.before ? period.before->commit : "",
            "that was looked at without the finding before");
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error).string();
  const std::string program =
      options.run.empty() ? ShellWord(self) : options.run;
  const std::string& target =
      options.target.empty() ? found.target : options.target;
  const std::string& repository = options.repository;
  const WorkFolder work = WorkOf(
      folder, {options.signature, options.build, program, target,
               found.reference, fs::absolute(repository).string(), case_text});
  const std::string case_file = work.In("case.json");
  if (!WriteTo(case_file, [&] { return case_text; })) return kUsage;
  for (const char* const old : {"lines", "why"})
    fs::remove(work.In(old), error);

  const fs::path made = fs::path(case_file).parent_path();
  const std::string tree = work.In(fmt::format("tree-{}", getpid()));
  // Whether lint and its model differ, which no target has a part in.
  const bool by_lint =
      diff::KindIn(options.signature) == diff::FindingKind::kLintDiffers;
  const std::string replay =
      WithFolder(program, ShellWord(tree)) +
      (by_lint ? " lint --compare " + ShellWord(case_file)
               : fmt::format(" check {} --target {} --reference {}",
                             ShellWord(case_file),
                             ShellWord(WithFolder(target, tree)),
                             ShellWord(found.reference)));
  diff::Spawn script{
      .words = {"/bin/sh", "-c", kScript, "bisect", "run", made.string(), tree,
                repository, options.signature, options.build, replay,
                "agree " + reports::InOneLine(case_file), FailureKinds(),
                kVersion, good, bad,
                repository == "." ? "git"
                                  : "git -C " + reports::ShellWord(repository)},
      .environment = ChildEnvironment(),
      .log = work.In("lines"),
      .own_group = true};
  const auto status = RunScript(std::move(script), work);
  if (!status) {
    return FailUsage("campaign bisect: interrupted; run it again to go on");
  }
  const std::string why = ReadFile(work.In("why")).value_or("it was ended\n");
  fs::remove_all(made, error);
  fs::remove(made.parent_path(), error);  // if it is empty
  return *status == 0 ? kAgree
                      : FailUsage("campaign bisect: " +
                                  reports::InOneLine(why.substr(
                                      0, why.find_last_not_of('\n') + 1)));
}

}  // namespace lanediff::cli
