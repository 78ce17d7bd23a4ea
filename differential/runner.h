#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "differential/ordered_parallel_for.h"
#include "differential/targets/ahead.h"
#include "differential/targets/target.h"
#include "differential/thrown.h"

/// The loop of every run of cases: cases of a source, on target and reference,
/// into a sink.
///
/// It is not for work in which the result of one case chooses the next: guided
/// hunts of mutants, confirmation of fuzz findings, probes of a target. It is
/// not for audits, whose supervisor gives the rest of a part to a new process
/// where one has died or hangs (audit/process_pool.h).
namespace lanediff::diff {

/// Numbered cases, made when they are needed. A source holds only the numbers
/// of the run's shard, in parts that threads produce at the same time.
template <class Item>
class CaseSource {
 public:
  virtual ~CaseSource() = default;

  /// Cases of all parts together, at most.
  virtual std::uint64_t size() const = 0;
  virtual std::size_t parts() const = 0;
  /// Gives the cases of `part` to `take`, by ascending numbers, until `take`
  /// returns false.
  virtual void Produce(std::size_t part,
                       const std::function<bool(Item&&)>& take) = 0;
  /// Announces a case to a target that looks ahead.
  virtual void Announce(const Item& item, const Target& target,
                        const Target& reference) const = 0;
  /// The name of `part` in messages; empty where it has none.
  virtual std::string NameOf(std::size_t /*part*/) const { return ""; }
};

/// Compares cases, and gets what came of each part in the order of the parts.
template <class Item, class Result>
class Sink {
 public:
  virtual ~Sink() = default;

  /// What has come of `part` before its first case. Any thread.
  virtual Result Begin(std::size_t part) = 0;
  /// Whether `item` is to be compared; one that is not has been counted. Any
  /// thread.
  virtual bool Wants(const Item& /*item*/, Result& /*result*/) { return true; }
  /// Compares `item`, and returns whether its part goes on. `worker`, below the
  /// number of jobs, is the thread's own number. Any thread.
  virtual bool Compare(Item&& item, std::size_t worker, Result& result) = 0;
  /// What came of `part`, which an interruption may have cut short. One part at
  /// a time, in order.
  virtual void Take(std::size_t part, Result&& result) = 0;

  /// Cases that disagree, for progress.
  std::atomic<std::uint64_t> found = 0;
};

struct RunnerOptions {
  std::size_t jobs = 1;
  /// No case is begun once it holds. Any thread.
  std::function<bool()> stop = [] { return false; };
  /// Gets the numbers of cases that are done, in all, and found, again and
  /// again; one thread.
  std::function<void(std::uint64_t done, std::uint64_t total,
                     std::uint64_t found)>
      watch = {};
};

/// How far a run came.
struct RunEnd {
  std::uint64_t done = 0;    ///< cases, with those that a sink did not want
  std::uint64_t total = 0;   ///< `CaseSource::size()`
  bool stopped = false;      ///< by `RunnerOptions::stop`, or by an exception
  std::string failure = {};  ///< the first exception, in one line; or empty

  /// Why not all was done, in one line; empty if all was.
  std::string Unfinished() const {
    if (failure.empty() && (!stopped || done >= total)) return "";
    return fmt::format("{} after {} of {} cases",
                       failure.empty() ? "interrupted" : failure, done, total);
  }
};

/// Runs the cases of one source. Results do not depend on the number of jobs:
/// the sink gets the parts in order. An exception of source or sink ends the
/// run as an interruption does, with its text in `RunEnd::failure`.
template <class Item, class Result>
class Runner {
 public:
  /// All must outlive it.
  Runner(CaseSource<Item>& source, const Target& target,
         const Target& reference, Sink<Item, Result>& sink)
      : source_(source), target_(target), reference_(reference), sink_(sink) {}

  /// Once.
  RunEnd Run(const RunnerOptions& options) {
    options_ = &options;
    total_ = source_.size();
    Workers workers{.jobs = options.jobs, .stop = [this] { return !GoesOn(); }};
    if (options.watch) {
      // One job is the calling thread, which reports behind each case.
      if (options.jobs > 1) workers.watch = [this] { Watch(); };
      Watch();
    }
    const auto thrown = Thrown([&] {
      OrderedParallelFor(
          source_.parts(), workers,
          [this](std::size_t part, std::size_t worker) {
            return RunPart(part, worker);
          },
          [this](Result&& result) { sink_.Take(taken_++, std::move(result)); });
    });
    if (thrown) Fail(*thrown);
    return {.done = done_,
            .total = total_,
            .stopped = stopped_,
            .failure = std::move(failure_)};
  }

 private:
  Result RunPart(std::size_t part, std::size_t worker) {
    Result result = sink_.Begin(part);
    const auto thrown = Thrown([&] {
      Ahead<Item> ahead(
          target_,
          [this](const Item& item) {
            source_.Announce(item, target_, reference_);
          },
          [&, this](Item&& item) {
            const bool goes_on = sink_.Compare(std::move(item), worker, result);
            return CountOne() && goes_on;
          });
      source_.Produce(part, [&, this](Item&& item) {
        return sink_.Wants(item, result) ? ahead.Add(std::move(item))
                                         : CountOne();
      });
      if (!stopped_) ahead.Finish();
    });
    if (thrown) {
      const std::string name = source_.NameOf(part);
      Fail(name.empty() ? *thrown : name + ": " + *thrown);
    }
    return result;
  }

  bool CountOne() {
    ++done_;
    if (options_->jobs == 1) Watch();
    return GoesOn();
  }
  bool GoesOn() {
    if (options_->stop()) stopped_ = true;
    return !stopped_;
  }
  void Watch() const {
    if (options_->watch) options_->watch(done_, total_, sink_.found);
  }
  void Fail(std::string what) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = std::move(what);
    stopped_ = true;
  }

  CaseSource<Item>& source_;
  const Target& target_;
  const Target& reference_;
  Sink<Item, Result>& sink_;
  const RunnerOptions* options_ = nullptr;
  std::uint64_t total_ = 0;
  std::size_t taken_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::string failure_;
};

}  // namespace lanediff::diff
