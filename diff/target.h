#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "isa/memories.h"
#include "isa/step.h"
#include "oracle/oracle.h"

namespace lanediff::diff {

class Recording;

/// One program on its way through a target. Works on memories that the caller
/// owns and may change between steps; keeps the machine state itself.
class Session {
 public:
  virtual ~Session() = default;

  /// Told before the first step of a program how many there are.
  virtual void MakeRoomFor(std::size_t /*steps*/) {}

  virtual isa::StepResult Execute(const isa::Step& step) = 0;

  /// What the last step read and wrote, from a target that knows; null
  /// otherwise. A target that says it has written nothing else.
  virtual const std::vector<oracle::Access>* accesses() const {
    return nullptr;
  }
  /// Numeric events of the last step, from a target that counts them; null
  /// otherwise.
  virtual const oracle::NumericEvents* events() const { return nullptr; }
  /// Arithmetic nodes so far, from a target that counts them.
  virtual std::uint64_t node_count() const { return 0; }
};

/// An implementation under comparison; diff/targets/ finds them by name.
class Target {
 public:
  virtual ~Target() = default;

  /// As it is spelt on the command line.
  virtual std::string_view name() const = 0;
  /// The vectors that it computes with: "avx2", …, "plain" for none; empty for
  /// what is no emulator.
  virtual std::string_view vectors() const { return {}; }
  /// One line on what it is and what it can do.
  virtual std::string_view description() const = 0;
  virtual std::unique_ptr<Session> Open(isa::Product product,
                                        isa::Memories memories) const = 0;
  /// The outcomes to look up, from a target that was observed elsewhere and
  /// can't do a step here; null from one that runs.
  virtual const Recording* recording() const { return nullptr; }
};

}  // namespace lanediff::diff
