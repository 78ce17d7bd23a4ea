#include "kernel/launch/handover.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

#include "differential/subprocess/spawn.h"
#include "differential/testcase/record_join.h"
#include "differential/testcase/write_file.h"
#include "kernel/engine/cases.h"
#include "kernel/engine/options.h"
#include "kernel/launch/event_writer.h"
#include "reports/kernel_line.h"

namespace lanediff::host {
namespace {

using kernel::End;
using kernel::RunRecord;
using reports::KernelLine;

// Each line begins with the number of the process that wrote it.
constexpr std::string_view kBegins = "begins";
constexpr std::string_view kComplete = "complete";

std::string ReadAll(int file) {
  std::string text;
  char buffer[1 << 14];
  for (ssize_t n; (n = pread(file, buffer, sizeof buffer,
                             static_cast<off_t>(text.size()))) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

struct Line {
  pid_t pid = 0;
  std::string_view text;
};

std::vector<Line> LinesOf(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t end; (end = text.find('\n')) != text.npos;
       text.remove_prefix(end + 1)) {
    Line line;
    const auto [rest, error] =
        std::from_chars(text.data(), text.data() + end, line.pid);
    if (error != std::errc{} || rest == text.data() + end) continue;
    line.text = {rest + 1, text.data() + end};
    lines.push_back(line);
  }
  return lines;
}

constexpr const char* kFileName = "lanediff-records";

/// The file of the innermost run above this process, as a path; "" if there is
/// none.
std::string FileAbove() {
  namespace fs = std::filesystem;
  const std::string wanted = fmt::format("/memfd:{}", kFileName);
  for (pid_t pid = getppid(); pid > 1; pid = diff::ParentOf(pid)) {
    std::error_code error;
    for (fs::directory_iterator entry(fmt::format("/proc/{}/fd", pid), error),
         end;
         !error && entry != end; entry.increment(error)) {
      std::error_code ignored;
      const auto leads_to = fs::read_symlink(entry->path(), ignored);
      if (leads_to.string().starts_with(wanted)) return entry->path().string();
    }
  }
  return "";
}

/// The greater number, the worse.
int Severity(const End& end) {
  switch (end.how) {
    case End::How::kCrashed:
    case End::How::kTimedOut:
      return 3;
    case End::How::kTooMany:
    case End::How::kNotStarted:
      return 2;
    case End::How::kEnded:
      break;
  }
  return end.code != 0 ? 1 : 0;
}

/// The record's counts are added up, and its digest is that of the last one.
void Add(const kernel::Counts& counts, kernel::Counts& sum) {
  const std::uint64_t most_ulp = std::max(counts.most_ulp, sum.most_ulp);
  JoinInto(counts, sum);
  sum.most_ulp = most_ulp;
  sum.gm_digest = counts.gm_digest;
}

/// What is of one place stands once.
void Add(const RunRecord& record, RunRecord& sum) {
  const auto add = [](const auto& from, auto& to, const auto& key,
                      const auto& join) {
    for (const auto& one : from) {
      const auto there = std::ranges::find_if(
          to, [&](const auto& other) { return key(one) == key(other); });
      if (there == to.end()) {
        to.push_back(one);
      } else {
        join(one, *there);
      }
    }
  };
  const auto add_times = [](const auto& from, auto& to) {
    to.times += from.times;
  };
  const auto keep = [](const auto&, auto&) {};
  add(
      record.findings, sum.findings,
      [](const auto& one) {
        return std::tie(one.rule, one.later, one.earlier, one.message);
      },
      add_times);
  add(
      record.notes, sum.notes,
      [](const auto& one) { return std::tie(one.rule, one.site, one.message); },
      add_times);
  add(
      record.refusals, sum.refusals,
      [](const auto& one) { return std::tie(one.name, one.site); }, keep);
  add(record.hidden, sum.hidden, std::identity(), keep);
  add(
      record.sites, sum.sites,
      [](const auto& one) { return std::tie(one.site, one.op); },
      [](const kernel::SiteRow& from, kernel::SiteRow& to) {
        JoinInto(from, to);
        to.site = from.site;
      });
  Add(record.counts, sum.counts);
  if (Severity(record.end) > Severity(sum.end)) sum.end = record.end;
}

}  // namespace

void NameRunFolder() {
  std::error_code error;
  const auto folder = std::filesystem::current_path(error);
  if (!error) setenv(kernel::kRunFolderVariable, folder.c_str(), 1);
}

std::optional<Handover> Handover::Begin() {
  constexpr int kHow = O_RDWR | O_APPEND | O_CLOEXEC;
  Handover handover;
  if (const char* const path = std::getenv(kHandoverVariable)) {
    handover.file_ = open(path, kHow);
  }
  if (handover.file_ < 0) {
    const std::string above = FileAbove();
    if (above.empty()) return std::nullopt;
    handover.file_ = open(above.c_str(), kHow);
  }
  if (handover.file_ < 0) return std::nullopt;
  WriteAll(handover.file_, fmt::format("{} {}\n", getpid(), kBegins));
  const std::string text = ReadAll(handover.file_);
  for (const Line& line : LinesOf(text)) {
    if (line.text != kBegins) continue;
    if (line.pid == getpid()) break;
    ++handover.before_;
  }
  return handover;
}

std::string Handover::OwnOptions(const std::string& options) const {
  const auto read = kernel::ReadOptionsText(options);
  if (before_ == 0 || !read) return options;
  return fmt::format("{} --out {}", options,
                     kernel::Quoted(OwnFolder(read->settings.out)));
}

std::string Handover::OwnFolder(const std::string& folder) const {
  return before_ == 0 ? folder : fmt::format("{}/{}", folder, before_ + 1);
}

void Handover::Write(const RunRecord& record) const {
  std::string text;
  const auto add = [&](std::string_view kind, std::size_t index,
                       std::string_view piece) {
    text += fmt::format("{} {} {} {}\n", getpid(), kind, index, piece);
  };
  ForParts(record, [&](std::string_view kind, const auto& part) {
    if constexpr (requires { part.size(); }) {
      for (std::size_t i = 0; i < part.size(); ++i) {
        add(kind, i, KernelLine(part[i]));
      }
    } else {
      add(kind, 0, KernelLine(part));
    }
  });
  text += fmt::format("{} {}\n", getpid(), kComplete);
  WriteAll(file_, text);
}

void Handover::Close() {
  close(file_);
  file_ = -1;
}

bool HandedOver::Begin() {
  file_ = memfd_create(kFileName, MFD_CLOEXEC);
  if (file_ < 0) return false;
  // In no folder: the library finds it as a file of this process.
  setenv(kHandoverVariable,
         fmt::format("/proc/{}/fd/{}", getpid(), file_).c_str(), 1);
  return true;
}

std::string HandedOver::Text() const { return ReadAll(file_); }

std::vector<pid_t> HandedOver::Watchers() const {
  const std::string text = Text();
  std::vector<pid_t> pids;
  for (const Line& line : LinesOf(text)) {
    if (line.text == kBegins) pids.push_back(line.pid);
  }
  return pids;
}

std::vector<HandedOver::Part> HandedOver::Parts() const {
  const std::string text = Text();
  std::vector<Part> parts;
  for (const Line& line : LinesOf(text)) {
    if (line.text == kBegins) {
      parts.push_back({.pid = line.pid, .record = {}});
      continue;
    }
    const auto part =
        std::find_if(parts.rbegin(), parts.rend(),
                     [&](const Part& one) { return one.pid == line.pid; });
    if (part == parts.rend()) continue;
    if (line.text == kComplete) {
      part->complete = true;
    } else if (!ReadEvent(part->record, line.text)) {
      part->readable = false;
    }
  }
  for (Part& part : parts) {
    if (!part.readable) part.record.end = Unreadable();
    if (part.complete) continue;
    part.record.end = Crashed(
        "the process that watches over the program was killed; what it found "
        "is lost");
  }
  return parts;
}

std::optional<RunRecord> HandedOver::Record(
    const kernel::Settings& settings) const {
  const std::vector<Part> parts = Parts();
  if (parts.empty()) return std::nullopt;
  RunRecord sum;
  sum.settings =
      parts.front().complete ? parts.front().record.settings : settings;
  for (const Part& part : parts) Add(part.record, sum);
  return sum;
}

void HandedOver::AddTo(RunRecord& record) const {
  for (const Part& part : Parts()) Add(part.record, record);
}

}  // namespace lanediff::host
