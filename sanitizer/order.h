#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "differential/records/hazard.h"
#include "differential/testcase/case.h"
#include "emulator/pipe_clocks.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "sanitizer/resources/parts.h"

namespace lanediff::lint {

/// The pipe of an operation; nothing for steps that touch no byte.
std::optional<isa::Pipe> PipeOf(const isa::Step& step, isa::Product product);

/// Whether the product has a PipeBarrier of that pipe, or of ALL.
bool HasBarrier(isa::Product product, isa::Pipe pipe);

/// SYNC-AUTO: whether the compiler orders an operation of `a` and one of `b`.
bool OrderedByCompiler(isa::Pipe a, isa::Pipe b);

/// SYNC-HB and SYNC-AUTO of one program, step by step, and what flags and
/// barriers do that they should not.
class Order {
 public:
  Order(isa::Product product, bool automatic)
      : product_(product), automatic_(automatic) {}

  /// Flags and barriers take effect; every other step is ignored.
  /// Hazards are added to `hazards`.
  void Take(const isa::Step& step, std::size_t number,
            std::vector<Hazard>& hazards);

  /// What a queue's call implies at step `number`. Its flags are not the
  /// program's, and no hazard.
  void Imply(const machine::Implied& implied, std::size_t number);

  /// An operation of the scalar unit was executed.
  void EndOfScalar(std::size_t number) {
    clocks_.EndOfScalar(static_cast<std::uint32_t>(number));
  }

  /// Whether the operation `number` of pipe `earlier` is ordered before one
  /// that `later` is given next.
  bool IsBefore(isa::Pipe earlier, std::int32_t number, isa::Pipe later) const;

  /// SYNC-FLAG-UNWAITED, when the program has come to its end.
  void Finish(std::vector<Hazard>& hazards) const;

 private:
  struct FlagUp {
    isa::Event event;
    std::int64_t id;
    std::size_t step;
    emulator::PipeClocks::Row carried;
  };

  template <class Flag>
  bool IsLegal(const Flag& flag, std::size_t number,
               std::vector<Hazard>& hazards) const;
  void Set(const isa::SetFlag& flag, std::size_t number,
           std::vector<Hazard>& hazards);
  void Wait(const isa::WaitFlag& flag, std::size_t number,
            std::vector<Hazard>& hazards);
  void Barrier(const isa::PipeBarrier& barrier, std::size_t number,
               std::vector<Hazard>& hazards);
  std::vector<FlagUp>::iterator Find(isa::Event event, std::int64_t id);

  isa::Product product_;
  bool automatic_;
  emulator::PipeClocks clocks_;
  std::vector<FlagUp> up_;
  /// Of queues, by token.
  std::map<std::uint64_t, emulator::PipeClocks::Row> implied_;
};

/// The calls that order two operations.
class Fixes {
 public:
  explicit Fixes(const Case& c);

  /// On one pipe its PipeBarrier; else SetFlag and WaitFlag with the lowest
  /// legal id that no flag step of that event has; PipeBarrier ALL where there
  /// is no such event or no id left; nothing where there is no PipeBarrier.
  std::vector<isa::Step> Between(isa::Pipe earlier, isa::Pipe later) const;

 private:
  isa::Product product_;
  std::map<isa::Event, std::set<std::int64_t>> used_;
};

}  // namespace lanediff::lint
