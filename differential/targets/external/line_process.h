#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/subprocess/process.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

namespace lanediff::diff {

/// A program that speaks `lanediff-target/1`, in a process of its own. One
/// thread at a time.
class LineProcess final : public TargetProcess {
 public:
  /// Starts the program `words`, the first of which is looked for as a shell
  /// does; it gets ready meanwhile.
  static std::expected<std::unique_ptr<LineProcess>, NoOutcome> Begin(
      const std::vector<std::string>& words);
  /// Exchanges greetings. Its description of itself is in `self`.
  std::expected<void, NoOutcome> Hear();

  /// What it makes of `c`, with no other request open. After a failure that
  /// `broken()` it is unusable.
  std::expected<Outcome, NoOutcome> Run(const Case& c);

  /// The same in pieces, for several requests at once.
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
  /// What it answers to an unknown instruction.
  std::expected<std::string, NoOutcome> ProbeUnknown();

  /// Closes its input.
  void LetEnd() override;

 private:
  explicit LineProcess(std::unique_ptr<OutsideProcess> process)
      : TargetProcess("after its input was closed") {
    process_ = std::move(process);
  }

  /// Sends a line and takes the next one that comes.
  std::expected<std::string, NoOutcome> Exchange(std::string_view line);
  std::expected<bool, NoOutcome> ReadSome();
  NoOutcome Ended();

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
};

/// A program that speaks `lanediff-target/1` with several requests open, as
/// many as it allows, whose replies come in any order. One thread at a time.
///
/// Where the process fails while several requests are open, and no reply names
/// the culprit, each runs again, alone, in a fresh process: what fails there is
/// the culprit. Where none fails alone the failure is reported for the oldest.
class LineWindow {
 public:
  using Started = std::expected<std::unique_ptr<LineProcess>, NoOutcome>;

  /// `start` is called for each process that is needed, `failed` once for each
  /// failure that is reported.
  LineWindow(std::unique_ptr<LineProcess> process,
             std::function<Started()> start, std::function<void()> failed);

  /// `c` is going to be run; where there is space, it is sent at once.
  void Announce(const Case& c);
  /// What it makes of `c`, announced or not.
  std::expected<Outcome, NoOutcome> Run(const Case& c);
  /// Forgets what was announced. A process with an open request is ended.
  void Withdraw();

  /// Nothing that was announced waits to be run.
  bool empty() const { return requests_.empty(); }
  LineProcess* process() { return process_.get(); }
  std::unique_ptr<LineProcess> TakeProcess() { return std::move(process_); }
  /// The case that was run last, and the one before it in its process.
  const std::string& last_case() const { return last_case_; }
  const std::string& before_last() const { return before_last_; }

 private:
  using Answer = std::expected<Outcome, NoOutcome>;
  /// From being announced until it is run.
  struct Request {
    Case c;
    std::uint64_t id = 0;  ///< 0: not sent
    std::string before;    ///< id of the case sent before it, if any
    std::optional<Answer> answer = std::nullopt;

    bool open() const { return id != 0 && !answer; }
  };

  void EndProcess();
  void Fill();
  void Send(Request& request);
  bool HasProcess(Request& request);
  void RunAlone(Request& request);
  void TakeReply();
  void TakeLine(const std::string& line);
  void Settle(Request& request, Answer answer);
  void Recover(const NoOutcome& why, Request* culprit);
  std::size_t open_count() const;
  std::string OpenOnes() const;

  std::unique_ptr<LineProcess> process_;
  std::function<Started()> start_;
  std::function<void()> failed_;
  std::deque<Request> requests_;  ///< in the order in which they came
  std::string last_sent_;         ///< id of the case, in this process
  std::string last_case_;
  std::string before_last_;
};

}  // namespace lanediff::diff
