#include "differential/targets/external/line_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>
#include <variant>
#include <vector>

#include "differential/subprocess/process.h"
#include "differential/targets/external/hello.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/recorded/target.h"
#include "differential/testcase/json.h"
#include "differential/testcase/json_cursor.h"

namespace lanediff::diff {
namespace {

using Kind = NoOutcome::Kind;

/// The content of a reply line.
using Reply = std::variant<Outcome, std::string>;

/// The outcome, or the text of an error.
Reply ReadReplyAt(const Cursor& root, const LineProcess::CaseOfId& case_of) {
  ObjectCursor object(root);
  const Cursor place = object.Required("id");
  std::string allowed;
  const Case* const c = case_of(place.Count(), allowed);
  if (c == nullptr) {
    place.Fail(fmt::format("found {}; {}", place.Number(), allowed));
  }
  if (const auto error = object.Optional("error")) {
    object.Finish();
    return error->String();
  }
  const Cursor outcome = object.Required("outcome");
  object.Finish();
  return ReadOutcomeAt(outcome, *c, OutcomeForm::kReply);
}

/// More bytes than this don't wait to be written: requests with whole memories
/// have some hundred KiB each.
constexpr std::size_t kMostUnwritten = std::size_t{4} << 20;

/// Instead of its number, of a request that was sent to a process that is no
/// more.
constexpr std::uint64_t kOfEarlierProcess = ~std::uint64_t{0};

}  // namespace

std::expected<std::unique_ptr<LineProcess>, NoOutcome> LineProcess::Begin(
    const std::vector<std::string>& words) {
  const auto file = ProgramFile(words.front());
  if (!file) return std::unexpected(Failure(Kind::kUnknown, file.error()));
  auto process = OutsideProcess::Start(
      {.program = *file, .words = words, .environment = OwnEnvironment()});
  if (!process) {
    return std::unexpected(Failure(Kind::kUnknown, process.error()));
  }
  std::unique_ptr<LineProcess> begun(new LineProcess(std::move(*process)));
  begun->Post("{\"lanediff\":\"hello\",\"protocol\":1}\n");
  begun->Write();
  return begun;
}

std::expected<void, NoOutcome> LineProcess::Hear() {
  const auto line = Receive();
  if (!line) return std::unexpected(line.error());
  auto self = ReadHello(*line);
  if (!self) {
    return std::unexpected(
        Broke(fmt::format("its first line is no hello: {}; found \"{}\"",
                          LineOf(self.error()), Quote(*line))));
  }
  self_ = std::move(*self);
  return {};
}

std::expected<LineProcess::Request, NoOutcome> LineProcess::RequestFor(
    const Case& c) {
  const auto text = WriteExpandedCase(c, self_.memory);
  if (!text) return std::unexpected(Failure(Kind::kUnable, text.error()));
  const std::uint64_t id = ++last_id_;
  return Request{id, fmt::format("{{\"lanediff\":\"run\",\"id\":{},"
                                 "\"case\":{}}}\n",
                                 id, *text)};
}

std::expected<Outcome, NoOutcome> LineProcess::Run(const Case& c) {
  const auto request = RequestFor(c);
  if (!request) return std::unexpected(request.error());
  if (auto silent = CheckSilence(); !silent) {
    return std::unexpected(std::move(silent.error()));
  }
  const auto line = Exchange(request->line);
  if (!line) return std::unexpected(line.error());
  auto outcome = ReadReply(*line, [&](std::uint64_t id, std::string& allowed) {
    allowed =
        fmt::format("{} is allowed, the one request that is open", request->id);
    return id == request->id ? &c : nullptr;
  });
  // A second line at once is reported with the case that it came with.
  if (!outcome) return outcome;
  if (auto silent = CheckSilence(); !silent) {
    return std::unexpected(std::move(silent.error()));
  }
  return outcome;
}

std::expected<std::string, NoOutcome> LineProcess::ProbeUnknown() {
  const auto line = Exchange(fmt::format(
      R"({{"lanediff":"run","id":{},"case":{{"format":"{}","id":"unknown",)"
      R"("product":"atlas-a2","memory":{{}},"program":[)"
      R"({{"op":"NoSuchInstruction","dtype":"half"}}]}}}})"
      "\n",
      ++last_id_, kCaseFormat));
  if (!line) return std::unexpected(line.error());
  const auto reply = ReadDocument(*line, [&](const Cursor& root) {
    ObjectCursor object(root);
    object.Required("id").IntegerIn(0, static_cast<std::int64_t>(last_id_));
    if (object.Optional("error")) return std::string("error");
    const Cursor outcome = object.Required("outcome");
    return ObjectCursor(outcome).Required("outcome").String();
  });
  if (reply) return *reply;
  return std::unexpected(
      Broke(fmt::format("its reply can't be read: {}; found \"{}\"",
                        LineOf(reply.error()), Quote(*line))));
}

std::expected<Outcome, NoOutcome> LineProcess::ReadReply(
    std::string_view line, const CaseOfId& case_of) {
  auto reply = ReadDocument(
      line, [&](const Cursor& root) { return ReadReplyAt(root, case_of); });
  if (!reply) {
    return std::unexpected(
        Broke(fmt::format("its reply can't be read: {}; found \"{}\"",
                          LineOf(reply.error()), Quote(line))));
  }
  if (auto* const error = std::get_if<std::string>(&*reply)) {
    return std::unexpected(Failure(
        Kind::kCrash,
        fmt::format("it answered with an error: {}", Quote(*error, 300))));
  }
  auto& outcome = std::get<Outcome>(*reply);
  if (self_.can.legality != Capabilities::Legality::kRules) {
    outcome.rules.reset();
  }
  if (!self_.can.notes) outcome.notes.reset();
  return std::move(outcome);
}

/// No line may come without a request.
std::expected<void, NoOutcome> LineProcess::CheckSilence() {
  pollfd ready[2] = {{process_->output(), POLLIN, 0},
                     {process_->end_notice(), POLLIN, 0}};
  if (unread().empty() && poll(ready, 2, 0) == 0) return {};
  if (unread().empty() && (ready[0].revents & POLLIN) != 0) {
    const auto more = ReadSome();
    if (!more) return std::unexpected(more.error());
  }
  if (!unread().empty()) {
    return std::unexpected(Broke(fmt::format(
        "it sent more than one line for a request: \"{}\"", Quote(unread()))));
  }
  // It has ended; the next request reports how.
  return {};
}

/// False at the end of its output.
std::expected<bool, NoOutcome> LineProcess::ReadSome() {
  constexpr std::size_t kChunk = std::size_t{1} << 18;
  buffer_.erase(0, taken_);
  searched_ -= std::min(searched_, taken_);
  taken_ = 0;
  const std::size_t had = buffer_.size();
  ssize_t n = 0;
  buffer_.resize_and_overwrite(had + kChunk, [&](char* bytes, std::size_t) {
    n = read(process_->output(), bytes + had, kChunk);
    return had + static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  });
  if (n == 0) return false;
  if (n < 0 && errno != EAGAIN && errno != EINTR) return false;
  if (unread().size() > kMostLineBytes && !unread().contains('\n')) {
    return std::unexpected(Broke(
        fmt::format("it wrote a line of more than {} bytes", kMostLineBytes)));
  }
  return true;
}

std::expected<std::string, NoOutcome> LineProcess::Exchange(
    std::string_view line) {
  Post(line);
  return Receive();
}

/// The first line that has come as a whole.
std::optional<std::string> LineProcess::TakeLine() {
  const std::size_t end = buffer_.find('\n', std::max(searched_, taken_));
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    return std::nullopt;
  }
  std::string line = buffer_.substr(taken_, end - taken_);
  taken_ = searched_ = end + 1;
  if (taken_ == buffer_.size()) {
    buffer_.clear();
    taken_ = searched_ = 0;
  }
  return line;
}

