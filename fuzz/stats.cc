#include "fuzz/stats.h"

#include <chrono>
#include <cstdlib>

#include "differential/testcase/record_lines.h"
#include "fuzz/edition.h"
#include "fuzz/findings.h"
#include "fuzz/guidance.h"
#include "fuzz/own_coverage.h"
#include "fuzz/record.h"
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
  WriteRecord(RecordPath(""), RecordLines(stats));
  WriteBins();
  WriteOwnCoverage();
  WriteCounts();
}

}  // namespace lanediff::fuzz
