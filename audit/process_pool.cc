#include "audit/process_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <system_error>

#include "audit/case_result.h"
#include "audit/child.h"
#include "audit/stream.h"
#include "differential/compare/compare.h"
#include "differential/targets/ahead.h"
#include "differential/targets/find_target.h"
#include "generators/random.h"
#include "isa/catalogue.h"

namespace lanediff::audit {
namespace {

/// A case by its number and product.
using CaseKey = std::pair<std::uint64_t, isa::Product>;
/// Cases of an instruction whose processes gave no answer, and how they ended.
using Failures = std::map<CaseKey, Child::End>;

/// Part of the run: one process takes it, or takes it again.
struct Task {
  Chunk chunk;
  std::vector<isa::Product> products;
  Failures failures;

  bool Holds(const CaseKey& key) const {
    return chunk.Holds(key.first) &&
           std::ranges::find(products, key.second) != products.end();
  }
};

/// Examines the cases of a task; those that are known to fail are only counted.
Tally RunTask(const Task& task, const diff::Target& target,
              const ProcessPoolOptions& options, Beacon& beacon) {
  const GuardedTarget guarded(target);
  const diff::Capabilities can = target.capabilities();
  const auto sample = options.sample.find(task.chunk.slug);
  const auto is_drawn = [&](std::uint64_t number) {
    return sample == options.sample.end() || sample->second.Holds(number);
  };
  Tally tally;
  const auto failure_of = [&](const AuditCase& c) {
    return task.failures.find({c.number, c.c.product});
  };
  const auto examine = [&](AuditCase&& c) {
    beacon.number = c.number;
    beacon.product = static_cast<std::uint32_t>(c.c.product);
    ++beacon.beats;
    const auto failed = failure_of(c);
    tally.Add(c, failed == task.failures.end()
                     ? ResultOf(c.c, c.rule, guarded)
                     : ResultOfEnd(c, failed->second));
    return true;
  };
  diff::Ahead<AuditCase> ahead(
      guarded,
      [&](const AuditCase& c) {
        diff::AnnounceCase(c.c, guarded, diff::TheOracle());
      },
      examine);
  ForEachAuditCase(
      task.chunk.slug,
      [&](std::uint64_t n) {
        return task.chunk.Holds(n) && options.shard.Holds(n) && is_drawn(n);
      },
      task.products,
      [&](AuditCase&& c) {
        if (options.only && !options.only->contains(c.c.id)) return true;
        if (!diff::BeyondCapabilities(c.c, can)) {
          return ahead.Add(std::move(c));
        }
        tally.LeaveOut(c);
        return true;
      },
      options.edition);
  ahead.Finish();
  beacon.number = task.chunk.to;  // what fails from here on is of no case
  return tally;
}

class WorkerPool {
 public:
  WorkerPool(const diff::Target& target, std::vector<Chunk> chunks,
             const ProcessPoolOptions& options)
      : target_(target), options_(options) {
    for (const Chunk& chunk : chunks) {
      waiting_.push_back({chunk, options.products, {}});
    }
  }

  ProcessPoolResult Run() {
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
    for (const Worker& worker : running_) AddFailures(worker.task);
    for (const Task& task : waiting_) AddFailures(task);
    result_.crashed += result_.tally.crashed;
    result_.hung += result_.tally.hung;
    if (result_.stopped.empty() && result_.tally.given_up > 0) {
      result_.stopped = fmt::format(
          "the target ended {} times and hung {} times, and was given up: {} "
          "cases were not run",
          result_.tally.crashed, result_.tally.hung, result_.tally.given_up);
    }
    return std::move(result_);
  }

 private:
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
      try {
        auto child = std::make_unique<Child>([&](Beacon& beacon) {
          return RunTask(task, target_, options_, beacon).Serialized();
        });
        running_.push_back({std::move(task), std::move(child)});
      } catch (const std::system_error& error) {
        waiting_.push_front(std::move(task));
        if (!running_.empty()) break;  // fewer at once, then
        result_.stopped = error.what();
      }
    }
    return !running_.empty();
  }

  void Take(Worker& worker, Child::End end) {
    Task& task = worker.task;
    if (end == Child::End::kDone && TakeAnswer(worker)) return;
    if (end == Child::End::kDone) end = Child::End::kGarbled;
    const Beacon& beacon = worker.child->beacon();
    const std::uint32_t product = beacon.product;
    const CaseKey stood{beacon.number, static_cast<isa::Product>(product)};
    Count(end);
    // Whatever the target wrote over may be the beacon, too.
    if (beacon.beats > 0 && product < isa::kCount<isa::Product> &&
        task.Holds(stood)) {
      task.failures[stood] = end;
    } else {
      CountWithoutCase(task, end, beacon.beats > 0);
    }
    waiting_.push_front(std::move(task));
    GiveUpAfterTooMany();
  }

  /// The end of a process at no case, or at one that is not known.
  void CountWithoutCase(const Task& task, Child::End end, bool began) {
    if (end == Child::End::kHung) ++result_.hung;
    if (end == Child::End::kCrashed || end == Child::End::kGarbled) {
      ++result_.crashed;
    }
    result_.tally.problems.push_back(fmt::format(
        "{} {} to {}: {}; they are run again", task.chunk.slug, task.chunk.from,
        task.chunk.to - 1,
        began ? "what the process sent can't be read, or it ended at no case"
              : "the process ended before its first case"));
  }

  bool TakeAnswer(const Worker& worker) {
    const auto tally = Tally::Parse(worker.child->bytes());
    if (!tally) return false;
    result_.tally.Merge(*tally);
    done_ += worker.task.chunk.cases;
    return true;
  }

