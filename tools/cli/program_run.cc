#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <utility>

#include "differential/testcase/case_reader.h"
#include "differential/testcase/kernel_json.h"
#include "differential/testcase/write_file.h"
#include "reports/kernel_line.h"
#include "reports/printable.h"
#include "tools/cli/common.h"
#include "tools/cli/verbs/run/run.h"

namespace lanediff::cli {
namespace {

using kernel::End;
using enum End::How;
using Json = nlohmann::ordered_json;

/// Reads the messages of a session: a document to its last brace, or a line.
class Reader {
 public:
  /// Once `stop` is set, what is there already is read, and no more.
  Reader(int file, const std::atomic<bool>& stop) : file_(file), stop_(stop) {}

  /// Empty: there is nothing more.
  std::string Next() {
    std::string text;
    int depth = 0;
    bool in_text = false;
    bool escaped = false;
    for (int c; (c = Get()) >= 0;) {
      const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (text.empty() && blank) continue;
      const bool document = text.empty() ? c == '{' : text[0] == '{';
      if (!document && c == '\n') return text;
      text.push_back(static_cast<char>(c));
      if (!document) continue;
      if (in_text) {
        in_text = escaped || c != '"';
        escaped = !escaped && c == '\\';
      } else if (c == '"') {
        in_text = true;
      } else if (c == '{') {
        ++depth;
      } else if (c == '}' && --depth == 0) {
        return text;
      }
    }
    return text;
  }

 private:
  int Get() {
    if (at_ == end_) {
      constexpr int kMilliseconds = 100;
      pollfd there = {.fd = file_, .events = POLLIN, .revents = 0};
      while (poll(&there, 1, kMilliseconds) <= 0) {
        if (stop_) return -1;
      }
      const ssize_t got = read(file_, buffer_, sizeof buffer_);
      if (got <= 0) return -1;
      at_ = 0;
      end_ = static_cast<std::size_t>(got);
    }
    return static_cast<unsigned char>(buffer_[at_++]);
  }

