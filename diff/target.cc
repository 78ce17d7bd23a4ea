#include "diff/target.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "diff/json.h"
#include "diff/recorded/target.h"
#include "mutants/mutant.h"

namespace lanediff::diff {
namespace {

/// The emulator with some seams: the real ones, or a mutant's.
class EmulatorTarget final : public Target {
 public:
  EmulatorTarget(std::string name, std::string description,
                 std::string_view vectors, const emulator::Seams& seams)
      : name_(std::move(name)),
        description_(std::move(description)),
        vectors_(vectors),
        seams_(seams) {}

  std::string_view name() const override { return name_; }
  std::string_view description() const override { return description_; }
  std::string_view vectors() const override { return vectors_; }
  std::unique_ptr<Session> Open(isa::Product product,
                                isa::Memories memories) const override {
    return std::make_unique<EmulatorSession>(product, memories, seams_);
  }

 private:
  class EmulatorSession final : public Session {
   public:
    EmulatorSession(isa::Product product, isa::Memories memories,
                    const emulator::Seams& seams)
        : emulator_(product, memories, seams) {}
    void MakeRoomFor(std::size_t steps) override {
      emulator_.MakeRoomFor(steps);
    }
    isa::StepResult Execute(const isa::Step& step) override {
      return emulator_.Execute(step);
    }

   private:
    emulator::Emulator emulator_;
  };

  std::string name_;
  std::string description_;
  std::string_view vectors_;
  emulator::Seams seams_;
};

constexpr std::string_view kPlain = "plain";
constexpr std::string_view kEmulatorPrefix = "emulator:";

/// The vectors that `seams` compute with, which are the best ones or none.
std::string_view VectorsOf(const emulator::Seams& seams) {
  const bool any =
      seams.repeat_reduce_sum.vectors != nullptr ||
      seams.min.vectors != nullptr || seams.data_copy.vectors != nullptr ||
      seams.trowprod.vectors != nullptr || seams.vec_trans.vectors != nullptr;
  return any ? NameOf(emulator::BestTarget()) : kPlain;
}

/// The emulator as it is by default, with each set of vector kernels that runs
/// here, and without any.
std::vector<EmulatorTarget> Emulators() {
  std::vector<EmulatorTarget> all;
  all.emplace_back("emulator",
                   fmt::format("the optimized emulator; every instruction "
                               "(here as emulator:{})",
                               emulator::NameOf(emulator::BestTarget())),
                   emulator::NameOf(emulator::BestTarget()),
                   emulator::FastestSeams());
  all.emplace_back("emulator:plain", "the emulator, element by element", kPlain,
                   emulator::Seams{});
  for (const emulator::VectorTarget target : emulator::RunnableTargets()) {
    all.emplace_back(
        fmt::format("{}{}", kEmulatorPrefix, emulator::NameOf(target)),
        fmt::format("the emulator with Highway's {} vectors{}",
                    emulator::NameOf(target),
                    emulator::IsTested(target) ? "" : " (untested)"),
        emulator::NameOf(target), emulator::SeamsOf(target));
  }
  return all;
}

class OracleTarget final : public Target {
 public:
  std::string_view name() const override { return "oracle"; }
  std::string_view description() const override {
    return "the arbitrary-precision oracle; every instruction";
  }
  std::unique_ptr<Session> Open(isa::Product product,
                                isa::Memories memories) const override {
    return std::make_unique<OracleSession>(product, memories);
  }

 private:
  class OracleSession final : public Session {
   public:
    OracleSession(isa::Product product, isa::Memories memories)
        : oracle_(product, memories) {}
    isa::StepResult Execute(const isa::Step& step) override {
      return oracle_.Execute(step);
    }
    const std::vector<oracle::Access>* accesses() const override {
      return &oracle_.accesses();
    }
    const oracle::NumericEvents* events() const override {
      return &oracle_.events();
    }
    std::uint64_t node_count() const override { return oracle_.node_count(); }

   private:
    oracle::Oracle oracle_;
  };
};

constexpr std::string_view kMutantPrefix = "mutant:";

std::expected<const Target*, std::string> FindMutantTarget(
    std::string_view name) {
  static const std::vector<EmulatorTarget> targets = [] {
    std::vector<EmulatorTarget> all;
    for (const mutants::Mutant& mutant : mutants::Mutants()) {
      all.emplace_back(fmt::format("{}{}", kMutantPrefix, mutant.name),
                       std::string(mutant.defect), VectorsOf(mutant.seams),
                       mutant.seams);
    }
    return all;
  }();
  for (const EmulatorTarget& target : targets) {
    if (target.name() == name) return &target;
  }
  return std::unexpected(
      fmt::format("no mutant \"{}\"; \"lanediff list mutants\" names them",
                  name.substr(kMutantPrefix.size())));
}

/// Why this processor has no target `name`, if another one has it.
std::optional<std::string> WhyNotHere(std::string_view name) {
  for (std::size_t i = 0; i < emulator::kVectorTargets; ++i) {
    const auto target = static_cast<emulator::VectorTarget>(i);
    if (name != fmt::format("{}{}", kEmulatorPrefix, NameOf(target))) continue;
    return fmt::format("target \"{}\" does not run here: it needs {}", name,
                       NeedsOf(target));
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Target> EmulatorWith(const emulator::Seams& seams,
                                     std::string name,
                                     std::string_view description) {
  return std::make_unique<EmulatorTarget>(
      std::move(name), std::string(description), VectorsOf(seams), seams);
}

std::vector<const Target*> BuiltInTargets() {
  static const std::vector<EmulatorTarget> emulators = Emulators();
  static const OracleTarget oracle;
  std::vector<const Target*> all;
  for (const EmulatorTarget& target : emulators) all.push_back(&target);
  all.push_back(&oracle);
  return all;
}

std::expected<const Target*, std::string> FindTarget(std::string_view name) {
  if (name.starts_with(kMutantPrefix)) return FindMutantTarget(name);
  if (name.starts_with(kRecordedPrefix)) return FindRecordedTarget(name);
  std::string known;
  for (const Target* target : BuiltInTargets()) {
    if (target->name() == name) return target;
    known += fmt::format("{}, ", target->name());
  }
  if (auto why = WhyNotHere(name)) return std::unexpected(std::move(*why));
  return std::unexpected(
      fmt::format("no target \"{}\"; {}mutant:NAME and recorded:DIR are there",
                  Quote(name), known));
}

std::expected<const Target*, std::string> FindRunningTarget(
    std::string_view name) {
  auto target = FindTarget(name);
  if (target && (*target)->recording() != nullptr) {
    return std::unexpected(fmt::format(
        "{} only has the outcomes of cases that were run elsewhere; a target "
        "that runs any case is allowed here",
        Quote(name, 200)));
  }
  return target;
}

}  // namespace lanediff::diff
