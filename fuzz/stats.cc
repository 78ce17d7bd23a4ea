#include "fuzz/stats.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "differential/compare/keep_finding.h"
#include "differential/testcase/record_json.h"
#include "fuzz/guidance.h"
#include "fuzz/subject.h"
#include "generators/coverage/model.h"

namespace lanediff::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point kStart = Clock::now();

void WriteEverySecond() {
  static Clock::time_point last = kStart;
  const Clock::time_point now = Clock::now();
  if (now - last < std::chrono::seconds(1)) return;
  last = now;
  WriteStats();
}

struct Kept {
  std::uint64_t count = 0;
  std::size_t size = 0;  ///< of the case on disk, in encoded bytes
};

std::map<std::string, Kept> kept;
bool counts_written = true;

bool must_crash = false;

/// Null where findings are not collected.
const char* Folder() {
  static const char* const folder = std::getenv("LANEDIFF_FUZZ_FINDINGS");
  return folder;
}

/// Of this process alone, so that none replaces what another one left.
std::string PathOf(const std::string& signature) {
  static const auto start =
      std::chrono::system_clock::now().time_since_epoch().count();
  return fmt::format("{}/{}.{:x}-{}.json", Folder(),
                     diff::FileNameOf(signature), start, getpid());
}

void Write(const Case& c, const diff::Finding& finding) {
  const std::string tool = "lanediff-fuzz-" + std::string(Module());
  const std::string path = PathOf(finding.signature);
  const auto written = diff::KeepOrShowCase(
      diff::CaseOfFinding(c, finding, Module(), tool), path);
  if (!written) EndUnwritten(written.error());
  fmt::print(stderr, "FINDING {}\n  signature: {}\n  raw case: {}\n",
             finding.message, finding.signature, path);
}

[[noreturn]] void End(std::string_view why) {
  fmt::print(stderr, "lanediff-fuzz: {}; that is enough\n", why);
  WriteStats();
  // Not exit(): libFuzzer takes that for a crash of the target.
  std::_Exit(0);
}

}  // namespace

Stats& GlobalStats() {
  static Stats stats;
  // What is used at exit has to be made before the exit function is known.
  make::coverage::Model::Get(GuidingEdition());
  [[maybe_unused]] static const int at_exit = std::atexit(WriteStats);
  return stats;
}

void NoteCaseDone() {
  ++GlobalStats().cases;
  WriteEverySecond();
}

void NoteBeyond() {
  ++GlobalStats().beyond;
  WriteEverySecond();
}

void WriteStats() {
  Stats& stats = GlobalStats();
  stats.seconds = std::chrono::duration<double>(Clock::now() - kStart).count();
  stats.build = diff::BuildName();
  WriteRecord(RecordPath(""), RecordText(stats));
  WriteBins();
  WriteOwnCoverage();
  WriteCounts();
}

std::string RecordPath(const char* suffix) {
  const char* const path = std::getenv("LANEDIFF_FUZZ_STATS");
  return path == nullptr ? "" : path + std::string(suffix);
}

void WriteRecord(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  const std::string temporary = path + ".tmp";
  // Not flushed to the disk: it has to outlive this process, not the machine.
  FILE* const file = std::fopen(temporary.c_str(), "w");
  bool written = file != nullptr &&
                 std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) written &= std::fclose(file) == 0;
  if (!written || std::rename(temporary.c_str(), path.c_str()) != 0) {
    EndUnwritten(
        fmt::format("{}: can't be written: {}", path, std::strerror(errno)));
  }
}

void EndUnwritten(const std::string& why) {
  fmt::print(stderr, "lanediff-fuzz: {}\n", why);
  // Not exit(): libFuzzer takes that for a crash of the target.
  std::_Exit(kCantWrite);
}

void KeepRaw(const Case& c, std::size_t size, const diff::Finding& finding) {
  static int repeated = 0;
  ++GlobalStats().findings;
  if (Folder() == nullptr) {
    fmt::print(stderr, "FINDING {}\n", finding.message);
    PrintAssertion(finding.signature);
    WriteStats();
    must_crash = true;
    return;
  }
  Kept& mine = kept[finding.signature];
  counts_written = false;
  repeated = mine.count == 0 ? 0 : repeated + 1;
  ++mine.count;
  if (mine.count == 1 || size < mine.size) {
    mine.size = size;
    Write(c, finding);
  }
  if (kept.size() >= kMostSignatures) {
    End(fmt::format("findings of {} signatures", kept.size()));
  }
  if (repeated >= kMostRepeated) {
    End(fmt::format("{} findings in a row with known signatures", repeated));
  }
}

bool MustCrash() { return must_crash; }

void PrintAssertion(std::string_view signature) {
  fmt::print(stderr, "ASSERTION FAILED: FuzzerHash={}\n", signature);
}

void WriteCounts() {
  if (counts_written) return;
  std::string lines;
  for (const auto& [signature, mine] : kept) {
    lines += fmt::format("{} {}\n", mine.count, signature);
  }
  WriteRecord(RecordPath(".findings"), lines);
  counts_written = true;
}

}  // namespace lanediff::fuzz
