#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "diff/case.h"
#include "diff/generate/random.h"
#include "diff/target.h"
#include "emulator/emulator.h"

/// Emulators with one seam replaced, for tests that need findings.
namespace lanediff::diff::test {

/// The emulator with other seams.
class SeamsTarget final : public Target {
 public:
  explicit SeamsTarget(const emulator::Seams& seams) : seams_(seams) {}
  std::string_view name() const override { return "planted"; }
  std::string_view description() const override { return "for tests"; }
  std::unique_ptr<Session> Open(isa::Product product,
                                isa::Memories memories) const override {
    return std::make_unique<SeamsSession>(product, memories, seams_);
  }

 private:
  class SeamsSession final : public Session {
   public:
    SeamsSession(isa::Product product, isa::Memories memories,
                 const emulator::Seams& seams)
        : emulator_(product, memories, seams) {}
    isa::StepResult Execute(const isa::Step& step) override {
      return emulator_.Execute(step);
    }

   private:
    emulator::Emulator emulator_;
  };

  emulator::Seams seams_;
};

/// A defect, and cases that are likely to show it.
struct Planted {
  std::string_view name;
  emulator::Seams seams;
  Case (*generate)(Random& random);
};

/// At least two defects of each instruction, in every kind of seam.
std::vector<Planted> PlantedDefects();

}  // namespace lanediff::diff::test
