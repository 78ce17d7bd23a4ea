#include "fuzz/stats.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "differential/testcase/record_json.h"
#include "fuzz/findings.h"
#include "fuzz/guidance.h"
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

}  // namespace lanediff::fuzz
