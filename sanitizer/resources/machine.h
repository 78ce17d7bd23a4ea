#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "isa/access.h"
#include "isa/rule.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "sanitizer/resources/buffers.h"
#include "sanitizer/resources/parts.h"

/// The machine that a kernel runs on: what it hands out, and the rules KRN-* on
/// what a kernel makes of it. It is given steps as they happen or as a case has
/// them, and executes none.
namespace lanediff::machine {

/// The mask register and whether its mode is counter, behind a step.
struct Registers {
  std::uint64_t high = ~std::uint64_t{0};
  std::uint64_t low = ~std::uint64_t{0};
  bool counter = false;
};

class Machine {
 public:
  explicit Machine(isa::Product product) : product_(product) {}

  /// The step `number` was executed; it touched `accesses`, whose operands are
  /// those of oracle/oracle.h.
  void Take(const isa::Step& step, std::size_t number,
            std::span<const isa::Access> accesses, const Registers& registers);

  /// The step was rejected, and did nothing.
  void Skip();

  /// The program has come to its end.
  void Finish();

  /// What was found since the last call, in the order of finding.
  std::vector<Finding> TakeFindings() {
    return std::exchange(findings_, std::vector<Finding>());
  }

  /// What the last step does as a flag or barrier does.
  const std::vector<Implied>& implied() const { return implied_; }

  /// The block has come to its end before the program's: what follows up to the
  /// next Block is not looked at.
  bool ended() const { return blocks_.at(block_).ended; }

  /// What the block at hand has of buffers.
  const Buffers& buffers() const { return blocks_.at(block_).buffers; }
  /// The lowest id of `event` that the block does not hold; nothing where it
  /// holds all.
  std::optional<std::int64_t> FreeEventId(std::string_view event) const;

  /// Of which mode the mask is that was set last: "normal", "counter"; nothing
  /// where no step set it.
  std::optional<std::string> mask_mode() const {
    const auto& mode = blocks_.at(block_).mask_mode;
    return mode ? std::optional(mode->first) : std::nullopt;
  }
  /// Whether what the last step wrote of GM was added to what was there, or
  /// compared with it.
  bool accumulates() const { return !accumulates_.empty(); }

  /// The block at hand; 0 where no step has set it.
  std::int64_t block() const { return block_; }

 private:
  struct Block {
    explicit Block(isa::Product product)
        : buffers(product), scratch(product), events(product) {}

    Buffers buffers;
    SelectScratch scratch;
    bool started = false;  ///< by a step, so that its start is known
    bool ended = false;
    std::size_t last_step = 0;
    Registers registers;
    /// Which step made the register, and the mode, what they are.
    std::size_t mask_by = 0;
    std::size_t mode_by = 0;
    std::optional<std::string> atomic;  ///< absent: unknown
    std::size_t atomic_by = 0;
    std::optional<std::size_t> deq_scale;
    /// Of what mode, and which SetVectorMask set it last.
    std::optional<std::pair<std::string, std::size_t>> mask_mode;
    EventPool events;
    std::int64_t sync_alls = 0;
    std::optional<std::size_t> last_sync_all;
    std::optional<std::int64_t> used_cores;
  };

  Block& Here() { return blocks_.at(block_); }
  void TakeResource(const isa::Resource& resource, std::size_t number);
  void Enter(std::int64_t block);
  /// The step `number` of the block was executed and leaves `registers`.
  void Follow(std::size_t number, const Registers& registers);
  void EndLaunch();
  void EndBlock(Block& block);
  void CompareSyncAlls();
  void SyncAll(const isa::Resource& resource, std::size_t number);
  void AllocEvent(const isa::Resource& resource, std::size_t number);
  void ReleaseEvent(const isa::Resource& resource, std::size_t number);
  void CheckContents(const isa::Carried& call, std::size_t number);
  void LookAtMaskMode(const isa::Step& step, std::size_t number);
  void LookAtFlag(const isa::Step& step, std::size_t number);
  void LookAtDeclared(const isa::Step& step, std::size_t number,
                      std::span<const isa::Access> accesses);
  std::string AccumulatesBy(const isa::Step& step,
                            std::span<const isa::Access> accesses) const;
  void LookAtGm(std::size_t number, std::span<const isa::Access> accesses);
  void Emit(isa::RuleId rule, std::size_t step, std::string what,
            bool note = false,
            std::optional<std::size_t> earlier = std::nullopt);

  isa::Product product_;
  std::int64_t block_ = 0;
  std::map<std::int64_t, Block> blocks_ = {{0, Block(product_)}};
  std::int64_t launched_blocks_ = 0;  ///< 0: no step has set it
  GmConflicts gm_;
  /// Facts of Resource steps about the operands of the next step.
  std::vector<isa::Resource> about_next_;
  std::vector<Implied> implied_;
  std::string accumulates_;  ///< by which operation; empty: by none
  std::vector<Finding> findings_;
};

}  // namespace lanediff::machine
