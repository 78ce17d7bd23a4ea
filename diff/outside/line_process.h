#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "case/case.h"
#include "case/outcome.h"
#include "diff/outside/hello.h"
#include "diff/outside/process.h"
#include "diff/target.h"

namespace lanediff::diff {

/// A program that speaks `lanediff-target/1`, in a process of its own. One
/// thread at a time.
class LineProcess {
 public:
  /// Starts the program `words`, the first of which is looked for as a shell
  /// does, and exchanges greetings. What it says of itself is in `self`.
  static std::expected<std::unique_ptr<LineProcess>, NoOutcome> Start(
      const std::vector<std::string>& words);

  const OutsideSelf& self() const { return self_; }

  /// What it makes of `c`. After a failure that `broken()` it is of no more
  /// use.
  std::expected<Outcome, NoOutcome> Ask(const Case& c);
  bool broken() const { return broken_; }
  /// What it answers to an instruction that there is none of.
  std::expected<std::string, NoOutcome> AskUnknown();

  /// Closes its input, without waiting for its end.
  void LetEnd();
  bool HasEnded() { return process_->HasEnded(); }
  /// How it ended, once it has; nothing where all was well.
  std::string WhyEndedBadly();

  bool ForeignHere() const { return process_->ForeignHere(); }

 private:
  using Clock = std::chrono::steady_clock;

  explicit LineProcess(std::unique_ptr<OutsideProcess> process)
      : process_(std::move(process)) {}

  std::expected<void, NoOutcome> Greet();
  std::expected<void, NoOutcome> CheckSilence();
  /// Sends a line and takes the next one that comes.
  std::expected<std::string, NoOutcome> Exchange(std::string_view line);
  std::expected<bool, NoOutcome> ReadSome();
  NoOutcome Ended();
  NoOutcome Late();
  NoOutcome Broke(std::string why);
  std::expected<Outcome, NoOutcome> ReadReply(std::string_view line,
                                              const Case& c);

  std::unique_ptr<OutsideProcess> process_;
  OutsideSelf self_;
  std::string buffer_;  ///< what came and is no whole line yet
  std::size_t searched_ = 0;
  std::uint64_t last_id_ = 0;
  bool greeted_ = false;
  bool broken_ = false;
};

}  // namespace lanediff::diff
