#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "differential/records/exhaust_state.h"
#include "differential/runner.h"
#include "generators/exhaustive/space.h"

/// A part of a space as a source of calls, and what compares them.
namespace lanediff::make::exhaust {

/// Calls of `part` of `space` from position `first` on, by their numbers.
class CallSource final : public diff::CaseSource<std::uint64_t> {
 public:
  /// `space` must outlive it; `jobs` is at least 1.
  CallSource(const Space& space, const Part& part, std::uint64_t first,
             std::size_t jobs, isa::Edition edition = isa::kNewestEdition);

  std::uint64_t size() const override { return part_.size() - first_; }
  std::size_t parts() const override;
  /// Calls of part `part` of the source.
  std::uint64_t CallsIn(std::size_t part) const;
  void Produce(std::size_t part,
               const std::function<bool(std::uint64_t&&)>& take) override;
  void Announce(const std::uint64_t& call, const diff::Target& target,
                const diff::Target& reference) const override;

 private:
  const Space& space_;
  Part part_;
  std::uint64_t first_;
  std::uint64_t portion_;
  isa::Edition edition_;
};

/// What came of some calls one behind the other.
struct ComparedCalls {
  Tally tally;
  std::uint64_t calls = 0;  ///< that ended
};

/// Compares calls; each thread has a walker of its own.
class CallSink : public diff::Sink<std::uint64_t, ComparedCalls> {
 public:
  /// `space`, `target` and `reference` must outlive it.
  CallSink(const Space& space, const diff::Target& target,
           const diff::Target& reference, std::size_t jobs,
           isa::Edition edition = isa::kNewestEdition);

  ComparedCalls Begin(std::size_t) override { return {}; }
  bool Compare(std::uint64_t&& call, std::size_t worker,
               ComparedCalls& result) override;

 private:
  std::vector<std::unique_ptr<Walker>> walkers_;
};

}  // namespace lanediff::make::exhaust
