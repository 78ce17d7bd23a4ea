#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/vocabulary.h"

namespace lanediff::emulator {

/// SYNC-HB as clocks: for each pipe q, of every pipe p the step below which the
/// operations of p have ended before what q is given next starts. `ALL` is no
/// pipe here but where it is a barrier's.
class PipeClocks {
 public:
  /// What one pipe knows of all: a step for each.
  using Row = std::array<std::uint32_t, isa::kCount<isa::Pipe>>;

  /// A barrier at `step`: of one pipe, what it was given is over for what it is
  /// given next; of ALL, everything for everybody.
  void Barrier(isa::Pipe pipe, std::uint32_t step) {
    if (pipe != isa::Pipe::kAll) {
      At(pipe)[Index(pipe)] = step;
      return;
    }
    for (Row& row : done_) row.fill(step);
  }

  /// What a SetFlag at `step` signals for pipe `source`.
  Row Carried(isa::Pipe source, std::uint32_t step) const {
    Row row = done_[Index(source)];
    row[Index(source)] = step;
    return row;
  }

  /// A WaitFlag of pipe `destination` takes what a SetFlag signalled. S issues
  /// what all the others do: what it waits for, they have waited for.
  void Take(isa::Pipe destination, const Row& carried) {
    if (destination != isa::Pipe::kS) return Merge(At(destination), carried);
    for (Row& row : done_) Merge(row, carried);
  }

  /// The operation of S at `step` ends before the next of S starts.
  void EndOfScalar(std::uint32_t step) {
    At(isa::Pipe::kS)[Index(isa::Pipe::kS)] = step + 1;
  }

  /// Whether the operation at `step` of `earlier` has ended before what `later`
  /// is given next starts.
  bool IsBefore(isa::Pipe earlier, std::uint32_t step, isa::Pipe later) const {
    return done_[Index(later)][Index(earlier)] > step;
  }

 private:
  static constexpr std::size_t Index(isa::Pipe pipe) {
    return static_cast<std::size_t>(pipe);
  }
  Row& At(isa::Pipe pipe) { return done_[Index(pipe)]; }
  static void Merge(Row& row, const Row& carried) {
    for (std::size_t p = 0; p < row.size(); ++p) {
      row[p] = std::max(row[p], carried[p]);
    }
  }

  std::array<Row, isa::kCount<isa::Pipe>> done_ = {};
};

}  // namespace lanediff::emulator
