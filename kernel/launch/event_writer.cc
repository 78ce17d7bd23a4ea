#include "kernel/launch/event_writer.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "differential/subprocess/spawn.h"
#include "kernel/engine/options.h"
#include "reports/kernel_line.h"

namespace lanediff::host {

using kernel::End;
using reports::KernelLine;
using reports::ReadKernelLine;

namespace {

/// The calls of the program that led into this library, innermost first, each
/// as "FILE+0xADDRESS" of the program or library that has its code.
std::vector<std::string> CallStack() {
  void* addresses[64];
  const int count = backtrace(addresses, 64);
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&CallStack), &self);
  std::vector<std::string> calls;
  bool behind = false;  // behind the library's; a sanitizer's may come first
  for (int i = 0; i < count; ++i) {
    Dl_info info = {};
    link_map* map = nullptr;
    if (dladdr1(addresses[i], &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0) {
      break;
    }
    if (info.dli_fbase == self.dli_fbase) {
      if (!calls.empty()) break;  // what began the block
      behind = true;
      continue;
    }
    if (!behind) continue;
    // A call ends where its return address begins.
    const auto at = reinterpret_cast<std::uintptr_t>(addresses[i]) - 1;
    const std::string name = map->l_name;
    calls.push_back(fmt::format(
        "{}+{:#x}", name.empty() ? "/proc/self/exe" : name, at - map->l_addr));
  }
  return calls;
}

/// What addr2line makes of one of them, "f<half>(int) at add.cpp:24"; as it is
/// where that doesn't know.
std::string CallText(const std::string& call) {
  const std::size_t plus = call.rfind('+');
  if (plus == call.npos) return call;
  // The new process has a /proc/self of its own.
  std::string file = call.substr(0, plus);
  if (file == "/proc/self/exe") file = fmt::format("/proc/{}/exe", getpid());
  auto [status, text] = diff::RunToEnd(
      {.words = {"addr2line", "-Cfp", "-e", file, call.substr(plus + 1)}});
  while (text.ends_with('\n')) text.pop_back();
  text.resize(std::min(text.size(), text.find(" (discriminator ")));
  return status == 0 && !text.empty() && !text.starts_with("??") ? text : call;
}

/// Whether such a text is of a header of ours, whose calls no user reads.
bool IsOurs(const std::string& text) {
  if (text.starts_with("lanediff::")) return true;
  for (const char* const part : {"/lanediff/ascendc/", "/lanediff/pto/",
                                 "/lanediff/acl_host/", "/lanediff/kernel.h"}) {
    if (text.find(part, text.rfind(" at ")) != text.npos) return true;
  }
  return false;
}

}  // namespace

void EventWriter::Found(std::size_t index, kernel::Finding& finding) {
  const bool is_new = index == findings_;
  if (is_new) ++findings_;
  if (is_new && with_stack_) finding.stack = CallStack();
  channel_.Append(fmt::format("finding {}", index), KernelLine(finding));
  FoundAgain(index, finding.times);
}

void EventWriter::Noted(std::size_t index, const kernel::Note& note) {
  channel_.Append(fmt::format("note {}", index), KernelLine(note));
  NotedAgain(index, note.times);
}

void EventWriter::Refused(const kernel::Refusal& refusal) {
  // Each block comes there; the first one is sent.
  if (!refused_.emplace(refusal.name, refusal.site).second) return;
  channel_.Append(fmt::format("refusal {}", refused_.size() - 1),
                  KernelLine(refusal));
}

void EventWriter::Hid(const kernel::Hidden& hidden) {
  channel_.Append(fmt::format("hidden {}", hidden_++), KernelLine(hidden));
}

void EventWriter::FoundAgain(std::size_t index, std::uint64_t times) {
  if (index < kTimes) channel_.found_times(index) = times;
}

void EventWriter::NotedAgain(std::size_t index, std::uint64_t times) {
  if (index < kTimes) channel_.noted_times(index) = times;
}

void EventWriter::Product(isa::Product product) {
  channel_.Append("product 0", isa::Name(product));
}

void EventWriter::Rows(const std::vector<kernel::SiteRow>& rows) {
  channel_.Append("rows 0", "");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    channel_.Append(fmt::format("row {}", i), KernelLine(rows[i]));
  }
}

void EventWriter::Ended(End::How how, const std::string& text) {
  End end;
  end.how = how;
  end.text = text;
  channel_.Append("end 0", KernelLine(end));
  channel_.SetEnded();
}

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
  if (kind == "product") {
    const auto product = isa::Parse<isa::Product>(line);
    if (product) record.settings.product = *product;
    return product.has_value();
  }
  if (kind == "rows") {
    record.sites.clear();
    return true;
  }
  bool readable = false;
  ForParts(record, [&]<class Part>(std::string_view name, Part& part) {
    if (name != kind) return;
    if constexpr (requires { part.resize(index); }) {
      auto piece = ReadKernelLine<typename Part::value_type>(line);
      readable = piece.has_value();
      if (!readable) return;
      // Of others each line is a new one; older libraries number all of them 0.
      const bool is_sent_again = kind == "finding" || kind == "note";
      const std::size_t at = is_sent_again ? index : part.size();
      part.resize(std::max(part.size(), at + 1));
      part[at] = *std::move(piece);
    } else {
      auto piece = ReadKernelLine<Part>(line);
      readable = piece.has_value();
      if (readable) part = *std::move(piece);
    }
  });
  return readable;
}

namespace {

/// The end of a program that did not report one.
End EndOf(const Channel& channel, int status) {
  const Page& page = channel.page();
  End end;
  if (WIFSIGNALED(status)) {
    end = Killed(page.signal != 0 ? page.signal : WTERMSIG(status),
                 channel.Place());
    if (page.stack_overflow) end.text = "stack overflow, " + end.text;
    return end;
  }
  end.code = WEXITSTATUS(status);
  end.text = fmt::format("ended by _exit({}){}", end.code, channel.Place());
  if (page.block >= 0) end.how = End::How::kCrashed;
  return end;
}

}  // namespace

End Crashed(std::string text) {
  return {.how = End::How::kCrashed, .code = 0, .text = std::move(text)};
}

End Killed(int number, const std::string& place) {
  const char* const name = sigabbrev_np(number);
  return {.how = End::How::kCrashed,
          .code = number,
          .text = fmt::format("killed by {}{}{}", name ? "SIG" : "signal ",
                              name ? name : std::to_string(number), place)};
}

End Unreadable() {
  return Crashed(
      "messages of the run are not readable: the program has a kernel library "
      "of another version");
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
    record.end = Crashed(
        "messages of the run are lost: the program wrote into memory of the "
        "library");
    return record;
  }
  if (!readable) {
    record.end = Unreadable();
    return record;
  }
  record.counts = page.counts;
  if (page.forked_call) {
    record.refusals.push_back(
        {.name = std::string(TextIn(page.forked_op)),
         .why = "in a process that the program forked",
         .site = {.file = std::string(TextIn(page.forked_file)),
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
