#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "isa/rule.h"
#include "isa/state.h"
#include "isa/vocabulary.h"

namespace lanediff::oracle {

/// A set of numbers from 0 on, a bit for each up to the greatest that was
/// added.
class NumberSet {
 public:
  void Add(std::size_t number) {
    if (WordOf(number) >= words_.size()) words_.resize(WordOf(number) + 1);
    words_[WordOf(number)] |= BitOf(number);
  }
  void Remove(std::size_t number) {
    if (WordOf(number) < words_.size())
      words_[WordOf(number)] &= ~BitOf(number);
  }
  void AddAll(const NumberSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i) {
      words_[i] |= other.words_[i];
    }
  }
  bool Contains(std::size_t number) const {
    return WordOf(number) < words_.size() &&
           (words_[WordOf(number)] & BitOf(number)) != 0;
  }

 private:
  static std::size_t WordOf(std::size_t number) { return number / 64; }
  static std::uint64_t BitOf(std::size_t number) {
    return std::uint64_t{1} << (number % 64);
  }

  std::vector<std::uint64_t> words_;
};

/// SYNC-HB: which operations are before which, as the entries of the pipes'
/// queues come in program order. Written down as sets of operations: of each
/// queue those that have ended before its next entry starts, of each set flag
/// those that have ended when it is set.
///
/// An operation is a number that the caller gives it, such as its step; sets
/// have a bit for each, so small numbers keep them small.
class HappensBefore {
 public:
  explicit HappensBefore(isa::Product product) : product_(product) {}

  // ---- Entries, in program order --------------------------------------------

  /// An operation in the queue of `pipe`, which is not `ALL`.
  void Operation(std::size_t number, isa::Pipe pipe);

  /// Counts on every product and for every pipe; a caller that needs what a
  /// device has (SYNC-BARRIER-PIPE) filters by `HasBarrier`.
  void Barrier(isa::Pipe pipe);

  /// Sets or takes a flag; `step` is what `SetterOf` returns for it. One that
  /// breaks SYNC-FLAG-PIPE, -ID, -TWICE or -UNSET is no entry; returns that
  /// rule.
  std::optional<isa::RuleId> SetFlag(const isa::SetFlag& flag,
                                     std::int64_t step);
  std::optional<isa::RuleId> WaitFlag(const isa::WaitFlag& flag);

  // ---- Questions ------------------------------------------------------------

  /// Whether `operation` is before an operation that comes next in the queue of
  /// `pipe`.
  bool IsBefore(std::size_t operation, isa::Pipe pipe) const;

  /// The step that set a flag; nothing where it is clear.
  std::optional<std::int64_t> SetterOf(isa::Event event, std::int64_t id) const;

  /// Forgets an operation: its number is free for another.
  void Forget(std::size_t number);

 private:
  struct RaisedFlag {
    std::int64_t step = 0;
    NumberSet ended;
  };
  using Name = std::pair<isa::Event, std::int64_t>;
  using OfPipe = std::array<NumberSet, isa::kCount<isa::Pipe>>;

  std::optional<isa::RuleId> BrokenBy(isa::Event event, std::int64_t id) const;

  isa::Product product_;
  OfPipe operations_;  ///< all so far
  OfPipe ended_;       ///< of all pipes, before the queue's next entry starts
  std::map<Name, RaisedFlag> set_flags_;
};

}  // namespace lanediff::oracle
