#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "differential/targets/capabilities.h"
#include "differential/testcase/case.h"
#include "isa/access.h"
#include "isa/memories.h"
#include "isa/numeric_events.h"
#include "isa/step.h"

namespace lanediff::diff {

/// Why a target has no outcome of a case.
struct NoOutcome {
  enum class Kind : std::uint8_t {
    kUnknown,    ///< the case has no outcome there
    kMalformed,  ///< what it has can't be read or is no outcome of the case
    kCrash,      ///< it ended instead of answering
    kTimeout,    ///< it didn't answer in time
    kProtocol,   ///< it broke the line protocol or the plugin ABI
    kState,      ///< a fresh process has another outcome of the case
    kUnable,     ///< the case can't be put to it
    kGivenUp,    ///< it has failed too often and runs no more cases
  };

  Kind kind = Kind::kUnknown;
  std::string why;  ///< one line, with the place where there is one
  /// The last it wrote to stderr, where that is known: 4 KiB at most.
  std::string error_tail = {};
};

/// Whether it is the target that failed, or an outcome that is not to be had.
constexpr bool IsFailure(NoOutcome::Kind kind) {
  using enum NoOutcome::Kind;
  return kind == kCrash || kind == kTimeout || kind == kProtocol ||
         kind == kState;
}

class Account;
class StepwiseTarget;

/// What an implementation that is not ours calls itself; texts of its own.
struct TargetInfo {
  std::string name = {};
  std::string version = {};
};

/// An implementation under comparison, which answers a case with an outcome;
/// differential/targets/ finds them by name. A caller queries properties here,
/// and never decides by the name. Several threads may call at once.
class Target {
 public:
  virtual ~Target() = default;

  /// As it is spelt on the command line.
  virtual std::string_view name() const = 0;
  /// The vectors that it computes with: "avx2", …, "plain" for none; empty for
  /// what is no emulator.
  virtual std::string_view vectors() const { return {}; }
  /// One line on what it is and what it can do.
  virtual std::string_view description() const = 0;
  /// Empty of our own.
  virtual TargetInfo info() const { return {}; }
  /// Cases beyond them are unsupported, and not run.
  virtual Capabilities capabilities() const { return {}; }
  /// False of one that only has outcomes of given cases: it is useless to those
  /// who make or change cases.
  virtual bool runs_any_case() const { return true; }

  /// What it makes of `c`, from start to end, each step on what it left itself.
  virtual std::expected<Outcome, NoOutcome> Run(const Case& c) const = 0;

  /// How many cases it wants to hear of before they are put to it, as one that
  /// takes several requests before it answers does; 0 where that is useless.
  virtual std::size_t foresight() const { return 0; }
  /// Announces that this thread is going to call `Run` with `c`, in the order
  /// of what it announced, so that work on it can begin.
  virtual void Announce(const Case& /*c*/) const {}
  /// What this thread has announced, and not run, is not going to be.
  virtual void Withdraw() const {}

  /// Called once for each case that it was compared on; `had` is its outcome
  /// where that is known. A target that may carry something from one case to
  /// the next looks at some of them again, in a process that has seen no other,
  /// and reports a finding (`kState`) if the outcome is another one.
  virtual std::optional<NoOutcome> LookAgain(const Case& /*c*/,
                                             const Outcome* /*had*/) const {
    return std::nullopt;
  }
  /// Whether it has failed so often that it runs no more cases.
  virtual bool given_up() const { return false; }
  /// Where `CompareCase` counts what it did; null where nothing is counted.
  virtual Account* account() const { return nullptr; }

  /// The same target step by step, on memories of this process; null from one
  /// that only answers whole cases.
  virtual const StepwiseTarget* stepwise() const { return nullptr; }
};

/// One program on its way through a target. Works on memories that the caller
/// owns and may change between steps; keeps the machine state itself.
class Session {
 public:
  virtual ~Session() = default;

  /// Called before the first step of a program with the number of its steps.
  virtual void MakeSpaceFor(std::size_t /*steps*/) {}

  /// Unsupported where it failed; `failure` then holds the reason.
  virtual isa::StepResult Execute(const isa::Step& step) = 0;
  /// The `steps`, one or more, in turn, each here and in `other`, which is the
  /// same target's, where that is quicker than one after the other; nothing
  /// where it isn't, and nothing is done. Stops behind the first step that
  /// either does not just execute, or fails in: it returns the number of the
  /// last step that was done, to which `here` and `there` are the answers.
  virtual std::optional<std::size_t> ExecuteBoth(
      Session& /*other*/, std::span<const isa::Step> /*steps*/,
      isa::StepResult& /*here*/, isa::StepResult& /*there*/) {
    return std::nullopt;
  }
  /// Why there is no answer to the last step; null where there is one. No step
  /// may follow a failure.
  virtual const NoOutcome* failure() const { return nullptr; }

  /// What the last step read and wrote, from a target that knows; null
  /// otherwise. A target that lists them has written nothing else.
  virtual const std::vector<isa::Access>* accesses() const { return nullptr; }
  /// What of the last step's results no document determines to the last bit,
  /// from a target that knows (`oracle::Oracle::open_results`); null otherwise.
  virtual const std::vector<isa::Access>* open_results() const {
    return nullptr;
  }
  /// Numeric events of the last step, from a target that counts them; null
  /// otherwise.
  virtual const isa::NumericEvents* events() const { return nullptr; }
  /// Arithmetic nodes so far, from a target that counts them.
  virtual std::uint64_t node_count() const { return 0; }
  /// Whether `ExecuteBoth` is quicker with several steps than with one each.
  virtual bool takes_several() const { return false; }
};

/// A target that goes through a program step by step, on memories of the
/// caller's. Its outcome of a case is what a session leaves.
class StepwiseTarget : public Target {
 public:
  virtual std::unique_ptr<Session> Open(isa::Profile profile,
                                        isa::Memories memories) const = 0;

  std::expected<Outcome, NoOutcome> Run(const Case& c) const override;
  const StepwiseTarget* stepwise() const override { return this; }
};

/// `target` step by step, which it must be able to: a reference, and what
/// `FindStepwiseTarget` finds.
const StepwiseTarget& StepsOf(const Target& target);

/// Another target, of which a derived class changes how it goes through its
/// steps. Answers whole cases where the other can only do that.
class TargetAround : public StepwiseTarget {
 public:
  /// `inner` must outlive it.
  explicit TargetAround(const Target& inner) : inner_(inner) {}

  std::string_view name() const override { return inner_.name(); }
  std::string_view vectors() const override { return inner_.vectors(); }
  std::string_view description() const override { return inner_.description(); }
  TargetInfo info() const override { return inner_.info(); }
  Capabilities capabilities() const override { return inner_.capabilities(); }
  bool runs_any_case() const override { return inner_.runs_any_case(); }
  std::size_t foresight() const override { return inner_.foresight(); }
  void Announce(const Case& c) const override { inner_.Announce(c); }
  void Withdraw() const override { inner_.Withdraw(); }
  bool given_up() const override { return inner_.given_up(); }
  Account* account() const override { return inner_.account(); }
  std::optional<NoOutcome> LookAgain(const Case& c,
                                     const Outcome* had) const override {
    return inner_.LookAgain(c, had);
  }
  std::expected<Outcome, NoOutcome> Run(const Case& c) const override;
  const StepwiseTarget* stepwise() const override;

 protected:
  const StepwiseTarget& inner_steps() const { return StepsOf(inner_); }

 private:
  const Target& inner_;
};

}  // namespace lanediff::diff
