#include "kernel/launch/event_writer.h"

#include <fmt/format.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "kernel/launch/stack.h"
#include "reports/kernel_line.h"

namespace lanediff::host {

using kernel::End;
using reports::KernelLine;
using reports::ReadKernelLine;

void EventWriter::Found(std::size_t index, const kernel::Finding& finding) {
  if (findings_.size() <= index) findings_.resize(index + 1);
  findings_[index] = finding;
  if (with_stack_) findings_[index].stack = CallStack();
  Send(index);
  FoundAgain(index, finding.times);
}

/// The finding as it is now.
void EventWriter::Send(std::size_t index) {
  channel_.Append(fmt::format("finding {}", index),
                  KernelLine(findings_[index]));
}

void EventWriter::Noted(std::size_t index, const kernel::Note& note) {
  channel_.Append(fmt::format("note {}", index), KernelLine(note));
  NotedAgain(index, note.times);
}

void EventWriter::Refused(const kernel::Refusal& refusal) {
  // Each block comes there; the first one is sent.
  if (!refused_.emplace(refusal.name, refusal.site).second) return;
  channel_.Append("refusal 0", KernelLine(refusal));
}

void EventWriter::Hid(const kernel::Hidden& hidden) {
  channel_.Append("hidden 0", KernelLine(hidden));
}

void EventWriter::FoundAgain(std::size_t index, std::uint64_t times) {
  if (index < kTimes) channel_.found_times(index) = times;
}

void EventWriter::NotedAgain(std::size_t index, std::uint64_t times) {
  if (index < kTimes) channel_.noted_times(index) = times;
}

void EventWriter::Saved(std::size_t index, const std::string& path,
                        const std::string& no_case) {
  if (index >= findings_.size()) return;
  findings_[index].case_path = path;
  findings_[index].no_case = no_case;
  Send(index);
}

void EventWriter::LeftUnknown(std::size_t index, std::uint64_t bytes,
                              const std::string& where) {
  if (index >= findings_.size()) return;
  findings_[index].unknown_bytes = bytes;
  findings_[index].unknown = where;
  Send(index);
}

void EventWriter::Product(isa::Product product) {
  channel_.Append("product 0", isa::Name(product));
}

void EventWriter::Rows(const std::vector<kernel::SiteRow>& rows) {
  channel_.Append("rows 0", "");
  for (const kernel::SiteRow& row : rows) {
    channel_.Append("row 0", KernelLine(row));
  }
}

void EventWriter::Ended(End::How how, const std::string& text) {
  End end;
  end.how = how;
  end.text = text;
  channel_.Append("end 0", KernelLine(end));
  channel_.SetEnded();
}

namespace {

/// Puts it at its index; false if it is not readable.
template <class T>
bool Put(std::vector<T>& into, std::size_t index, std::string_view text) {
  auto piece = ReadKernelLine<T>(text);
  if (!piece) return false;
  if (into.size() <= index) into.resize(index + 1);
  into[index] = std::move(*piece);
  return true;
}

template <class T>
bool Read(T& into, std::string_view text) {
  auto piece = ReadKernelLine<T>(text);
  if (piece) into = std::move(*piece);
  return piece.has_value();
}

}  // namespace

bool ReadEvent(kernel::RunRecord& record, std::string_view line) {
  const auto word = [&line] {
    const std::size_t end = line.find(' ');
    const std::string_view first = line.substr(0, end);
    line.remove_prefix(end == line.npos ? line.size() : end + 1);
    return first;
  };
  const std::string_view kind = word();
  const std::string_view number = word();
  std::size_t index = 0;
  std::from_chars(number.data(), number.data() + number.size(), index);
  if (kind == "finding") return Put(record.findings, index, line);
  if (kind == "note") return Put(record.notes, index, line);
  if (kind == "refusal")
    return Put(record.refusals, record.refusals.size(), line);
  if (kind == "hidden") return Put(record.hidden, record.hidden.size(), line);
  if (kind == "settings") return Read(record.settings, line);
  if (kind == "counts") return Read(record.counts, line);
  if (kind == "row") return Put(record.sites, record.sites.size(), line);
  if (kind == "end") return Read(record.end, line);
  if (kind == "product") {
    const auto product = isa::Parse<isa::Product>(line);
    if (product) record.settings.product = *product;
    return product.has_value();
  }
  if (kind != "rows") return false;
  record.sites.clear();
  return true;
}

namespace {

constexpr std::size_t kOpBytes = sizeof Page::forked_op;
constexpr std::size_t kFileBytes = sizeof Page::forked_file;

/// The end of a program that did not report one.
End EndOf(const Channel& channel, int status) {
  const Page& page = channel.page();
  End end;
  if (WIFSIGNALED(status)) {
    end.how = End::How::kCrashed;
    const int number = page.signal != 0 ? page.signal : WTERMSIG(status);
    end.code = number;
    const char* const name = sigabbrev_np(number);
    const std::string signal =
        name != nullptr ? std::string("SIG") + name : std::to_string(number);
    end.text = (page.stack_overflow ? "stack overflow, " : "") +
               fmt::format("killed by {}{}", signal, channel.Place());
    return end;
  }
  end.code = WEXITSTATUS(status);
  end.text = fmt::format("ended by _exit({}){}", end.code, channel.Place());
  if (page.block >= 0) end.how = End::How::kCrashed;
  return end;
}

}  // namespace

End Unreadable() {
  return {.how = End::How::kCrashed,
          .code = 0,
          .text =
              "messages of the run are not readable: the program has a "
              "kernel library of another version"};
}

kernel::RunRecord ReadEvents(const Channel& channel,
                             const kernel::Settings& settings, int status) {
  kernel::RunRecord record;
  record.settings = settings;
  const Channel::Log log = channel.ReadLog();
  bool readable = true;
  for (const std::string_view message : log.messages) {
    readable = ReadEvent(record, message) && readable;
  }
  for (kernel::Finding& finding : record.findings) {
    for (std::string& call : finding.stack) call = CallText(call);
    std::erase_if(finding.stack, IsOurs);
  }
  const auto times = [](std::uint64_t counted) {
    return std::max<std::uint64_t>(counted, 1);
  };
  for (std::size_t i = 0; i < record.findings.size() && i < kTimes; ++i) {
    record.findings[i].times = times(channel.found_times(i));
  }
  for (std::size_t i = 0; i < record.notes.size() && i < kTimes; ++i) {
    record.notes[i].times = times(channel.noted_times(i));
  }
  const Page& page = channel.page();
  if (log.damaged) {
    record.end = {.how = End::How::kCrashed,
                  .code = 0,
                  .text =
                      "messages of the run are lost: the program wrote "
                      "into memory of the library"};
    return record;
  }
  if (!readable) {
    record.end = Unreadable();
    return record;
  }
  record.counts = page.counts;
  if (page.forked_call) {
    record.refusals.push_back(
        {.name = {page.forked_op, strnlen(page.forked_op, kOpBytes)},
         .why = "in a process that the program forked",
         .site = {.file = {page.forked_file,
                           strnlen(page.forked_file, kFileBytes)},
                  .line = page.forked_line,
                  .call = 1},
         .block = 0});
  }
  if (!page.ended || WIFSIGNALED(status)) {
    record.end = EndOf(channel, status);
  } else {
    record.end.code = WEXITSTATUS(status);
  }
  if (page.lost > 0) {
    if (record.end.how == End::How::kEnded) {
      record.end.how = End::How::kTooMany;
    }
    record.end.text +=
        fmt::format("{}{} messages of the run are lost",
                    record.end.text.empty() ? "" : "; ", page.lost);
  }
  return record;
}

}  // namespace lanediff::host
