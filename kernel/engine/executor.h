#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "differential/compare/open_elements.h"
#include "differential/testcase/case.h"
#include "emulator/emulator.h"
#include "isa/access.h"
#include "isa/call.h"
#include "isa/memories.h"
#include "isa/step.h"
#include "kernel/engine/operands.h"

/// Runs the audited calls of one block in the memory of this process, by the
/// emulator, and holds what it wrote against the oracle.
namespace lanediff::kernel {

/// Where address 0 of GM would be in this process, so that addresses of the
/// host are addresses of GM, and none is null.
inline constexpr std::int64_t kGmBase = 4096;

/// What the call finds of the machine.
struct Registers {
  std::uint64_t high = ~std::uint64_t{0};
  std::uint64_t low = ~std::uint64_t{0};
  bool saturation = true;
};

class Executor {
 public:
  /// `seams` outlive it.
  Executor(isa::Profile profile, LocalMemory& local,
           const emulator::Seams& seams = emulator::FastestSeams());

  /// Executes a call whose operands in GM are at addresses of this process less
  /// `kGmBase`, mask mode normal. Returns the result of the emulator.
  isa::StepResult Execute(const isa::Call& call, const Registers& registers);

  /// The same, and compares. `accesses` are those of the call. Returns what
  /// differs, in a sentence; nothing where all is equal, bit for bit but for
  /// NaNs that were computed.
  struct Compared {
    isa::StepResult emulator;
    std::optional<std::string> difference;
    /// Where it differs: what was read, as it was before.
    std::array<std::vector<Region>, isa::kCount<isa::Memory>> before;
    diff::OpenCount open = {};  ///< results compared by their distance
  };
  Compared ExecuteAndCompare(const isa::Call& call, const Registers& registers,
                             const std::vector<isa::Access>& accesses);

 private:
  isa::Memories Here();

  isa::Profile profile_;
  LocalMemory& local_;
  const emulator::Seams& seams_;
  std::unique_ptr<emulator::Emulator> emulator_;
  Registers set_;
  /// The oracle's copies, of local memories.
  std::array<std::vector<std::uint8_t>, isa::kCount<isa::Memory>> copies_;
};

}  // namespace lanediff::kernel
