#pragma once

#include <csignal>
#include <cstdlib>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/process_pool.h"
#include "audit/stream.h"
#include "differential/compare/check.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

/// Targets that are made by hand, and the cases to show them.
namespace lanediff::audit::test {

inline const diff::StepwiseTarget& TheEmulator() {
  return **diff::FindStepwiseTarget("emulator");
}

/// A target that runs each step by a function, which may call the emulator.
/// `memories` are those that both work on.
class HandMade final : public diff::StepwiseTarget {
 public:
  using Does = std::function<isa::StepResult(
      const isa::Step& step, diff::Session& emulator, isa::Memories memories)>;

  explicit HandMade(Does does, diff::Capabilities can = {},
                    const diff::StepwiseTarget& base = TheEmulator())
      : does_(std::move(does)), can_(std::move(can)), base_(base) {}

  std::string_view name() const override { return "hand-made"; }
  std::string_view description() const override { return "for a test"; }
  diff::Capabilities capabilities() const override { return can_; }
  std::unique_ptr<diff::Session> Open(isa::Profile profile,
                                      isa::Memories memories) const override {
    return std::make_unique<HandMadeSession>(
        does_, base_.Open(profile, memories), memories);
  }

 private:
  class HandMadeSession final : public diff::Session {
   public:
    HandMadeSession(const Does& does, std::unique_ptr<diff::Session> emulator,
                    isa::Memories memories)
        : does_(does), emulator_(std::move(emulator)), memories_(memories) {}
    isa::StepResult Execute(const isa::Step& step) override {
      return does_(step, *emulator_, memories_);
    }

   private:
    const Does& does_;
    std::unique_ptr<diff::Session> emulator_;
    isa::Memories memories_;
  };

  Does does_;
  diff::Capabilities can_;
  const diff::StepwiseTarget& base_;
};

using Result = std::expected<Outcome, diff::NoOutcome>;

inline std::unexpected<diff::NoOutcome> None(diff::NoOutcome::Kind kind,
                                             std::string why = "it failed") {
  return std::unexpected(diff::NoOutcome{kind, std::move(why)});
}

/// A target that answers whole cases by a function, as a program of its own
/// may.
class Answering : public diff::Target {
 public:
  explicit Answering(std::function<Result(const Case&)> answer)
      : answer_(std::move(answer)) {}
  std::string_view name() const override { return "answering"; }
  std::string_view description() const override { return "for a test"; }
  Result Run(const Case& c) const override { return answer_(c); }

 private:
  std::function<Result(const Case&)> answer_;
};

/// Outcomes of another target, which runs at each query; only of cases that a
/// function selects, and without what the function takes away.
class RecordedHere : public Answering {
 public:
  using Edits = std::function<bool(const Case& c, Outcome& outcome)>;

  explicit RecordedHere(
      std::string_view target,
      Edits edits = [](const Case&, Outcome&) { return true; })
      : Answering([&target = **diff::FindTarget(target),
                   edits = std::move(edits)](const Case& c) -> Result {
          Outcome outcome = target.Run(c).value();
          outcome.observed.clear();
          if (edits(c, outcome)) return outcome;
          return None(diff::NoOutcome::Kind::kUnknown, "not recorded");
        }) {}
  std::string_view name() const override { return "recorded here"; }
  bool runs_any_case() const override { return false; }
};

/// The emulator, but that it fails on the cases that a function names.
inline Answering FailsHere(
    std::function<std::optional<diff::NoOutcome::Kind>(const Case&)> kind) {
  return Answering([kind = std::move(kind)](const Case& c) -> Result {
    if (const auto failure = kind(c)) return None(*failure);
    return TheEmulator().Run(c);
  });
}

/// Ends this process at once, as a target may.
[[noreturn]] inline void EndProcess() {
  std::raise(SIGKILL);
  std::abort();
}

/// The cases of `slug` with numbers from `from` to before `to` on `product`.
inline std::vector<AuditCase> CasesIn(
    std::string_view slug, std::uint64_t from, std::uint64_t to,
    isa::Product product = isa::Product::kAtlasA2) {
  std::vector<AuditCase> all;
  ForEachAuditCase(
      slug, [&](std::uint64_t n) { return from <= n && n < to; },
      std::vector{product},
      [&](AuditCase&& c) {
        all.push_back(std::move(c));
        return true;
      });
  return all;
}

/// Everything there is in `slug` on `product`.
inline ProcessPoolResult RunModule(
    const diff::Target& target, std::string_view slug,
    isa::Product product = isa::Product::kAtlasA2) {
  ProcessPoolOptions options;
  options.products = {product};
  options.jobs = 2;
  return RunProcessPool(target, ChunksOf({slug}, options), options);
}

inline isa::StepResult Unsupported() {
  isa::StepResult cannot;
  cannot.status = isa::StepResult::Status::kUnsupported;
  return cannot;
}

/// Of a target that runs whatever it is given, here without effect.
inline isa::StepResult Tolerated(isa::StepResult result) {
  return result.status == isa::StepResult::Status::kRejected ? isa::StepResult{}
                                                             : result;
}

inline isa::StepResult Refused(isa::RuleId rule) {
  isa::RuleSet rules;
  rules.Add(rule);
  return isa::StepResult::FromBroken(rules);
}

}  // namespace lanediff::audit::test
