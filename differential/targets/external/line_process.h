#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/subprocess/process.h"
#include "differential/targets/external/hello.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/outcome.h"

namespace lanediff::diff {

/// A program that speaks `lanediff-target/1`, in a process of its own. One
/// thread at a time.
class LineProcess {
 public:
  /// Starts the program `words`, the first of which is looked for as a shell
  /// does, and exchanges greetings. Its description of itself is in `self`.
  static std::expected<std::unique_ptr<LineProcess>, NoOutcome> Start(
      const std::vector<std::string>& words);
  /// The same in two halves: meanwhile it gets ready.
  static std::expected<std::unique_ptr<LineProcess>, NoOutcome> Begin(
      const std::vector<std::string>& words);
  std::expected<void, NoOutcome> Hear();

  const OutsideSelf& self() const { return self_; }

  /// What it makes of `c`, with no other request open. After a failure that
  /// `broken()` it is unusable.
  std::expected<Outcome, NoOutcome> Run(const Case& c);

  /// The same in pieces, for several requests at once (line_window.h).
  ///
  /// A request is a line with a number of its own; the error states that there
  /// can't be one, and nothing is sent.
  struct Request {
    std::uint64_t id = 0;
    std::string line;
  };
  std::expected<Request, NoOutcome> RequestFor(const Case& c);
  /// Puts `line` behind those that are to be written.
  void Post(std::string_view line) { unwritten_ += line; }
  std::size_t unwritten_bytes() const { return unwritten_.size() - written_; }
  /// Writes what can be written, and no more.
  void Write();
  /// The next line that comes, within the time for a case from now. Writes
  /// meanwhile.
  std::expected<std::string, NoOutcome> Receive();
  /// Whether there is one already.
  bool has_line() const { return unread().contains('\n'); }
  /// The case of an open request; null, with what is allowed instead, if there
  /// is no such number.
  using CaseOfId = std::function<const Case*(std::uint64_t, std::string&)>;
  /// The content of a reply: an outcome, or that the target reports a failure.
  /// The process is `broken()` where it can't be read.
  std::expected<Outcome, NoOutcome> ReadReply(std::string_view line,
                                              const CaseOfId& case_of);
  /// Fails if a line comes without a request.
  std::expected<void, NoOutcome> CheckSilence();
  bool broken() const { return broken_; }
  /// What it answers to an unknown instruction.
  std::expected<std::string, NoOutcome> ProbeUnknown();

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

  /// Sends a line and takes the next one that comes.
  std::expected<std::string, NoOutcome> Exchange(std::string_view line);
  std::expected<bool, NoOutcome> ReadSome();
  NoOutcome Ended();
  NoOutcome Late();
  NoOutcome Broke(std::string why);

  std::unique_ptr<OutsideProcess> process_;
  OutsideSelf self_;
  std::string_view unread() const {
    return std::string_view(buffer_).substr(taken_);
  }
  std::optional<std::string> TakeLine();

  std::string buffer_;        ///< what came
  std::size_t taken_ = 0;     ///< of it, whole lines
  std::size_t searched_ = 0;  ///< of it, without an end of a line behind those
  std::string unwritten_;
  std::size_t written_ = 0;  ///< of it
  std::uint64_t last_id_ = 0;
  bool greeted_ = false;
  bool broken_ = false;
};

}  // namespace lanediff::diff
