#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "differential/compare/keep_finding.h"
#include "differential/records/exhaust_state.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/case_writer.h"
#include "generators/exhaustive/space.h"
#include "generators/exhaustive/worker_pool.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/progress.h"
#include "tools/cli/shard.h"
#include "tools/cli/target_options.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/exhaust_text.h"
#include "tools/cli/verbs/finish.h"

namespace lanediff::cli {
namespace {

struct ExhaustOptions {
  std::vector<std::string> spaces;
  bool list = false;      ///< print the spaces and run nothing
  std::string shard;      ///< "i/n"; empty: from the environment, else all
  std::string range;      ///< "A..B", numbers of calls; empty: all
  std::int64_t jobs = 0;  ///< 0: one for each processor
  TargetOptions target;
  std::string edition;      ///< empty: the newest
  std::string state;        ///< file; empty: one for each space below `out`
  std::string out = "out";  ///< folder for findings and states
  std::string json;         ///< file; empty: none
};

namespace fs = std::filesystem;
using make::exhaust::Space;
using make::exhaust::State;

/// A range of call numbers, "A..B", B not in it.
struct Range {
  std::uint64_t from;
  std::uint64_t to;
};

std::optional<Range> ParseRange(const std::string& text) {
  Range range{};
  const char* const last = text.data() + text.size();
  const auto first = std::from_chars(text.data(), last, range.from);
  if (first.ec != std::errc{} || last - first.ptr < 3) return std::nullopt;
  if (first.ptr[0] != '.' || first.ptr[1] != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 2, last, range.to);
  if (second.ec != std::errc{} || second.ptr != last) return std::nullopt;
  return range;
}

/// The names of all spaces, for messages.
std::string SpaceNames() {
  std::string names;
  for (const auto& space : make::exhaust::Spaces()) {
    if (!names.empty()) names += ", ";
    names += space->name();
  }
  return names;
}

/// A state for each space that is named, with nothing done yet.
std::vector<State> PlanExhaust(const ExhaustOptions& options) {
  const Shard shard = FindShard(options.shard);
  std::optional<Range> range;
  if (!options.range.empty()) {
    range = ParseRange(options.range);
    if (!range || range->from >= range->to) {
      throw Exit{
          FailUsage("--range: \"" + options.range +
                    "\"; A..B with A < B, numbers of calls, is allowed")};
    }
  }
  std::vector<State> states;
  for (const std::string& name : options.spaces) {
    const Space* const space = make::exhaust::FindSpace(name);
    if (space == nullptr) {
      throw Exit{FailUsage("no space \"" + name + "\"; " + SpaceNames() +
                           " are there")};
    }
    if (range && range->to > space->calls()) {
      throw Exit{
          FailUsage(fmt::format("--range: {} has {} calls; no more are allowed",
                                name, space->calls()))};
    }
    State state;
    state.space = name;
    state.version = make::exhaust::VersionOf(*space);
    state.part = {.from = range ? range->from : 0,
                  .to = range ? range->to : space->calls(),
                  .index = shard.index,
                  .count = shard.count};
    state.target = options.target.name;
    if (const auto edition = EditionOf(options.edition);
        edition != isa::kNewestEdition) {
      state.edition = edition;
    }
    states.push_back(std::move(state));
  }
  return states;
}

/// The file in which the state is kept: the one that is named or, if there is
/// none, one below the folder of results, named after the space.
std::string StatePath(const ExhaustOptions& options, const State& wanted) {
  if (!options.state.empty()) return options.state;
  const make::exhaust::Part& part = wanted.part;
  std::string name =
      fmt::format("{}.{}-of-{}", wanted.space, part.index, part.count);
  if (!options.range.empty()) {
    name += fmt::format(".{}-{}", part.from, part.to);
  }
  if (wanted.edition) name += fmt::format(".{}", isa::Name(*wanted.edition));
  return (fs::path(options.out) / "exhaust" / (name + ".state.json")).string();
}

using Clock = std::chrono::steady_clock;

/// A round ends with a state that a run can go on from.
constexpr double kRoundSeconds = 0.5;
constexpr double kStateSeconds = 0.25;

/// One space on its way. A run of this program works on one after the other.
class Traversal {
 public:
  Traversal(const Space& space, const ExhaustOptions& options, State wanted,
            std::string state_path, const diff::Target& target)
      : space_(space),
        options_(options),
        state_path_(std::move(state_path)),
        target_(target),
        state_(std::move(wanted)) {}

