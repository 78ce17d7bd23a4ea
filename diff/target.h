#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "case/case.h"
#include "case/outcome.h"
#include "diff/capabilities.h"
#include "isa/access.h"
#include "isa/memories.h"
#include "isa/numeric_events.h"
#include "isa/step.h"

namespace lanediff::diff {

/// Why a target has no outcome of a case.
struct NoOutcome {
  enum class Kind : std::uint8_t {
    kUnknown,    ///< the case is none of those that it has outcomes of
    kMalformed,  ///< what it has can't be read or is no outcome of the case
    kCrash,      ///< it ended instead of answering
    kTimeout,    ///< it didn't answer in time
    kProtocol,   ///< it broke the rules by which it is asked
  };

  Kind kind = Kind::kUnknown;
  std::string why;  ///< one line, with the place where there is one
};

class StepwiseTarget;

/// An implementation under comparison, which answers a case with an outcome;
/// diff/targets/ finds them by name. What a caller needs to know of one it asks
/// here, never by the name. May be asked from several threads at once.
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
  /// Cases beyond them are unsupported, and not asked.
  virtual Capabilities capabilities() const { return {}; }
  /// False of one that only has outcomes of given cases: it is no use to those
  /// who make or change cases.
  virtual bool runs_any_case() const { return true; }

  /// What it makes of `c`, from start to end, each step on what it left itself.
  virtual std::expected<Outcome, NoOutcome> Run(const Case& c) const = 0;

  /// The same target step by step, in this process; null from one that only
  /// answers whole cases.
  virtual const StepwiseTarget* stepwise() const { return nullptr; }
};

/// One program on its way through a target. Works on memories that the caller
/// owns and may change between steps; keeps the machine state itself.
class Session {
 public:
  virtual ~Session() = default;

  /// Told before the first step of a program how many there are.
  virtual void MakeRoomFor(std::size_t /*steps*/) {}

  virtual isa::StepResult Execute(const isa::Step& step) = 0;

  /// What the last step read and wrote, from a target that knows; null
  /// otherwise. A target that says it has written nothing else.
  virtual const std::vector<isa::Access>* accesses() const { return nullptr; }
  /// Numeric events of the last step, from a target that counts them; null
  /// otherwise.
  virtual const isa::NumericEvents* events() const { return nullptr; }
  /// Arithmetic nodes so far, from a target that counts them.
  virtual std::uint64_t node_count() const { return 0; }
};

/// A target that goes through a program step by step, on memories of the
/// caller's. Its outcome of a case is what a session leaves.
class StepwiseTarget : public Target {
 public:
  virtual std::unique_ptr<Session> Open(isa::Product product,
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
  Capabilities capabilities() const override { return inner_.capabilities(); }
  bool runs_any_case() const override { return inner_.runs_any_case(); }
  std::expected<Outcome, NoOutcome> Run(const Case& c) const override;
  const StepwiseTarget* stepwise() const override;

 protected:
  const StepwiseTarget& inner_steps() const { return StepsOf(inner_); }

 private:
  const Target& inner_;
};

}  // namespace lanediff::diff