  void Count(Child::End end) {
    if (end == Child::End::kNoMemory) {
      ++starved_;
    } else {
      ++(end == Child::End::kHung ? hung_ : crashed_);
    }
  }

  void GiveUpAfterTooMany() {
    if (crashed_ + hung_ >= options_.most_failures) {
      result_.stopped = fmt::format(
          "the target ended {} times and hung {} times", crashed_, hung_);
    } else if (starved_ >= options_.most_failures) {
      result_.stopped =
          fmt::format("there was too little memory {} times", starved_);
    }
  }

  /// Of a task that is not run again: at least what got no answer.
  void AddFailures(const Task& task) {
    const auto wants = [&](std::uint64_t number) {
      return std::ranges::any_of(task.failures, [&](const auto& failure) {
        return failure.first.first == number;
      });
    };
    if (task.failures.empty()) return;
    ForEachAuditCase(
        task.chunk.slug, wants, task.products,
        [&](AuditCase&& c) {
          const auto failed = task.failures.find({c.number, c.c.product});
          if (failed != task.failures.end()) {
            result_.tally.Add(c, ResultOfEnd(c, failed->second));
          }
          return true;
        },
        options_.edition);
  }

  const diff::Target& target_;
  const ProcessPoolOptions& options_;
  std::list<Task> waiting_;
  std::list<Worker> running_;
  ProcessPoolResult result_;
  // Ends of processes, until the run is given up.
  std::uint64_t crashed_ = 0;
  std::uint64_t hung_ = 0;
  std::uint64_t starved_ = 0;  ///< for too little memory
  std::uint64_t done_ = 0;     ///< cases, about
};

/// What there is to do in an instruction.
struct Extent {
  std::uint64_t numbers;  ///< of the instruction
  std::uint64_t run;      ///< of these
  std::uint64_t cases;    ///< about, of those
};

Extent ExtentOf(std::string_view slug, const ProcessPoolOptions& options) {
  const std::uint64_t numbers = NumbersOf(slug);
  const auto sample = options.sample.find(slug);
  if (sample != options.sample.end()) {
    return {numbers, sample->second.numbers.size(), sample->second.size.cases};
  }
  const std::uint64_t run = numbers / options.shard.count;
  const isa::Instruction* const of_slug = isa::FindInstruction(slug);
  const auto products =
      std::ranges::count_if(options.products, [&](isa::Product product) {
        return of_slug == nullptr || of_slug->Has({product, options.edition});
      });
  return {numbers, run, run * static_cast<std::uint64_t>(products)};
}

}  // namespace

void Join(const ProcessPoolResult& more, ProcessPoolResult& sum) {
  sum.tally.Merge(more.tally);
  sum.crashed += more.crashed;
  sum.hung += more.hung;
  sum.interrupted |= more.interrupted;
  if (sum.stopped.empty()) sum.stopped = more.stopped;
  if (!more.sample) return;
  if (!sum.sample) sum.sample.emplace();
  sum.sample->Add(*more.sample);
}

reports::AuditShard ShardOf(const ProcessPoolResult& pool) {
  return {.crashed = pool.crashed,
          .hung = pool.hung,
          .stopped = pool.stopped,
          .sample = pool.sample,
          .tally = {pool.tally.Serialized()}};
}

std::expected<ProcessPoolResult, std::string> PoolResultOf(
    const reports::AuditShard& shard) {
  auto tally = Tally::Parse(shard.tally.text);
  if (!tally) {
    return std::unexpected("/audit/tally: no tally: " + LineOf(tally.error()));
  }
  return ProcessPoolResult{.tally = *std::move(tally),
                           .crashed = shard.crashed,
                           .hung = shard.hung,
                           .stopped = shard.stopped,
                           .sample = shard.sample};
}

ProcessPoolResult RunProcessPool(const diff::Target& target,
                                 std::vector<Chunk> chunks,
                                 const ProcessPoolOptions& options) {
  return WorkerPool(target, std::move(chunks), options).Run();
}

bool Chunk::Holds(std::uint64_t number) const {
  if (number < from || to <= number) return false;
  if (parts == 1) return true;
  const std::uint64_t part = make::Random(number).Bits() % parts;
  return first <= part && part < end;
}

std::vector<Chunk> ChunksOf(const std::vector<std::string_view>& slugs,
                            const ProcessPoolOptions& options) {
  // What is lost where a run ends early, and then a second or less of work for
  // our own, some hundred times what a process costs.
  constexpr std::uint64_t kFew = 100;
  constexpr std::uint64_t kMostParts = 30;
  std::vector<std::vector<Chunk>> rounds;
  for (std::string_view slug : slugs) {
    const Extent extent = ExtentOf(slug, options);
    const std::uint64_t parts = std::max<std::uint64_t>(1, extent.run / kFew);
    std::uint64_t first = 0;
    for (std::size_t round = 0; first < parts; ++round) {
      const std::uint64_t size =
          first == 0 ? 1 : std::min(first, kMostParts);  // 1, 1, 2, 4, …
      const std::uint64_t end = std::min(parts, first + size);
      if (rounds.size() == round) rounds.emplace_back();
      rounds[round].push_back(
          {.slug = slug,
           .to = extent.numbers,
           .cases = extent.cases * end / parts - extent.cases * first / parts,
           .parts = parts,
           .first = first,
           .end = end});
      first = end;
    }
  }
  std::vector<Chunk> chunks;
  for (const auto& round : rounds) {
    chunks.insert(chunks.end(), round.begin(), round.end());
  }
  return chunks;
}

}  // namespace lanediff::audit