  int file_;
  const std::atomic<bool>& stop_;
  char buffer_[1 << 16];
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

std::uint64_t Rejected(const kernel::RunRecord& record) {
  std::uint64_t rejected = 0;
  for (const kernel::SiteRow& row : record.sites) rejected += row.rejected;
  return rejected;
}

kernel::RunRecord RecordOf(std::string program,
                           const kernel::Settings& settings) {
  kernel::RunRecord record;
  record.program = std::move(program);
  record.settings = settings;
  return record;
}

}  // namespace

std::expected<std::unique_ptr<ProgramSession>, std::string>
ProgramSession::Make(const kernel::RunOptions& options, std::string program) {
  auto wanted = host::ReadWanted(options.settings);
  if (!wanted) return std::unexpected(wanted.error());
  auto outer = host::Handover::Begin();
  kernel::RunOptions own = options;
  if (outer) own.settings.out = outer->OwnFolder(own.settings.out);
  return std::unique_ptr<ProgramSession>(new ProgramSession(
      own, std::move(*wanted), std::move(program), std::move(outer)));
}

ProgramSession::ProgramSession(const kernel::RunOptions& options,
                               host::Wanted wanted, std::string program,
                               std::optional<host::Handover> outer)
    : options_(options),
      wanted_(std::move(wanted)),
      outer_(std::move(outer)),
      record_(RecordOf(std::move(program), options.settings)),
      recorded_(record_) {
  if (options.product) record_.settings.product = *options.product;
}

void ProgramSession::Serve(int in, int out) {
  Reader reader(in, stop_);
  for (std::string text; !(text = reader.Next()).empty();) {
    if (text[0] == '{') {
      text = Answer(text);
    } else if (const std::string wrong = Take(text); wrong.empty()) {
      continue;
    } else {
      text = Refuse(wrong);
    }
    if (lanediff::WriteAll(out, text + '\n') != 0) break;
  }
}

std::string ProgramSession::Refuse(const std::string& why) {
  objection = reports::InOneLine(why);
  return Json{{"error", objection}}.dump();
}

std::string ProgramSession::Answer(const std::string& text) {
  const auto read = ReadCase(text);
  if (!read) {
    return Refuse(
        fmt::format("{}: {}", read.error().pointer, read.error().message));
  }
  if (options_.product && *options_.product != read->product) {
    return Refuse(fmt::format("--product {}: the program is of {}",
                              isa::Name(*options_.product),
                              isa::Name(read->product)));
  }
  if (record_.program.empty()) record_.program = read->id;
  const std::uint64_t before = recorded_.Found() + Rejected(record_);
  const auto left = recorded_.Run(*read, stop_);
  if (!left) return Refuse(left.error());
  Json memory = Json::object();
  for (std::size_t m = 0; m < left->size(); ++m) {
    if ((*left)[m].empty()) continue;
    memory[std::string(isa::Name(static_cast<isa::Memory>(m)))] = {
        {{"at", 0}, {"hex", HexBytes((*left)[m])}}};
  }
  Json answer = {{"found", recorded_.Found() + Rejected(record_) != before},
                 {"memory", std::move(memory)}};
  if (record_.end.how == kTooMany) answer["stop"] = true;
  return answer.dump();
}

/// A line that is no document; what is wrong with it, empty if nothing is.
std::string ProgramSession::Take(const std::string& line) {
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::string kind = line.substr(0, space);
  const std::string text = line.substr(space);
  const auto malformed = [&](const std::string& why) {
    message_fault = reports::InOneLine(fmt::format("{}: {}", kind, why));
    return message_fault;
  };
  if (kind == "end") {
    auto end = reports::ReadKernelLine<End>(text);
    if (!end) return malformed(LineOf(end.error()));
    script_end_ = std::move(*end);
    return "";
  }
  if (kind == "refusal") {
    const auto refusal = reports::ReadKernelLine<kernel::Refusal>(text);
    if (!refusal) return malformed(LineOf(refusal.error()));
    recorded_.Refuse(*refusal);
    return "";
  }
  if (kind != "script" && kind != "poison") {
    return malformed("no word of a session");
  }
  try {
    const Json json = Json::parse(text);
    if (kind == "script") {
      record_.program = json.at("program").get<std::string>();
      script = json.at("pid").get<int>() == getppid() ? getppid() : 0;
      signal(SIGINT, SIG_IGN);  // what a terminal sends, the script gets itself
    } else {
      const Json& site = json.at("site");
      recorded_.ReportPoison(json.at("kernel").get<std::string>(),
                             json.at("at").get<std::int64_t>(),
                             json.at("bytes").get<std::int64_t>(),
                             {.file = site.at("file").get<std::string>(),
                              .line = site.at("line").get<std::int64_t>(),
                              .call = 1});
    }
  } catch (const Json::exception& error) {
    return malformed(error.what());
  }
  return "";
}

int ProgramSession::Report(std::optional<End> end) {
  if (!message_fault.empty()) {
    end = {kCrashed, 0,
           "a message of the session is malformed: " + message_fault};
  }
  if (end && record_.end.how != kTooMany) record_.end = *end;
  if (!objection.empty() && record_.end.how == kEnded &&
      record_.end.code == 0) {
    record_.end = {kNotStarted, 0, objection};
  }
  if (started != nullptr) started->AddTo(record_);
  const int status = host::Report(wanted_, record_);
  if (outer_) outer_->Write(record_);
  return status;
}

End TimedOut(std::uint64_t seconds, const std::string& place) {
  return {kTimedOut, 0,
          fmt::format("ended after {} seconds (--seconds){}", seconds, place)};
}

int RunPrograms(const kernel::RunOptions& options) {
  const auto session = OrFail(ProgramSession::Make(options, ""));
  ProgramSession& s = *session;
  signal(SIGPIPE, SIG_IGN);
  auto served = std::async(std::launch::async,
                           [&] { s.Serve(STDIN_FILENO, STDOUT_FILENO); });
  const auto seconds = options.settings.seconds;
  const bool timed_out =
      seconds && served.wait_for(std::chrono::seconds(*seconds)) ==
                     std::future_status::timeout;
  if (timed_out) {
    s.Stop();
    const int script = s.script;
    if (script > 0 && script == getppid()) kill(script, SIGKILL);
  }
  served.get();
  if (timed_out) return s.Report(TimedOut(*seconds, s.Place()));
  if (s.script < 0 && !s.objection.empty() &&
      (s.message_fault.empty() || !s.launched())) {
    FailUsage("standard input: " + s.objection);
    return s.message_fault.empty() ? kUsage : kTargetFailed;
  }
  if (s.script >= 0 && !s.script_end()) {
    return s.Report(
        End{kCrashed, 0,
            "the script was killed, or ended by os._exit," + s.Place()});
  }
  return s.Report(s.script_end());
}

}  // namespace lanediff::cli
