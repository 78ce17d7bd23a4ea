#include "differential/targets/target_kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "differential/targets/emulators.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/find_target.h"
#include "differential/targets/recorded/target.h"
#include "differential/testcase/json.h"
#include "differential/testcase/nearest.h"
#include "oracle/oracle.h"

namespace lanediff::diff {

namespace {

class OracleTarget final : public StepwiseTarget {
 public:
  std::string_view name() const override { return "oracle"; }
  std::string_view description() const override {
    return "the arbitrary-precision oracle; every instruction";
  }
  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return std::make_unique<OracleSession>(profile, memories);
  }

 private:
  class OracleSession final : public Session {
   public:
    OracleSession(isa::Profile profile, isa::Memories memories)
        : oracle_(profile, memories) {}
    isa::StepResult Execute(const isa::Step& step) override {
      return oracle_.Execute(step);
    }
    const std::vector<isa::Access>* accesses() const override {
      return &oracle_.accesses();
    }
    const std::vector<isa::Access>* open_results() const override {
      return &oracle_.open_results();
    }
    const isa::NumericEvents* events() const override {
      return &oracle_.events();
    }
    std::uint64_t node_count() const override { return oracle_.node_count(); }

   private:
    oracle::Oracle oracle_;
  };
};

std::vector<const Target*> ListedOracles() { return {&TheOracle()}; }

FoundTarget FindOracle(std::string_view name) {
  if (name == TheOracle().name()) return &TheOracle();
  return NoSuchTarget(name);
}

/// Those of programs that link lanediff.
std::vector<std::unique_ptr<Target>>& Registered() {
  static std::vector<std::unique_ptr<Target>> targets;
  return targets;
}

/// The registered target called `name`, or null.
const Target* FindRegistered(std::string_view name) {
  for (const auto& target : Registered()) {
    if (target->name() == name) return target.get();
  }
  return nullptr;
}

constexpr TargetKind kKinds[] = {
    {.prefix = "emulator",
     .usage = "",
     .description = "",
     .find = FindEmulator,
     .listed = ListedEmulators},
    {.prefix = "oracle",
     .usage = "",
     .description = "",
     .find = FindOracle,
     .listed = ListedOracles},
    {.prefix = kMutantPrefix,
     .usage = "mutant:NAME",
     .description = "the emulator with a known bug; \"lanediff list mutants\" "
                    "names them",
     .find = FindMutantTarget},
    {.prefix = kRecordedPrefix,
     .usage = "recorded:DIR",
     .description =
         "outcomes that a device, a simulator or another team had of given "
         "cases, DIR/ID.json of the case called ID; for check, exec, explain "
         "and audit",
     .find = FindRecordedTarget},
    {.prefix = kExecPrefix,
     .usage = "exec:COMMAND",
     .description = "a program that speaks lanediff-target/1; COMMAND is split "
                    "into words as a shell would",
     .find = FindExecTarget},
    {.prefix = kPluginPrefix,
     .usage = "plugin:PATH",
     .description = "a shared library with the C ABI of "
                    "lanediff/plugin.h, in a "
                    "process of its own",
     .find = FindPluginTarget},
};

/// The kind whose names begin as `name` does, or null.
const TargetKind* KindOf(std::string_view name) {
  for (const TargetKind& kind : kKinds) {
    if (name.starts_with(kind.prefix)) return &kind;
  }
  return nullptr;
}

}  // namespace

const StepwiseTarget& TheOracle() {
  static const OracleTarget oracle;
  return oracle;
}
std::span<const TargetKind> TargetKinds() { return kKinds; }

std::vector<const Target*> ListedTargets() {
  std::vector<const Target*> all;
  for (const auto& target : Registered()) all.push_back(target.get());
  for (const TargetKind& kind : kKinds) {
    if (kind.listed == nullptr) continue;
    for (const Target* target : kind.listed()) all.push_back(target);
  }
  return all;
}

std::unexpected<std::string> NoSuchTarget(std::string_view name) {
  std::vector<std::string_view> words;
  for (const auto& target : Registered()) words.push_back(target->name());
  for (const TargetKind& kind : kKinds) {
    if (kind.listed != nullptr) {
      for (const Target* target : kind.listed()) {
        words.push_back(target->name());
      }
    }
    if (!kind.usage.empty()) words.push_back(kind.usage);
  }
  const std::string near = DidYouMean(name, words);
  const std::string_view last = words.back();
  words.pop_back();
  return std::unexpected(fmt::format("no target \"{}\"{}; {} and {} are there",
                                     Quote(name), near, fmt::join(words, ", "),
                                     last));
}

std::expected<const Target*, std::string> FindTarget(std::string_view name) {
  if (const Target* const own = FindRegistered(name)) return own;
  const TargetKind* const kind = KindOf(name);
  return kind != nullptr ? kind->find(name) : NoSuchTarget(name);
}

std::expected<const Target*, std::string> FindRunningTarget(
    std::string_view name) {
  auto target = FindTarget(name);
  if (target && !(*target)->runs_any_case()) {
    return std::unexpected(fmt::format(
        "{} only has the outcomes of cases that were run elsewhere; a target "
        "that runs any case is allowed here",
        Quote(name, 200)));
  }
  return target;
}

std::expected<const StepwiseTarget*, std::string> FindStepwiseTarget(
    std::string_view name) {
  const auto target = FindRunningTarget(name);
  if (!target) return std::unexpected(target.error());
  if (const StepwiseTarget* const steps = (*target)->stepwise()) return steps;
  return std::unexpected(
      fmt::format("{} only answers whole cases; a target that goes step by "
                  "step is allowed here",
                  Quote(name, 200)));
}

void RegisterTarget(std::unique_ptr<Target> target) {
  const std::string_view name = target->name();
  if (name.empty()) throw std::invalid_argument("a target without a name");
  if (KindOf(name) != nullptr || FindRegistered(name) != nullptr) {
    throw std::invalid_argument(
        fmt::format("a target called \"{}\": the name is taken, or begins like "
                    "those of another kind",
                    Quote(name)));
  }
  Registered().push_back(std::move(target));
}

}  // namespace lanediff::diff
