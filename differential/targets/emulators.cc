#include "differential/targets/emulators.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "differential/testcase/nearest.h"
#include "emulator/mutants/mutant.h"

namespace lanediff::diff {
namespace {

/// The emulator with some seams: the real ones, or a mutant's.
class EmulatorTarget final : public StepwiseTarget {
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
  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return std::make_unique<EmulatorSession>(profile, memories, seams_);
  }

 private:
  class EmulatorSession final : public Session {
   public:
    EmulatorSession(isa::Profile profile, isa::Memories memories,
                    const emulator::Seams& seams)
        : emulator_(profile, memories, seams) {}
    void MakeSpaceFor(std::size_t steps) override {
      emulator_.MakeSpaceFor(steps);
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
constexpr std::string_view kPrefix = "emulator:";

/// The vectors that `seams` compute with, which are the best ones or none.
std::string_view VectorsOf(const emulator::Seams& seams) {
  return emulator::HasVectors(seams) ? NameOf(emulator::BestTarget()) : kPlain;
}

std::vector<std::unique_ptr<Target>> BuildEmulators() {
  std::vector<std::unique_ptr<Target>> all;
  const auto add = [&](std::string name, std::string description,
                       std::string_view vectors, const emulator::Seams& seams) {
    all.push_back(std::make_unique<EmulatorTarget>(
        std::move(name), std::move(description), vectors, seams));
  };
  add("emulator",
      fmt::format("the optimized emulator; every instruction "
                  "(here as emulator:{})",
                  emulator::NameOf(emulator::BestTarget())),
      emulator::NameOf(emulator::BestTarget()), emulator::FastestSeams());
  add("emulator:plain", "the emulator, element by element", kPlain,
      emulator::Seams{});
  for (const emulator::VectorTarget target : emulator::RunnableTargets()) {
    add(fmt::format("{}{}", kPrefix, emulator::NameOf(target)),
        fmt::format("the emulator with Highway's {} vectors{}",
                    emulator::NameOf(target),
                    emulator::IsTested(target) ? "" : " (untested)"),
        emulator::NameOf(target), emulator::SeamsOf(target));
  }
  return all;
}

std::span<const std::unique_ptr<Target>> Emulators() {
  static const std::vector<std::unique_ptr<Target>> all = BuildEmulators();
  return all;
}

/// Why this processor has no emulator called `name`, if another one has it.
std::optional<std::string> WhyNotHere(std::string_view name) {
  for (std::size_t i = 0; i < emulator::kVectorTargets; ++i) {
    const auto target = static_cast<emulator::VectorTarget>(i);
    if (name != fmt::format("{}{}", kPrefix, NameOf(target))) continue;
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

std::vector<const Target*> ListedEmulators() {
  std::vector<const Target*> all;
  for (const auto& target : Emulators()) all.push_back(target.get());
  return all;
}

FoundTarget FindEmulator(std::string_view name) {
  for (const auto& target : Emulators()) {
    if (target->name() == name) return target.get();
  }
  if (auto why = WhyNotHere(name)) return std::unexpected(std::move(*why));
  return NoSuchTarget(name);
}

FoundTarget FindMutantTarget(std::string_view name) {
  static const std::vector<std::unique_ptr<Target>> targets = [] {
    std::vector<std::unique_ptr<Target>> all;
    for (const mutants::Mutant& mutant : mutants::Mutants()) {
      all.push_back(EmulatorWith(
          mutant.seams, fmt::format("{}{}", kMutantPrefix, mutant.name),
          mutant.defect));
    }
    return all;
  }();
  for (const auto& target : targets) {
    if (target->name() == name) return target.get();
  }
  const std::string_view mutant = name.substr(kMutantPrefix.size());
  std::vector<std::string_view> names;
  for (const mutants::Mutant& one : mutants::Mutants()) {
    names.push_back(one.name);
  }
  return std::unexpected(
      fmt::format("no mutant \"{}\"{}; \"lanediff list mutants\" names them",
                  mutant, DidYouMean(mutant, names)));
}

}  // namespace lanediff::diff
