#include "diff/target.h"

#include <fmt/format.h>

#include "emulator/emulator.h"

namespace lanediff::diff {
namespace {

class EmulatorTarget final : public Target {
 public:
  std::string_view name() const override { return "emulator"; }
  std::string_view description() const override {
    return "the optimized emulator; every instruction";
  }
  std::unique_ptr<Session> Open(isa::Product product,
                                isa::Memories memories) const override {
    return std::make_unique<EmulatorSession>(product, memories);
  }

 private:
  class EmulatorSession final : public Session {
   public:
    EmulatorSession(isa::Product product, isa::Memories memories)
        : emulator_(product, memories) {}
    isa::StepResult Execute(const isa::Step& step) override {
      return emulator_.Execute(step);
    }

   private:
    emulator::Emulator emulator_;
  };
};

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

}  // namespace

std::vector<const Target*> BuiltInTargets() {
  static const EmulatorTarget emulator;
  static const OracleTarget oracle;
  return {&emulator, &oracle};
}

std::expected<const Target*, std::string> FindTarget(std::string_view name) {
  std::string known;
  for (const Target* target : BuiltInTargets()) {
    if (target->name() == name) return target;
    if (!known.empty()) known += ", ";
    known += target->name();
  }
  return std::unexpected(
      fmt::format("no target \"{}\"; {} are there", name, known));
}

}  // namespace lanediff::diff
