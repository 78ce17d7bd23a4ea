#include "differential/targets/pace.h"

#include <string>
#include <utility>

#include "differential/testcase/record_join.h"

namespace lanediff::diff {
namespace {

double Since(PaceMeter::Clock::time_point start) {
  return std::chrono::duration<double>(PaceMeter::Clock::now() - start).count();
}

}  // namespace

std::string_view BuildName() {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return "asan+ubsan";
#endif
#elif defined(__SANITIZE_ADDRESS__)
  return "asan+ubsan";
#endif
  return "release";
}

/// A target that counts the time of its steps.
class PaceMeter::Timed final : public TargetAround {
 public:
  using TargetAround::TargetAround;
  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return std::make_unique<TimedSession>(inner_steps().Open(profile, memories),
                                          seconds_);
  }
  std::expected<Outcome, NoOutcome> Run(const Case& c) const override {
    if (stepwise() != nullptr) return TargetAround::Run(c);
    const auto start = Clock::now();
    auto outcome = TargetAround::Run(c);
    seconds_ += Since(start);
    return outcome;
  }

  /// Seconds since the last call.
  double Take() { return std::exchange(seconds_, 0); }

 private:
  class TimedSession final : public Session {
   public:
    TimedSession(std::unique_ptr<Session> inner, double& seconds)
        : inner_(std::move(inner)), seconds_(seconds) {}
    void MakeSpaceFor(std::size_t steps) override {
      inner_->MakeSpaceFor(steps);
    }
    isa::StepResult Execute(const isa::Step& step) override {
      const auto start = Clock::now();
      isa::StepResult result = inner_->Execute(step);
      seconds_ += Since(start);
      return result;
    }
    const NoOutcome* failure() const override { return inner_->failure(); }
    std::optional<std::size_t> ExecuteBoth(Session& other,
                                           std::span<const isa::Step> steps,
                                           isa::StepResult& here,
                                           isa::StepResult& there) override {
      const auto start = Clock::now();
      const auto done = inner_->ExecuteBoth(
          *static_cast<TimedSession&>(other).inner_, steps, here, there);
      seconds_ += Since(start);
      return done;
    }
    bool takes_several() const override { return inner_->takes_several(); }
    const std::vector<isa::Access>* accesses() const override {
      return inner_->accesses();
    }
    const isa::NumericEvents* events() const override {
      return inner_->events();
    }
    std::uint64_t node_count() const override { return inner_->node_count(); }

   private:
    std::unique_ptr<Session> inner_;
    double& seconds_;
  };

  mutable double seconds_ = 0;
};

PaceMeter::PaceMeter(const Target& target, const Target& reference)
    : target_(std::make_unique<Timed>(target)),
      reference_(std::make_unique<Timed>(reference)) {}

PaceMeter::~PaceMeter() = default;

Comparison PaceMeter::Compare(const Case& c, const StepObserver& observer,
                              Clock::time_point start) {
  Comparison result = CompareCase(c, *target_, *reference_, observer);
  const PacePart part = {.cases = 1,
                         .seconds = Since(start),
                         .reference_seconds = reference_->Take(),
                         .target_seconds = target_->Take()};
  if (!result.unsupported) {
    JoinInto(part, result.rejected ? pace_.illegal : pace_.legal);
  }
  return result;
}

}  // namespace lanediff::diff
