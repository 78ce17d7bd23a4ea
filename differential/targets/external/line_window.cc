#include "differential/targets/external/line_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace lanediff::diff {
namespace {

using Kind = NoOutcome::Kind;

/// More bytes than this don't wait to be written: requests with whole memories
/// have some hundred KiB each.
constexpr std::size_t kMostUnwritten = std::size_t{4} << 20;

/// Instead of its number, of a request that was sent to a process that is no
/// more.
constexpr std::uint64_t kOfEarlierProcess = ~std::uint64_t{0};

}  // namespace

LineWindow::LineWindow(std::unique_ptr<LineProcess> process,
                       std::function<Started()> start,
                       std::function<void()> failed)
    : process_(std::move(process)),
      start_(std::move(start)),
      failed_(std::move(failed)) {}

std::size_t LineWindow::open_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(requests_, &Request::open));
}

void LineWindow::Announce(const Case& c) {
  requests_.push_back({.c = c, .before = {}});
  // Half a window at once: a line each would wake the program each time.
  const auto window = process_ ? process_->self().window : 1;
  if (2 * static_cast<std::int64_t>(open_count()) <= window) Fill();
}

std::expected<Outcome, NoOutcome> LineWindow::Run(const Case& c) {
  auto found = std::ranges::find(requests_, c, &Request::c);
  if (found == requests_.end()) {
    requests_.push_front({.c = c, .before = {}});
    found = requests_.begin();
  }
  // Whatever comes in changes what requests hold, not where they are.
  Request& request = *found;
  if (requests_.size() == 1 && request.id == 0) RunAlone(request);
  while (!request.answer) {
    Fill();
    if (!request.answer) TakeReply();
  }
  // What has come already may hold more of this one: a second reply.
  while (process_ != nullptr && process_->has_line()) TakeReply();
  Answer answer = *std::move(request.answer);
  if (answer) {
    last_case_ = c.id;
    before_last_ = request.before;
  }
  requests_.erase(found);
  return answer;
}

void LineWindow::Withdraw() {
  if (open_count() > 0) EndProcess();
  requests_.clear();
}

void LineWindow::EndProcess() {
  process_.reset();
  for (Request& request : requests_) {
    if (request.id != 0) request.id = kOfEarlierProcess;
  }
}

/// Sends what there is space for.
void LineWindow::Fill() {
  std::size_t open = open_count();
  for (Request& request : requests_) {
    if (request.answer || request.id != 0) continue;
    if (!HasProcess(request)) continue;
    if (static_cast<std::int64_t>(open) >= process_->self().window ||
        process_->unwritten_bytes() > kMostUnwritten) {
      break;
    }
    Send(request);
    open += request.open();
  }
  if (process_ != nullptr) process_->Write();
}

/// Starts one if there is none; false, with an answer, where it can't be.
bool LineWindow::HasProcess(Request& request) {
  if (process_ != nullptr) return true;
  auto started = start_();
  if (!started) {
    Settle(request, std::unexpected(std::move(started.error())));
    return false;
  }
  process_ = std::move(*started);
  last_sent_.clear();
  return true;
}

void LineWindow::Send(Request& request) {
  auto made = process_->RequestFor(request.c);
  if (!made) {
    request.answer = std::unexpected(std::move(made.error()));
    return;
  }
  request.id = made->id;
  request.before = std::exchange(last_sent_, request.c.id);
  process_->Post(made->line);
}

/// With nothing else open.
void LineWindow::RunAlone(Request& request) {
  if (!HasProcess(request)) return;
  request.before = std::exchange(last_sent_, request.c.id);
  Settle(request, process_->Run(request.c));
}

/// "3, 4, one of the requests that are open, is allowed".
std::string LineWindow::OpenOnes() const {
  std::string ids;
  for (const Request& request : requests_) {
    if (request.open()) ids += fmt::format("{}, ", request.id);
  }
  return ids + "one of the requests that are open, is allowed";
}

void LineWindow::TakeReply() {
  const auto line = process_->Receive();
  if (!line) {
    Recover(line.error(), nullptr);
    return;
  }
  TakeLine(*line);
}

void LineWindow::TakeLine(const std::string& line) {
  Request* named = nullptr;
  const auto case_of = [&](std::uint64_t id, std::string& allowed) {
    const auto found = std::ranges::find(requests_, id, &Request::id);
    named = id != 0 && found != requests_.end() ? &*found : nullptr;
    const Case* c = nullptr;
    if (named != nullptr && named->open()) c = &named->c;
    if (c == nullptr) allowed = OpenOnes();
    return c;
  };
  Answer answer = process_->ReadReply(line, case_of);
  if (process_->broken()) {
    Recover(answer.error(), named);
  } else {
    Settle(*named, std::move(answer));
  }
}

/// Keeps `answer`, and counts a failure.
void LineWindow::Settle(Request& request, Answer answer) {
  if (!answer && IsFailure(answer.error().kind)) {
    failed_();
    if (!request.before.empty()) {
      answer.error().why +=
          fmt::format("; the case before it was {}", request.before);
    }
  }
  request.answer = std::move(answer);
  if (process_ != nullptr && process_->broken()) EndProcess();
}

/// The process has failed, as `why` states, with what is open; `culprit` did
/// it, or is null where the cause is unknown.
void LineWindow::Recover(const NoOutcome& why, Request* culprit) {
  EndProcess();
  std::vector<Request*> suspects;
  for (Request& request : requests_) {
    if (request.open() && &request != culprit) suspects.push_back(&request);
  }
  if (culprit == nullptr && suspects.size() == 1) {
    culprit = std::exchange(suspects.front(), nullptr);
    suspects.clear();
  }
  if (culprit != nullptr) Settle(*culprit, std::unexpected(why));
  bool found = culprit != nullptr;
  for (Request* const request : suspects) {
    RunAlone(*request);
    found |= !*request->answer && IsFailure(request->answer->error().kind);
  }
  if (found || suspects.empty()) return;
  NoOutcome reported = why;
  reported.why += fmt::format(
      "; {} cases were open, and no case fails alone; the oldest is reported",
      suspects.size());
  suspects.front()->before.clear();
  Settle(*suspects.front(), std::unexpected(std::move(reported)));
}

}  // namespace lanediff::diff