  /// Takes over what an earlier run left, and sees that there is a state to go
  /// on from; false, with a message, if there can't be.
  bool Begin() {
    std::error_code ignored;  // if there is no folder, writing fails
    fs::create_directories(fs::path(state_path_).parent_path(), ignored);
    if (!fs::exists(state_path_, ignored)) return Keep();
    const auto text = ReadFile(state_path_);
    if (!text) {
      FailUsage(state_path_ + ": " + text.error());
      return false;
    }
    auto found = make::exhaust::ReadState(*text);
    if (!found) {
      FailUsage(state_path_ + ": no state: " + found.error() +
                "; remove it to start over");
      return false;
    }
    const std::string mismatch = make::exhaust::Mismatch(*found, state_);
    if (!mismatch.empty()) {
      FailUsage(state_path_ + ": the state " + mismatch +
                "; another --state or --out, or none, is allowed");
      return false;
    }
    state_ = *std::move(found);
    for (const auto& finding : state_.findings) {
      signatures_.Add(finding.signature);
      fmt::print("{}", FindingText(finding, state_.target));
    }
    fmt::print(stderr, "{}: {} call {} of {} ({})\n", state_.space,
               state_.complete() ? "was finished at" : "goes on from",
               state_.next, state_.part.size(), state_path_);
    return true;
  }

  /// Runs what is left; false, with a message, if it can't be kept.
  bool Run() {
    const std::uint64_t size = state_.part.size();
    first_ = state_.next;
    if (state_.next < size) {
      make::exhaust::WorkerPool pool(space_, target_,
                                     **diff::FindTarget("oracle"),
                                     JobsOf(options_.jobs), state_.Edition());
      std::uint64_t round = JobsOf(options_.jobs);
      Progress progress(size - first_, "calls of " + state_.space);
      const auto thrown = Thrown([&] {
        while (state_.next < size && !Interrupted() && kept_) {
          round = Round(pool, round);
          progress.Step(state_.next - first_, state_.disagree);
        }
      });
      if (thrown) failure_ = state_.space + ": " + *thrown;
    }
    kept_ = Keep() && kept_;
    fmt::print("{}", ExhaustText(space_, state_));
    return kept_;
  }

  const State& state() const { return state_; }
  /// What was thrown; empty if nothing was.
  const std::string& failure() const { return failure_; }

 private:
  /// Runs up to `calls` calls and returns how many the next round should run.
  std::uint64_t Round(make::exhaust::WorkerPool& pool, std::uint64_t calls) {
    const auto start = Clock::now();
    const std::uint64_t end = std::min(state_.part.size(), state_.next + calls);
    const make::exhaust::Tally tally = pool.Run(state_.part, state_.next, end);
    state_.next = end;
    state_.points += tally.points;
    state_.unsupported += tally.unsupported;
    state_.disagree += tally.disagree;
    for (const make::exhaust::Disagreement& one : tally.shown) Show(one);
    const double seconds = SecondsSince(start);
    state_.milliseconds += static_cast<std::uint64_t>(seconds * 1000 + 0.5);
    if (SecondsSince(written_) > kStateSeconds) kept_ = Keep() && kept_;
    if (seconds < kRoundSeconds / 2) return calls * 2;
    if (seconds < kRoundSeconds * 2) return calls;
    return std::max<std::uint64_t>(calls / 2, 1);
  }

  void Show(const make::exhaust::Disagreement& one) {
    if (!signatures_.Add(one.finding.signature)) return;
    const auto path =
        diff::KeepFinding(one.c, one.finding, space_.slug(), "lanediff-exhaust",
                          FindingsBelow(options_.out));
    if (!path) {
      fmt::print("disagree {}\n", one.finding.message);
      FailUsage(path.error());
      kept_ = false;
      return;
    }
    state_.findings.push_back(
        {one.call, one.finding.signature, one.finding.message, *path});
    fmt::print("{}", FindingText(state_.findings.back(), state_.target));
  }

  /// Writes the state; false, with a message, if it can't be written.
  bool Keep() {
    written_ = Clock::now();
    return WriteTo(state_path_,
                   [&] { return make::exhaust::StateText(state_); });
  }

