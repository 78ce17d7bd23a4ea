// Small spaces, complete, from where an earlier run was interrupted.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>

#include "differential/compare/keep_finding.h"
#include "differential/compare/signature.h"
#include "differential/targets/capabilities.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/nearest.h"
#include "generators/exhaustive/calls.h"
#include "reports/printers.h"
#include "tools/cli/verbs/finish.h"
#include "tools/cli/verbs/test/test.h"

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;
using make::exhaust::Part;
using make::exhaust::Space;
using make::exhaust::State;

/// A range of call numbers, "A..B", B not in it.
std::optional<Part> ParseRange(const std::string& text) {
  Part range;
  const char* const last = text.data() + text.size();
  const auto first = std::from_chars(text.data(), last, range.from);
  if (first.ec != std::errc{} || last - first.ptr < 3) return std::nullopt;
  if (first.ptr[0] != '.' || first.ptr[1] != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 2, last, range.to);
  if (second.ec != std::errc{} || second.ptr != last) return std::nullopt;
  return range;
}

/// The names of all spaces.
std::vector<std::string_view> SpaceNames() {
  std::vector<std::string_view> names;
  for (const auto& space : make::exhaust::Spaces()) {
    names.push_back(space->name());
  }
  return names;
}

/// A state for each space that is named, with nothing done yet.
std::vector<State> PlanExhaust(const TestOptions& options) {
  const Shard shard = FindShard(options.shard);
  std::optional<Part> range;
  if (!options.range.empty()) {
    range = ParseRange(options.range);
    if (!range || range->from >= range->to) {
      Fail("--range: \"" + options.range +
           "\"; A..B with A < B, numbers of calls, is allowed");
    }
  }
  std::vector<State> states;
  for (const std::string& name : options.names) {
    const Space* const space = make::exhaust::FindSpace(name);
    if (space == nullptr) {
      Fail("no space \"{}\"{}; {} are there", name,
           DidYouMean(name, SpaceNames()), fmt::join(SpaceNames(), ", "));
    }
    if (range && range->to > space->calls()) {
      Fail("--range: {} has {} calls; no more are allowed", name,
           space->calls());
    }
    State state;
    state.space = name;
    state.version = make::exhaust::VersionOf(*space);
    state.part = range.value_or(Part{.to = space->calls()});
    state.part.index = shard.index;
    state.part.count = shard.count;
    state.target = options.target.name;
    state.ulp = diff::UlpText(diff::TheUlpBounds());
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
std::string StatePath(const TestOptions& options, const State& wanted) {
  if (!options.state.empty()) return options.state;
  const Part& part = wanted.part;
  std::string name =
      fmt::format("{}.{}-of-{}", wanted.space, part.index, part.count);
  if (!options.range.empty()) {
    name += fmt::format(".{}-{}", part.from, part.to);
  }
  if (wanted.edition) name += fmt::format(".{}", isa::Name(*wanted.edition));
  return (fs::path(options.out) / "exhaust" / (name + ".state.json")).string();
}

/// What --list prints: every space, its size and its bounds.
std::string SpacesText() {
  std::string text;
  for (const auto& space : make::exhaust::Spaces()) {
    text += fmt::format("{}: {} {} in {} calls\n", space->name(),
                        space->points(), space->point_word(), space->calls());
    for (const std::string& line : space->Bounds()) {
      text += fmt::format("  {}\n", line);
    }
  }
  return text;
}

using Clock = std::chrono::steady_clock;

constexpr double kStateSeconds = 0.25;

/// One space: compares its calls, and keeps how far it has come, in a file from
/// which a run goes on.
class SpaceSink final : public make::exhaust::CallSink {
 public:
  SpaceSink(const Space& space, const TestOptions& options, State& state,
            const make::exhaust::CallSource& source, const Sides& sides)
      : CallSink(space, *sides.target, *sides.reference,
                 state.complete() ? 0 : JobsOf(options.jobs), state.Edition()),
        space_(space),
        options_(options),
        state_(state),
        source_(source),
        path_(StatePath(options, state)),
        milliseconds_(state.milliseconds) {
    for (const auto& finding : state.findings) {
      signatures_.Add(finding.signature);
    }
  }

  /// A state ends in front of the first call that did not end.
  void Take(std::size_t part, make::exhaust::ComparedCalls&& calls) override {
    if (cut_) return;
    cut_ = calls.calls < source_.CallsIn(part);
    state_.next += calls.calls;
    state_.points += calls.tally.points;
    state_.unsupported += calls.tally.unsupported;
    state_.disagree += calls.tally.disagree;
    diff::Join(calls.tally.open, state_.open);
    for (const auto& one : calls.tally.shown) Show(one);
    state_.milliseconds =
        milliseconds_ +
        static_cast<std::uint64_t>(SecondsSince(start_) * 1000 + 0.5);
    if (SecondsSince(written_) > kStateSeconds) Keep();
  }

  /// Writes the state, or prints why it can't.
  void Keep() {
    written_ = Clock::now();
    if (!WriteTo(path_, [&] { return make::exhaust::StateText(state_); })) {
      kept_ = false;
    }
  }

  /// Whether all that had to be written was written. Any thread.
  bool kept() const { return kept_; }

 private:
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

  const Space& space_;
  const TestOptions& options_;
  State& state_;
  const make::exhaust::CallSource& source_;
  std::string path_;
  std::uint64_t milliseconds_;        ///< of earlier runs
  diff::SignatureCounts signatures_;  ///< of what was shown, in any run
  bool cut_ = false;
  std::atomic<bool> kept_ = true;
  Clock::time_point start_ = Clock::now();
  Clock::time_point written_ = start_;
};

/// Takes over what an earlier run left in `path`, and sees that there is a
/// state to go on from; false, with a message, if there can't be.
bool Resume(const std::string& path, State& state) {
  std::error_code ignored;  // if there is no folder, writing fails
  fs::create_directories(fs::path(path).parent_path(), ignored);
  if (!fs::exists(path, ignored)) {
    return WriteTo(path, [&] { return make::exhaust::StateText(state); });
  }
  const auto fail = [&](const std::string& why) {
    FailUsage(path + ": " + why);
    return false;
  };
  const auto text = ReadFile(path);
  if (!text) return fail(text.error());
  auto found = make::exhaust::ReadState(*text);
  if (!found) {
    return fail("no state: " + found.error() + "; remove it to start over");
  }
  const std::string mismatch = make::exhaust::Mismatch(*found, state);
  if (!mismatch.empty()) {
    return fail("the state " + mismatch +
                "; another --state or --out, or none, is allowed");
  }
  state = *std::move(found);
  for (const auto& finding : state.findings) {
    fmt::print("{}", FindingText(finding, state.target));
  }
  fmt::print(stderr, "{}: {} call {} of {} ({})\n", state.space,
             state.complete() ? "was finished at" : "goes on from", state.next,
             state.part.size(), path);
  return true;
}

/// Runs what is left of a space, and returns what was thrown; empty if nothing
/// was.
std::string RunSpace(const TestOptions& options, const Sides& sides,
                     State& state, bool& kept) {
  const Space& space = *make::exhaust::FindSpace(state.space);
  const std::size_t jobs = JobsOf(options.jobs);
  make::exhaust::CallSource source(space, state.part, state.next, jobs,
                                   state.Edition());
  SpaceSink sink(space, options, state, source, sides);
  const diff::RunEnd end =
      RunSource(source, sides, sink, jobs, "calls of " + state.space,
                [&] { return !sink.kept(); });
  sink.Keep();
  fmt::print("{}", ExhaustText(state));
  kept = kept && sink.kept();
  return end.failure;
}

/// Leaves the states of a shard.
bool LeaveStates(const TestOptions& options, const std::vector<State>& done,
                 bool kept) {
  const auto& part = done.front().part;
  reports::ShardRecord record =
      NewShard("exhaust", {part.index, part.count}, options.out);
  AddTargets(options.target, "oracle", record);
  record.options.emplace_back("spaces",
                              fmt::format("{}", fmt::join(options.names, " ")));
  record.options.emplace_back("range", options.range);
  record.options.emplace_back("edition", isa::Name(EditionOf(options.edition)));
  record.complete = kept && done.size() == options.names.size() &&
                    std::ranges::all_of(done, &State::complete);
  record.states = done;
  return LeaveShard(record);
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

}  // namespace

int TestExhaustive(const TestOptions& options) {
  if (options.list) {
    fmt::print("{}", SpacesText());
    return kAgree;
  }
  if (options.names.empty()) {
    return FailUsage("no space named; {} are there",
                     fmt::join(SpaceNames(), ", "));
  }
  if (!options.state.empty() && options.names.size() > 1) {
    return FailUsage("--state: one file is the state of one space; name one");
  }
  const Sides sides =
      FindSides(options.target, options.reference, Takes::kRunning, kItself);
  std::vector<State> plan = PlanExhaust(options);
  for (const State& wanted : plan) {
    const std::string beyond = WhyBeyond(wanted, sides.target->capabilities());
    if (!beyond.empty()) return FailUsage(beyond);
  }

  WatchInterrupt();
  std::vector<State> done;
  bool kept = true;
  std::string unfinished;
  for (State& state : plan) {
    if (Interrupted() || !unfinished.empty()) break;
    if (!Resume(StatePath(options, state), state)) {
      kept = false;
      continue;
    }
    const std::string failure = RunSpace(options, sides, state, kept);
    if (!failure.empty()) unfinished = state.space + ": " + failure;
    done.push_back(std::move(state));
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
  if (!done.empty() && done.front().part.count > 1) {
    kept = LeaveStates(options, done, kept) && kept;
  }
  reports::RunRecord run = NewRun("exhaust", options, *sides.target);
  run.vectors.clear();  // those of shards may differ
  run.unfinished = unfinished;
  KeepAccount(*sides.target, options.target, false, run);
  return FinishComparison(
      *sides.target, options.target,
      FinishExhaust(std::move(run), done, kept, options.files));
}

}  // namespace lanediff::cli
