#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "differential/targets/external/line_process.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"
#include "differential/testcase/outcome.h"

namespace lanediff::diff {

/// A program that speaks `lanediff-target/1` with several requests open, as
/// many as it allows, whose replies come in any order. One thread at a time.
///
/// Who is to blame: where the process fails while several requests are open,
/// the culprit is unknown, unless a reply that can't be read names one. Each of
/// the others then runs again, alone, in a fresh process: what fails there is
/// the culprit, the rest are answered. Where none fails alone the failure is
/// reported for the oldest.
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