void LineProcess::Write() {
  while (unwritten_bytes() > 0) {
    const ssize_t n = write(process_->input(), unwritten_.data() + written_,
                            unwritten_bytes());
    if (n > 0) written_ += static_cast<std::size_t>(n);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) break;  // it reads no more; its output shows why
  }
  unwritten_.clear();
  written_ = 0;
}

std::expected<std::string, NoOutcome> LineProcess::Receive() {
  const auto deadline = AnswerDeadline();
  while (true) {
    // Most replies are there as soon as anything is.
    if (auto line = TakeLine()) return *std::move(line);
    Write();
    const bool all_written = unwritten_bytes() == 0;
    pollfd ready[3] = {{process_->output(), POLLIN, 0},
                       {all_written ? -1 : process_->input(), POLLOUT, 0},
                       {process_->end_notice(), POLLIN, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    const int wait = static_cast<int>(std::max<std::int64_t>(left.count(), -1));
    if (poll(ready, 3, wait + 1) < 0) continue;
    if (ready[0].revents != 0) {
      const auto more = ReadSome();
      if (!more) return std::unexpected(more.error());
      if (!*more) return std::unexpected(Ended());
    } else if (ready[2].revents != 0) {
      return std::unexpected(Ended());
    } else if (left.count() <= 0) {
      const std::string half =
          unread().empty()
              ? ""
              : fmt::format("; half a line came: \"{}\"", Quote(unread()));
      return std::unexpected(
          Broke(fmt::format("it gave no answer within {} s{}",
                            TheOutsideOptions().timeout_seconds, half),
                Kind::kTimeout));
    }
  }
}

NoOutcome LineProcess::Ended() {
  broken_ = true;
  // It may have closed its output and run on; who ends has closed it first, and
  // may need a while on a busy machine.
  process_->LetEnd(2);
  const ProcessEnd end = process_->Wait();
  const std::string half =
      unread().empty()
          ? ""
          : fmt::format(", after half a line: \"{}\"", Quote(unread()));
  const std::string what =
      end.late ? "closed its output instead of answering" : end.Text();
  return Failure(end.late ? Kind::kProtocol : Kind::kCrash,
                 fmt::format("it {}{}", what, half), end.error_tail);
}

void LineProcess::LetEnd() {
  process_->LetEnd(TheOutsideOptions().timeout_seconds);
}

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
