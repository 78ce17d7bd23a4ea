#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/memory/shared_arena.h"
#include "differential/targets/external/host_process.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/target.h"
#include "isa/step.h"
#include "isa/vocabulary.h"
#include "lanediff/plugin.h"

namespace lanediff::diff {

/// A session of a plugin, across processes. Memories that lie in the arena both
/// sides see; others go there and back with each step.
class PluginSession final : public Session {
 public:
  /// `can` outlives it, as does `restarts`, which counts if the host fails.
  PluginSession(std::shared_ptr<HostProcess> host, isa::Profile profile,
                isa::Memories memories, const Capabilities& can,
                Restarts& restarts);
  /// One that fails at once.
  explicit PluginSession(NoOutcome why) : failure_(std::move(why)) {}
  ~PluginSession() override;

  isa::StepResult Execute(const isa::Step& step) override;
  std::optional<std::size_t> ExecuteBoth(Session& other,
                                         std::span<const isa::Step> steps,
                                         isa::StepResult& here,
                                         isa::StepResult& there) override;
  /// As long as it can be handed any.
  bool takes_several() const override { return !failure_ && !host_->broken(); }
  /// What it answers to an unknown instruction.
  std::expected<std::string, NoOutcome> ProbeUnknown();
  const NoOutcome* failure() const override {
    return failure_ ? &*failure_ : nullptr;
  }

 private:
  using Bytes = std::vector<std::uint8_t, SharedAllocator<std::uint8_t>>;

  bool Share();
  /// Fills in the request but for the step.
  void Request(HostCall& call);
  std::expected<void, NoOutcome> Send(std::uint32_t calls, std::uint32_t steps);
  std::span<const isa::Step> FirstOf(std::span<const isa::Step> steps) const;
  std::size_t Hand(PluginSession* other, std::span<const isa::Step> steps,
                   isa::StepResult& here, isa::StepResult& there);
  bool Ready();
  static isa::StepResult Unsupported();
  isa::StepResult Take(const HostCall& call);
  void Copy(bool back);
  isa::StepResult Answer(const HostCall& call);
  bool ReadRules(const std::vector<std::string_view>& lines, std::size_t first,
                 std::size_t count, isa::RuleSet& into);
  isa::StepResult Fail(NoOutcome none);

  std::shared_ptr<HostProcess> host_;
  isa::Profile profile_ = isa::Product::kAtlasA2;
  isa::Memories memories_;
  const Capabilities* can_ = nullptr;
  Restarts* restarts_ = nullptr;
  std::uint32_t session_ = kHostSessions;
  bool open_ = false;
  std::array<HostMemory, LANEDIFF_MEMORIES> shared_{};
  std::array<Bytes, LANEDIFF_MEMORIES> copies_;
  std::optional<NoOutcome> failure_;
};

/// Whether the C ABI has a struct that holds the step, and a plugin with these
/// flags takes it.
bool InPluginAbi(const isa::Step& step, std::uint64_t flags);

/// `step` as the C ABI has it, on `product`. Fields that it doesn't use are 0.
void ToPluginStep(const isa::Step& step, isa::Product product,
                  lanediff_step& into);

}  // namespace lanediff::diff
