#include "diff/audit/crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <memory>

#include "diff/audit/child.h"
#include "diff/audit/exam.h"
#include "diff/audit/guarded.h"
#include "diff/audit/stream.h"

namespace lanediff::diff::audit {
namespace {

/// A case by its number and product.
using CaseKey = std::pair<std::uint64_t, isa::Product>;
/// Cases of a room that ended or hung a target, and which of both.
using Failures = std::map<CaseKey, Showing>;

/// Examines the cases of a chunk; those that are known to fail are only told
/// of.
Tally ExamineChunk(const Chunk& chunk, const Target& target,
                   const CrewOptions& options, const Failures& failures,
                   Beacon& beacon) {
  const GuardedTarget guarded(target);
  Tally tally;
  ForEachAuditCase(
      chunk.room,
      [&](std::uint64_t n) {
        return chunk.from <= n && n < chunk.to && options.shard.Holds(n);
      },
      options.products,
      [&](AuditCase&& c) {
        beacon.number = c.number;
        beacon.product = static_cast<std::uint32_t>(c.swept.c.product);
        ++beacon.beats;
        const auto failed = failures.find({c.number, c.swept.c.product});
        tally.Add(c, failed == failures.end()
                         ? Examine(c.swept.c, c.swept.rule, guarded)
                         : Fail(c.swept.c, c.swept.rule, failed->second));
        return true;
      });
  return tally;
}

class Crew {
 public:
  Crew(const Target& target, std::vector<Chunk> chunks,
       const CrewOptions& options)
      : target_(target), options_(options) {
    for (const Chunk& chunk : chunks) waiting_.push_back({chunk, {}});
  }

  CrewResult Run() {
    while (Fill()) {
      for (auto worker = running_.begin(); worker != running_.end();) {
        const auto end = worker->child->Poll(
            std::max(1, 20 / static_cast<int>(options_.jobs)),
            options_.hang_seconds);
        if (end == Child::End::kRunning) {
          ++worker;
          continue;
        }
        Take(*worker, end);
        worker = running_.erase(worker);
      }
      if (!options_.goes_on(done_)) {
        result_.interrupted = true;
        break;
      }
    }
    for (const Worker& worker : running_) TellFailures(worker.task);
    for (const Task& task : waiting_) TellFailures(task);
    return std::move(result_);
  }

 private:
  struct Task {
    Chunk chunk;
    Failures failures;
  };
  struct Worker {
    Task task;
    std::unique_ptr<Child> child;
  };

  /// Keeps all processes busy; false where nothing is left to do.
  bool Fill() {
    while (running_.size() < options_.jobs && !waiting_.empty() &&
           result_.stopped.empty()) {
      Task task = std::move(waiting_.front());
      waiting_.pop_front();
      auto child = std::make_unique<Child>([&](Beacon& beacon) {
        return ExamineChunk(task.chunk, target_, options_, task.failures,
                            beacon)
            .Serialized();
      });
      running_.push_back({std::move(task), std::move(child)});
    }
    return !running_.empty();
  }

  void Take(Worker& worker, Child::End end) {
    if (end == Child::End::kDone) {
      result_.tally.Merge(Tally::Parse(worker.child->bytes()));
      done_ += worker.task.chunk.to - worker.task.chunk.from;
      return;
    }
    const bool hung = end == Child::End::kHung;
    ++(hung ? result_.hung : result_.crashed);
    const Beacon& beacon = worker.child->beacon();
    worker.task.failures[{beacon.number,
                          static_cast<isa::Product>(beacon.product.load())}] =
        hung ? Showing::kHung : Showing::kCrashed;
    waiting_.push_front(std::move(worker.task));
    if (result_.crashed + result_.hung == options_.most_failures) {
      result_.stopped =
          fmt::format("the target ended {} times and hung {} times",
                      result_.crashed, result_.hung);
    }
  }

  /// Of a chunk that is not run again: at least what ended the target.
  void TellFailures(const Task& task) {
    const auto wants = [&](std::uint64_t number) {
      return std::ranges::any_of(task.failures, [&](const auto& failure) {
        return failure.first.first == number;
      });
    };
    if (task.failures.empty()) return;
    ForEachAuditCase(
        task.chunk.room, wants, options_.products, [&](AuditCase&& c) {
          const auto failed = task.failures.find({c.number, c.swept.c.product});
          if (failed != task.failures.end()) {
            result_.tally.Add(c, Fail(c.swept.c, c.swept.rule, failed->second));
          }
          return true;
        });
  }

  const Target& target_;
  const CrewOptions& options_;
  std::list<Task> waiting_;
  std::list<Worker> running_;
  CrewResult result_;
  std::uint64_t done_ = 0;  ///< numbers
};

}  // namespace

void Join(const CrewResult& more, CrewResult& sum) {
  sum.tally.Merge(more.tally);
  sum.crashed += more.crashed;
  sum.hung += more.hung;
  sum.interrupted |= more.interrupted;
  if (sum.stopped.empty()) sum.stopped = more.stopped;
}

CrewResult RunCrew(const Target& target, std::vector<Chunk> chunks,
                   const CrewOptions& options) {
  return Crew(target, std::move(chunks), options).Run();
}

std::vector<Chunk> ChunksOf(const std::vector<std::string_view>& rooms,
                            std::uint64_t parts) {
  // A second or less of work, some hundred times what a process costs.
  const std::uint64_t numbers = 3000 * parts;
  std::vector<Chunk> chunks;
  for (std::string_view room : rooms) {
    const std::uint64_t count = NumbersOf(room);
    for (std::uint64_t from = 0; from < count; from += numbers) {
      chunks.push_back({room, from, std::min(count, from + numbers)});
    }
  }
  return chunks;
}

}  // namespace lanediff::diff::audit
