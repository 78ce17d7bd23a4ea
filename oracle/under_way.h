#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/state.h"
#include "isa/vocabulary.h"
#include "oracle/happens_before.h"
#include "oracle/listing.h"

/// *-BARRIER: the copies that a later one on the same pipe may meet.
namespace lanediff::oracle {

/// The executed copies, what orders them, and which of them are not before what
/// comes next on their own pipe. The others no later copy can meet; they are
/// forgotten.
class CopiesUnderWay {
 public:
  explicit CopiesUnderWay(isa::Product product) : order_(product) {}

  void Add(isa::Pipe pipe, isa::Memory memory, std::vector<ByteRun> written);

  /// Whether a copy on `pipe` that writes `written` meets one. The runs ascend
  /// and don't overlap.
  bool Meets(isa::Pipe pipe, isa::Memory memory,
             const std::vector<ByteRun>& written) const;

  /// Every barrier counts, also where the product has no barrier of that pipe.
  void Barrier(isa::Pipe pipe);
  void SetFlag(const isa::SetFlag& flag);
  void WaitFlag(const isa::WaitFlag& flag);

 private:
  struct Copy {
    std::size_t number = 0;  ///< no other's here
    isa::Pipe pipe = isa::Pipe::kV;
    isa::Memory memory = isa::Memory::kUb;
    std::vector<ByteRun> written;
  };

  void ForgetEnded();

  HappensBefore order_;
  std::vector<Copy> copies_;
  /// With those of `copies_`, the numbers from 0 on without a gap.
  std::vector<std::size_t> free_numbers_;
};

}  // namespace lanediff::oracle