  const Space& space_;
  const ExhaustOptions& options_;
  std::string state_path_;
  const diff::Target& target_;
  State state_;
  diff::SignatureCounts signatures_;  ///< of what was shown, in any run
  std::string failure_;
  bool kept_ = true;         ///< whatever had to be written was written
  std::uint64_t first_ = 0;  ///< position from which this run goes on
  Clock::time_point written_ = Clock::now();
};

reports::ShardRecord ShardOf(const ExhaustOptions& options,
                             const std::vector<State>& done, bool kept) {
  const auto& part = done.front().part;
  reports::ShardRecord record =
      NewShard("exhaust", {part.index, part.count}, options.out);
  AddTargets(options.target, "oracle", record);
  record.options.emplace_back(
      "spaces", fmt::format("{}", fmt::join(options.spaces, " ")));
  record.options.emplace_back("range", options.range);
  record.options.emplace_back("edition", isa::Name(EditionOf(options.edition)));
  record.complete = kept && done.size() == options.spaces.size() &&
                    std::ranges::all_of(done, &State::complete);
  record.states = done;
  return record;
}

/// Why a target that can do `can` can't do what is wanted at all; empty where
/// some of it may be.
std::string WhyBeyond(const State& wanted, const diff::Capabilities& can) {
  const Space& space = *make::exhaust::FindSpace(wanted.space);
  if (!diff::Claims(can, space.slug())) {
    return fmt::format("{}: the target does not claim its instruction",
                       wanted.space);
  }
  // The pairs of a space are of one type and product, in one mode.
  if (space.calls() == space.points() || wanted.part.size() == 0) return "";
  const auto beyond = diff::BeyondCapabilities(space.CaseAt(0), can);
  if (!beyond) return "";
  return fmt::format("{}: the target claims {}", wanted.space, *beyond);
}

int RunExhaust(const ExhaustOptions& options) {
  if (options.list) {
    fmt::print("{}", SpacesText());
    return kAgree;
  }
  if (options.spaces.empty()) {
    return FailUsage("no space named; " + SpaceNames() + " are there");
  }
  if (!options.state.empty() && options.spaces.size() > 1) {
    return FailUsage("--state: one file is the state of one space; name one");
  }
  const diff::Target* const target =
      FindTarget(options.target, Takes::kRunning);
  if (options.target.name == "oracle") {
    return FailUsage("--target: the oracle can't be checked against itself");
  }
  std::vector<State> plan = PlanExhaust(options);
  for (const State& wanted : plan) {
    const std::string beyond = WhyBeyond(wanted, target->capabilities());
    if (!beyond.empty()) return FailUsage(beyond);
  }

  WatchInterrupt();
  std::vector<State> done;
  bool kept = true;
  std::string unfinished;
  for (State& wanted : plan) {
    if (Interrupted() || !unfinished.empty()) break;
    const Space& space = *make::exhaust::FindSpace(wanted.space);
    const std::string path = StatePath(options, wanted);
    Traversal turn(space, options, std::move(wanted), path, *target);
    if (turn.Begin()) {
      kept = turn.Run() && kept;
      done.push_back(turn.state());
      unfinished = turn.failure();
    } else {
      kept = false;
    }
  }
  const bool all =
      done.size() == plan.size() && std::ranges::all_of(done, &State::complete);
  if (unfinished.empty() && !all && Interrupted()) {
    unfinished = "interrupted; the same command goes on";
  }
  if (!unfinished.empty()) {
    FailUsage(unfinished);
  } else if (!all) {
    unfinished = "a state can't be used or kept";  // which was printed
  }
  if (!done.empty() &&
      Shard{done.front().part.index, done.front().part.count}.IsPart()) {
    kept = LeaveShard(ShardOf(options, done, kept)) && kept;
  }
  return FinishComparison(*target, options.target,
                          FinishExhaust(done, unfinished, kept, options.json,
                                        LackingOf(*target, options.target)));
}

}  // namespace

int FinishExhaust(const std::vector<State>& states,
                  const std::string& unfinished, bool kept,
                  const std::string& json, const std::string& lacking) {
  std::uint64_t compared = 0;
  std::uint64_t disagree = 0;
  for (const State& state : states) {
    compared += state.points;
    disagree += state.disagree;
  }
  const auto reasons = reports::ReasonsFrom(
      {unfinished, kept ? "" : "something could not be saved",
       compared == 0 ? "nothing was compared" : "", lacking});
  kept =
      WriteTo(json, [&] { return ExhaustJson(states, unfinished, reasons); }) &&
      kept;
  if (disagree > 0) return kDisagreement;
  if (!kept || !unfinished.empty()) return kUsage;
  if (compared == 0) return FailUsage("nothing was compared");
  return kAgree;
}

void AddExhaust(CommandLine& line) {
  auto [verb, options] = line.Add(
      "exhaust", "enumerate small spaces completely, from where it was left",
      RunExhaust);
  verb.footer =
      "--list prints every space with its size, its fields and their values. "
      "A run that was interrupted or killed goes on when the same command is "
      "given again; its state is in DIR/exhaust, or in FILE. Findings are "
      "counted, and the first 3 of each signature saved as cases in "
      "DIR/findings.";
  verb.Add("SPACE", options.spaces, "names of spaces");
  verb.Add("--list", options.list, "print the spaces and their bounds");
  AddShard(verb, options.shard);
  verb.Add("--range A..B", options.range,
           "A..B: only calls A to B-1, numbered from 0");
  AddJobs(verb, options.jobs, "threads");
  AddTarget(verb, options.target);
  AddProduct(verb, options.target);
  AddLegalOnly(verb, options.target);
  AddAllowUnsupported(verb, options.target);
  AddEdition(verb, options.edition);
  verb.Add("--state FILE", options.state, "file to go on from, of one space");
  verb.Add("--out DIR", options.out, "folder for findings and states")
      .ShowDefault();
  verb.Add("--json FILE", options.json, "leave the figures as JSON");
  AddVerbose(verb, "every finding, and what the target does not support");
  verb.Docs("fuzzing.md",
            {{"exhaust --list"}, {"exhaust min-int16 --range 0..4"}});
}

}  // namespace lanediff::cli
